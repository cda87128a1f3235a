//! The shapes of imports: what is brought in, what became of it, and what may be done with it afterwards.

use serde_json::{Value, json};

use super::{merged, object, optional, page, reference, time, words};
use crate::intake::{FORMS, Format};
use crate::limits;
use crate::model::batch::{BatchState, ItemOutcome};
use crate::model::memory::Status;

/// How many items had which outcome.
fn counts() -> Value {
    let names = std::iter::once(&"total").chain(ItemOutcome::WORDS);
    let properties = names.map(|name| ((*name).to_owned(), json!({ "type": "integer" })));
    let similar = json!({ "type": "integer", "description": "How many of the stored resemble another memory" });
    let warned = json!({ "type": "integer", "description": "How many have a warning" });
    merged(
        Value::Object(properties.collect()),
        json!({ "similar": similar, "warned": warned }),
    )
}

/// Every named schema of imports.
pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    let integer = || json!({ "type": "integer" });
    let text = || json!({ "type": "string" });
    let list_of = |name: &str| json!({ "type": "array", "items": reference(name) });
    let batch = json!({
        "id": text(), "created_by": text(), "created_at": time(), "source": optional("string"), "read_as": text(),
        "sources": {
            "type": "object", "required": ["count", "names"], "description": "The files it was read from, or the sources its calls named",
            "properties": { "count": integer(), "names": { "type": "array", "items": text(), "maxItems": limits::BATCH_SOURCES }, "last": text() },
        },
        "state": words(BatchState::WORDS), "undone_at": time(), "counts": object(&["total"], counts()),
        "proposed": { "type": "integer", "description": "Memories of it that wait in the queue" },
        "active": { "type": "integer", "description": "Memories of it that hold" },
    });
    let batch_required = ["id", "created_at", "state", "counts", "proposed", "active"];
    vec![
        (
            "Bulk",
            object(
                &[],
                json!({
                    "items": { "type": "array", "maxItems": limits::BULK_ITEMS, "items": { "anyOf": [{ "type": "string" }, reference("Draft")] } },
                    "text": { "type": "string", "description": format!("Instead of items: {FORMS}. While remaining is above 0, the same call goes on") },
                    "format": words(Format::WORDS),
                    "source": { "type": "string", "description": "Where all of them come from; an item's own source wins" },
                    "file": { "type": "string", "description": "The name of the file they were read from: the source where nothing else is, and listed with the import" },
                    "idempotency_key": text(),
                    "batch_id": { "type": "string", "description": "The import to go on with" },
                    "more": { "type": "boolean", "description": "Further calls follow: the import stays incomplete" },
                }),
            ),
        ),
        (
            "BulkReport",
            object(
                &[
                    "state",
                    "status",
                    "read_as",
                    "total",
                    "stored",
                    "remaining",
                    "items",
                ],
                merged(
                    counts(),
                    json!({
                        "batch_id": text(), "state": words(BatchState::WORDS), "dry_run": { "const": true }, "status": words(Status::WORDS), "read_as": text(),
                        "remaining": { "type": "integer", "description": "Items of the input not come to yet: send the same call again" },
                        "note": { "type": "string", "description": "What could not be done" },
                        "items": list_of("ItemReport"),
                    }),
                ),
            ),
        ),
        (
            "ItemReport",
            object(
                &["index", "outcome"],
                json!({
                    "index": { "type": "integer", "description": "Its place in the import, from 0, counted over all calls" },
                    "outcome": words(ItemOutcome::WORDS), "id": text(), "reason": text(),
                    "text": { "type": "string", "description": "How its text begins; in a dry run only" },
                    "warning": { "type": "string", "description": "What was not taken as it was given: the field, what was found, what was taken" },
                    "status": { "type": "string", "enum": Status::WORDS, "description": "Where it stands, if not where the others do" },
                    "similar_to": text(), "similarity": { "type": "number", "minimum": 0, "maximum": 1 },
                }),
            ),
        ),
        ("Batch", object(&batch_required, batch.clone())),
        ("BatchPage", page("batches", "Batch")),
        (
            "BatchReport",
            object(
                &[&batch_required[..], &["items", "next_cursor"]].concat(),
                merged(
                    batch,
                    json!({ "items": list_of("ItemReport"), "next_cursor": optional("string") }),
                ),
            ),
        ),
        (
            "Left",
            object(&["id", "reason"], json!({ "id": text(), "reason": text() })),
        ),
        (
            "ApprovedBatch",
            object(
                &["id", "approved", "left"],
                json!({ "id": text(), "approved": integer(), "left": list_of("Left") }),
            ),
        ),
        (
            "RejectedBatch",
            object(
                &["id", "rejected", "left"],
                json!({ "id": text(), "rejected": integer(), "left": list_of("Left") }),
            ),
        ),
        (
            "UndoneBatch",
            object(
                &["id", "undone_at", "removed", "restored", "kept"],
                json!({ "id": text(), "undone_at": time(), "removed": integer(), "restored": integer(), "kept": list_of("Left") }),
            ),
        ),
    ]
}
