//! The schema of the index's health, within `Status`.

use serde_json::{Value, json};

use super::{object, words};
use crate::model::settings::Engine;

/// Every named schema of the index.
pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    let count = || json!({ "type": "integer", "minimum": 0 });
    let text = || json!({ "type": "string" });
    let parked = object(
        &["jobs", "until", "reason"],
        json!({ "jobs": count(), "until": text(), "reason": text() }),
    );
    let troubled = object(
        &["id", "attempts", "error"],
        json!({ "id": text(), "attempts": count(), "error": text(), "next_at": text() }),
    );
    let vectorize = object(
        &["used", "told", "pending"],
        json!({ "used": { "type": "boolean" }, "told": count(), "pending": count(), "parked": parked.clone() }),
    );
    let index = object(
        &[
            "engine",
            "engine_in_use",
            "model",
            "total",
            "embedded",
            "pending",
            "dead",
        ],
        json!({
            "engine": words(Engine::WORDS), "engine_in_use": words(&["vault", "vectorize"]), "model": text(), "total": count(),
            "embedded": count(), "pending": count(), "parked": parked, "dead": count(),
            "troubled": { "type": "array", "items": troubled }, "vectorize": vectorize,
            "rebuild": object(&["done", "total"], json!({ "done": count(), "total": count() })), "fault": text(),
            "missing": count(), "loaded": { "type": ["integer", "null"] }, "bytes": count(), "bytes_allowed": count(),
        }),
    );
    vec![("IndexHealth", index)]
}
