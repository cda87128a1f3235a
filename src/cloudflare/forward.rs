//! The inner hop from edge to object: what the edge has verified, as headers that no client can set, since the edge
//! passes on only the headers listed here.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use worker::{Headers, Result};

use crate::model::actor::Actor;

/// The verified caller, JSON in base64url.
pub const ACTOR: &str = "x-vault-actor";
/// The request's id.
pub const REQUEST_ID: &str = "x-vault-request-id";
/// Our own origin.
pub const BASE_URL: &str = "x-vault-base-url";

/// What the vault may read of the client's own headers.
const PASSED: [&str; 7] = [
    "content-type",
    "accept",
    "user-agent",
    "idempotency-key",
    "mcp-protocol-version",
    "mcp-method",
    "mcp-name",
];

/// The headers of the inner request.
pub fn headers(
    client: &Headers,
    actor: Option<&Actor>,
    request_id: &str,
    base_url: &str,
) -> Result<Headers> {
    let headers = Headers::new();
    for name in PASSED {
        if let Some(value) = client.get(name)? {
            headers.set(name, &value)?;
        }
    }
    if let Some(actor) = actor {
        headers.set(ACTOR, &URL_SAFE_NO_PAD.encode(serde_json::to_vec(actor)?))?;
    }
    headers.set(REQUEST_ID, request_id)?;
    headers.set(BASE_URL, base_url)?;
    Ok(headers)
}

/// The caller as the edge named it.
pub fn actor(headers: &Headers) -> Result<Option<Actor>> {
    let Some(text) = headers.get(ACTOR)? else {
        return Ok(None);
    };
    let unreadable = || worker::Error::RustError("the inner actor header is not readable".into());
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| unreadable())?;
    serde_json::from_slice(&bytes)
        .map(Some)
        .map_err(|_| unreadable())
}
