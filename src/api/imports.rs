//! Handlers of `/api/bulk` and `/api/batches`.

use serde::Deserialize;
use serde_json::Value;

use crate::api::body;
use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::error::Result;
use crate::intake::{self, Format, Intake};
use crate::model::batch::ItemOutcome;
use crate::vault::bulk_remember::Import;
use crate::vault::{self, Vault};

/// Query parameters of `/api/bulk`: what a file sent as it is cannot say itself.
pub const BULK_PARAMETERS: &[&str] = &["dry_run", "source", "file", "batch_id", "more"];

#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct BulkBody {
    items: Option<Vec<Value>>,
    text: Option<String>,
    format: Option<String>,
    source: Option<String>,
    file: Option<String>,
    idempotency_key: Option<String>,
    batch_id: Option<String>,
    more: bool,
}

/// The media types of files that may be sent as they are, and how each is read.
const FILES: [(&str, Format); 7] = [
    ("text/plain", Format::Auto),
    ("text/markdown", Format::Text),
    ("text/csv", Format::Csv),
    ("text/tab-separated-values", Format::Csv),
    ("application/x-ndjson", Format::Jsonl),
    ("application/ndjson", Format::Jsonl),
    ("application/jsonl", Format::Jsonl),
];

/// A body as it was meant: our own fields, or a file as it is, which may be another program's JSON.
fn read(call: &Call<'_>) -> Result<(Intake, BulkBody)> {
    let media_type = call.media_type();
    if let Some((_, format)) = FILES.iter().find(|(name, _)| media_type == *name) {
        let text = intake::file::decode(&call.request.body)?;
        let intake = intake::read_text(&text, *format)?;
        return Ok((intake, BulkBody::default()));
    }
    let value: Value = call.any_json()?;
    match value {
        Value::Object(fields)
            if fields.contains_key("items")
                || fields.contains_key("text")
                || !intake::json::is_export(&fields) =>
        {
            let mut body: BulkBody = body::shaped(fields)?;
            let given = body.format.as_deref().map(Format::parse).transpose()?;
            let format = given.unwrap_or(Format::Auto);
            let intake = intake::read(body.items.take(), body.text.as_deref(), format)?;
            Ok((intake, body))
        }
        export => Ok((intake::json::read(&export)?, BulkBody::default())),
    }
}

/// `POST /api/bulk`
pub fn bulk(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let (intake, body) = read(call)?;
    let key = call
        .header("idempotency-key")
        .or(body.idempotency_key.as_deref());
    let named = |own: Option<String>, name| own.or_else(|| call.query(name).map(str::to_owned));
    let import = Import {
        intake,
        source: named(body.source, "source"),
        file: named(body.file, "file"),
        batch_id: named(body.batch_id, "batch_id"),
        more: body.more || call.flag("more")?,
        dry_run: call.flag("dry_run")?,
    };
    Ok(response::json(
        200,
        &vault::bulk_remember::bulk_remember(vault, call.actor()?, import, key)?,
    ))
}

/// `GET /api/batches`
pub fn batches(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
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
