//! The JSON shapes of the HTTP door, for the OpenAPI document. End-to-end tests hold real answers against them.

mod imports;
mod index;
mod map;
mod parameters;
mod restore;
mod review;

pub use parameters::query_parameter;

use serde_json::{Map, Value, json};

use crate::limits;
use crate::model::app::ClientKind;
use crate::model::audit::Action;
use crate::model::memory::{MemoryType, Status, StatusReason, Tier};
use crate::model::scope::Scope;
use crate::model::settings::{Engine, Mode};
use crate::oauth::documents;
use crate::recall;

/// Who an app is, and more.
fn client(more: Value) -> Value {
    let who = json!({
        "id": { "type": "string" }, "name": { "type": "string" }, "kind": words(ClientKind::WORDS),
        "verified_host": { "type": ["string", "null"], "description": "The host that the client's id proves" },
    });
    object(&["id", "name", "kind"], merged(who, more))
}

fn connected_app() -> Value {
    let count = || json!({ "type": "integer" });
    object(
        &[
            "id",
            "client",
            "redirect_uri",
            "scopes",
            "approved_by",
            "expires_at",
            "writes",
        ],
        json!({
            "id": { "type": "string" }, "client": client(json!({})), "redirect_uri": { "type": "string" },
            "scopes": { "type": "array", "items": words(Scope::WORDS) }, "approved_by": { "type": "string" },
            "connected_at": time(), "last_used_at": time(), "expires_at": time(),
            "writes": object(&["recent", "limit", "window_minutes", "total"], json!({ "recent": count(), "limit": count(), "window_minutes": count(), "total": count() })),
        }),
    )
}

fn words(words: &[&str]) -> Value {
    json!({ "type": "string", "enum": words })
}

fn optional(kind: &str) -> Value {
    json!({ "type": [kind, "null"] })
}

fn time() -> Value {
    json!({ "type": "string", "format": "date-time", "description": "RFC 3339, UTC" })
}

fn object(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "required": required, "properties": properties })
}

fn page(name: &str, schema: &str) -> Value {
    let items = json!({ "type": "array", "items": reference(schema) });
    let mut properties =
        json!({ "next_cursor": optional("string"), "total": { "type": "integer" } });
    if let Some(properties) = properties.as_object_mut() {
        properties.insert(name.to_owned(), items);
    }
    object(&[name, "next_cursor", "total"], properties)
}

fn reference(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}

/// Every named schema.
pub fn all() -> Map<String, Value> {
    let guide = json!({ "version": { "type": "integer" }, "content": { "type": "string" }, "created_at": time(), "created_by": { "type": "string" } });
    let settings = json!({
        "mode": words(Mode::WORDS), "time_zone": { "type": "string", "description": "IANA name" },
        "short_tier_days": { "type": "integer", "minimum": 1, "maximum": limits::SETTING_DAYS_MAX },
        "forget_grace_days": { "type": "integer", "minimum": 0, "maximum": limits::SETTING_DAYS_MAX },
        "engine": words(Engine::WORDS),
    });
    let settings = merged(settings, review::settings());
    let draft = draft_properties();
    let named = [
        ("Anything", json!({})),
        (
            "Error",
            object(
                &["error"],
                json!({ "error": object(&["code", "message"], json!({ "code": { "type": "string" }, "message": { "type": "string" }, "field": { "type": "string" } })) }),
            ),
        ),
        (
            "JsonRpc",
            json!({ "description": "One JSON-RPC 2.0 message" }),
        ),
        (
            "Health",
            object(
                &["status", "version", "sign_in"],
                json!({ "status": { "const": "ok" }, "version": { "type": "string" }, "sign_in": object(&["ready", "faults"], json!({
                    "ready": { "type": "boolean", "description": "Whether the owner can sign in" },
                    "faults": { "type": "array", "items": object(&["setting", "fault"], json!({ "setting": { "type": "string" }, "fault": words(&["missing", "malformed"]) })) },
                })) }),
            ),
        ),
        (
            "ConnectedApps",
            object(
                &["grants"],
                json!({ "grants": { "type": "array", "items": reference("ConnectedApp") } }),
            ),
        ),
        ("ConnectedApp", connected_app()),
        (
            "Clients",
            object(
                &["clients"],
                json!({ "clients": { "type": "array", "items": reference("Client") } }),
            ),
        ),
        (
            "Client",
            client(json!({
                "redirect_uris": { "type": "array", "items": { "type": "string" } }, "auth_method": words(&documents::AUTH_METHODS),
                "created_at": time(), "last_used_at": time(), "grants": { "type": "integer" },
            })),
        ),
        (
            "Connection",
            object(
                &["checks"],
                json!({
                    "checks": { "type": "array", "items": object(&["name", "passed", "detail"], json!({ "name": { "type": "string" }, "passed": { "type": "boolean" }, "detail": { "type": "string" }, "setting": { "type": "string", "description": "The setting to change" } })) },
                    "note": { "type": "string", "description": "Why nothing was tried" },
                }),
            ),
        ),
        ("Draft", object(&["content"], draft.clone())),
        ("Patch", object(&[], draft)),
        (
            "Memory",
            object(MEMORY_REQUIRED, memory_properties(json!({}))),
        ),
        (
            "Remembered",
            object(
                &["outcome", "id", "status", "content"],
                memory_properties(
                    json!({ "outcome": words(&["stored", "duplicate", "near_duplicate"]), "reason": { "type": "string" }, "likeness": { "type": "number" } }),
                ),
            ),
        ),
        (
            "Hit",
            object(
                &["score", "approved", "id", "content", "status"],
                memory_properties(
                    json!({ "score": { "type": "number", "minimum": 0, "maximum": 1 }, "approved": { "type": "boolean" }, "explanation": { "type": "object", "additionalProperties": { "type": "number" } } }),
                ),
            ),
        ),
        ("MemoryPage", page("memories", "Memory")),
        (
            "Recalled",
            object(
                &["results", "mode", "total", "more", "next_cursor"],
                json!({
                    "results": { "type": "array", "items": reference("Hit") }, "mode": words(&recall::Mode::WORDS), "unavailable": { "type": "array", "items": { "type": "string" } }, "total": { "type": "integer" },
                    "more": { "type": "integer", "description": "Matches after the last one shown" }, "next_cursor": optional("string"), "hint": { "type": "string" },
                }),
            ),
        ),
        (
            "History",
            object(
                &["revisions"],
                json!({ "revisions": { "type": "array", "items": object(&["content", "replaced_at", "replaced_by"], json!({ "content": { "type": "string" }, "replaced_at": time(), "replaced_by": { "type": "string" } })) } }),
            ),
        ),
        (
            "Deduped",
            object(
                &["merged"],
                json!({ "merged": { "type": "array", "items": object(&["kept", "removed"], json!({ "kept": { "type": "string" }, "removed": { "type": "array", "items": { "type": "string" } } })) } }),
            ),
        ),
        (
            "Forgotten",
            object(
                &["outcome"],
                json!({ "outcome": words(&["destroyed", "requested"]), "ids": { "type": "array", "items": { "type": "string" } }, "id": { "type": "string" }, "destroyed_after": time() }),
            ),
        ),
        (
            "Guide",
            object(&["version", "content", "created_at"], guide),
        ),
        (
            "GuideText",
            object(
                &["content"],
                json!({ "content": { "type": "string" }, "expected_version": { "type": "integer" } }),
            ),
        ),
        ("GuidePage", page("versions", "Guide")),
        (
            "Settings",
            object(
                &[
                    "mode",
                    "time_zone",
                    "short_tier_days",
                    "forget_grace_days",
                    "engine",
                ],
                settings.clone(),
            ),
        ),
        ("SettingsPatch", object(&[], settings)),
        (
            "Exclusion",
            object(
                &["content_hash", "reason", "created_at"],
                json!({ "content_hash": { "type": "string" }, "reason": words(&["forgotten", "rejected"]), "created_at": time(), "created_by": { "type": "string" } }),
            ),
        ),
        ("ExclusionPage", page("exclusions", "Exclusion")),
        (
            "AuditEntry",
            object(
                &["at", "actor", "action"],
                json!({ "at": time(), "actor": { "type": "string" }, "action": words(Action::WORDS), "subject": optional("string"), "details": {} }),
            ),
        ),
        ("AuditPage", page("entries", "AuditEntry")),
        (
            "Status",
            object(
                &["version", "now", "memories", "agenda"],
                merged(
                    json!({ "version": { "type": "string" }, "now": time(), "memories": { "type": "object" }, "exclusions": { "type": "integer" }, "batches": { "type": "integer" }, "agenda": { "type": "object" }, "database_bytes": { "type": "integer" }, "recall_mode": words(&recall::Mode::WORDS), "index": reference("IndexHealth") }),
                    review::status_properties(),
                ),
            ),
        ),
        (
            "Capabilities",
            object(
                &["version", "limits"],
                json!({ "version": { "type": "string" }, "limits": { "type": "object", "additionalProperties": { "type": "integer" } } }),
            ),
        ),
    ];
    named
        .into_iter()
        .chain(imports::schemas())
        .chain(map::schemas())
        .chain(review::schemas())
        .chain(restore::schemas())
        .chain(index::schemas())
        .map(|(name, schema)| (name.to_owned(), schema))
        .collect()
}

const MEMORY_REQUIRED: &[&str] = &[
    "id",
    "status",
    "content",
    "type",
    "tier",
    "importance",
    "tags",
    "created_at",
    "updated_at",
];

fn draft_properties() -> Value {
    json!({
        "content": { "type": "string", "description": format!("At most {} bytes", limits::MEMORY_BYTES) },
        "type": words(MemoryType::WORDS), "tier": words(Tier::WORDS), "importance": { "type": "number", "minimum": 0, "maximum": 1 },
        "tags": { "type": "array", "maxItems": limits::TAGS, "items": { "type": "string", "maxLength": limits::TAG_CHARS } },
        "session": optional("string"), "author": optional("string"), "source": optional("string"),
        "source_date": { "type": ["string", "null"], "description": "A day, or an instant; without an offset it is read as UTC" },
        "supersedes": { "type": ["string", "null"], "description": "The id of the memory this one replaces" },
    })
}

fn memory_properties(more: Value) -> Value {
    let memory = json!({
        "id": { "type": "string" }, "status": words(Status::WORDS), "status_reason": words(StatusReason::WORDS), "created_by": { "type": "string" },
        "superseded_by": { "type": "string" }, "similar_to": { "type": "string" },
        "similarity": { "type": "number", "minimum": 0, "maximum": 1 }, "may_conflict_with": { "type": "array", "items": { "type": "string" } }, "batch_id": { "type": "string" },
        "valid_from": time(), "valid_until": time(), "created_at": time(), "updated_at": time(), "expires_at": time(),
        "forget_requested_at": time(), "forget_requested_by": { "type": "string" },
    });
    let memory = merged(memory, review::memory_properties());
    merged(merged(draft_properties(), memory), more)
}

fn merged(mut first: Value, second: Value) -> Value {
    if let (Some(first), Value::Object(second)) = (first.as_object_mut(), second) {
        first.extend(second);
    }
    first
}

#[cfg(test)]
mod tests;
