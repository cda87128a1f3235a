//! `GET /health`: whether the vault answers. Says nothing about what is in it.

use serde_json::json;

use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::error::Result;
use crate::vault::Vault;

/// 200 once the vault's schema is up to date; until then the vault answers 503 before it comes here.
pub fn health(_vault: &Vault<'_>, _call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }),
    ))
}
