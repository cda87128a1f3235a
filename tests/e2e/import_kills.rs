//! Imports and their undo under `kill -9` at moments of chance: what was acknowledged is there, nothing is half done, and
//! repeating the call brings it to its end.
//!
//! `VAULT_KILLS=50` kills fifty imports and fifty undos.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::support::{Vault, kills};

/// Calls of one import, and items of one call.
const CALLS: usize = 3;
const ITEMS: usize = 40;
const ALL: i64 = (CALLS * ITEMS) as i64;

/// Chance enough to choose moments by.
struct Chance(u64);

impl Chance {
    fn new() -> Self {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
        Chance(now.as_nanos() as u64 | 1)
    }

    /// A moment within a span, or a little after it.
    fn moment(&mut self, span: Duration) -> Duration {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        span.mul_f64((self.0 % 1_000) as f64 / 900.0)
    }
}

fn call(round: usize, number: usize, old: &str, batch: Option<&str>) -> Value {
    let items: Vec<Value> = (0..ITEMS)
        .map(|item| {
            let content = format!(
                "Round {round}, call {number}: crate {item} stands in bay {}",
                item * 7
            );
            if (number, item) == (0, 0) {
                json!({ "content": content, "supersedes": old })
            } else {
                json!({ "content": content })
            }
        })
        .collect();
    json!({ "items": items, "more": number + 1 < CALLS, "batch_id": batch })
}

fn send(vault: &Vault, path: &str, body: &Value) -> Option<Value> {
    let headers = [("Content-Type", "application/json")];
    let body = body.to_string();
    let answer = vault.try_send("POST", path, &headers, Some(body.as_bytes()));
    answer
        .ok()
        .filter(|answer| answer.status == 200)
        .map(|answer| answer.json())
}

/// Sends the calls of an import from one on, until one gets no answer; what was acknowledged.
fn import(vault: &Vault, round: usize, old: &str, acknowledged: &[Value]) -> Vec<Value> {
    let mut answers = acknowledged.to_vec();
    for number in acknowledged.len()..CALLS {
        let batch = answers
            .last()
            .map(|answer| answer["batch_id"].as_str().unwrap().to_owned());
        match send(
            vault,
            "/api/bulk",
            &call(round, number, old, batch.as_deref()),
        ) {
            Some(answer) => answers.push(answer),
            None => break,
        }
    }
    answers
}

/// Runs something while the process is killed at a moment of chance, and starts the vault again.
fn killed<T: Send>(
    vault: &mut Vault,
    moment: Duration,
    work: impl FnOnce(&Vault) -> T + Send,
) -> T {
    let running: &Vault = vault;
    let result = std::thread::scope(|scope| {
        let worker = scope.spawn(|| work(running));
        std::thread::sleep(moment);
        running.kill();
        worker.join().unwrap()
    });
    vault.kill_and_restart();
    result
}

fn number(vault: &Vault, statement: &str) -> i64 {
    vault.sql(statement)[0][0].as_i64().unwrap()
}

/// What holds at every moment, whatever was interrupted.
fn check(vault: &Vault) {
    for (what, statement) in [
        (
            "a memory without full text",
            "SELECT count(*) FROM memories WHERE seq NOT IN (SELECT rowid FROM memory_text)",
        ),
        (
            "full text without a memory",
            "SELECT count(*) FROM memory_text WHERE rowid NOT IN (SELECT seq FROM memories)",
        ),
        (
            "a memory without its sense",
            "SELECT count(*) FROM memories WHERE seq NOT IN (SELECT memory_seq FROM memory_sense)",
        ),
        (
            "a text twice",
            "SELECT count(*) FROM (SELECT 1 FROM memories GROUP BY content HAVING count(*) > 1)",
        ),
        (
            "an import whose items are not all reported",
            "SELECT count(*) FROM batches b WHERE json_extract(counts, '$.total') <> (SELECT count(*) FROM batch_items i WHERE i.batch_id = b.id)",
        ),
        (
            "an import without its memories",
            "SELECT count(*) FROM batches b WHERE state <> 'undone' AND json_extract(counts, '$.stored') <> (SELECT count(*) FROM memories m WHERE m.batch_id = b.id)",
        ),
        (
            "an undone import with memories",
            "SELECT count(*) FROM batches b WHERE state = 'undone' AND EXISTS (SELECT 1 FROM memories m WHERE m.batch_id = b.id)",
        ),
        (
            "memories of no import",
            "SELECT count(*) FROM memories WHERE batch_id IS NOT NULL AND batch_id NOT IN (SELECT id FROM batches)",
        ),
        (
            "a memory replaced by none",
            "SELECT count(*) FROM memories o WHERE status = 'superseded' AND NOT EXISTS (SELECT 1 FROM memories n WHERE n.id = o.superseded_by AND n.supersedes = o.id)",
        ),
    ] {
        assert_eq!(number(vault, statement), 0, "{what}");
    }
}

fn survives(rounds: usize) {
    let mut vault = Vault::start_in_auto_mode();
    let mut chance = Chance::new();
    let (mut import_span, mut undo_span) = (Duration::ZERO, Duration::ZERO);
    for round in 0..=rounds {
        let old = vault.remember(&format!("Before round {round} the yard was empty"));
        // The first round is not interrupted: it says how long one takes.
        let begun = Instant::now();
        let acknowledged = if round == 0 {
            import(&vault, round, &old, &[])
        } else {
            let moment = chance.moment(import_span);
            killed(&mut vault, moment, |vault| import(vault, round, &old, &[]))
        };
        import_span = if round == 0 {
            begun.elapsed()
        } else {
            import_span
        };
        check(&vault);
        for item in acknowledged
            .iter()
            .flat_map(|answer| answer["items"].as_array().unwrap())
        {
            assert_eq!(item["outcome"], "stored");
            vault
                .get(&format!("/api/memories/{}", item["id"].as_str().unwrap()))
                .expect(200);
        }
        let answers = import(&vault, round, &old, &acknowledged);
        let batch = answers[CALLS - 1]["batch_id"].as_str().unwrap().to_owned();
        let read = vault.get(&format!("/api/batches/{batch}")).expect(200);
        assert_eq!(
            (
                &read["state"],
                &read["counts"]["total"],
                &read["counts"]["stored"],
                &read["active"]
            ),
            (&json!("done"), &json!(ALL), &json!(ALL), &json!(ALL)),
            "round {round}"
        );
        check(&vault);

        let undo = format!("/api/batches/{batch}/undo");
        let begun = Instant::now();
        let acknowledged = if round == 0 {
            send(&vault, &undo, &json!({}))
        } else {
            let moment = chance.moment(undo_span);
            killed(&mut vault, moment, |vault| send(vault, &undo, &json!({})))
        };
        undo_span = if round == 0 {
            begun.elapsed()
        } else {
            undo_span
        };
        check(&vault);
        let left = number(
            &vault,
            &format!("SELECT count(*) FROM memories WHERE batch_id = '{batch}'"),
        );
        assert!(
            left == 0 || (left == ALL && acknowledged.is_none()),
            "round {round}: {left} left"
        );
        let undone = send(&vault, &undo, &json!({})).unwrap();
        assert_eq!(
            (&undone["removed"], &undone["restored"], &undone["kept"]),
            (&json!(ALL), &json!(1), &json!([])),
            "round {round}"
        );
        let memory = vault.get(&format!("/api/memories/{old}")).expect(200);
        assert_eq!(memory["status"], "active");
        check(&vault);
    }
}

#[test]
fn an_import_and_its_undo_survive_kills_at_any_moment() {
    // U-89
    survives(kills(3));
}
