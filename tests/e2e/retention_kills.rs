//! A clean-up that is killed at any moment has done nothing or whole turns, and comes to its end when it is run again.

use std::time::Duration;

use serde_json::json;

use crate::support::{Vault, kills};

/// Old rows of a round: three turns.
const OLD: i64 = 1_200;

#[test]
fn a_clean_up_that_is_killed_is_whole_and_can_be_run_again() {
    let mut vault = Vault::start();
    vault.remember("The harbour opens at six");
    let mut random = 7_u64;
    for round in 0..kills(3) {
        vault.sql(&format!(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {OLD}) \
             INSERT INTO memories (id, status, content, content_hash, type, tier, importance, dated_at, valid_from, created_by, created_at, updated_at) \
             SELECT 'mem_{round}_' || i, CASE WHEN i % 2 THEN 'superseded' ELSE 'rejected' END, 'Old {round} ' || i, 'h{round}_' || i, \
             'note', 'long', 0.5, 0, 0, 'owner:a', 0, 0 FROM n"
        ));
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let wait = Duration::from_micros((random >> 33) % 120_000);
        let answered = std::thread::scope(|scope| {
            let runner = scope.spawn(|| {
                let answer = vault.try_send(
                    "POST",
                    "/api/retention/run",
                    &[("Content-Length", "0")],
                    None,
                );
                answer.is_ok_and(|answer| answer.status == 200)
            });
            std::thread::sleep(wait);
            vault.kill();
            runner.join().unwrap()
        });
        vault.kill_and_restart();
        // One statement, since the alarm may be going on already.
        let row = vault.sql(
            "SELECT (SELECT count(*) FROM memories WHERE status <> 'active'), (SELECT count(*) FROM exclusions), \
             (SELECT coalesce(sum(json_extract(details, '$.removed.superseded') + json_extract(details, '$.removed.rejected')), 0) \
             FROM audit WHERE action = 'retention')",
        );
        let [left, hashes, named] = [0, 1, 2].map(|place| row[0][place].as_i64().unwrap());
        // Turns take 500 of each status, or what there is; nothing in between.
        assert!(
            [OLD, OLD - 1_000, 0].contains(&left),
            "round {round}: {left}"
        );
        assert!(!answered || left < OLD, "round {round}: an answer was lost");
        // Each turn is whole: the log names as many as are gone, and each rejected one left its hash.
        let gone = (round as i64 + 1) * OLD - left;
        assert_eq!((named, hashes), (gone, gone / 2), "round {round}");
        for _ in 0..10 {
            let ran = vault.post_empty("/api/retention/run").expect(200);
            if ran["more"] == json!(false) {
                break;
            }
        }
        assert_eq!(
            vault.get("/api/retention").expect(200)["would_remove"]["superseded"],
            0
        );
        assert_eq!(vault.sql("SELECT count(*) FROM memories")[0][0], 1);
        assert_eq!(vault.recall("harbour"), ["The harbour opens at six"]);
    }
}
