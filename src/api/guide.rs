//! Handlers of `/api/guide`.

use serde::Deserialize;

use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::error::{Error, Result};
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

/// `GET /api/guide/versions/:version`
pub fn version(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    // What is no number is no version either.
    let number = call.parameter("version").parse().unwrap_or(0);
    let guide = vault::guide_versions::get_version(vault, call.actor()?, number)?;
    Ok(response::json(200, &guide))
}

/// `GET /api/guide/diff`
pub fn diff(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let number = |name: &str| {
        call.number(name)?
            .ok_or_else(|| Error::invalid(name, "is missing; give a version's number"))
    };
    let (from, to) = (number("from")?, number("to")?);
    let diff = vault::guide_versions::diff(vault, call.actor()?, from, to)?;
    Ok(response::json(200, &diff))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RestoreBody {
    version: i64,
    expected_version: Option<i64>,
}

/// `POST /api/guide/restore`
pub fn restore(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let body: RestoreBody = call.json()?;
    let (version, expected) = (body.version, body.expected_version);
    let guide = vault::guide_versions::restore(vault, call.actor()?, version, expected)?;
    Ok(response::json(200, &guide))
}
