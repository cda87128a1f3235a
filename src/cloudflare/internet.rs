//! The open internet through the platform's `fetch`: no cookies, redirects handed back as they are, bounded in size and
//! time. That the address is public is the caller's to check; on Cloudflare the flag `global_fetch_strictly_public` keeps
//! a fetch of our own zone from jumping past its rules.

use futures_util::StreamExt as _;
use worker::{AbortSignal, Headers, Method, Request, RequestInit, RequestRedirect, web_sys};

use crate::ports::{Fetch, FetchFailure, FetchRequest, Fetched, Later};

/// The platform's `fetch`.
pub struct PlatformInternet;

impl Fetch for PlatformInternet {
    fn get<'a>(&'a self, request: FetchRequest<'a>) -> Later<'a, Result<Fetched, FetchFailure>> {
        Box::pin(get(request))
    }
}

async fn get(request: FetchRequest<'_>) -> Result<Fetched, FetchFailure> {
    let signal = AbortSignal::from(web_sys::AbortSignal::timeout_with_u32(request.milliseconds));
    fetch(&request, &signal).await.map_err(|failure| {
        if signal.aborted() {
            FetchFailure::Late
        } else {
            failure
        }
    })
}

async fn fetch(request: &FetchRequest<'_>, signal: &AbortSignal) -> Result<Fetched, FetchFailure> {
    let unreachable = |_| FetchFailure::Unreachable;
    let headers = Headers::new();
    for (name, value) in request.headers {
        headers.set(name, value).map_err(unreachable)?;
    }
    let mut init = RequestInit::new();
    init.with_method(Method::Get)
        .with_headers(headers)
        .with_redirect(RequestRedirect::Manual);
    let outgoing = Request::new_with_init(request.url, &init).map_err(unreachable)?;
    let mut response = worker::Fetch::Request(outgoing)
        .send_with_signal(signal)
        .await
        .map_err(unreachable)?;
    let mut body = Vec::new();
    // An answer without a body has no stream.
    if let Ok(mut stream) = response.stream() {
        while let Some(chunk) = stream.next().await {
            let chunk = chunk.map_err(unreachable)?;
            if body.len() + chunk.len() > request.body_bytes {
                return Err(FetchFailure::TooLarge);
            }
            body.extend_from_slice(&chunk);
        }
    }
    Ok(Fetched {
        status: response.status_code(),
        headers: response
            .headers()
            .entries()
            .map(|(name, value)| (name.to_ascii_lowercase(), value))
            .collect(),
        body,
    })
}
