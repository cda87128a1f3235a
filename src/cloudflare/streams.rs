//! Bodies that are sent while they are made, and bodies taken while they come in.

use futures_util::{StreamExt as _, stream};
use js_sys::{Function, Promise, Reflect};
use wasm_bindgen::JsCast as _;
use wasm_bindgen_futures::JsFuture;
use worker::{Request, Response};

use crate::api::response;
use crate::api::streamed::Streamed;
use crate::cloudflare::clock::PlatformClock;
use crate::cloudflare::log;
use crate::cloudflare::sql::PlatformSql;
use crate::error::{Error, Result};
use crate::model::time::Timestamp;
use crate::ports::Clock as _;
use crate::vault::chunks::Chunks;

/// What a stream needs to go on by itself once the request's own future has ended.
struct Running {
    chunks: Box<dyn Chunks>,
    sql: PlatformSql,
    clock: PlatformClock,
    request_id: String,
    failed: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        self.chunks.end(&self.sql);
    }
}

/// Hands a body over as it comes in, up to `limit` bytes.
///
/// # Errors
/// What `take` says; `too_large`; `invalid_argument` when the body breaks off.
pub async fn receive(
    request: &mut Request,
    limit: usize,
    mut take: impl FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    if request.inner().body().is_none() {
        return Ok(());
    }
    let broken = |_| broke_off();
    let mut stream = request.stream().map_err(broken)?;
    let mut read = 0;
    let mut outcome = Ok(());
    while let Some(chunk) = stream.next().await {
        let chunk = chunk.map_err(broken)?;
        read += chunk.len();
        if read > limit {
            return Err(response::body_too_large(limit));
        }
        // What is refused is still read to its end: a client that is cut off while it sends never sees the reason.
        if outcome.is_ok() {
            outcome = take(&chunk);
        }
    }
    outcome
}

/// A body that ended before its time.
pub fn broke_off() -> Error {
    Error::invalid("body", "broke off before its end")
}

/// Waits until what else the object has to do had its turn. (The worker crate's own delay expects a number from `setTimeout`,
/// which answers an object under Node compatibility.)
async fn a_turn() {
    let promise = Promise::new(&mut |resolve, _| {
        let timer = Reflect::get(&js_sys::global(), &"setTimeout".into());
        if let Some(timer) = timer
            .ok()
            .and_then(|timer| timer.dyn_into::<Function>().ok())
        {
            let _ = timer.call2(&js_sys::global(), &resolve, &0.into());
        }
    });
    let _ = JsFuture::from(promise).await;
}

/// The platform's answer for a stream. Between two pieces other requests get their turn.
pub fn answer(
    streamed: Streamed,
    sql: PlatformSql,
    clock: PlatformClock,
    request_id: String,
) -> worker::Result<Response> {
    let running = Running {
        chunks: streamed.chunks,
        sql,
        clock,
        request_id,
        failed: false,
    };
    let pieces = stream::unfold(running, |mut running| async {
        if running.failed {
            return None;
        }
        a_turn().await;
        let now = Timestamp::from_millis(running.clock.now_millis());
        match running.chunks.next(&running.sql, now) {
            Ok(Some(piece)) => Some((Ok(piece), running)),
            Ok(None) => None,
            Err(error) => {
                log::failure(&running.request_id, "stream", &error);
                running.failed = true;
                // An error breaks the connection off, so that nobody takes what came for the whole.
                let broken = worker::Error::RustError("the answer cannot be finished".into());
                Some((Err(broken), running))
            }
        }
    });
    let mut response = Response::from_stream(pieces)?;
    let headers = response.headers_mut();
    for (name, value) in &streamed.headers {
        headers.set(name, value)?;
    }
    Ok(response)
}
