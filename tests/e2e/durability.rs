//! What was acknowledged survives anything.

use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::json;

use crate::support::Vault;

#[test]
fn every_acknowledged_write_survives_a_kill_in_the_middle_of_a_load() {
    let mut vault = Vault::start();
    let stop = AtomicBool::new(false);
    let acknowledged: Vec<String> = std::thread::scope(|scope| {
        let writers: Vec<_> = (0..4)
            .map(|writer| {
                let (vault, stop) = (&vault, &stop);
                scope.spawn(move || {
                    let mut stored = Vec::new();
                    while !stop.load(Ordering::Relaxed) {
                        let content = format!("Writer {writer} wrote {}", stored.len());
                        let body = json!({ "content": content }).to_string();
                        let answer = vault.try_send(
                            "POST",
                            "/api/memories",
                            &[("Content-Type", "application/json")],
                            Some(body.as_bytes()),
                        );
                        match answer {
                            Ok(answer) if answer.status == 201 => stored.push(content),
                            _ => break,
                        }
                    }
                    stored
                })
            })
            .collect();
        while vault.get("/api/memories?limit=1").json()["total"]
            .as_i64()
            .unwrap_or(0)
            < 100
        {}
        vault.kill();
        stop.store(true, Ordering::Relaxed);
        writers
            .into_iter()
            .flat_map(|writer| writer.join().unwrap())
            .collect()
    });
    vault.kill_and_restart();
    assert!(acknowledged.len() >= 100, "{}", acknowledged.len());
    let stored: Vec<String> = vault
        .sql("SELECT content FROM memories")
        .into_iter()
        .map(|row| row[0].as_str().unwrap().to_owned())
        .collect();
    for content in &acknowledged {
        assert!(stored.contains(content), "lost: {content}");
    }
    // No half write: each memory has its full text and its audit row.
    let memories = stored.len() as i64;
    assert_eq!(
        vault.sql("SELECT count(*) FROM memory_text")[0][0],
        memories
    );
    assert_eq!(
        vault.sql("SELECT count(*) FROM audit WHERE action = 'remember'")[0][0],
        memories
    );
}

#[test]
fn data_survives_a_restart_and_the_alarm_is_still_set() {
    let mut vault = Vault::start();
    let id = vault.store(json!({ "content": "The plumber comes today", "tier": "short" }));
    vault.kill_and_restart();
    assert_eq!(
        vault.get(&format!("/api/memories/{id}")).expect(200)["content"],
        "The plumber comes today"
    );
    // The expiry, and the daily clean-up that every vault has.
    assert_eq!(vault.get("/api/status").expect(200)["agenda"]["waiting"], 2);
}

#[test]
fn one_panic_does_not_hurt_the_next_request() {
    // U-201
    let vault = Vault::start();
    vault.remember("Before the panic");
    let answer = vault.post_empty("/test/panic");
    assert!(
        answer.status == 500 || answer.status == 503,
        "{} {}",
        answer.status,
        answer.body
    );
    assert_eq!(vault.recall("panic"), ["Before the panic"]);
    vault.remember("After the panic");
}

#[test]
fn a_vault_written_by_a_newer_program_is_refused_with_503() {
    let mut vault = Vault::start();
    vault.remember("The future can wait");
    vault.sql("INSERT INTO schema_version (version, name, applied_at) VALUES (9999, 'from the future', 0)");
    vault.kill_and_restart();
    let answer = vault.get("/api/memories");
    assert_eq!(answer.clone().refused(503), "unavailable");
    assert!(answer.body.contains("9999"), "{}", answer.body);
    assert_eq!(vault.get("/health").status, 503);
    vault.sql("DELETE FROM schema_version WHERE version = 9999");
    assert_eq!(vault.recall("future"), ["The future can wait"]);
}

#[test]
fn a_failed_migration_answers_503_and_changes_nothing() {
    let mut vault = Vault::start();
    vault.remember("Kept");
    // Pretend the last step has not run: it will fail, since its tables are there.
    let last =
        &vault.sql("SELECT version, name FROM schema_version ORDER BY version DESC LIMIT 1")[0];
    let (version, name) = (last[0].as_i64().unwrap(), last[1].as_str().unwrap());
    vault.sql(&format!(
        "DELETE FROM schema_version WHERE version = {version}"
    ));
    vault.kill_and_restart();
    let answer = vault.get("/api/memories");
    assert_eq!(answer.clone().refused(503), "unavailable");
    assert!(!answer.body.contains("already exists"), "{}", answer.body);
    vault.sql(&format!(
        "INSERT INTO schema_version (version, name, applied_at) VALUES ({version}, '{name}', 0)"
    ));
    assert_eq!(vault.recall("kept"), ["Kept"]);
}

#[test]
fn an_object_that_comes_back_empties_what_it_left_in_memory() {
    // workerd puts an object away after ten idle seconds.
    const PUT_AWAY: std::time::Duration = std::time::Duration::from_secs(12);
    let vault = Vault::start();
    for number in 0..30 {
        vault.remember(&format!("The ladder {number} leans at gate {}", 7 * number));
    }
    let held = || vault.post_empty("/test/held").expect(200)["index_bytes"].clone();
    vault.recall("ladder");
    let once = held();
    assert!(once.as_i64().unwrap() > 10_000, "{once}");
    for _ in 0..2 {
        std::thread::sleep(PUT_AWAY);
        let status = vault.get("/api/status").expect(200);
        assert_eq!(
            status["index"]["loaded"],
            json!(null),
            "it was not put away"
        );
        vault.recall("ladder");
        assert_eq!(held(), once);
    }
}
