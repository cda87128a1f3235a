//! The shapes of imports: what is brought in, what became of it, and what may be done with it afterwards.

use serde_json::{Value, json};

use super::{merged, object, optional, page, reference, time, words};
use crate::limits;
use crate::model::batch::ItemOutcome;
use crate::model::memory::Status;

/// Every named schema of imports.
pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    let counts = json!({
        "total": { "type": "integer" }, "stored": { "type": "integer" }, "duplicate": { "type": "integer" },
        "near_duplicate": { "type": "integer" }, "similar": { "type": "integer", "description": "How many of the stored resemble another memory" },
        "excluded": { "type": "integer" }, "blank": { "type": "integer" }, "refused": { "type": "integer" },
    });
    vec![
        (
            "Bulk",
            object(
                &[],
                json!({
                    "items": { "type": "array", "maxItems": limits::BULK_ITEMS, "items": { "anyOf": [{ "type": "string" }, reference("Draft")] } },
                    "text": { "type": "string", "description": "Instead of items: cut at `---` lines, else at blank lines and bullets" },
                    "source": { "type": "string" }, "idempotency_key": { "type": "string" },
                }),
            ),
        ),
        (
            "BulkReport",
            object(
                &["status", "total", "stored", "items"],
                merged(
                    counts.clone(),
                    json!({
                        "batch_id": { "type": "string" }, "status": words(Status::WORDS),
                        "items": { "type": "array", "items": object(&["index", "outcome"], json!({ "index": { "type": "integer" }, "outcome": words(ItemOutcome::WORDS), "id": { "type": "string" }, "reason": { "type": "string" }, "status": words(Status::WORDS), "similar_to": { "type": "string" }, "similarity": { "type": "number" } })) },
                    }),
                ),
            ),
        ),
        (
            "Batch",
            object(
                &["id", "created_at", "counts", "proposed"],
                json!({
                    "id": { "type": "string" }, "created_by": { "type": "string" }, "created_at": time(), "source": optional("string"),
                    "counts": object(&["total"], counts), "proposed": { "type": "integer" },
                }),
            ),
        ),
        ("BatchPage", page("batches", "Batch")),
        (
            "ApprovedBatch",
            object(
                &["id", "approved", "left"],
                json!({ "id": { "type": "string" }, "approved": { "type": "integer" }, "left": { "type": "array", "items": object(&["id", "reason"], json!({ "id": { "type": "string" }, "reason": { "type": "string" } })) } }),
            ),
        ),
    ]
}
