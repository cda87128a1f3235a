//! The Worker: verifies host, route, size, caller and origin, then forwards to the one object. `entry.mjs` bounds the whole in time.

use std::cell::OnceCell;
use std::rc::Rc;

use futures_util::StreamExt as _;
use worker::{Context, Env, Request, event, web_sys};

use crate::access::config::Config;
use crate::access::host::{self, Site};
use crate::access::origin;
use crate::api::response::{self, Response as ApiResponse};
use crate::api::routes::{self, EdgeCall, Found, Handler, Route, Who};
use crate::api::{challenge, cors, pages};
use crate::cloudflare::clock::PlatformClock;
use crate::cloudflare::headers::ClientHeaders;
use crate::cloudflare::object::to_platform;
use crate::cloudflare::random::PlatformRandom;
use crate::cloudflare::{callers, forward, log};
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::actor::Actor;
use crate::model::ids::{self, IdKind};
use crate::ports::Clock as _;

/// A request that passed every check.
struct Admitted {
    site: Site,
    actor: Option<Actor>,
    route: Option<&'static Route>,
}

/// An answer of the edge's own: a refusal, or what needs no vault.
type Own = std::result::Result<Admitted, ApiResponse>;

/// A request as the platform has it. The worker crate's type reads more of one than is needed here, and a vault's answer that
/// went through its other type would be made anew.
struct Asked {
    inner: web_sys::Request,
    method: String,
    path: String,
    headers: ClientHeaders,
}

impl Asked {
    fn new(inner: web_sys::Request) -> worker::Result<Self> {
        Ok(Asked {
            method: inner.method(),
            path: path_of(&inner.url()).to_owned(),
            headers: ClientHeaders::read(&inner.headers())?,
            inner,
        })
    }
}

/// The path of an address that the platform has written, in which the first slash after the host begins it.
fn path_of(url: &str) -> &str {
    let after = url.split_once("://").map_or(url, |(_, after)| after);
    let path = after.find('/').and_then(|start| after.get(start..));
    path.and_then(|path| path.split(['?', '#']).next())
        .unwrap_or("/")
}

#[event(fetch)]
async fn fetch(
    request: web_sys::Request,
    env: Env,
    _context: Context,
) -> worker::Result<web_sys::Response> {
    console_error_panic_hook::set_once();
    let asked = Asked::new(request)?;
    let now = PlatformClock::default().now_millis();
    let request_id = ids::new_id(IdKind::Request, now, &PlatformRandom).unwrap_or_default();
    let answer = match admit(&asked, &env).await? {
        Ok(admitted) => answer(&asked, &env, admitted, &request_id).await?,
        Err(own) => Answer::Own(refuse(&asked, own).await?),
    };
    let response = match answer {
        Answer::Own(mut own) => {
            response::complete(&mut own.headers, &asked.path, &request_id);
            to_platform(own)?.into()
        }
        Answer::Vaults(response) => response,
    };
    if asked.method == "HEAD" {
        let init = web_sys::ResponseInit::new();
        init.set_status(response.status());
        init.set_headers(response.headers().as_ref());
        return Ok(web_sys::Response::new_with_opt_str_and_init(None, &init)?);
    }
    Ok(response)
}

/// Whose answer it is.
enum Answer {
    /// The edge's own.
    Own(ApiResponse),
    /// The vault's, complete as it is.
    Vaults(web_sys::Response),
}

/// Answers a refused request after reading its body away, up to [`limits::BULK_BODY_BYTES`]: a client that is cut off while
/// it still sends sees a broken connection and not the reason.
async fn refuse(asked: &Asked, refusal: ApiResponse) -> worker::Result<ApiResponse> {
    if asked.inner.body().is_some() {
        let mut stream = Request::from(Clone::clone(&asked.inner)).stream()?;
        let mut read = 0;
        while let Some(Ok(chunk)) = stream.next().await {
            read += chunk.len();
            if read > limits::BULK_BODY_BYTES {
                break;
            }
        }
    }
    Ok(refusal)
}

/// Answers here what needs no vault, and forwards the rest.
async fn answer(
    asked: &Asked,
    env: &Env,
    admitted: Admitted,
    request_id: &str,
) -> worker::Result<Answer> {
    if let Some(Handler::Edge(handler)) = admitted.route.map(|route| route.handler) {
        return Ok(Answer::Own(handler(&EdgeCall {
            origin: &admitted.site.origin,
            path: &asked.path,
            accepts_gzip: asked
                .headers
                .get("accept-encoding")
                .is_some_and(|accepted| accepted.contains("gzip")),
            if_none_match: asked.headers.get("if-none-match").map(str::to_owned),
            accept: asked.headers.get("accept").map(str::to_owned),
        })));
    }
    match forward_to_object(asked, env, &admitted, request_id).await {
        Ok(response) => Ok(Answer::Vaults(response)),
        Err(error) => {
            let cause = Error {
                cause: Some(error.to_string()),
                ..Error::new(
                    Kind::Unavailable,
                    "the vault did not answer; try again in a moment",
                )
            };
            log::failure(request_id, "forward", &cause);
            Ok(Answer::Own(response::from_error(cause)))
        }
    }
}

thread_local! {
    static CONFIG: OnceCell<Rc<Config>> = const { OnceCell::new() };
}

/// The deployment's settings. They are read once: a deployment with other ones runs in other isolates.
fn config(env: &Env) -> Rc<Config> {
    let read = || {
        Rc::new(Config::read(|name| {
            env.var(name).ok().map(|value| value.to_string())
        }))
    };
    CONFIG.with(|config| Rc::clone(config.get_or_init(read)))
}

/// Every check that comes before the vault, in the order of the design: host, route, size, caller, origin.
async fn admit(asked: &Asked, env: &Env) -> worker::Result<Own> {
    let config = config(env);
    let Asked {
        method,
        path,
        headers,
        ..
    } = asked;
    let site = match host::site(headers.get("host"), &config) {
        Ok(site) => site,
        Err(error) => return Ok(Err(response::from_error(error))),
    };
    #[cfg(feature = "test-hooks")]
    if path.starts_with(crate::cloudflare::test_hooks::PREFIX) {
        return Ok(Ok(Admitted {
            site,
            actor: None,
            route: None,
        }));
    }
    if let Some(answer) = cors::preflight(path).filter(|_| method == "OPTIONS") {
        return Ok(Err(answer));
    }
    let (route, who) = match routes::find(method, path) {
        Found::Route(route, _) => (Ok(route), route.who),
        Found::WrongMethod(allowed, who) => (Err(response::method_not_allowed(&allowed)), who),
        Found::Nothing => {
            return Ok(Err(response::from_error(Error::not_found("such path"))));
        }
    };
    if let Some(refusal) = route
        .as_ref()
        .ok()
        .and_then(|route| check_body(route, headers))
    {
        return Ok(Err(refusal));
    }
    let actor = match who {
        Who::Anyone => None,
        // A client that only looks, with GET, has to learn where to sign in, so this comes before 405.
        Who::Agent => match callers::agent(env, &site, headers).await? {
            Ok(actor) => Some(actor),
            Err(refusal) => return Ok(Err(challenge::refuse(&site.origin, refusal))),
        },
        Who::Owner | Who::Person => {
            // A write from another site learns nothing, not even which methods there are.
            let allowed = check_origin(method, headers, &site);
            let owner = match allowed {
                Ok(()) => callers::owner(who, &config, &site, headers).await,
                Err(error) => Err(error),
            };
            match owner {
                Ok(actor) => Some(actor),
                Err(error) => return Ok(Err(refuse_owner(asked, error))),
            }
        }
    };
    Ok(route.map(|route| Admitted {
        site,
        actor,
        route: Some(route),
    }))
}

/// Size and encoding, as announced.
fn check_body(route: &Route, headers: &ClientHeaders) -> Option<ApiResponse> {
    let announced = headers
        .get("content-length")
        .and_then(|length| length.parse::<usize>().ok())
        .unwrap_or(0);
    if announced > route.body_limit {
        return Some(response::from_error(response::body_too_large(
            route.body_limit,
        )));
    }
    headers
        .get("content-encoding")
        .filter(|encoding| !encoding.eq_ignore_ascii_case("identity"))
        .map(|_| {
            response::from_error(Error::new(
                Kind::UnsupportedMediaType,
                "send the body as it is, without Content-Encoding",
            ))
        })
}

/// Somebody who looks at a page reads a page.
fn refuse_owner(asked: &Asked, error: Error) -> ApiResponse {
    let accepts = asked.headers.get("accept").unwrap_or_default();
    if accepts.contains("text/html") && !asked.path.starts_with("/api/") {
        pages::not_signed_in(&error)
    } else {
        response::from_error(error)
    }
}

fn check_origin(method: &str, headers: &ClientHeaders, site: &Site) -> Result<()> {
    if matches!(method, "GET" | "HEAD") {
        return Ok(());
    }
    origin::check_write(
        origin::Provenance {
            origin: headers.get("origin"),
            sec_fetch_site: headers.get("sec-fetch-site"),
        },
        site,
    )
}

/// Forwards to the object.
async fn forward_to_object(
    asked: &Asked,
    env: &Env,
    admitted: &Admitted,
    request_id: &str,
) -> worker::Result<web_sys::Response> {
    let init = web_sys::RequestInit::new();
    init.set_method(&asked.method);
    // A redirect is for the browser, not for us to follow.
    init.set_redirect(web_sys::RequestRedirect::Manual);
    let verified = forward::Verified {
        actor: admitted.actor.as_ref(),
        request_id,
        site: &admitted.site,
    };
    init.set_headers(forward::headers(&asked.headers, verified)?.as_ref());
    // Reading takes no body, and the platform refuses to hand one on; what a client sent with it means nothing (RFC 9110 §9.3.1).
    let takes_body = !matches!(asked.method.as_str(), "GET" | "HEAD");
    if let Some(body) = asked.inner.body().filter(|_| takes_body) {
        init.set_body(&body);
    }
    let request = web_sys::Request::new_with_str_and_init(&asked.inner.url(), &init)?;
    forward::fetch(env, &admitted.site, &request).await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_of_an_address_ends_where_its_query_begins() {
        for (url, path) in [
            ("https://vault.example.org/", "/"),
            ("https://vault.example.org/api/memories", "/api/memories"),
            ("http://127.0.0.1:8787/api/recall?q=a/b", "/api/recall"),
            ("https://vault.example.org/mcp#a?b", "/mcp"),
            ("https://vault.example.org//mcp", "//mcp"),
            ("https://vault.example.org/%2Fmcp%3F", "/%2Fmcp%3F"),
            ("https://vault.example.org", "/"),
        ] {
            assert_eq!(path_of(url), path, "{url}");
        }
    }
}
