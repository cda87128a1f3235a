//! The backup file: what is in it, what is not, and that it shows one moment.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _};

use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::support::Vault;
use crate::support::deployed::{Deployed, owner, service};

/// A backup's lines, after its hash and counts were checked.
pub struct File {
    pub header: Value,
    pub rows: Vec<(String, Value)>,
}

impl File {
    #[track_caller]
    pub fn read(text: &str) -> File {
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert!(text.ends_with('\n') && lines.len() >= 2, "{text}");
        let trailer = lines.last().unwrap().clone();
        assert_eq!(trailer["end"], true, "{trailer}");
        let before = text.trim_end().rfind('\n').unwrap() + 1;
        assert_eq!(trailer["sha256"], sha256(&text.as_bytes()[..before]));
        let rows: Vec<(String, Value)> = lines[1..lines.len() - 1]
            .iter()
            .map(|line| {
                (
                    line["table"].as_str().unwrap().to_owned(),
                    line["row"].clone(),
                )
            })
            .collect();
        let mut counts: BTreeMap<&str, i64> = BTreeMap::new();
        for table in lines[0]["tables"].as_array().unwrap() {
            counts.insert(table["name"].as_str().unwrap(), 0);
        }
        for (table, _) in &rows {
            *counts.get_mut(table.as_str()).unwrap() += 1;
        }
        assert_eq!(trailer["counts"], json!(counts));
        assert_eq!(trailer["rows"], rows.len());
        File {
            header: lines[0].clone(),
            rows,
        }
    }

    pub fn of(vault: &Vault) -> File {
        File::read(&vault.get("/api/backup").body)
    }

    pub fn table(&self, name: &str) -> Vec<&Value> {
        let rows = self.rows.iter().filter(|(table, _)| table == name);
        rows.map(|(_, row)| row).collect()
    }

    pub fn contents(&self) -> Vec<&str> {
        let rows = self.table("memories").into_iter();
        rows.map(|row| row["content"].as_str().unwrap()).collect()
    }
}

pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_backup_holds_every_table_of_the_vault() {
    // U-137
    let vault = Vault::start();
    let kept = vault.store(json!({ "content": "The harbour closes at nine", "tags": ["boats"] }));
    vault
        .patch(
            &format!("/api/memories/{kept}"),
            json!({ "content": "The harbour closes at ten" }),
        )
        .expect(200);
    let forgotten = vault.remember("The attic key hangs behind the clock");
    vault
        .delete(&format!("/api/memories/{forgotten}"))
        .expect(200);
    vault
        .post(
            "/api/bulk",
            json!({ "items": ["One of a batch", "Two of a batch"] }),
        )
        .expect(200);
    vault
        .put("/api/guide", json!({ "content": "Ask before you save." }))
        .expect(200);
    vault
        .put("/api/settings", json!({ "time_zone": "Europe/Paris" }))
        .expect(200);
    let answer = vault.get("/api/backup");
    assert_eq!(answer.header("content-type"), "application/x-ndjson");
    let name = answer.header("content-disposition");
    assert!(
        name.starts_with("attachment; filename=\"memory-vault-20") && name.ends_with("Z.jsonl\""),
        "{name}"
    );
    let file = File::read(&answer.body);
    assert_eq!(file.header["format"], "memory-vault-backup");
    for table in [
        "settings",
        "guide_versions",
        "batches",
        "memories",
        "memory_history",
        "memory_sense",
        "exclusions",
        "audit",
    ] {
        assert!(!file.table(table).is_empty(), "nothing of {table}");
    }
    assert_eq!(
        file.contents(),
        [
            "The harbour closes at ten",
            "One of a batch",
            "Two of a batch"
        ]
    );
    assert_eq!(
        file.table("memory_history")[0]["content"],
        "The harbour closes at nine"
    );
    // U-145: what was forgotten is in no new backup.
    assert!(!answer.body.contains("attic"), "{}", answer.body);
}

#[test]
fn embeddings_can_be_left_out_of_a_backup() {
    // U-148
    let vault = Vault::start();
    for number in 0..40 {
        vault.remember(&format!("The ferry to island {number} leaves at dawn"));
    }
    let whole = vault.get("/api/backup").body;
    let small = vault.get("/api/backup?embeddings=0").body;
    assert!(
        small.len() * 3 < whole.len() * 2,
        "{} {}",
        small.len(),
        whole.len()
    );
    let file = File::read(&small);
    assert_eq!(file.header["embeddings"], false);
    assert!(file.table("memory_sense").is_empty());
    assert_eq!(file.contents().len(), 40);
    assert_eq!(File::read(&whole).table("memory_sense").len(), 40);
    assert_eq!(
        vault.get("/api/backup?embeddings=maybe").refused(400),
        "invalid_argument"
    );
}

#[test]
fn a_backup_of_twenty_thousand_is_streamed_to_its_end() {
    // U-148
    const MORE: usize = 20_000;
    let vault = Vault::start();
    vault.remember("The ferry to the island leaves at dawn");
    let kept = "status, content_hash, type, tier, importance, tags, dated_at, valid_from, created_by, created_at, updated_at, flags";
    let copied = kept
        .split(", ")
        .map(|column| format!("m.{column}"))
        .collect::<Vec<_>>()
        .join(", ");
    vault.sql(&format!(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {MORE}) \
         INSERT INTO memories (id, content, {kept}) SELECT 'mem_copy' || n.i, m.content || ' ' || n.i, {copied} FROM memories m CROSS JOIN n"
    ));
    vault.sql(
        "INSERT INTO memory_sense (memory_seq, model, made_from, vector, words, marks, day) \
         SELECT m.seq, s.model, s.made_from, s.vector, s.words, s.marks, s.day FROM memory_sense s CROSS JOIN memories m WHERE m.id LIKE 'mem_copy%'",
    );
    let whole = vault.get("/api/backup").body;
    let file = File::read(&whole);
    assert_eq!(
        (
            file.table("memories").len(),
            file.table("memory_sense").len()
        ),
        (MORE + 1, MORE + 1)
    );
    let small = vault.get("/api/backup?embeddings=0").body;
    assert!(small.len() * 3 < whole.len() * 2);
    assert_eq!(File::read(&small).table("memories").len(), MORE + 1);
}

#[test]
fn every_table_of_a_running_vault_is_in_the_backup_or_excused() {
    // U-138
    let vault = Vault::start();
    vault.remember("A vault with all its tables");
    for row in vault.sql("SELECT name FROM sqlite_master WHERE type = 'table'") {
        let name = row[0].as_str().unwrap();
        assert!(
            memory_vault::store::backup::tables::is_known(name),
            "{name}: is it part of a backup?"
        );
    }
}

#[test]
fn nothing_of_an_app_that_is_connected_is_in_a_backup() {
    let vault = Vault::start();
    vault
        .mcp()
        .tool("remember", json!({ "content": "Told by an app" }));
    let grant = vault.sql("SELECT id FROM oauth_grants")[0][0].clone();
    assert!(grant.as_str().unwrap().starts_with("gra_"));
    let file = File::of(&vault);
    assert!(
        !file
            .rows
            .iter()
            .any(|(table, _)| table.starts_with("oauth"))
    );
    let names: Vec<&str> = file.header["tables"]
        .as_array()
        .unwrap()
        .iter()
        .map(|table| table["name"].as_str().unwrap())
        .collect();
    assert!(
        !names
            .iter()
            .any(|name| name.contains("oauth") || *name == "address_salt")
    );
}

/// Enough memories that a backup does not fit the buffers between the vault and its reader; straight into the table, since
/// only its rows matter here.
pub fn filled(vault: &Vault) {
    vault.remember("Entry 0: first");
    vault.sql(
        "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 3998) \
         INSERT INTO memories (id, status, content, content_hash, type, tier, importance, dated_at, valid_from, created_by, \
         created_at, updated_at) SELECT 'mem_' || n, 'active', 'Entry ' || n || ': ' || hex(zeroblob(1500)), hex(n), 'note', \
         'long', 0.5, 0, 0, 'owner:ada@localhost', 0, 0 FROM numbers",
    );
    vault.remember("Entry 3999: last");
}

#[test]
fn a_backup_shows_the_moment_it_began_whatever_happens_while_it_is_read() {
    let vault = Vault::start();
    filled(&vault);
    let ids: Vec<String> = vault
        .sql("SELECT id FROM memories WHERE seq IN (1, 3900, 4000) ORDER BY seq")
        .iter()
        .map(|row| row[0].as_str().unwrap().to_owned())
        .collect();
    let mut reader = BufReader::new(vault.open("/api/backup"));
    let mut text = String::new();
    reader.read_line(&mut text).unwrap();
    // Changed, destroyed, changed and destroyed, added: each behind the reader or ahead of it.
    vault
        .patch(
            &format!("/api/memories/{}", ids[0]),
            json!({ "content": "Changed behind the reader" }),
        )
        .expect(200);
    for content in ["Changed ahead of the reader", "And changed once more"] {
        vault
            .patch(
                &format!("/api/memories/{}", ids[1]),
                json!({ "content": content }),
            )
            .expect(200);
    }
    vault
        .delete(&format!("/api/memories/{}", ids[1]))
        .expect(200);
    vault
        .delete(&format!("/api/memories/{}", ids[2]))
        .expect(200);
    vault.remember("Added while it was read");
    reader.read_to_string(&mut text).unwrap();
    let file = File::read(&text);
    let contents = file.contents();
    assert_eq!(contents.len(), 4_000);
    for (number, content) in contents.iter().enumerate() {
        assert!(
            content.starts_with(&format!("Entry {number}: ")),
            "{content}"
        );
    }
    assert!(file.table("exclusions").is_empty() && file.table("memory_history").is_empty());
    // Nothing is left behind, and the next one shows the next moment.
    let left = "SELECT name FROM sqlite_master WHERE name LIKE 'before%' UNION ALL SELECT id FROM backup_runs";
    assert!(vault.sql(left).is_empty());
    let next = File::of(&vault);
    assert_eq!(next.contents().len(), 3_999);
    assert!(next.contents().contains(&"Changed behind the reader"));
    assert_eq!(next.table("exclusions").len(), 4);
}

#[test]
fn a_backup_that_nobody_reads_on_is_ended_and_never_passes_for_whole() {
    let vault = Vault::start();
    filled(&vault);
    let mut stalled = vault.open("/api/backup");
    let mut first = [0; 1_000];
    stalled.read_exact(&mut first).unwrap();
    let other = vault.open("/api/backup");
    assert_eq!(vault.get("/api/backup").refused(409), "conflict");
    vault.shift_clock_seconds(11 * 60);
    vault.run_agenda();
    assert!(
        vault
            .sql("SELECT name FROM sqlite_master WHERE name LIKE 'before%'")
            .is_empty()
    );
    let mut rest = Vec::new();
    let broken = stalled.read_to_end(&mut rest).is_err();
    let text = String::from_utf8_lossy(&rest);
    assert!(broken || !text.contains("{\"end\":true"), "taken for whole");
    drop(other);
    assert_eq!(File::of(&vault).contents().len(), 4_000);
}

#[test]
fn a_backup_under_way_is_forgotten_with_its_process() {
    let mut vault = Vault::start();
    filled(&vault);
    let mut reader = vault.open("/api/backup");
    reader.read_exact(&mut [0; 1_000]).unwrap();
    vault.kill_and_restart();
    vault.remember("After the restart");
    assert!(
        vault
            .sql("SELECT name FROM sqlite_master WHERE name LIKE 'before%'")
            .is_empty()
    );
    assert_eq!(vault.sql("SELECT count(*) FROM backup_runs")[0][0], 0);
}

#[test]
fn the_owner_and_programs_download_backups_and_apps_do_not() {
    let deployed = Deployed::start();
    for program in ["nightly.access", "mover.access", "butler.access"] {
        let answer = deployed.get(&service(program), "/api/backup");
        assert_eq!(answer.status, 200, "{program}: {}", answer.body);
        File::read(&answer.body);
        assert_eq!(deployed.get(&service(program), "/api/export").status, 200);
    }
    assert_eq!(deployed.get(&owner(), "/api/backup").status, 200);
    assert_eq!(
        deployed.get_as_nobody("/api/backup").refused(403),
        "forbidden"
    );
    let audit = deployed
        .get(&owner(), "/api/audit?action=backup")
        .expect(200);
    assert_eq!(audit["total"], 4);
    assert_eq!(audit["entries"][1]["actor"], "service:butler.access");
}
