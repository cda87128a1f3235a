//! Handlers of retention and of erasing the whole vault.

use serde::Deserialize;

use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::error::Result;
use crate::vault::{self, Vault};

/// `GET /api/retention`
pub fn preview(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let preview = vault::retention::preview(vault, call.actor()?)?;
    Ok(response::json(200, &preview))
}

/// `POST /api/retention/run`
pub fn run(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let ran = vault::retention::run(vault, call.actor()?)?;
    Ok(response::json(200, &ran))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct EraseBody {
    confirm: String,
}

/// `POST /api/erase`
pub fn erase(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let body: EraseBody = call.json()?;
    let erasure = vault::erase::request(vault, call.actor()?, &body.confirm)?;
    Ok(response::json(202, &erasure))
}

/// `DELETE /api/erase`
pub fn keep(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    vault::erase::cancel(vault, call.actor()?)?;
    Ok(response::empty(204))
}
