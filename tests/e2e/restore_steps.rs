//! Restoring in parts, giving it up, and what of the vault outlasts it.

use serde_json::{Value, json};

use crate::backup::{File, filled, sha256};
use crate::restore::*;
use crate::support::Vault;

#[test]
fn a_file_comes_in_parts_in_any_order_and_says_what_it_holds_before_it_is_committed() {
    let before = lived_in();
    let file = before.get("/api/backup").body;
    let vault = Vault::start();
    vault.remember("The piano was here before");
    let opened = vault.post_empty("/api/restore").expect(201);
    assert_eq!(opened["state"], "receiving");
    let path = format!("/api/restore/{}", opened["id"].as_str().unwrap());
    // Cut in the middle of lines; one part is sent wrong first.
    let bytes = file.as_bytes();
    let (one, rest) = bytes.split_at(bytes.len() / 3);
    let (two, three) = rest.split_at(rest.len() / 2);
    upload(&vault, "PUT", &format!("{path}/parts/3"), three).expect(200);
    upload(&vault, "PUT", &format!("{path}/parts/1"), b"nonsense").expect(200);
    let early = vault.post_empty(&format!("{path}/commit?replace=1"));
    assert!(early.body.contains("not whole"), "{}", early.body);
    upload(&vault, "PUT", &format!("{path}/parts/1"), one).expect(200);
    let whole = upload(&vault, "PUT", &format!("{path}/parts/2"), two).expect(200);
    assert_eq!(whole["state"], "checking");
    assert_eq!(whole["bytes"], bytes.len());
    assert_eq!(whole["parts"][1]["sha256"], sha256(two));
    vault.run_agenda();
    let checked = vault.get(&path).expect(200);
    assert_eq!(checked["state"], "ready", "{checked}");
    assert_eq!(checked["vault_is_empty"], false);
    assert_eq!(checked["backup"]["program"], env!("CARGO_PKG_VERSION"));
    assert_eq!(
        checked["forgotten_since"],
        json!({ "memories": 0, "ids": [] })
    );
    assert_eq!(vault.recall("piano"), ["The piano was here before"]);
    assert_eq!(
        vault.post_empty(&format!("{path}/commit")).refused(409),
        "conflict"
    );
    let done = vault
        .post_empty(&format!("{path}/commit?replace=1"))
        .expect(200);
    assert_eq!(done["state"], "restored");
    assert_eq!(
        lasting(&File::of(&vault)).len(),
        lasting(&File::read(&file)).len() + 1
    );
    // Asked again, it says the same; a part comes too late.
    vault
        .post_empty(&format!("{path}/commit?replace=1"))
        .expect(200);
    assert_eq!(
        upload(&vault, "PUT", &format!("{path}/parts/1"), one).refused(409),
        "conflict"
    );
    assert_eq!(
        vault.get("/api/audit?action=restore_vault").expect(200)["total"],
        1
    );
}

#[test]
fn a_restore_can_be_given_up_and_one_that_nobody_touches_gives_itself_up() {
    let vault = Vault::start();
    let opened = vault.post_empty("/api/restore").expect(201);
    let path = format!("/api/restore/{}", opened["id"].as_str().unwrap());
    upload(
        &vault,
        "PUT",
        &format!("{path}/parts/1"),
        &[b'x'; 3_000_000],
    )
    .expect(200);
    assert_eq!(
        vault.sql("SELECT count(*), max(length(bytes)) FROM restore_pieces")[0],
        [json!(3), json!(1_048_576)]
    );
    assert_eq!(
        upload(&vault, "PUT", &format!("{path}/parts/0"), b"x").refused(400),
        "invalid_argument"
    );
    assert_eq!(
        upload(&vault, "PUT", "/api/restore/res_none/parts/1", b"x").refused(404),
        "not_found"
    );
    assert_eq!(vault.delete(&path).status, 204);
    assert_eq!(vault.sql("SELECT count(*) FROM restore_pieces")[0][0], 0);
    let again = vault.post_empty("/api/restore").expect(201);
    let path = format!("/api/restore/{}", again["id"].as_str().unwrap());
    upload(&vault, "PUT", &format!("{path}/parts/1"), b"something").expect(200);
    vault.shift_clock_seconds(23 * 3_600);
    vault.run_agenda();
    assert_eq!(vault.get(&path).status, 200);
    vault.shift_clock_seconds(25 * 3_600);
    vault.run_agenda();
    assert_eq!(vault.get(&path).refused(404), "not_found");
    assert_eq!(vault.sql("SELECT count(*) FROM restore_pieces")[0][0], 0);
}

#[test]
fn what_was_forgotten_after_the_backup_stays_forgotten_unless_asked_back() {
    // U-144
    let vault = Vault::start();
    let locker = vault.remember("Locker 12 belongs to Ilse");
    vault.remember("Locker 13 is empty");
    // Its earlier text is what gets forgotten, too.
    let edited = vault.remember("The code word is heron");
    vault
        .patch(
            &format!("/api/memories/{edited}"),
            json!({ "content": "The code word is egret" }),
        )
        .expect(200);
    let file = vault.get("/api/backup").body;
    vault.delete(&format!("/api/memories/{locker}")).expect(200);
    vault.delete(&format!("/api/memories/{edited}")).expect(200);
    let opened = vault.post_empty("/api/restore").expect(201);
    let path = format!("/api/restore/{}", opened["id"].as_str().unwrap());
    upload(&vault, "PUT", &format!("{path}/parts/1"), file.as_bytes()).expect(200);
    vault.run_agenda();
    let view = vault.get(&path).expect(200);
    assert_eq!(
        view["forgotten_since"],
        json!({ "memories": 2, "ids": [locker, edited] })
    );
    let done = vault
        .post_empty(&format!("{path}/commit?replace=1"))
        .expect(200);
    assert_eq!(done["outcome"]["left_out"], 2);
    let texts = vault.get("/api/backup").body;
    for gone in ["Locker 12", "heron", "egret"] {
        assert!(!texts.contains(gone), "{gone}");
    }
    assert_eq!(vault.recall("locker"), ["Locker 13 is empty"]);
    let report = vault
        .post(
            "/api/bulk",
            json!({ "items": ["Locker 12 belongs to Ilse"] }),
        )
        .expect(200);
    assert_eq!(report["excluded"], 1);
    // The log goes on knowing that something was forgotten.
    assert_eq!(
        vault.get("/api/audit?action=forget").expect(200)["total"],
        2
    );
    // Asked for, it comes back.
    restore(&vault, &file, "?replace=1&keep_forgotten=0");
    assert_eq!(vault.get("/api/memories").expect(200)["total"], 3);
    assert_eq!(vault.get("/api/exclusions").expect(200)["total"], 0);
}

#[test]
fn connected_apps_stay_connected_through_a_restore() {
    let vault = Vault::start_in_auto_mode();
    let app = vault.mcp();
    app.tool("remember", json!({ "content": "Before the backup" }));
    let file = vault.get("/api/backup").body;
    let oauth =
        "SELECT id, client_id, scopes FROM oauth_grants UNION ALL SELECT kid, x, y FROM oauth_keys";
    let before = vault.sql(oauth);
    restore(&vault, &file, "?replace=1");
    assert_eq!(vault.sql(oauth), before);
    app.tool("remember", json!({ "content": "After the restore" }));
    assert_eq!(vault.get("/api/memories").expect(200)["total"], 2);
}

#[test]
fn tables_indexes_and_triggers_are_as_before_after_a_restore() {
    let vault = lived_in();
    let file = vault.get("/api/backup").body;
    let schema = "SELECT type, name, tbl_name, replace(replace(sql, '\"', ''), '''', '') FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name";
    let before = vault.sql(schema);
    for _ in 0..2 {
        restore(&vault, &file, "?replace=1");
        for (row, was) in vault.sql(schema).iter().zip(&before) {
            assert_eq!(row, was);
        }
        assert_eq!(vault.sql(schema).len(), before.len());
    }
    assert!(vault.sql("PRAGMA foreign_key_check").is_empty());
}

#[test]
fn a_backup_of_an_older_schema_fills_what_it_did_not_know() {
    // U-204
    let before = Vault::start();
    before.remember("From an older vault");
    let file = before.get("/api/backup").body;
    let mut lines: Vec<String> = file.lines().map(str::to_owned).collect();
    let mut header: Value = serde_json::from_str(&lines[0]).unwrap();
    header["schema"] = 4.into();
    // Version 4 knew neither similarity nor conflicts.
    let tables = header["tables"].as_array_mut().unwrap();
    tables.retain(|table| table["name"] != "memory_conflicts");
    for table in tables {
        table["columns"]
            .as_array_mut()
            .unwrap()
            .retain(|column| column != "similarity");
    }
    lines[0] = header.to_string();
    let text = (lines.join("\n") + "\n").replace("\"memory_conflicts\":0,", "");
    let vault = Vault::start();
    restore(&vault, &sealed(&text), "");
    assert_eq!(vault.recall("older"), ["From an older vault"]);
}

#[test]
fn a_backup_being_read_while_a_restore_takes_place_never_passes_for_whole() {
    use std::io::Read as _;
    let small = Vault::start();
    small.remember("From the backup");
    let file = small.get("/api/backup").body;
    let vault = Vault::start();
    filled(&vault);
    let mut reader = vault.open("/api/backup");
    reader.read_exact(&mut [0; 1_000]).unwrap();
    restore(&vault, &file, "?replace=1");
    let mut rest = Vec::new();
    let broken = reader.read_to_end(&mut rest).is_err();
    assert!(broken || !String::from_utf8_lossy(&rest).contains("{\"end\":true"));
    assert_eq!(vault.recall("backup"), ["From the backup"]);
}
