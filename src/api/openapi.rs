//! `GET /api/openapi.json`: the route table as an OpenAPI 3.1 document.

#[cfg(test)]
mod document;
#[cfg(test)]
mod schemas;

use serde_json::json;

use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::error::Result;
use crate::vault::Vault;

/// The document; its server is [`ANY_ORIGIN`].
const DOCUMENT: &str = include_str!("openapi/openapi.json");
/// What stands in the file for the vault's own origin.
const ANY_ORIGIN: &str = "https://vault.example";

/// The document, with the origin it is asked at.
pub fn openapi(_vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    call.actor()?;
    let origin = json!(call.request.base_url).to_string();
    let mut answer = response::json(200, &());
    answer.body = DOCUMENT
        .replacen(&json!(ANY_ORIGIN).to_string(), &origin, 1)
        .into_bytes();
    Ok(answer)
}
