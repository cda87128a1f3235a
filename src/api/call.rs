//! A verified request, free of the platform's types.

use crate::error::{Error, Kind, Result};
use crate::model::actor::Actor;

/// What the edge hands to the vault.
#[derive(Debug, Clone, Default)]
pub struct Request {
    /// Upper-case.
    pub method: String,
    /// Percent-encoded path, without query.
    pub path: String,
    /// Decoded query parameters, in order.
    pub query: Vec<(String, String)>,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The whole body.
    pub body: Vec<u8>,
    /// The verified caller; absent on public routes.
    pub actor: Option<Actor>,
    /// For the log and the answer's `X-Request-Id`.
    pub request_id: String,
    /// Our own origin, as the caller reached us.
    pub base_url: String,
    /// Where the caller comes from, as the platform says; only for counting.
    pub address: String,
    /// The cookie that binds a consent form to its browser.
    pub browser: Option<String>,
    /// What is missing before the owner can sign in: settings and what is wrong with each, never their values.
    pub sign_in_faults: Vec<(&'static str, &'static str)>,
    /// Where the owner signs out, where sign-in is by Access.
    pub sign_out: Option<String>,
}

/// A request on its route.
pub struct Call<'a> {
    /// The request.
    pub request: &'a Request,
    /// Values of the route's `:names`, decoded.
    pub parameters: Vec<(&'static str, String)>,
}

impl Call<'_> {
    /// The caller.
    ///
    /// # Errors
    /// `unauthenticated` on a route that was reached without one.
    pub fn actor(&self) -> Result<&Actor> {
        self.request
            .actor
            .as_ref()
            .ok_or_else(|| Error::new(Kind::Unauthenticated, "sign in first"))
    }

    /// The value of a `:name` of the route; empty when the route has no such name.
    pub fn parameter(&self, name: &str) -> &str {
        self.parameters
            .iter()
            .find(|(known, _)| *known == name)
            .map_or("", |(_, value)| value)
    }

    /// Refuses a body, on a route that does what its address says: whoever sends one wishes for something else ("dry_run"). Nothing
    /// and an empty object are none.
    ///
    /// # Errors
    /// `invalid_argument`.
    pub fn takes_no_body(&self) -> Result<()> {
        match self.request.body.trim_ascii() {
            b"" | b"{}" | b"null" => Ok(()),
            _ => Err(Error::invalid(
                "body",
                "is not taken here; nothing was done",
            )),
        }
    }

    /// A header by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.request
            .headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}
