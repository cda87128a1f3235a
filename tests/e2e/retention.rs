//! Retention: what ended long ago goes, and nothing else does.

use serde_json::{Value, json};

use crate::support::Vault;
use crate::support::id_of;

const DAY: i64 = 86_400;

fn exists(vault: &Vault, id: &str) -> bool {
    vault.get(&format!("/api/memories/{id}")).status == 200
}

fn run(vault: &Vault) -> Value {
    vault.post_empty("/api/retention/run").expect(200)
}

fn preview(vault: &Vault) -> Value {
    vault.get("/api/retention").expect(200)
}

/// A superseded memory; its id and that of what replaced it.
fn replaced(vault: &Vault, what: &str) -> (String, String) {
    let old = vault.remember(&format!("The {what} is blue"));
    let new = vault.store(json!({ "content": format!("The {what} is green"), "supersedes": old }));
    (old, new)
}

fn rejected(vault: &Vault, content: &str) -> String {
    let id = id_of(
        &vault
            .mcp()
            .tool("propose_memory", json!({ "content": content })),
    );
    vault
        .post_empty(&format!("/api/memories/{id}/reject"))
        .expect(200);
    id
}

/// U-86: superseded 365 days ago less a second is kept, plus a second is removed.
#[test]
fn a_replaced_memory_is_kept_for_its_days_to_the_second() {
    let vault = Vault::start();
    let (old, new) = replaced(&vault, "boat");
    let ended = vault.sql(&format!(
        "SELECT status_at FROM memories WHERE id = '{old}'"
    ))[0][0]
        .as_i64()
        .unwrap();
    vault.stop_clock_at(ended + (365 * DAY - 1) * 1_000);
    assert_eq!(preview(&vault)["would_remove"]["superseded"], 0);
    assert_eq!(run(&vault)["removed"]["superseded"], 0);
    assert!(exists(&vault, &old));
    vault.stop_clock_at(ended + (365 * DAY + 1) * 1_000);
    let seen = preview(&vault);
    assert_eq!(
        (
            &seen["would_remove"]["superseded"],
            &seen["ids"]["superseded"]
        ),
        (&json!(1), &json!([old]))
    );
    assert!(exists(&vault, &old), "a look removes nothing");
    assert_eq!(run(&vault)["ids"]["superseded"], json!([old]));
    assert!(!exists(&vault, &old));
    let new = vault.get(&format!("/api/memories/{new}")).expect(200);
    assert_eq!(
        (&new["status"], &new["supersedes"]),
        (&json!("active"), &Value::Null)
    );
    // A replaced text was true once; it may come again.
    assert_eq!(vault.get("/api/exclusions").expect(200)["total"], 0);
}

#[test]
fn days_are_counted_from_the_replacement_and_not_from_a_later_touch() {
    let vault = Vault::start();
    let (old, _) = replaced(&vault, "boat");
    vault.shift_clock_days(300);
    // A wish to forget, declined, touches the row.
    vault.mcp().tool("forget", json!({ "id": old }));
    vault
        .post_empty(&format!("/api/memories/{old}/keep"))
        .expect(200);
    vault.shift_clock_days(364);
    vault.run_agenda();
    assert!(exists(&vault, &old));
    vault.shift_clock_days(366);
    vault.run_agenda();
    assert!(!exists(&vault, &old));
}

#[test]
fn a_rejected_text_goes_after_its_days_and_is_still_not_welcome() {
    let vault = Vault::start();
    let id = rejected(&vault, "Ada hates tea");
    vault.shift_clock_days(29);
    vault.run_agenda();
    assert!(exists(&vault, &id));
    vault.shift_clock_days(31);
    vault.run_agenda();
    assert!(!exists(&vault, &id));
    let exclusions = vault.get("/api/exclusions").expect(200);
    assert_eq!(exclusions["exclusions"][0]["reason"], "rejected");
    assert!(
        vault
            .mcp()
            .refusal("remember", json!({ "content": "Ada hates  tea" }))
            .contains("rejected")
    );
    // The owner may change their mind.
    vault.remember("Ada hates tea");
    assert_eq!(vault.get("/api/exclusions").expect(200)["total"], 0);
}

#[test]
fn a_rejection_whose_text_the_owner_stored_after_all_leaves_no_exclusion() {
    let vault = Vault::start();
    let id = rejected(&vault, "Peanut butter is fine");
    let kept = vault.remember("Peanut butter is fine");
    vault.shift_clock_days(31);
    vault.run_agenda();
    assert!(!exists(&vault, &id) && exists(&vault, &kept));
    assert_eq!(vault.get("/api/exclusions").expect(200)["total"], 0);
}

#[test]
fn active_and_proposed_memories_and_open_wishes_are_never_touched() {
    let vault = Vault::start();
    let active = vault.remember("Active for ever");
    let proposed = id_of(
        &vault
            .mcp()
            .tool("propose_memory", json!({ "content": "Proposed for ever" })),
    );
    let (wished, _) = replaced(&vault, "boat");
    vault.mcp().tool("forget", json!({ "id": wished }));
    vault.shift_clock_days(3_600);
    vault.run_agenda();
    run(&vault);
    assert!(exists(&vault, &active) && exists(&vault, &proposed) && exists(&vault, &wished));
}

#[test]
fn what_is_expired_goes_like_what_was_replaced() {
    let vault = Vault::start();
    let id = vault.store(json!({ "content": "The plumber comes today", "tier": "short" }));
    vault.shift_clock_days(31);
    vault.run_agenda();
    vault.shift_clock_days(31 + 364);
    vault.run_agenda();
    assert!(exists(&vault, &id));
    vault.shift_clock_days(31 + 366);
    vault.run_agenda();
    assert!(!exists(&vault, &id));
}

#[test]
fn zero_days_keep_for_ever() {
    let vault = Vault::start();
    vault
        .put(
            "/api/settings",
            json!({ "superseded_days": 0, "rejected_days": 0, "audit_days": 0 }),
        )
        .expect(200);
    let (old, _) = replaced(&vault, "boat");
    let no = rejected(&vault, "Ada hates tea");
    let rows = vault.get("/api/audit").expect(200)["total"].clone();
    vault.shift_clock_days(3_600);
    vault.run_agenda();
    assert!(exists(&vault, &old) && exists(&vault, &no));
    assert!(vault.get("/api/audit").expect(200)["total"].as_i64() >= rows.as_i64());
    // Fewer days bite with the next run.
    vault
        .put("/api/settings", json!({ "superseded_days": 1 }))
        .expect(200);
    assert_eq!(run(&vault)["removed"]["superseded"], 1);
    assert!(!exists(&vault, &old) && exists(&vault, &no));
}

/// U-146: a clean-up leaves one row with its actor and the ids, and no text.
#[test]
fn a_clean_up_leaves_one_row_with_ids_and_no_text() {
    let vault = Vault::start();
    let (old, _) = replaced(&vault, "boat");
    let no = rejected(&vault, "Ada hates tea");
    vault.shift_clock_days(366);
    let ran = run(&vault);
    assert_eq!(ran["ids"], json!({ "superseded": [old], "rejected": [no] }));
    // The log of that time is as old.
    assert!(ran["removed"]["audit"].as_i64().unwrap() >= 4, "{ran}");
    let log = vault.get("/api/audit?action=retention").expect(200);
    assert_eq!(log["total"], 1);
    let row = &log["entries"][0];
    assert_eq!(row["actor"], "owner:ada@localhost");
    assert_eq!(row["details"]["ids"], ran["ids"]);
    assert_eq!(row["details"]["removed"], ran["removed"]);
    let text = log.to_string();
    assert!(!text.contains("boat") && !text.contains("tea"), "{text}");
    // Nothing to do leaves no row, but the run is known.
    assert_eq!(run(&vault)["removed"]["superseded"], 0);
    assert_eq!(
        vault.get("/api/audit?action=retention").expect(200)["total"],
        1
    );
    assert_eq!(preview(&vault)["last_run"]["removed"]["superseded"], 0);
}

#[test]
fn the_clean_up_comes_every_day_by_itself() {
    let vault = Vault::start();
    vault.remember("Something");
    let next = preview(&vault)["next_run_at"].as_str().unwrap().to_owned();
    vault.shift_clock_days(2);
    vault.run_agenda();
    let seen = preview(&vault);
    assert!(seen["next_run_at"].as_str().unwrap() > next.as_str());
    assert!(seen["last_run"]["at"].is_string());
}

#[test]
fn a_large_clean_up_goes_in_turns_and_comes_to_its_end() {
    let vault = Vault::start();
    vault.remember("Something");
    vault.sql(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1200) \
         INSERT INTO memories (id, status, content, content_hash, type, tier, importance, dated_at, valid_from, created_by, created_at, updated_at) \
         SELECT 'mem_old' || i, 'superseded', 'Old ' || i, 'h' || i, 'note', 'long', 0.5, 0, 0, 'owner:a', 0, 0 FROM n",
    );
    let seen = preview(&vault);
    assert_eq!(seen["would_remove"]["superseded"], 1200);
    assert_eq!(seen["ids"]["superseded"].as_array().unwrap().len(), 500);
    let ran = run(&vault);
    assert_eq!(
        (&ran["removed"]["superseded"], &ran["more"]),
        (&json!(500), &json!(true))
    );
    for _ in 0..200 {
        if preview(&vault)["would_remove"]["superseded"] == 0 {
            assert_eq!(
                vault.get("/api/audit?action=retention").expect(200)["total"],
                3
            );
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("the alarm did not go on");
}

#[test]
fn a_chain_of_replacements_is_joined_where_a_link_goes() {
    let vault = Vault::start();
    let (first, second) = replaced(&vault, "boat");
    let third = vault.store(json!({ "content": "The boat is red", "supersedes": second }));
    vault.delete(&format!("/api/memories/{second}")).expect(200);
    let get = |id: &str| vault.get(&format!("/api/memories/{id}")).expect(200);
    assert_eq!(get(&first)["superseded_by"], json!(third));
    assert_eq!(get(&third)["supersedes"], json!(first));
    // A proposal that only wanted to replace joins nothing.
    let proposal = id_of(&vault.mcp().tool(
        "propose_memory",
        json!({ "content": "The boat is gone", "supersedes": third }),
    ));
    let next = id_of(&vault.mcp().tool(
        "propose_memory",
        json!({ "content": "The boat was sold", "supersedes": proposal }),
    ));
    vault
        .delete(&format!("/api/memories/{proposal}"))
        .expect(200);
    assert_eq!(get(&next)["supersedes"], Value::Null);
    assert_eq!(get(&third)["status"], "active");
}

#[test]
fn jobs_that_failed_for_good_are_shown_for_a_season() {
    let vault = Vault::start();
    vault.remember("Something");
    vault.sql("INSERT INTO jobs (kind, key, due_at, attempts, state) SELECT 'no_such_kind', '', unixepoch() * 1000, 20, 'dead'");
    vault.shift_clock_days(89);
    vault.run_agenda();
    assert_eq!(vault.get("/api/status").expect(200)["agenda"]["dead"], 1);
    vault.shift_clock_days(91);
    vault.run_agenda();
    assert_eq!(vault.get("/api/status").expect(200)["agenda"]["dead"], 0);
}
