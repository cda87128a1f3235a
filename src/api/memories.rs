//! Handlers of `/api/memories`.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::api::body;
use crate::api::call::Call;
use crate::api::query::filter;
use crate::api::response::{self, Response};
use crate::error::Result;
use crate::model::draft::Draft;
use crate::vault::edit::Patch;
use crate::vault::remember::{Manner, Outcome};
use crate::vault::{self, Vault};

/// `GET /api/memories`
pub fn list(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let listing = vault::list::list(
        vault,
        call.actor()?,
        filter(vault, call)?,
        call.number("limit")?,
        call.query("cursor"),
    )?;
    Ok(response::json(200, &listing))
}

/// What `POST /api/memories` takes beside the fields of a draft.
#[derive(Default, Deserialize)]
#[serde(default)]
struct RememberOptions {
    propose: bool,
    keep_both: bool,
    idempotency_key: Option<String>,
}

/// `POST /api/memories`
pub fn remember(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let mut fields: Map<String, Value> = call.json()?;
    let is_option = |name: &str| matches!(name, "propose" | "keep_both" | "idempotency_key");
    let options = fields.iter().filter(|(name, _)| is_option(name));
    let options: RememberOptions = body::shaped(
        options
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect(),
    )?;
    fields.retain(|name, _| !is_option(name));
    let draft: Draft = body::shaped(fields)?;
    let key = call
        .header("idempotency-key")
        .or(options.idempotency_key.as_deref());
    let manner = Manner {
        propose: options.propose,
        keep_both: options.keep_both,
    };
    let remembered = vault::remember::remember(vault, call.actor()?, draft, manner, key)?;
    let status = if remembered.outcome == Outcome::Stored {
        201
    } else {
        200
    };
    Ok(response::json(status, &remembered))
}

/// `GET /api/memories/:id`
pub fn get(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &vault::get::get(vault, call.actor()?, call.parameter("id"))?,
    ))
}

/// `PATCH /api/memories/:id`
pub fn edit(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &vault::edit::edit(vault, call.actor()?, call.parameter("id"), call.json()?)?,
    ))
}

/// `GET /api/memories/:id/history`
pub fn history(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let revisions = vault::history::history(vault, call.actor()?, call.parameter("id"))?;
    Ok(response::json(200, &json!({ "revisions": revisions })))
}

/// `POST /api/memories/:id/approve`
pub fn approve(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let patch = if call.request.body.is_empty() {
        None
    } else {
        Some(call.json::<Patch>()?)
    };
    let supersede_similar = call.flag("supersede_similar")?;
    let memory = vault::approve::approve(
        vault,
        call.actor()?,
        call.parameter("id"),
        supersede_similar,
        patch,
    )?;
    Ok(response::json(200, &memory))
}

/// `POST /api/memories/:id/reject`
pub fn reject(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &vault::reject::reject(vault, call.actor()?, call.parameter("id"))?,
    ))
}

/// `POST /api/memories/:id/forget` and `DELETE /api/memories/:id`
pub fn forget(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &vault::forget::forget(vault, call.actor()?, call.parameter("id"))?,
    ))
}

/// `POST /api/memories/dedupe`
pub fn merge_duplicates(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let merged = vault::merge_duplicates::merge_duplicates(vault, call.actor()?)?;
    Ok(response::json(200, &json!({ "merged": merged })))
}

/// `POST /api/memories/:id/keep`
pub fn keep(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &vault::keep::keep(vault, call.actor()?, call.parameter("id"))?,
    ))
}
