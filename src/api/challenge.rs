//! 401 and 403 of the MCP endpoint, with the header that tells a client where to sign in.

use crate::api::response::{self, Response};
use crate::error::{Error, Kind};
use crate::model::scope::DEFAULT_SCOPES;
use crate::oauth::challenge::{self, Reason};

/// Why an app is not let through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// It brought no token; nothing is wrong with that.
    FirstContact,
    /// What it brought does not do.
    Because(Reason),
}

/// The refusal of a request without a good token.
pub fn refuse(origin: &str, refusal: Refusal) -> Response {
    let (kind, reason, message) = match refusal {
        Refusal::FirstContact => (
            Kind::Unauthenticated,
            None,
            "sign in first: the header WWW-Authenticate says where; /connect says how",
        ),
        Refusal::Because(reason) => (Kind::Unauthenticated, Some(reason), reason.description()),
    };
    let mut response = response::from_error(Error::new(kind, message));
    response.status = reason.map_or(401, Reason::status);
    with_header(response, origin, DEFAULT_SCOPES, reason)
}

/// Adds the challenge to an answer that was made elsewhere.
pub fn with_header(
    mut response: Response,
    origin: &str,
    scope: &str,
    reason: Option<Reason>,
) -> Response {
    response
        .headers
        .push(("WWW-Authenticate", challenge::header(origin, scope, reason)));
    response
}
