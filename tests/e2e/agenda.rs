//! The agenda: what happens by itself, and when.

use serde_json::json;

use crate::support::Vault;

#[test]
fn a_short_tier_memory_expires_into_history() {
    let vault = Vault::start();
    let id = vault.store(json!({ "content": "The plumber comes this week", "tier": "short" }));
    vault.remember("The plumber is called Ruth");
    vault.shift_clock_days(29);
    vault.run_agenda();
    assert_eq!(vault.recall("plumber").len(), 2);
    vault.shift_clock_days(31);
    assert_eq!(vault.run_agenda(), 0);
    assert_eq!(vault.recall("plumber"), ["The plumber is called Ruth"]);
    let memory = vault.get(&format!("/api/memories/{id}")).expect(200);
    assert_eq!(
        (&memory["status"], &memory["status_reason"]),
        (&json!("superseded"), &json!("expired"))
    );
}

#[test]
fn the_alarm_rings_by_itself() {
    let vault = Vault::start();
    vault.store(json!({ "content": "The plumber comes today", "tier": "short" }));
    // The next request finds the job overdue and sets the alarm to now.
    vault.shift_clock_days(31);
    vault.remember("Something else");
    for _ in 0..100 {
        if vault.recall("plumber").is_empty() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("the alarm did not ring");
}

#[test]
fn a_proposals_time_starts_with_its_approval() {
    let vault = Vault::start();
    let id = vault.mcp().tool(
        "remember",
        json!({ "content": "The lift is broken", "tier": "short" }),
    )["id"]
        .as_str()
        .unwrap()
        .to_owned();
    vault.shift_clock_days(40);
    vault.run_agenda();
    let approved = vault
        .post_empty(&format!("/api/memories/{id}/approve"))
        .expect(200);
    assert_eq!(approved["status"], "active");
    vault.shift_clock_days(69);
    vault.run_agenda();
    assert_eq!(vault.recall("lift").len(), 1);
    vault.shift_clock_days(71);
    vault.run_agenda();
    assert_eq!(vault.recall("lift").len(), 0);
}

#[test]
fn a_job_that_keeps_failing_is_shown_and_does_not_hold_up_the_others() {
    let vault = Vault::start();
    vault.store(json!({ "content": "The plumber comes this week", "tier": "short" }));
    vault.sql("INSERT INTO jobs (kind, key, due_at) VALUES ('no_such_kind', '', 0)");
    vault.shift_clock_days(31);
    assert_eq!(vault.run_agenda(), 1);
    assert_eq!(vault.recall("plumber").len(), 0);
    let agenda = vault.get("/api/status").expect(200)["agenda"].clone();
    assert_eq!(
        (
            &agenda["troubled"][0]["kind"],
            &agenda["troubled"][0]["attempts"]
        ),
        (&json!("no_such_kind"), &json!(1))
    );
    vault.sql("UPDATE jobs SET attempts = 19, due_at = 0 WHERE kind = 'no_such_kind'");
    vault.run_agenda();
    assert_eq!(vault.get("/api/status").expect(200)["agenda"]["dead"], 1);
}

#[test]
fn outlived_idempotency_keys_are_removed() {
    let vault = Vault::start();
    vault
        .post(
            "/api/memories",
            json!({ "content": "One", "idempotency_key": "k" }),
        )
        .expect(201);
    vault.shift_clock_days(8);
    vault.run_agenda();
    assert_eq!(vault.sql("SELECT count(*) FROM idempotency_keys")[0][0], 0);
    assert_eq!(
        vault.sql("SELECT count(*) FROM jobs WHERE kind = 'purge_idempotency_keys'")[0][0],
        0
    );
}
