//! Forgetting, by the owner and by an agent, and exclusions.

use serde_json::{Value, json};

use crate::support::Vault;

/// Everything the database holds, as text.
pub fn whole_database(vault: &Vault) -> String {
    let tables = vault.sql("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'");
    let mut all = String::new();
    for table in tables {
        let table = table[0].as_str().unwrap();
        for row in vault.sql(&format!("SELECT * FROM {table}")) {
            all.push_str(&Value::from(row).to_string());
        }
    }
    all
}

#[test]
fn what_the_owner_forgets_is_gone_from_every_table_at_once() {
    // U-145
    let vault = Vault::start();
    let id = vault.remember("Locker 12 belongs to Ilse");
    vault
        .patch(
            &format!("/api/memories/{id}"),
            json!({ "content": "Locker 12 belongs to Ilse Quist", "tags": ["zwaluw"] }),
        )
        .expect(200);
    assert!(whole_database(&vault).contains("Ilse"));
    assert_eq!(
        vault
            .post_empty(&format!("/api/memories/{id}/forget"))
            .expect(200)["outcome"],
        "destroyed"
    );
    let left = whole_database(&vault).to_lowercase();
    for word in ["ilse", "quist", "zwaluw", "locker"] {
        assert!(!left.contains(word), "{word} is still there");
    }
    assert_eq!(vault.recall("Ilse"), Vec::<String>::new());
    assert_eq!(
        vault.get(&format!("/api/memories/{id}")).refused(404),
        "not_found"
    );
    assert_eq!(vault.get("/api/exclusions").expect(200)["total"], 2);
}

#[test]
fn forgotten_text_is_not_stored_again_by_an_agent_or_an_import() {
    // U-62
    let vault = Vault::start_in_auto_mode();
    let id = vault.remember("The code word is heron");
    vault.delete(&format!("/api/memories/{id}")).expect(200);
    assert!(
        vault
            .mcp()
            .refusal("remember", json!({ "content": "the code word is  heron" }))
            .contains("forgot")
    );
    let report = vault
        .post("/api/bulk", json!({ "items": ["The code word is heron"] }))
        .expect(200);
    assert_eq!(report["items"][0]["outcome"], "excluded");
    assert_eq!(
        vault.get("/api/memories?status=all").expect(200)["total"],
        0
    );
}

#[test]
fn forgotten_text_does_not_come_back_with_other_signs_around_it() {
    // U-62
    let vault = Vault::start_in_auto_mode();
    for text in ["Bea takes lithium", "\"Ilse owns a heron.\""] {
        let id = vault.remember(text);
        vault.delete(&format!("/api/memories/{id}")).expect(200);
    }
    let spelt = [
        "bea takes lithium.",
        "\"Bea takes lithium\"",
        "- Bea takes lithium",
        "“Bea takes lithium!”",
        "Bea takes lithium。",
        "Ilse owns a heron",
    ];
    for text in spelt {
        let refusal = vault.mcp().refusal("remember", json!({ "content": text }));
        assert!(refusal.contains("forgot"), "{text}: {refusal}");
    }
    let report = vault
        .post("/api/bulk", json!({ "items": spelt }))
        .expect(200);
    assert_eq!(report["excluded"], spelt.len());
    // The owner's own hand still may, and another fact is another fact.
    vault.remember("Bea takes lithium.");
    vault
        .mcp()
        .tool("remember", json!({ "content": "Bea takes lithium salts" }));
}

#[test]
fn the_owner_may_store_a_forgotten_text_again_by_hand() {
    // U-62
    let vault = Vault::start();
    let id = vault.remember("The code word is heron");
    vault.delete(&format!("/api/memories/{id}")).expect(200);
    vault.remember("The code word is heron");
    assert_eq!(vault.get("/api/exclusions").expect(200)["total"], 0);
    assert_eq!(
        vault.get("/api/audit?action=lift_exclusion").expect(200)["total"],
        1
    );
}

#[test]
fn an_agents_forget_hides_and_the_owner_decides() {
    let vault = Vault::start();
    let id = vault.remember("The garden gate sticks");
    let answer = vault.mcp().tool("forget", json!({ "id": id }));
    assert_eq!(answer["outcome"], "requested");
    assert_eq!(vault.recall("garden gate"), Vec::<String>::new());
    assert_eq!(vault.get("/api/memories").expect(200)["total"], 0);
    assert!(
        vault
            .mcp()
            .refusal("fetch", json!({ "id": id }))
            .contains("no memory")
    );
    let repeated = vault
        .mcp()
        .refusal("remember", json!({ "content": "The garden gate sticks" }));
    assert!(repeated.contains("forgot") && !repeated.contains(&id));
    let waiting = vault.get("/api/memories?forget_requested=1").expect(200);
    assert_eq!(
        (
            &waiting["memories"][0]["id"],
            &waiting["memories"][0]["forget_requested_by"]
        ),
        (&json!(id), &json!("mcp:e2e"))
    );
    vault
        .post_empty(&format!("/api/memories/{id}/keep"))
        .expect(200);
    assert_eq!(vault.recall("garden gate"), ["The garden gate sticks"]);
}

#[test]
fn what_waits_to_be_forgotten_or_was_rejected_does_not_come_back_in_another_dress() {
    let dresses = [
        "The user told me: The garden gate sticks",
        "\u{201c}The garden gate sticks\u{201d}",
        "- The garden gate sticks.",
        "the garden gate sticks",
    ];
    for is_rejected in [false, true] {
        let vault = Vault::start();
        if is_rejected {
            let proposed = vault
                .mcp()
                .tool("remember", json!({ "content": "The garden gate sticks" }));
            let id = proposed["id"].as_str().unwrap();
            vault
                .post_empty(&format!("/api/memories/{id}/reject"))
                .expect(200);
        } else {
            let id = vault.remember("The garden gate sticks");
            vault.mcp().tool("forget", json!({ "id": id }));
        }
        for dress in dresses {
            let refused = vault.mcp().refusal("remember", json!({ "content": dress }));
            assert!(
                refused.contains("excluded"),
                "rejected {is_rejected}, {dress}: {refused}"
            );
        }
        vault.mcp().tool(
            "remember",
            json!({ "content": "The garden gate was oiled" }),
        );
        assert_eq!(
            vault.sql("SELECT count(*) FROM memories")[0][0],
            2,
            "rejected {is_rejected}"
        );
    }
}

#[test]
fn in_review_mode_an_agents_forget_waits_as_long_as_the_owner_likes() {
    let vault = Vault::start();
    let id = vault.remember("The garden gate sticks");
    vault.mcp().tool("forget", json!({ "id": id }));
    vault.shift_clock_days(400);
    assert_eq!(vault.run_agenda(), 0);
    assert_eq!(
        vault.get("/api/memories?forget_requested=1").expect(200)["total"],
        1
    );
    vault
        .post_empty(&format!("/api/memories/{id}/forget"))
        .expect(200);
    assert!(!whole_database(&vault).contains("garden"));
}

#[test]
fn in_auto_mode_an_agents_forget_destroys_after_the_grace_period() {
    let vault = Vault::start_in_auto_mode();
    let id = vault.remember("The garden gate sticks");
    assert!(vault.mcp().tool("forget", json!({ "id": id }))["destroyed_after"].is_string());
    vault.shift_clock_days(6);
    vault.run_agenda();
    assert!(whole_database(&vault).contains("garden"));
    vault.shift_clock_days(8);
    vault.run_agenda();
    assert!(!whole_database(&vault).contains("garden"));
}

#[test]
fn forgetting_nothing_says_so_and_leaves_no_trace() {
    // U-76, U-77
    let vault = Vault::start();
    vault.remember("Something");
    for id in [
        json!("mem_00000000000000000000000000"),
        json!("*"),
        json!(["a", "b"]),
        json!(""),
    ] {
        vault.mcp().refusal("forget", json!({ "id": id }));
    }
    assert_eq!(
        vault
            .post_empty("/api/memories/mem_00000000000000000000000000/forget")
            .refused(404),
        "not_found"
    );
    for action in ["forget", "request_forget"] {
        assert_eq!(
            vault
                .get(&format!("/api/audit?action={action}"))
                .expect(200)["total"],
            0
        );
    }
}

#[test]
fn forgetting_the_new_value_leaves_the_old_one_without_a_dangling_pointer() {
    let vault = Vault::start();
    let old = vault.remember("The boat is blue");
    let new = vault.store(json!({ "content": "The boat is green", "supersedes": old }));
    vault.delete(&format!("/api/memories/{new}")).expect(200);
    let old = vault.get(&format!("/api/memories/{old}")).expect(200);
    assert_eq!(
        (&old["status"], &old["superseded_by"]),
        (&json!("superseded"), &Value::Null)
    );
}

#[test]
fn clearing_away_an_old_rejection_spares_a_memory_with_the_same_text() {
    let vault = Vault::start();
    let rejected = vault
        .mcp()
        .tool("remember", json!({ "content": "Peanut butter is fine" }))["id"]
        .as_str()
        .unwrap()
        .to_owned();
    vault
        .post_empty(&format!("/api/memories/{rejected}/reject"))
        .expect(200);
    let kept = vault.remember("Peanut butter is fine");
    assert_eq!(
        vault
            .delete(&format!("/api/memories/{rejected}"))
            .expect(200)["ids"],
        json!([rejected])
    );
    assert_eq!(vault.recall("peanut butter"), ["Peanut butter is fine"]);
    assert_eq!(vault.get("/api/exclusions").expect(200)["total"], 0);
    assert_eq!(
        vault.delete(&format!("/api/memories/{kept}")).expect(200)["ids"],
        json!([kept])
    );
    assert_eq!(vault.get("/api/exclusions").expect(200)["total"], 1);
}

#[test]
fn switching_to_auto_mode_gives_old_wishes_to_forget_their_whole_grace_period() {
    let vault = Vault::start();
    let id = vault.remember("The garden gate sticks");
    vault.mcp().tool("forget", json!({ "id": id }));
    vault.shift_clock_days(30);
    vault
        .put("/api/settings", json!({ "mode": "auto" }))
        .expect(200);
    vault.shift_clock_days(36);
    vault.run_agenda();
    assert!(whole_database(&vault).contains("garden"));
    vault.shift_clock_days(38);
    vault.run_agenda();
    assert!(!whole_database(&vault).contains("garden"));
}

/// U-145, with everything that a text passes through: an app's proposal under a key, an edit while approving, a decision
/// taken back, a replacement, an import.
#[test]
fn a_text_that_went_through_everything_is_gone_from_everywhere() {
    let vault = Vault::start();
    let proposed = vault.mcp().tool(
        "remember",
        json!({ "content": "Locker 12 belongs to Ilse", "idempotency_key": "k", "tags": ["zwaluw"] }),
    );
    let id = proposed["id"].as_str().unwrap().to_owned();
    vault
        .post(
            &format!("/api/memories/{id}/approve"),
            json!({ "content": "Locker 12 belongs to Ilse Quist" }),
        )
        .expect(200);
    vault
        .post_empty(&format!("/api/memories/{id}/undecide"))
        .expect(200);
    vault
        .post_empty(&format!("/api/memories/{id}/approve"))
        .expect(200);
    let next = vault.store(json!({ "content": "The key hangs by the door", "supersedes": id }));
    vault
        .post(
            "/api/bulk",
            json!({ "items": ["Locker 12 belongs to Ilse Quist"], "idempotency_key": "b" }),
        )
        .expect(200);
    vault.recall("Ilse locker");
    vault.delete(&format!("/api/memories/{id}")).expect(200);
    let left = whole_database(&vault).to_lowercase();
    for word in ["ilse", "quist", "zwaluw", "locker"] {
        assert!(!left.contains(word), "{word} is still there");
    }
    let next = vault.get(&format!("/api/memories/{next}")).expect(200);
    assert_eq!(next["supersedes"], Value::Null);
    assert_eq!(vault.sql("SELECT count(*) FROM decisions")[0][0], 0);
}
