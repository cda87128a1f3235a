//! Handlers of `/api/guide`.

use serde::Deserialize;

use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::error::Result;
use crate::vault::{self, Vault};

/// `GET /api/guide`
pub fn get(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &vault::guide::get_guide(vault, call.actor()?)?,
    ))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PutBody {
    content: String,
    expected_version: Option<i64>,
}

/// `PUT /api/guide`
pub fn put(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let body: PutBody = call.json()?;
    Ok(response::json(
        200,
        &vault::guide::put_guide(vault, call.actor()?, &body.content, body.expected_version)?,
    ))
}

/// `GET /api/guide/versions`
pub fn versions(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    call.only(&["limit", "cursor"])?;
    Ok(response::json(
        200,
        &vault::guide::list_versions(
            vault,
            call.actor()?,
            call.number("limit")?,
            call.query("cursor"),
        )?,
    ))
}
