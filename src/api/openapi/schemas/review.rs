//! The shapes of reviewing: decisions about many, versions of the guide, retention, erasing, and who is signed in.

use serde_json::{Value, json};

use super::{merged, object, optional, reference, time, words};
use crate::limits;
use crate::model::flag::Flag;
use crate::vault::erase;
use crate::vault::review::ReviewAction;

/// A query parameter that only these routes have: what it means, and its schema.
pub(super) fn query_parameter(name: &str) -> Option<(&'static str, Value)> {
    let text = json!({ "type": "string" });
    Some(match name {
        "created_by" => ("Only what this actor stored, as the log names it", text),
        "flag" => ("Only with this flag", words(Flag::WORDS)),
        "ids" => (
            "Only these memories, separated by commas; without `status`, wherever they stand",
            text,
        ),
        "from" => ("A version's number", json!({ "type": "integer" })),
        "to" => ("A version's number", json!({ "type": "integer" })),
        _ => return None,
    })
}

/// What reviewing adds to a memory.
pub(super) fn memory_properties() -> Value {
    json!({
        "flags": { "type": "array", "items": words(Flag::WORDS), "description": "What was noticed in it. A proposal that has any is shown to the owner only" },
        "stale": { "type": "string", "description": "Why a proposal can no longer be decided as it was made: what it would replace changed since" },
    })
}

/// The settings of retention.
pub(super) fn settings() -> Value {
    let days = |least: i64, most: i64, what: &str| json!({ "type": "integer", "minimum": least, "maximum": most, "description": what });
    let most = limits::SETTING_DAYS_MAX;
    json!({
        "superseded_days": days(0, most, "Days a replaced or expired memory is kept; 0 for ever"),
        "rejected_days": days(0, most, "Days a rejected memory is kept; 0 for ever"),
        "audit_days": days(0, most, "Days a row of the log is kept; 0 for ever"),
        "erase_grace_days": days(limits::ERASE_GRACE_DAYS, limits::ERASE_GRACE_DAYS_MAX, "Days between the wish to erase the vault and the erasure"),
    })
}

/// Every named schema of reviewing.
pub(super) fn schemas() -> Vec<(&'static str, Value)> {
    let texts = || json!({ "type": "array", "items": { "type": "string" } });
    let count = || json!({ "type": "integer" });
    let numbers = || {
        object(
            &["superseded", "rejected", "audit", "dead_jobs"],
            json!({ "superseded": count(), "rejected": count(), "audit": count(), "dead_jobs": count() }),
        )
    };
    let ids = || {
        object(
            &["superseded", "rejected"],
            json!({ "superseded": texts(), "rejected": texts() }),
        )
    };
    vec![
        (
            "Review",
            object(
                &["action", "ids"],
                json!({ "action": words(ReviewAction::WORDS), "ids": { "type": "array", "minItems": 1, "maxItems": limits::PAGE_MAX, "items": { "type": "string" } } }),
            ),
        ),
        (
            "Reviewed",
            object(
                &["done", "left"],
                json!({ "done": texts(), "left": { "type": "array", "items": object(&["id", "reason"], json!({ "id": { "type": "string" }, "reason": { "type": "string" } })) } }),
            ),
        ),
        (
            "GuideDiff",
            object(
                &["from", "to", "lines"],
                json!({ "from": count(), "to": count(), "lines": { "type": "array", "items": object(&["op", "text"], json!({ "op": words(&["same", "added", "removed"]), "text": { "type": "string" } })) } }),
            ),
        ),
        (
            "GuideRestore",
            object(
                &["version"],
                json!({ "version": count(), "expected_version": { "type": ["integer", "null"] } }),
            ),
        ),
        (
            "RetentionPreview",
            object(
                &["would_remove", "ids", "settings", "next_run_at"],
                json!({
                    "would_remove": numbers(), "ids": ids(),
                    "settings": object(&[], json!({ "superseded_days": count(), "rejected_days": count(), "audit_days": count() })),
                    "next_run_at": optional("string"), "last_run": object(&["at", "removed"], json!({ "at": time(), "removed": numbers() })),
                }),
            ),
        ),
        (
            "RetentionRan",
            object(
                &["removed", "ids", "more"],
                json!({ "removed": numbers(), "ids": ids(), "more": { "type": "boolean", "description": "Whether there is more, which the alarm goes on with by itself" } }),
            ),
        ),
        (
            "Erase",
            object(
                &["confirm"],
                json!({ "confirm": { "const": erase::CONFIRMATION } }),
            ),
        ),
        (
            "Erasure",
            object(&["erases_at"], json!({ "erases_at": time() })),
        ),
        (
            "Me",
            object(
                &["email", "role", "sign_out", "dev"],
                json!({
                    "email": optional("string"), "name": { "type": "string" }, "role": words(&["owner", "backup", "import", "full"]),
                    "sign_out": { "type": ["string", "null"], "description": "The address where the owner signs out of Cloudflare Access" }, "dev": { "type": "boolean" },
                }),
            ),
        ),
        (
            "Week",
            object(
                &["start", "total", "by_type"],
                json!({ "start": { "type": "string", "format": "date" }, "total": count(), "by_type": { "type": "object", "additionalProperties": { "type": "integer" } } }),
            ),
        ),
    ]
}

/// What reviewing adds to the status.
pub(super) fn status_properties() -> Value {
    merged(
        json!({ "weeks": { "type": "array", "items": reference("Week") } }),
        json!({ "erase_at": time() }),
    )
}
