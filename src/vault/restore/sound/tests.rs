//! Rows that vaults write, and rows that none does.

use super::*;
use serde_json::json;

fn fault_of(table: &str, change: Value) -> Option<String> {
    let mut row = match table {
        "memories" => json!({
            "seq": 1, "id": "mem_1", "status": "active", "content": "x", "importance": 0.5, "tags": "[]", "dated_at": 0,
            "created_by": "owner:a", "created_at": 0
        }),
        "memory_conflicts" => json!({ "memory_seq": 1, "other_seq": 2 }),
        "batches" => json!({ "seq": 1, "id": "bat_1", "counts": "{}", "status": "active" }),
        "batch_items" => json!({ "batch_id": "bat_1", "place": 0, "outcome": "stored" }),
        "guide_versions" => json!({ "version": 1, "content": "x" }),
        "audit" => json!({ "seq": 1, "at": 0, "actor": "owner:a", "action": "edit" }),
        "exclusions" => json!({ "content_hash": "a".repeat(64), "created_by": "vault" }),
        _ => json!({ "memory_id": "mem_1", "content": "x" }),
    };
    for (name, value) in change.as_object().unwrap() {
        row[name] = value.clone();
    }
    fault(table, row.as_object().unwrap())
}

#[test]
fn what_a_vault_writes_is_sound() {
    for (table, change) in [
        ("memories", json!({})),
        (
            "memories",
            json!({ "importance": 0, "similarity": 1.0, "source_date": "1000-01-01" }),
        ),
        (
            "memories",
            json!({ "importance": 1, "status": "superseded", "status_reason": "expired" }),
        ),
        (
            "memories",
            json!({ "tags": "[\"home\"]", "author": "x".repeat(limits::LABEL_CHARS) }),
        ),
        (
            "memories",
            json!({ "dated_at": -30_610_224_000_000_i64, "seq": 1_i64 << 52 }),
        ),
        ("memory_history", json!({})),
        ("memory_conflicts", json!({})),
        ("batches", json!({ "counts": "{\"stored\":3}" })),
        ("batch_items", json!({ "status": "proposed" })),
        ("guide_versions", json!({})),
        ("audit", json!({ "details": "{}" })),
        ("exclusions", json!({ "family": "0".repeat(64) })),
        ("decisions", json!({ "replaced_id": null })),
    ] {
        assert_eq!(fault_of(table, change.clone()), None, "{table} {change}");
    }
}

#[test]
fn what_no_vault_writes_is_named_with_its_table_and_column() {
    for (table, change, said) in [
        ("memories", json!({ "importance": 1e308 }), "importance"),
        ("memories", json!({ "importance": -0.1 }), "importance"),
        ("memories", json!({ "importance": "NaN" }), "importance"),
        ("memories", json!({ "importance": null }), "importance"),
        ("memories", json!({ "similarity": 1.5 }), "similarity"),
        (
            "memories",
            json!({ "supersedes": "mem_1" }),
            "its own id in supersedes",
        ),
        (
            "memories",
            json!({ "superseded_by": "mem_1" }),
            "its own id in superseded_by",
        ),
        (
            "memories",
            json!({ "similar_to": "mem_1" }),
            "its own id in similar_to",
        ),
        (
            "memories",
            json!({ "status_reason": "replaced" }),
            "history",
        ),
        (
            "memories",
            json!({ "status_before": "gone" }),
            "status_before",
        ),
        (
            "memories",
            json!({ "source_date": "2026-02-30" }),
            "source_date",
        ),
        (
            "memories",
            json!({ "source_date": "yesterday" }),
            "source_date",
        ),
        ("memories", json!({ "dated_at": i64::MAX }), "dated_at"),
        ("memories", json!({ "valid_until": 1e300 }), "valid_until"),
        (
            "memories",
            json!({ "created_at": -100_000_000_000_000_i64 }),
            "created_at",
        ),
        ("memories", json!({ "seq": i64::MAX }), "seq"),
        ("memories", json!({ "seq": -1 }), "seq"),
        ("memories", json!({ "id": "" }), "no id"),
        ("memories", json!({ "id": "x".repeat(65) }), "no id"),
        ("memories", json!({ "id": "a b" }), "no id"),
        ("memories", json!({ "created_by": "" }), "created_by"),
        ("memories", json!({ "content": " \u{200b}" }), "blank"),
        ("memories", json!({ "content": 7 }), "no text"),
        (
            "memories",
            json!({ "content": "x".repeat(limits::MEMORY_BYTES + 1) }),
            "at most 65536",
        ),
        (
            "memories",
            json!({ "author": "x".repeat(limits::LABEL_CHARS + 1) }),
            "author",
        ),
        (
            "memories",
            json!({ "source": "x".repeat(SOURCE_CHARS + 1) }),
            "source",
        ),
        ("memories", json!({ "tags": "[1]" }), "tags"),
        ("memories", json!({ "tags": "{}" }), "tags"),
        (
            "memories",
            json!({ "tags": serde_json::to_string(&vec!["x"; limits::TAGS + 1]).unwrap() }),
            "tags",
        ),
        (
            "memories",
            json!({ "tags": format!("[\"{}\"]", "x".repeat(limits::TAG_CHARS + 1)) }),
            "tags",
        ),
        (
            "memory_history",
            json!({ "content": "x".repeat(limits::MEMORY_BYTES + 1) }),
            "at most",
        ),
        ("memory_history", json!({ "memory_id": "?" }), "memory_id"),
        (
            "memory_conflicts",
            json!({ "other_seq": 1 }),
            "contradicts itself",
        ),
        ("batches", json!({ "counts": "[]" }), "counts"),
        ("batches", json!({ "counts": "{\"stored\":-3}" }), "count"),
        ("batches", json!({ "status": "rejected" }), "status"),
        ("batches", json!({ "input_taken": -1 }), "input_taken"),
        ("batch_items", json!({ "outcome": "eaten" }), "outcome"),
        ("batch_items", json!({ "status": "gone" }), "status"),
        ("batch_items", json!({ "place": -1 }), "place"),
        ("guide_versions", json!({ "version": 0 }), "version"),
        ("guide_versions", json!({ "version": i64::MAX }), "version"),
        (
            "guide_versions",
            json!({ "content": "x".repeat(limits::GUIDE_BYTES + 1) }),
            "too long",
        ),
        ("audit", json!({ "action": "dance" }), "action"),
        ("audit", json!({ "details": "[]" }), "details"),
        ("audit", json!({ "at": "noon" }), "at"),
        (
            "exclusions",
            json!({ "content_hash": "A".repeat(64) }),
            "no hash",
        ),
        ("exclusions", json!({ "family": "f" }), "no hash"),
    ] {
        let fault = fault_of(table, change.clone()).unwrap_or_default();
        assert!(
            fault.contains(said) && fault.contains(table),
            "{table} {change}: {fault}"
        );
    }
}
