//! Restore: a backup comes back, whole or in parts, all of it or nothing.

use serde_json::{Value, json};

use crate::backup::{File, sha256};
use crate::support::{Answer, Vault};

/// Sends bytes that are no JSON.
pub fn upload(vault: &Vault, method: &str, path: &str, bytes: &[u8]) -> Answer {
    let headers = [("Content-Type", "application/octet-stream")];
    vault.send(method, path, &headers, Some(bytes))
}

/// A whole file at once; the restore as it stands in the end, the alarm's part done.
#[track_caller]
pub fn restore(vault: &Vault, file: &str, query: &str) -> Value {
    let answer = upload(
        vault,
        "POST",
        &format!("/api/restore{query}"),
        file.as_bytes(),
    );
    assert!(matches!(answer.status, 200 | 202), "{}", answer.body);
    finished(vault, &answer.json())
}

/// Goes on with a restore as the alarm would, until it is done.
#[track_caller]
pub fn finished(vault: &Vault, begun: &Value) -> Value {
    let path = format!("/api/restore/{}", begun["id"].as_str().unwrap());
    for _ in 0..200 {
        let view = vault.get(&path).expect(200);
        if view["state"] == "restored" {
            return view;
        }
        assert_eq!(vault.run_agenda(), 0);
    }
    panic!("not done: {}", vault.get(&path).body);
}

/// The file with another text in it, its hash and counts made to fit.
pub fn tampered(file: &str, from: &str, to: &str) -> String {
    let text = file.replace(from, to);
    assert_ne!(text, file, "nothing to change");
    sealed(&text)
}

/// The file with a trailer that fits its lines.
pub fn sealed(file: &str) -> String {
    let mut lines: Vec<&str> = file.lines().collect();
    let mut trailer: Value = serde_json::from_str(lines.pop().unwrap()).unwrap();
    let before = lines.join("\n") + "\n";
    trailer["sha256"] = sha256(before.as_bytes()).into();
    // As the vault writes it: `end` first.
    format!(
        "{before}{{\"end\":true,\"counts\":{},\"rows\":{},\"sha256\":{}}}\n",
        trailer["counts"], trailer["rows"], trailer["sha256"]
    )
}

/// A file's rows without what differs by nature: who downloaded and restored what.
pub fn lasting(file: &File) -> Vec<(String, Value)> {
    let volatile = ["backup", "restore_vault", "export"];
    let rows = file.rows.iter().filter(|(table, row)| {
        table != "audit" || !volatile.contains(&row["action"].as_str().unwrap())
    });
    rows.map(|(table, row)| {
        let mut row = row.clone();
        if table == "audit" {
            row.as_object_mut().unwrap().remove("seq");
        }
        (table.clone(), row)
    })
    .collect()
}

/// A vault with something in every table.
pub fn lived_in() -> Vault {
    let vault = Vault::start();
    let harbour =
        vault.store(json!({ "content": "The harbour closes at nine", "tags": ["boats", "ilse"], "author": "Ilse" }));
    vault
        .patch(
            &format!("/api/memories/{harbour}"),
            json!({ "content": "The harbour closes at ten" }),
        )
        .expect(200);
    let old = vault.remember("Odile lives in Ghent");
    vault.store(json!({ "content": "Odile lives in Porto", "supersedes": old, "source_date": "2026-03-10" }));
    let rejected = vault.mcp().tool(
        "propose_memory",
        json!({ "content": "The owner loves spam" }),
    );
    vault
        .post_empty(&format!(
            "/api/memories/{}/reject",
            rejected["id"].as_str().unwrap()
        ))
        .expect(200);
    vault.mcp().tool(
        "propose_memory",
        json!({ "content": "Waits for the owner" }),
    );
    let doomed = vault.remember("The attic key hangs behind the clock");
    vault.delete(&format!("/api/memories/{doomed}")).expect(200);
    vault.store(json!({ "content": "The plumber comes today", "tier": "short" }));
    vault
        .post(
            "/api/bulk",
            json!({ "items": ["One of a batch", "Zwei Stück Käse für Jürgen", "猫は魚が好き"] }),
        )
        .expect(200);
    vault
        .put("/api/guide", json!({ "content": "Ask before you save." }))
        .expect(200);
    vault
        .put(
            "/api/settings",
            json!({ "time_zone": "Europe/Paris", "short_tier_days": 12 }),
        )
        .expect(200);
    vault
}

#[test]
fn what_was_backed_up_comes_back_into_an_empty_vault_and_is_found_at_once() {
    // U-137, U-143
    let before = lived_in();
    let file = before.get("/api/backup").body;
    let vault = Vault::start();
    let view = restore(&vault, &file, "");
    assert_eq!(view["outcome"]["to_embed"], 0, "{view}");
    assert_eq!(view["outcome"]["counts"]["memories"], 9);
    assert_eq!(lasting(&File::of(&vault)), lasting(&File::read(&file)));
    assert_eq!(vault.recall("harbour"), ["The harbour closes at ten"]);
    assert_eq!(vault.recall("Käse"), ["Zwei Stück Käse für Jürgen"]);
    assert_eq!(vault.recall("猫"), ["猫は魚が好き"]);
    assert_eq!(
        before.ask("where does Odile live")["results"],
        vault.ask("where does Odile live")["results"]
    );
    let tagged = vault.get("/api/memories?tag=boats").expect(200);
    assert_eq!(tagged["total"], 1);
    assert_eq!(vault.get("/api/guide").expect(200)["version"], 2);
    assert_eq!(
        vault.get("/api/settings").expect(200)["short_tier_days"],
        12
    );
    // U-140, U-146: one row says who did it.
    let audit = vault.get("/api/audit?action=restore_vault").expect(200);
    assert_eq!(audit["total"], 1);
    assert_eq!(audit["entries"][0]["actor"], "owner:ada@localhost");
    assert_eq!(audit["entries"][0]["subject"], view["id"]);
    // The vault works on: the short tier runs out, the forgotten text stays out, a new text comes in.
    vault.shift_clock_days(31);
    vault.run_agenda();
    assert_eq!(
        vault.get("/api/memories?status=superseded").expect(200)["total"],
        2
    );
    let report = vault
        .post(
            "/api/bulk",
            json!({ "items": ["The attic key hangs behind the clock"] }),
        )
        .expect(200);
    assert_eq!(report["excluded"], 1);
    vault.remember("New after the restore");
    assert_eq!(
        vault.recall("after the restore")[0],
        "New after the restore"
    );
}

#[test]
fn a_backup_without_embeddings_is_found_by_words_at_once_and_by_meaning_later() {
    // U-143
    let before = Vault::start();
    for content in ["The cat sleeps on the sofa", "The invoice is due on Friday"] {
        before.remember(content);
    }
    let file = before.get("/api/backup?embeddings=0").body;
    let vault = Vault::start();
    let view = restore(&vault, &file, "");
    assert_eq!(view["outcome"]["to_embed"], 2, "{view}");
    assert_eq!(vault.recall("invoice"), ["The invoice is due on Friday"]);
    vault.run_agenda();
    assert_eq!(vault.get("/api/status").expect(200)["index"]["missing"], 0);
    let sense = "SELECT hex(vector), hex(words), made_from FROM memory_sense ORDER BY memory_seq";
    assert_eq!(vault.sql(sense), before.sql(sense));
}

#[test]
fn a_vault_that_holds_something_is_only_replaced_when_told_so() {
    // U-140
    let before = Vault::start();
    before.remember("From the backup");
    let file = before.get("/api/backup").body;
    let vault = Vault::start();
    vault.remember("The piano was here before");
    let refused = upload(&vault, "POST", "/api/restore", file.as_bytes());
    assert!(refused.body.contains("replace=1"), "{}", refused.body);
    assert_eq!(refused.refused(409), "conflict");
    assert_eq!(vault.recall("piano"), ["The piano was here before"]);
    assert_eq!(vault.get("/api/restore").expect(200), Value::Null);
    restore(&vault, &file, "?replace=1");
    assert!(vault.recall("piano").is_empty());
    assert_eq!(vault.recall("backup"), ["From the backup"]);
    assert_eq!(vault.get("/api/memories").expect(200)["total"], 1);
    assert_eq!(
        vault.get("/api/audit?action=restore_vault").expect(200)["total"],
        1
    );
}

#[test]
fn a_changed_text_gets_its_own_hash_and_its_own_embedding() {
    // U-142
    let before = Vault::start();
    before.remember("The safe is behind the painting");
    before.remember("The ferry leaves at dawn");
    let file = before.get("/api/backup").body;
    let file = tampered(
        &file,
        "The safe is behind the painting",
        "The bicycle is in the shed",
    );
    let vault = Vault::start();
    let view = restore(&vault, &file, "");
    assert_eq!(view["hashes_corrected"], 1, "{view}");
    assert_eq!(view["embeddings_kept"], 1);
    assert_eq!(view["outcome"]["to_embed"], 1);
    let hash = |vault: &Vault| vault.sql("SELECT content_hash FROM memories ORDER BY seq");
    assert_ne!(hash(&vault)[0], hash(&before)[0]);
    assert_eq!(hash(&vault)[1], hash(&before)[1]);
    vault.run_agenda();
    let fresh = Vault::start();
    fresh.remember("The bicycle is in the shed");
    let sense = "SELECT hex(vector), made_from FROM memory_sense WHERE memory_seq = 1";
    assert_eq!(vault.sql(sense), fresh.sql(sense));
    // Known again as the text it is.
    vault
        .post(
            "/api/memories",
            json!({ "content": "The bicycle is in the shed" }),
        )
        .expect(200);
}
