//! What only the owner touches: guide, settings, audit log.

use serde_json::json;

use crate::support::Vault;

#[test]
fn the_guide_keeps_every_version_and_refuses_a_lost_update() {
    let vault = Vault::start();
    let first = vault.get("/api/guide").expect(200);
    assert_eq!(first["version"], 1);
    let second = vault
        .put(
            "/api/guide",
            json!({ "content": "Recall first.", "expected_version": 1 }),
        )
        .expect(200);
    assert_eq!(second["version"], 2);
    assert_eq!(
        vault
            .put(
                "/api/guide",
                json!({ "content": "Other.", "expected_version": 1 })
            )
            .refused(409),
        "conflict"
    );
    assert_eq!(
        vault
            .put("/api/guide", json!({ "content": "Recall first." }))
            .expect(200)["version"],
        2
    );
    let versions = vault.get("/api/guide/versions").expect(200);
    assert_eq!(versions["versions"][1]["content"], first["content"]);
    assert!(
        vault.mcp().tool("get_operating_guide", json!({}))["content"]
            .as_str()
            .unwrap()
            .contains("Recall first.")
    );
}

#[test]
fn settings_change_one_by_one_and_bad_ones_change_nothing() {
    let vault = Vault::start();
    assert_eq!(
        vault
            .put("/api/settings", json!({ "time_zone": "Asia/Tokyo" }))
            .expect(200)["mode"],
        "review"
    );
    for bad in [
        json!({ "time_zone": "Mars/Olympus" }),
        json!({ "mode": "yolo" }),
        json!({ "modus": "auto" }),
        json!({ "short_tier_days": 0 }),
    ] {
        assert_eq!(
            vault.put("/api/settings", bad).refused(400),
            "invalid_argument"
        );
    }
    assert_eq!(
        vault.get("/api/settings").expect(200)["time_zone"],
        "Asia/Tokyo"
    );
}

#[test]
fn the_audit_log_says_who_did_what_and_never_a_text() {
    let vault = Vault::start();
    let id = vault.remember("Locker 12 belongs to Ilse");
    vault
        .patch(
            &format!("/api/memories/{id}"),
            json!({ "content": "Locker 12 belongs to Odile" }),
        )
        .expect(200);
    vault
        .mcp()
        .tool("remember", json!({ "content": "The harbour opens at six" }));
    let log = vault.get("/api/audit").expect(200);
    let rows: Vec<(&str, &str)> = log["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            (
                row["actor"].as_str().unwrap(),
                row["action"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            ("mcp:e2e", "propose"),
            ("owner:ada@localhost", "connect_app"),
            ("owner:ada@localhost", "edit"),
            ("owner:ada@localhost", "remember")
        ]
    );
    assert!(!log.to_string().contains("Locker") && !log.to_string().contains("harbour"));
    assert_eq!(vault.get("/api/audit?action=edit").expect(200)["total"], 1);
}
