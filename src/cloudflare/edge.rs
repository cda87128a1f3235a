//! The Worker: verifies host, route, size, caller and origin, then forwards to the one object. `entry.mjs` bounds the whole in time.

use std::cell::OnceCell;
use std::rc::Rc;

use futures_util::StreamExt as _;
use worker::{Context, Env, Headers, Method, Request, Response, event, web_sys};

use crate::access::config::Config;
use crate::access::host::{self, Site};
use crate::access::origin;
use crate::api::response::{self, Response as ApiResponse};
use crate::api::routes::{self, EdgeCall, Found, Handler, Route, Who};
use crate::api::{challenge, cors, pages};
use crate::cloudflare::clock::PlatformClock;
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

#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> worker::Result<Response> {
    console_error_panic_hook::set_once();
    let now = PlatformClock::default().now_millis();
    let request_id = ids::new_id(IdKind::Request, now, &PlatformRandom).unwrap_or_default();
    let head = request.method() == Method::Head;
    let path = request.path();
    let answer = match admit(&request, &env).await? {
        Ok(admitted) => answer(request, &env, admitted, &request_id).await?,
        Err(own) => Answer::Own(refuse(request, own).await?),
    };
    let response = match answer {
        Answer::Own(mut own) => {
            response::complete(&mut own.headers, &path, &request_id);
            to_platform(own)?
        }
        Answer::Vaults(response) => response,
    };
    if head {
        let (status, headers) = (response.status_code(), response.headers().clone());
        return Ok(Response::empty()?.with_status(status).with_headers(headers));
    }
    Ok(response)
}

/// Whose answer it is.
enum Answer {
    /// The edge's own.
    Own(ApiResponse),
    /// The vault's, complete as it is: making it anew would take longer than all the edge's checks.
    Vaults(Response),
}

/// Answers a refused request after reading its body away, up to [`limits::BULK_BODY_BYTES`]: a client that is cut off while
/// it still sends sees a broken connection and not the reason.
async fn refuse(mut request: Request, refusal: ApiResponse) -> worker::Result<ApiResponse> {
    if request.inner().body().is_some() {
        let mut stream = request.stream()?;
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
    request: Request,
    env: &Env,
    admitted: Admitted,
    request_id: &str,
) -> worker::Result<Answer> {
    if let Some(Handler::Edge(handler)) = admitted.route.map(|route| route.handler) {
        let header = |name: &str| request.headers().get(name).ok().flatten();
        return Ok(Answer::Own(handler(&EdgeCall {
            origin: &admitted.site.origin,
            path: &request.path(),
            accepts_gzip: header("accept-encoding")
                .is_some_and(|accepted| accepted.contains("gzip")),
            if_none_match: header("if-none-match"),
            accept: header("accept"),
        })));
    }
    match forward_to_object(request, env, &admitted, request_id).await {
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
async fn admit(request: &Request, env: &Env) -> worker::Result<Own> {
    let config = config(env);
    let headers = request.headers();
    let site = match host::site(headers.get("host")?.as_deref(), &config) {
        Ok(site) => site,
        Err(error) => return Ok(Err(response::from_error(error))),
    };
    #[cfg(feature = "test-hooks")]
    if request
        .path()
        .starts_with(crate::cloudflare::test_hooks::PREFIX)
    {
        return Ok(Ok(Admitted {
            site,
            actor: None,
            route: None,
        }));
    }
    let (method, path) = (request.method().to_string(), request.path());
    if let Some(answer) = cors::preflight(&path).filter(|_| method == "OPTIONS") {
        return Ok(Err(answer));
    }
    let (route, who) = match routes::find(&method, &path) {
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
            let allowed = check_origin(&method, headers, &site);
            let owner = match allowed {
                Ok(()) => callers::owner(who, &config, &site, headers).await,
                Err(error) => Err(error),
            };
            match owner {
                Ok(actor) => Some(actor),
                Err(error) => return Ok(Err(refuse_owner(request, error))),
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
fn check_body(route: &Route, headers: &Headers) -> Option<ApiResponse> {
    let header = |name: &str| headers.get(name).ok().flatten();
    let announced = header("content-length")
        .and_then(|length| length.parse::<usize>().ok())
        .unwrap_or(0);
    if announced > route.body_limit {
        return Some(response::from_error(response::body_too_large(
            route.body_limit,
        )));
    }
    header("content-encoding")
        .filter(|encoding| !encoding.eq_ignore_ascii_case("identity"))
        .map(|_| {
            response::from_error(Error::new(
                Kind::UnsupportedMediaType,
                "send the body as it is, without Content-Encoding",
            ))
        })
}

/// Somebody who looks at a page reads a page.
fn refuse_owner(request: &Request, error: Error) -> ApiResponse {
    let accepts = request
        .headers()
        .get("accept")
        .ok()
        .flatten()
        .unwrap_or_default();
    if accepts.contains("text/html") && !request.path().starts_with("/api/") {
        pages::not_signed_in(&error)
    } else {
        response::from_error(error)
    }
}

fn check_origin(method: &str, headers: &Headers, site: &Site) -> Result<()> {
    if matches!(method, "GET" | "HEAD") {
        return Ok(());
    }
    let (origin, fetch_site) = (
        headers.get("origin").ok().flatten(),
        headers.get("sec-fetch-site").ok().flatten(),
    );
    origin::check_write(
        origin::Provenance {
            origin: origin.as_deref(),
            sec_fetch_site: fetch_site.as_deref(),
        },
        site,
    )
}

/// Forwards to the object.
async fn forward_to_object(
    request: Request,
    env: &Env,
    admitted: &Admitted,
    request_id: &str,
) -> worker::Result<Response> {
    // The platform's own type: the worker crate's sets a good many more fields, at a price for each.
    let init = web_sys::RequestInit::new();
    init.set_method(request.method().as_ref());
    // A redirect is for the browser, not for us to follow.
    init.set_redirect(web_sys::RequestRedirect::Manual);
    let verified = forward::Verified {
        actor: admitted.actor.as_ref(),
        request_id,
        site: &admitted.site,
    };
    init.set_headers(forward::headers(request.headers(), verified)?.as_ref());
    // Reading takes no body, and the platform refuses to hand one on; what a client sent with it means nothing (RFC 9110 §9.3.1).
    let takes_body = !matches!(request.method(), Method::Get | Method::Head);
    if let Some(body) = request.inner().body().filter(|_| takes_body) {
        init.set_body(&body);
    }
    let inner = web_sys::Request::new_with_str_and_init(&request.inner().url(), &init)?.into();
    forward::vault(env, &admitted.site)?
        .fetch_with_request(inner)
        .await
}
