//! Whatever takes a memory away leaves one line in the log, with who and which, and never what it said.

use serde_json::{Value, json};

use crate::support::{Vault, id_of};

/// U-146
#[test]
fn every_way_to_lose_a_memory_leaves_one_line_with_its_id_and_without_its_text() {
    let vault = Vault::start();
    let owner = "owner:ada@localhost";
    let forgotten = vault.remember("Locker 12 belongs to Ilse");
    vault
        .delete(&format!("/api/memories/{forgotten}"))
        .expect(200);
    let rejected = id_of(
        &vault
            .mcp()
            .tool("remember", json!({ "content": "Ilse hates the quay" })),
    );
    vault
        .post_empty(&format!("/api/memories/{rejected}/reject"))
        .expect(200);
    let report = vault
        .post(
            "/api/bulk",
            json!({ "items": ["Ilse sails to Malta", "Ilse rents a crane"] }),
        )
        .expect(200);
    let batch = report["batch_id"].as_str().unwrap().to_owned();
    vault
        .post_empty(&format!("/api/batches/{batch}/undo"))
        .expect(200);
    let asked = vault.remember("Ilse owns a violin");
    vault.mcp().tool("forget", json!({ "id": asked }));
    vault.shift_clock_days(31);
    let ran = vault.post_empty("/api/retention/run").expect(200);
    assert_eq!(ran["ids"]["rejected"], json!([rejected]));

    let line = |action: &str| -> Value {
        let log = vault
            .get(&format!("/api/audit?action={action}"))
            .expect(200);
        assert_eq!(log["total"], 1, "{action}: {log}");
        log["entries"][0].clone()
    };
    for (action, actor, subject) in [
        ("forget", owner, &forgotten),
        ("reject", owner, &rejected),
        ("undo_import", owner, &batch),
        ("request_forget", "mcp:e2e", &asked),
    ] {
        let line = line(action);
        assert_eq!(
            (&line["actor"], &line["subject"]),
            (&json!(actor), &json!(subject)),
            "{action}"
        );
    }
    assert_eq!(line("undo_import")["details"]["removed"], 2);
    let retention = line("retention");
    assert_eq!(
        (
            &retention["actor"],
            &retention["details"]["ids"]["rejected"]
        ),
        (&json!(owner), &json!([rejected]))
    );
    let all = vault.get("/api/audit?limit=200").body.to_lowercase();
    for word in ["ilse", "locker", "quay", "malta", "crane", "violin"] {
        assert!(!all.contains(word), "{word} is in the log");
    }
}

/// U-49, in both modes and at both doors.
#[test]
fn one_digit_makes_another_memory_that_waits_or_is_flagged() {
    for (vault, status) in [
        (Vault::start(), "proposed"),
        (Vault::start_in_auto_mode(), "active"),
    ] {
        let first = vault.remember("The lease ends on 15 October");
        let second = vault.mcp().tool(
            "remember",
            json!({ "content": "The lease ends on 16 October" }),
        );
        assert_eq!(
            (&second["outcome"], &second["status"]),
            (&json!("stored"), &json!(status))
        );
        assert_eq!(
            (&second["similar_to"], &second["may_conflict_with"]),
            (&json!(first), &json!([first]))
        );
        let third = vault.mcp().tool(
            "bulk_remember",
            json!({ "items": ["The lease ends on 17 October"] }),
        );
        assert_eq!(
            (&third["stored"], &third["near_duplicate"]),
            (&json!(1), &json!(0)),
            "{third}"
        );
    }
}
