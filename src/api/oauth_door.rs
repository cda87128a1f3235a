//! The authorization server's endpoints that clients call: discovery, keys, registration, tokens, revocation.

use serde_json::json;

use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::api::routes::EdgeCall;
use crate::error::{Error, Result};
use crate::oauth::documents;
use crate::oauth::error::OAuthError;
use crate::vault::Vault;
use crate::vault::oauth::token::TokenCall;
use crate::vault::oauth::{keys, register as registering, revoke as revoking, token as tokens};

/// How long discovery documents may be kept, in seconds. They change with a new version only.
const DOCUMENT_SECONDS: u32 = 3_600;

fn document(value: &serde_json::Value) -> Response {
    let mut response = response::json(200, value);
    response.headers.push((
        "Cache-Control",
        format!("public, max-age={DOCUMENT_SECONDS}"),
    ));
    response
}

/// `GET /.well-known/oauth-protected-resource`
pub fn protected_resource(call: &EdgeCall<'_>) -> Response {
    document(&documents::protected_resource(call.origin))
}

/// `GET /.well-known/oauth-authorization-server`
pub fn authorization_server(call: &EdgeCall<'_>) -> Response {
    document(&documents::authorization_server(call.origin))
}

/// `GET /.well-known/openid-configuration`: some clients ask; a plain no sends them on to the other document.
pub fn no_openid(_call: &EdgeCall<'_>) -> Response {
    response::from_error(Error::not_found(
        "OpenID configuration here; see /.well-known/oauth-authorization-server",
    ))
}

/// `GET /.well-known/jwks.json`
pub fn key_set(vault: &Vault<'_>, _call: &Call<'_>) -> Result<Response> {
    Ok(response::json(200, &keys::key_set(vault)?))
}

/// `POST /register`
pub fn register(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    // A page that registers from somebody's browser is counted by itself, so that it cannot use up what the programs on
    // that machine need.
    let page = call.header("origin").unwrap_or_default();
    let caller = format!("{} {page}", call.request.address);
    let outcome = registering::register(vault, &caller, &call.request.body)?;
    Ok(outcome.map_or_else(
        |error| refusal(error, call),
        |answer| response::json(201, &answer),
    ))
}

/// `POST /token`
pub fn token(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let outcome = tokens::token(vault, token_call(call))?;
    Ok(outcome.map_or_else(
        |error| refusal(error, call),
        |issued| no_cache(response::json(200, &issued)),
    ))
}

/// `POST /revoke`
pub fn revoke(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let outcome = revoking::revoke(vault, token_call(call))?;
    Ok(outcome.map_or_else(
        |error| refusal(error, call),
        |()| no_cache(response::empty(200)),
    ))
}

fn token_call<'a>(call: &'a Call<'_>) -> TokenCall<'a> {
    TokenCall {
        content_type: call.header("content-type"),
        authorization: call.header("authorization"),
        body: &call.request.body,
        origin: &call.request.base_url,
        address: &call.request.address,
    }
}

/// RFC 6749 section 5.1 wants the older header too; `Cache-Control: no-store` is on every answer.
fn no_cache(mut response: Response) -> Response {
    response.headers.push(("Pragma", "no-cache".to_owned()));
    response
}

/// A refusal in the form of RFC 6749 section 5.2.
fn refusal(error: OAuthError, call: &Call<'_>) -> Response {
    let body = json!({ "error": error.code, "error_description": error.description });
    let mut response = no_cache(response::json(error.status, &body));
    if error.status == 401 && call.header("authorization").is_some() {
        response.headers.push((
            "WWW-Authenticate",
            "Basic realm=\"memory-vault\"".to_owned(),
        ));
    }
    if let Some(seconds) = error.retry_after_seconds {
        response.headers.push(("Retry-After", seconds.to_string()));
    }
    response.failure = error.cause.map(|cause| *cause);
    response
}
