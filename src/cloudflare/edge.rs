//! The Worker: verifies host, route, size, caller and origin, then forwards to the one object. `entry.mjs` bounds the whole in time.

use futures_util::StreamExt as _;
use worker::{Context, Env, Headers, Method, Request, RequestInit, Response, event};

use crate::access::config::Config;
use crate::access::host::{self, Site};
use crate::access::{dev_owner, origin};
use crate::api::pages;
use crate::api::response::{self, Response as ApiResponse};
use crate::api::routes::{self, Found, Route, Who};
use crate::cloudflare::clock::PlatformClock;
use crate::cloudflare::object::to_platform;
use crate::cloudflare::random::PlatformRandom;
use crate::cloudflare::{forward, log};
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::actor::Actor;
use crate::model::ids::{self, IdKind};
use crate::ports::Clock as _;

/// The binding of the Durable Object's namespace.
const NAMESPACE: &str = "VAULT";
/// The object's name unless `VAULT_NAME` gives another.
const DEFAULT_NAME: &str = "personal";

/// A request that passed every check.
struct Admitted {
    site: Site,
    actor: Option<Actor>,
    route: Option<&'static Route>,
}

#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> worker::Result<Response> {
    console_error_panic_hook::set_once();
    let now = PlatformClock::default().now_millis();
    let request_id = ids::new_id(IdKind::Request, now, &PlatformRandom).unwrap_or_default();
    let head = request.method() == Method::Head;
    let mut response = match admit(&request, &env) {
        Ok(Ok(admitted)) => answer(request, &env, admitted, &request_id).await?,
        Ok(Err(refusal)) => refuse(request, refusal).await?,
        Err(error) => refuse(request, response::from_error(error)).await?,
    };
    if head {
        let (status, headers) = (response.status_code(), response.headers().clone());
        response = Response::empty()?.with_status(status).with_headers(headers);
    }
    finish(response, &request_id)
}

/// Answers a refused request after reading its body away, up to [`limits::BULK_BODY_BYTES`]: a client that is cut off while
/// it still sends sees a broken connection and not the reason.
async fn refuse(mut request: Request, refusal: ApiResponse) -> worker::Result<Response> {
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
    to_platform(refusal)
}

/// Answers here what needs no vault, and forwards the rest.
async fn answer(
    request: Request,
    env: &Env,
    admitted: Admitted,
    request_id: &str,
) -> worker::Result<Response> {
    if admitted.route.is_some_and(|route| route.path == "/connect") {
        return to_platform(pages::connect_page(&admitted.site.origin));
    }
    match forward_to_object(request, env, &admitted, request_id).await {
        Ok(response) => Ok(response),
        Err(error) => {
            let cause = Error {
                cause: Some(error.to_string()),
                ..Error::new(
                    Kind::Unavailable,
                    "the vault did not answer; try again in a moment",
                )
            };
            log::failure(request_id, "forward", &cause);
            to_platform(response::from_error(cause))
        }
    }
}

/// Every check that comes before the vault, in the order of the design: host, route, size, caller, origin.
fn admit(request: &Request, env: &Env) -> Result<std::result::Result<Admitted, ApiResponse>> {
    let config = Config::read(|name| variable(env, name));
    let headers = request.headers();
    let header = |name: &str| headers.get(name).ok().flatten();
    let site = host::site(header("host").as_deref(), &config)?;
    let method = request.method().to_string();
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
    let route = match routes::find(&method, &request.path()) {
        Found::Route(route, _) => route,
        Found::WrongMethod(allowed) => {
            // A write from another site learns nothing, not even which methods there are.
            check_origin(&method, headers, &site)?;
            return Ok(Err(response::method_not_allowed(&allowed)));
        }
        Found::Nothing => return Err(Error::not_found("such path")),
    };
    let announced = header("content-length")
        .and_then(|length| length.parse::<usize>().ok())
        .unwrap_or(0);
    if announced > route.body_limit {
        return Err(response::body_too_large(route.body_limit));
    }
    if header("content-encoding").is_some_and(|encoding| !encoding.eq_ignore_ascii_case("identity"))
    {
        let message = "send the body as it is, without Content-Encoding";
        return Err(Error::new(Kind::UnsupportedMediaType, message));
    }
    let actor = match route.who {
        Who::Anyone => None,
        Who::Owner | Who::Agent => Some(caller(route, &config, &site, headers)?),
    };
    if route.who != Who::Anyone {
        check_origin(&method, headers, &site)?;
    }
    Ok(Ok(Admitted {
        site,
        actor,
        route: Some(route),
    }))
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

/// Who calls. Until apps can sign in, an agent on this machine is let in where its owner would be.
fn caller(route: &Route, config: &Config, site: &Site, headers: &Headers) -> Result<Actor> {
    let names: Vec<String> = headers.keys().collect();
    let owner = dev_owner::dev_owner(config, site, names.iter().map(String::as_str));
    let owner = owner.ok_or_else(|| {
        Error::new(Kind::Unauthenticated, "nobody is signed in: this deployment has no sign-in configured, and DEV_OWNER_EMAIL works on a loopback host only")
    })?;
    Ok(if route.who == Who::Agent {
        Actor::Agent {
            client: "local".into(),
        }
    } else {
        owner
    })
}

fn variable(env: &Env, name: &str) -> Option<String> {
    env.var(name).ok().map(|value| value.to_string())
}

/// Forwards to the object.
async fn forward_to_object(
    request: Request,
    env: &Env,
    admitted: &Admitted,
    request_id: &str,
) -> worker::Result<Response> {
    let name = variable(env, "VAULT_NAME")
        .filter(|name| !name.trim().is_empty())
        .unwrap_or_else(|| DEFAULT_NAME.to_owned());
    let stub = env.durable_object(NAMESPACE)?.get_by_name(&name)?;
    let mut init = RequestInit::new();
    init.with_method(request.method());
    init.with_headers(forward::headers(
        request.headers(),
        admitted.actor.as_ref(),
        request_id,
        &admitted.site.origin,
    )?);
    if let Some(body) = request.inner().body() {
        init.with_body(Some(body.into()));
    }
    let inner = Request::new_with_init(request.url()?.as_str(), &init)?;
    stub.fetch_with_request(inner).await
}

/// Adds what every answer carries.
fn finish(response: Response, request_id: &str) -> worker::Result<Response> {
    let headers = Headers::new();
    for (name, value) in response.headers().entries() {
        headers.set(&name, &value)?;
    }
    for (name, value) in response::SECURITY_HEADERS {
        if !headers.has(name)? {
            headers.set(name, value)?;
        }
    }
    headers.set("X-Request-Id", request_id)?;
    Ok(response.with_headers(headers))
}
