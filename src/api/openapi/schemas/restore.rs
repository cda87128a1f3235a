//! The shapes of backups on their way back in.

use serde_json::{Value, json};

use super::{object, reference, time, words};
use crate::model::restore::RestoreState;

/// Every named schema of restores.
pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    let counts = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    let part = json!({
        "type": "object", "required": ["part", "bytes"],
        "properties": { "part": { "type": "integer" }, "bytes": { "type": "integer" }, "sha256": { "type": "string", "description": "Absent until all of it is there" } },
    });
    let table = json!({
        "type": "object", "required": ["name", "columns", "rows"],
        "properties": { "name": { "type": "string" }, "columns": { "type": "array", "items": { "type": "string" } }, "rows": { "type": "integer" } },
    });
    let header = json!({
        "type": "object", "description": "The file's header, once read",
        "properties": {
            "format": { "type": "string" }, "version": { "type": "integer" }, "schema": { "type": "integer" }, "program": { "type": "string" },
            "made_at": time(), "embeddings": { "type": "boolean" }, "tables": { "type": "array", "items": table },
        },
    });
    let restore = json!({
        "id": { "type": "string" }, "state": words(RestoreState::WORDS), "created_at": time(), "created_by": { "type": "string" },
        "parts": { "type": "array", "items": part }, "bytes": { "type": "integer" }, "checked_bytes": { "type": "integer" },
        "backup": header,
        "fault": { "type": "object", "properties": { "line": { "type": "integer" }, "message": { "type": "string" } } },
        "hashes_corrected": { "type": "integer", "description": "Memories whose hash was not that of their text" },
        "embeddings_kept": { "type": "integer", "description": "Embeddings that fit their text and this vault's model; others are made anew" },
        "vault_is_empty": { "type": "boolean", "description": "Whether a commit needs no replace=1" },
        "forgotten_since": {
            "type": "object", "description": "What was forgotten after the file was made; left out unless keep_forgotten=0. Once the file was checked",
            "properties": { "memories": { "type": "integer" }, "ids": { "type": "array", "items": { "type": "string" } } },
        },
        "committing": { "type": "boolean", "description": "Whether the commit goes on by itself" },
        "outcome": {
            "type": "object",
            "properties": { "at": time(), "counts": counts, "left_out": { "type": "integer" }, "to_embed": { "type": "integer" } },
        },
    });
    let required = &[
        "id",
        "state",
        "created_at",
        "created_by",
        "parts",
        "bytes",
        "checked_bytes",
        "vault_is_empty",
        "committing",
    ];
    let open = json!({ "anyOf": [reference("Restore"), { "type": "null" }] });
    vec![
        ("Restore", object(required, restore)),
        ("OpenRestore", open),
    ]
}
