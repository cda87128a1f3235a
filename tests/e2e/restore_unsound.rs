//! A backup with rows that no vault writes: each is refused with its line and table, and nothing of the file is left behind.

use serde_json::{Value, json};

use crate::restore::{lived_in, restore, sealed, upload};
use crate::support::Vault;

/// The file with one row changed, and the number of its line.
fn changed(file: &str, table: &str, holds: &str, change: &Value) -> (String, usize) {
    let start = format!("{{\"table\":\"{table}\"");
    let is_it = |line: &str| line.starts_with(&start) && line.contains(holds);
    let place = file.lines().position(is_it).unwrap();
    let lines = file.lines().enumerate().map(|(number, line)| {
        if number != place {
            return line.to_owned();
        }
        let mut line: Value = serde_json::from_str(line).unwrap();
        for (name, value) in change.as_object().unwrap() {
            line["row"][name] = value.clone();
        }
        // The table's name comes first.
        format!("{{\"table\":\"{table}\",\"row\":{}}}", line["row"])
    });
    let text = lines.collect::<Vec<_>>().join("\n") + "\n";
    (sealed(&text), place + 1)
}

#[test]
fn rows_that_no_vault_writes_are_refused_with_their_line_and_table() {
    // U-60, U-137
    let before = lived_in();
    let file = before.get("/api/backup").body;
    let id = |text: &str| {
        let row = &before.sql(&format!("SELECT id FROM memories WHERE content = '{text}'"))[0];
        row[0].as_str().unwrap().to_owned()
    };
    let (ghent, porto) = (id("Odile lives in Ghent"), id("Odile lives in Porto"));
    let stranger = "mem_00000000000000000000000000";
    let vault = Vault::start();
    vault.remember("The piano was here before");
    for (table, holds, change, said) in [
        (
            "memories",
            "in Porto",
            json!({ "importance": 1e308 }),
            "importance",
        ),
        (
            "memories",
            "in Porto",
            json!({ "importance": -1 }),
            "importance",
        ),
        (
            "memories",
            "in Porto",
            json!({ "supersedes": porto }),
            "its own id",
        ),
        (
            "memories",
            "in Ghent",
            json!({ "supersedes": porto }),
            "back to itself",
        ),
        (
            "memories",
            "in Porto",
            json!({ "status": "superseded", "status_reason": "replaced", "superseded_by": ghent }),
            "back to itself",
        ),
        (
            "memories",
            "in Porto",
            json!({ "supersedes": stranger }),
            "not among the memories",
        ),
        (
            "memories",
            "in Ghent",
            json!({ "superseded_by": stranger }),
            "not among the memories",
        ),
        (
            "memories",
            "in Porto",
            json!({ "similar_to": stranger }),
            "not among the memories",
        ),
        (
            "memories",
            "One of a batch",
            json!({ "batch_id": "bat_00000000000000000000000000" }),
            "not among the batches",
        ),
        (
            "memory_history",
            "closes at nine",
            json!({ "memory_id": stranger }),
            "not among the memories",
        ),
        (
            "decisions",
            "rejected",
            json!({ "memory_id": stranger }),
            "not among the memories",
        ),
        (
            "memories",
            "in Porto",
            json!({ "source_date": "2026-02-31" }),
            "source_date",
        ),
        (
            "memories",
            "in Porto",
            json!({ "dated_at": i64::MAX }),
            "dated_at",
        ),
        ("memories", "in Porto", json!({ "seq": i64::MAX }), "seq"),
        (
            "memories",
            "in Porto",
            json!({ "status": "golden" }),
            "constraint failed",
        ),
        (
            "memories",
            "in Porto",
            json!({ "author": "x".repeat(70_000) }),
            "author",
        ),
        (
            "memories",
            "in Porto",
            json!({ "tags": json!(vec!["x"; 21]).to_string() }),
            "tags",
        ),
        (
            "guide_versions",
            "",
            json!({ "version": i64::MAX }),
            "version",
        ),
        ("audit", "", json!({ "at": -1e300 }), "at"),
    ] {
        let (text, line) = changed(&file, table, holds, &change);
        let answer = upload(&vault, "POST", "/api/restore?replace=1", text.as_bytes());
        // Of a circle, any row may be named.
        let named = if said == "back to itself" {
            "line ".to_owned()
        } else {
            format!("line {line}:")
        };
        assert!(
            answer.body.contains(said) && answer.body.contains(&named),
            "{table} {change}: {}",
            answer.body
        );
        assert!(
            answer.body.contains(table) || said == "constraint failed",
            "{}",
            answer.body
        );
        assert!(!answer.body.contains("Odile"), "{}", answer.body);
        assert_eq!(answer.refused(400), "invalid_argument", "{table} {change}");
        assert_eq!(vault.recall("piano"), ["The piano was here before"]);
    }
    assert!(
        vault
            .sql("SELECT name FROM sqlite_master WHERE name LIKE 'staged%'")
            .is_empty()
    );
    restore(&vault, &file, "?replace=1");
    assert_eq!(
        vault.recall("Where does Odile live?")[0],
        "Odile lives in Porto"
    );
}
