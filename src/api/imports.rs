//! Handlers of `/api/bulk` and `/api/batches`.

use serde::Deserialize;
use serde_json::Value;

use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::error::Result;
use crate::intake;
use crate::model::batch::ItemOutcome;
use crate::vault::bulk_remember::Import;
use crate::vault::{self, Vault};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BulkBody {
    items: Option<Vec<Value>>,
    text: Option<String>,
    source: Option<String>,
    idempotency_key: Option<String>,
    batch_id: Option<String>,
    #[serde(default)]
    more: bool,
}

/// `POST /api/bulk`
pub fn bulk(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    call.only(&["dry_run"])?;
    let body: BulkBody = call.json()?;
    let key = call
        .header("idempotency-key")
        .or(body.idempotency_key.as_deref());
    let import = Import {
        intake: intake::items::read(body.items, body.text.as_deref())?,
        source: body.source,
        batch_id: body.batch_id,
        more: body.more,
        dry_run: call.flag("dry_run")?,
    };
    Ok(response::json(
        200,
        &vault::bulk_remember::bulk_remember(vault, call.actor()?, import, key)?,
    ))
}

/// `GET /api/batches`
pub fn batches(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    call.only(&["limit", "cursor"])?;
    Ok(response::json(
        200,
        &vault::batches::list_batches(
            vault,
            call.actor()?,
            call.number("limit")?,
            call.query("cursor"),
        )?,
    ))
}

/// `GET /api/batches/:id`
pub fn batch(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    call.only(&["limit", "cursor", "outcome"])?;
    Ok(response::json(
        200,
        &vault::batches::get_batch(
            vault,
            call.actor()?,
            call.parameter("id"),
            call.query("outcome").map(ItemOutcome::parse).transpose()?,
            call.number("limit")?,
            call.query("cursor"),
        )?,
    ))
}

/// `POST /api/batches/:id/approve`
pub fn approve_batch(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &vault::decide_batch::approve_batch(vault, call.actor()?, call.parameter("id"))?,
    ))
}

/// `POST /api/batches/:id/reject`
pub fn reject_batch(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &vault::decide_batch::reject_batch(vault, call.actor()?, call.parameter("id"))?,
    ))
}

/// `POST /api/batches/:id/undo`
pub fn undo_batch(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &vault::undo_batch::undo_batch(vault, call.actor()?, call.parameter("id"))?,
    ))
}
