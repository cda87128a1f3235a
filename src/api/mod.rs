//! The HTTP door: the route table, its handlers, and the OpenAPI document of it. Handlers read their arguments,
//! call one operation and render its result; they never see SQL or the platform.

pub mod apps;
pub mod authorize;
pub mod backup;
pub mod body;
pub mod call;
pub mod challenge;
pub mod consent;
pub mod cors;
pub mod dashboard;
pub mod guide;
pub mod health;
pub mod imports;
pub mod mcp_door;
pub mod me;
pub mod memories;
pub mod oauth_door;
pub mod openapi;
pub mod owner;
pub mod pages;
pub mod query;
mod reading;
pub mod recall;
pub mod response;
pub mod restore;
pub mod retention;
pub mod review;
pub mod routes;
pub mod streamed;

use crate::error::{Error, Kind, Result};
use crate::vault::Vault;
use call::{Call, Request};
use response::Response;
use routes::{EdgeCall, Found, Handler, Route};
use streamed::{Begun, Sink};

/// The route of a request and the call it makes of it; `None` where no route takes it.
fn found<'r>(request: &'r Request) -> Option<(&'static Route, Call<'r>)> {
    match routes::find(&request.method, &request.path) {
        Found::Route(route, parameters) => Some((
            route,
            Call {
                request,
                parameters,
            },
        )),
        _ => None,
    }
}

/// Begins the answer of a route whose answer is a stream; `None` for other routes, which [`dispatch`] answers.
pub fn stream(vault: &Vault<'_>, request: &Request) -> Option<Begun> {
    let (route, call) = found(request)?;
    match route.handler {
        Handler::Stream(handler) => {
            Some(only_known(route, &call).and_then(|()| handler(vault, &call)))
        }
        _ => None,
    }
}

/// Begins to take the body of a route that takes it piece by piece; `None` for other routes.
pub fn sink(vault: &Vault<'_>, request: &Request) -> Option<Result<Box<dyn Sink>>> {
    let (route, call) = found(request)?;
    match route.handler {
        Handler::Upload(handler) => {
            Some(only_known(route, &call).and_then(|()| handler(vault, &call)))
        }
        _ => None,
    }
}

/// Refuses query parameters that the route table does not name for a route of the API, and a body where it names none: what is
/// misspelt, or wished for in the wrong place, would be left out in silence. Pages and the doors of sign-in get parameters from
/// elsewhere; a body of a GET means nothing (RFC 9110, 9.3.1).
fn only_known(route: &Route, call: &Call<'_>) -> Result<()> {
    if !route.path.starts_with("/api/") {
        return Ok(());
    }
    call.only(route.doc.query)?;
    match route.doc.body {
        None if route.method != "GET" => call.takes_no_body(),
        _ => Ok(()),
    }
}

/// Answers a request that the edge verified. A failure of ours is in [`Response::failure`], for the log.
pub async fn dispatch(vault: &Vault<'_>, request: &Request) -> Response {
    let (route, parameters) = match routes::find(&request.method, &request.path) {
        Found::Route(route, parameters) => (route, parameters),
        Found::WrongMethod(allowed, _) => return response::method_not_allowed(&allowed),
        Found::Nothing => return response::from_error(Error::not_found("such path")),
    };
    if request.body.len() > route.body_limit {
        return response::from_error(response::body_too_large(route.body_limit));
    }
    let call = Call {
        request,
        parameters,
    };
    if let Err(error) = only_known(route, &call) {
        return response::from_error(error);
    }
    let answer = match route.handler {
        Handler::Edge(handler) => Ok(handler(&EdgeCall {
            origin: &request.base_url,
            path: &request.path,
            accepts_gzip: false,
            if_none_match: None,
            accept: None,
        })),
        Handler::Now(handler) => handler(vault, &call),
        Handler::Later(handler) => handler(vault, &call).await,
        Handler::Stream(_) | Handler::Upload(_) => Err(streamed::not_here()),
    };
    match answer {
        Ok(response) => response,
        Err(error) => refusal(error),
    }
}

/// An error's answer; one of ours is in [`Response::failure`].
pub fn refusal(error: Error) -> Response {
    if error.kind != Kind::Internal {
        return response::from_error(error);
    }
    Response {
        failure: Some(error.clone()),
        ..response::from_error(error)
    }
}
