//! `GET /health`: whether the vault answers, and what is missing before the owner can sign in. Says nothing about what is
//! in the vault, and names settings without their values.

use serde_json::{Value, json};

use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::error::Result;
use crate::vault::Vault;

/// 200 once the vault's schema is up to date; until then the vault answers 503 before it comes here.
pub fn health(_vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let faults: Vec<Value> = call
        .request
        .sign_in_faults
        .iter()
        .map(|(setting, fault)| json!({ "setting": setting, "fault": fault }))
        .collect();
    Ok(response::json(
        200,
        &json!({
            "status": "ok",
            "version": env!("CARGO_PKG_VERSION"),
            "sign_in": { "ready": faults.is_empty(), "faults": faults },
        }),
    ))
}
