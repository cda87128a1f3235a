//! Erasing the whole vault: typed, slow, and taken back at any moment.

use serde_json::{Value, json};

use crate::support::Vault;
use crate::support::oauth::App;

const WORDS: &str = "erase my vault";

fn fill(vault: &Vault) -> String {
    vault.remember("Locker 12 belongs to Ilse");
    vault
        .put("/api/guide", json!({ "content": "Recall first." }))
        .expect(200);
    vault
        .put("/api/settings", json!({ "time_zone": "Asia/Tokyo" }))
        .expect(200);
    let token = App::register(vault, "Claude").sign_in().access;
    vault.mcp_with(&token).tool(
        "remember",
        json!({ "content": "Ilse sails", "idempotency_key": "k" }),
    );
    token
}

#[test]
fn nothing_less_than_the_words_erases_a_vault() {
    let vault = Vault::start();
    vault.remember("Something");
    for body in [
        json!({}),
        json!({ "confirm": "" }),
        json!({ "confirm": "yes" }),
        json!({ "confirm": "Erase My Vault" }),
        json!({ "confirm": true }),
    ] {
        assert_eq!(
            vault.post("/api/erase", body).refused(400),
            "invalid_argument"
        );
    }
    assert_eq!(
        vault.get("/api/status").expect(200)["erase_at"],
        Value::Null
    );
    assert_eq!(
        vault.get("/api/audit?action=request_erase").expect(200)["total"],
        0
    );
}

#[test]
fn an_erasure_waits_seven_days_and_can_be_taken_back() {
    let vault = Vault::start();
    fill(&vault);
    let asked = vault
        .post("/api/erase", json!({ "confirm": WORDS }))
        .expect(202);
    let status = vault.get("/api/status").expect(200);
    assert_eq!(status["erase_at"], asked["erases_at"]);
    // A second time does not move the date, in either direction.
    vault.shift_clock_days(3);
    let again = vault
        .post("/api/erase", json!({ "confirm": WORDS }))
        .expect(202);
    assert_eq!(again["erases_at"], asked["erases_at"]);
    vault.run_agenda();
    assert_eq!(vault.recall("locker"), ["Locker 12 belongs to Ilse"]);
    assert_eq!(vault.delete("/api/erase").status, 204);
    assert_eq!(vault.delete("/api/erase").status, 204);
    vault.shift_clock_days(30);
    vault.run_agenda();
    assert_eq!(vault.recall("locker"), ["Locker 12 belongs to Ilse"]);
    let status = vault.get("/api/status").expect(200);
    assert_eq!(status["erase_at"], Value::Null);
    for action in ["request_erase", "cancel_erase"] {
        assert_eq!(
            vault
                .get(&format!("/api/audit?action={action}"))
                .expect(200)["total"],
            1
        );
    }
}

#[test]
fn after_its_days_everything_is_gone_and_the_vault_begins_anew() {
    let vault = Vault::start();
    let token = fill(&vault);
    vault.recall("locker");
    vault
        .post("/api/erase", json!({ "confirm": WORDS }))
        .expect(202);
    let at = vault.sql("SELECT due_at FROM jobs WHERE kind = 'erase_vault'")[0][0]
        .as_i64()
        .unwrap();
    vault.stop_clock_at(at - 1_000);
    vault.run_agenda();
    assert_eq!(vault.recall("locker").len(), 1);
    vault.stop_clock_at(at + 1_000);
    assert_eq!(vault.run_agenda(), 0);

    let status = vault.get("/api/status").expect(200);
    assert_eq!(status["memories"]["active"], 0);
    assert_eq!(status["erase_at"], Value::Null);
    assert_eq!(vault.recall("locker"), Vec::<String>::new());
    assert_eq!(vault.get("/api/guide").expect(200)["version"], 1);
    assert_eq!(vault.get("/api/settings").expect(200)["time_zone"], "UTC");
    let tables = vault.sql("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\'");
    let mut filled = Vec::new();
    for table in tables {
        let name = table[0].as_str().unwrap().to_owned();
        let rows = vault.sql(&format!("SELECT * FROM \"{name}\""));
        assert!(
            !Value::from(rows.clone().into_iter().flatten().collect::<Vec<_>>())
                .to_string()
                .contains("Ilse")
        );
        if !rows.is_empty() && !name.starts_with("memory_text_") {
            filled.push(name);
        }
    }
    filled.sort();
    assert_eq!(
        filled,
        [
            "address_salt",
            "audit",
            "guide_versions",
            "index_state",
            "jobs",
            "schema_version",
            // For which program and model everything was looked at.
            "vault_notes"
        ]
    );
    let log = vault.get("/api/audit").expect(200);
    assert_eq!(
        (
            &log["total"],
            &log["entries"][0]["action"],
            &log["entries"][0]["actor"]
        ),
        (&json!(1), &json!("erase"), &json!("vault"))
    );
    // The app is out, and the vault works.
    vault.shift_clock_seconds(0);
    let old = vault.mcp_with(&token).request("tools/list", json!({}));
    assert_eq!(old.status, 401, "{}", old.body);
    vault.remember("A new beginning");
    assert_eq!(vault.recall("beginning"), ["A new beginning"]);
    App::register(&vault, "Claude").sign_in();
}

#[test]
fn an_erased_vault_stays_erased_after_a_kill() {
    let mut vault = Vault::start();
    fill(&vault);
    vault
        .post("/api/erase", json!({ "confirm": WORDS }))
        .expect(202);
    vault.shift_clock_days(8);
    vault.run_agenda();
    vault.kill_and_restart();
    assert_eq!(vault.recall("locker"), Vec::<String>::new());
    vault.remember("A new beginning");
    assert_eq!(vault.get("/api/memories").expect(200)["total"], 1);
}
