//! Handlers of the owner's settings and records.

use serde_json::{Value, json};

use crate::api::call::Call;
use crate::api::query;
use crate::api::response::{self, Response};
use crate::error::Result;
use crate::limits;
use crate::model::audit::{Action, AuditFilter};
use crate::model::date_filter::Edge;
use crate::vault::{self, Vault};

/// `GET /api/settings`
pub fn settings(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &vault::settings::get_settings(vault, call.actor()?)?,
    ))
}

/// `PUT /api/settings`
pub fn put_settings(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &vault::settings::put_settings(vault, call.actor()?, call.json()?)?,
    ))
}

/// `GET /api/exclusions`
pub fn exclusions(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &vault::exclusions::list_exclusions(
            vault,
            call.actor()?,
            call.number("limit")?,
            call.query("cursor"),
        )?,
    ))
}

/// `DELETE /api/exclusions/:hash`
pub fn lift_exclusion(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    vault::exclusions::lift_exclusion(vault, call.actor()?, call.parameter("hash"))?;
    Ok(response::empty(204))
}

/// `GET /api/audit`
pub fn audit(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let filter = AuditFilter {
        actor: call.query("actor").map(str::to_owned),
        action: call.query("action").map(Action::parse).transpose()?,
        subject: call.query("subject").map(str::to_owned),
        after: query::edge(vault, call, "after", Edge::After)?,
        before: query::edge(vault, call, "before", Edge::Before)?,
    };
    Ok(response::json(
        200,
        &vault::read_audit::read_audit(
            vault,
            call.actor()?,
            filter,
            call.number("limit")?,
            call.query("cursor"),
        )?,
    ))
}

/// `POST /api/reindex`
pub fn reindex(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    vault::reindex::reindex(vault, call.actor()?, call.flag("reembed")?)?;
    Ok(response::json(202, &json!({ "status": "begun" })))
}

/// `GET /api/map`
pub fn map(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(200, &vault::map::map(vault, call.actor()?)?))
}

/// `GET /api/status`
pub fn status(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &vault::status::status(vault, call.actor()?)?,
    ))
}

/// `GET /api/capabilities`
pub fn capabilities(_vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    call.actor()?;
    let limits: serde_json::Map<String, Value> = limits::published()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    Ok(response::json(
        200,
        &json!({ "version": env!("CARGO_PKG_VERSION"), "limits": limits }),
    ))
}
