//! An import is taken back.

use serde_json::{Value, json};

use crate::imports::*;
use crate::support::Vault;

#[test]
fn an_undone_import_leaves_nothing_and_may_come_again() {
    // U-91
    let vault = Vault::start();
    let body = json!({ "items": ["The boat is blue", "The car is red"], "idempotency_key": "k" });
    let batch = batch_of(&import(&vault, body.clone()));
    let undone = undo(&vault, &batch);
    assert_eq!(
        (&undone["removed"], &undone["restored"], &undone["kept"]),
        (&json!(2), &json!(0), &json!([]))
    );
    assert_eq!(active(&vault), Vec::<String>::new());
    assert_eq!(vault.sql("SELECT count(*) FROM memory_text")[0][0], 0);
    assert_eq!(vault.get("/api/exclusions").expect(200)["total"], 0);
    assert_eq!(vault.recall("boat"), Vec::<String>::new());
    // Twice is the same answer, and one line in the log.
    assert_eq!(undo(&vault, &batch), undone);
    let log = vault
        .get(&format!("/api/audit?subject={batch}&action=undo_import"))
        .expect(200);
    assert_eq!(log["entries"].as_array().unwrap().len(), 1);
    assert_eq!(
        log["entries"][0]["details"],
        json!({ "removed": 2, "restored": 0, "kept": 0 })
    );
    let read = vault.get(&format!("/api/batches/{batch}")).expect(200);
    assert_eq!(
        (&read["state"], &read["undone_at"], &read["active"]),
        (&json!("undone"), &undone["undone_at"], &json!(0))
    );
    // The key's first answer no longer holds; without it the import is a new one.
    let answer = vault.post("/api/bulk", body.clone());
    assert_eq!(answer.refused(409), "conflict");
    let again = import(&vault, json!({ "items": body["items"] }));
    assert_eq!(again["stored"], 2);
    assert_ne!(again["batch_id"], json!(batch));
    let more = vault.post("/api/bulk", json!({ "items": ["x"], "batch_id": batch }));
    assert_eq!(more.refused(409), "conflict");
}

#[test]
fn a_running_import_that_was_undone_does_not_go_on_under_its_key() {
    let vault = Vault::start();
    let text: String = (0..1_001)
        .map(|place| format!("- note {place}\n"))
        .collect();
    let body = json!({ "text": text, "idempotency_key": "k" });
    let first = import(&vault, body.clone());
    assert_eq!(first["remaining"], 1);
    undo(&vault, &batch_of(&first));
    assert_eq!(
        vault.post("/api/bulk", body.clone()).refused(409),
        "conflict"
    );
    assert_eq!(active(&vault), Vec::<String>::new());
    // An import that nobody took back goes on, and gives its last report again.
    let body = json!({ "text": text, "idempotency_key": "l" });
    let first = import(&vault, body.clone());
    let second = import(&vault, body.clone());
    assert_eq!(
        (&second["batch_id"], &second["remaining"], &second["state"]),
        (&first["batch_id"], &json!(0), &json!("done"))
    );
    assert_eq!(import(&vault, body), second);
}

#[test]
fn what_an_import_replaced_holds_again_after_its_undo() {
    let vault = Vault::start();
    let old = vault.remember("The boat is blue");
    let batch = batch_of(&import(
        &vault,
        json!({ "items": [{ "content": "The boat is green", "supersedes": old }, "Another fact"] }),
    ));
    assert_eq!(active(&vault), ["Another fact", "The boat is green"]);
    let undone = undo(&vault, &batch);
    assert_eq!(
        (&undone["removed"], &undone["restored"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(active(&vault), ["The boat is blue"]);
    let memory = vault.get(&format!("/api/memories/{old}")).expect(200);
    for field in ["superseded_by", "valid_until", "status_reason"] {
        assert_eq!(memory[field], Value::Null, "{field}");
    }
    assert_eq!(vault.recall("boat"), ["The boat is blue"]);
}

#[test]
fn a_chain_within_an_import_is_taken_back_to_what_held_before() {
    let vault = Vault::start_in_auto_mode();
    let old = vault.remember("The boat is blue");
    let first = import(
        &vault,
        json!({ "items": [{ "content": "The boat is green", "supersedes": old }], "more": true }),
    );
    let batch = batch_of(&first);
    let green = first["items"][0]["id"].clone();
    import(
        &vault,
        json!({ "items": [{ "content": "The boat is red", "supersedes": green }], "batch_id": batch }),
    );
    assert_eq!(active(&vault), ["The boat is red"]);
    let undone = undo(&vault, &batch);
    assert_eq!(undone["removed"], 2);
    assert_eq!(active(&vault), ["The boat is blue"]);
}

#[test]
fn a_known_text_that_an_import_put_in_anothers_place_steps_back() {
    let vault = Vault::start();
    let blue = vault.remember("The boat is blue");
    vault.remember("The boat is green");
    let report = import(
        &vault,
        json!({ "items": [{ "content": "The boat is green", "supersedes": blue }] }),
    );
    assert_eq!(outcomes(&report), ["duplicate"]);
    assert_eq!(active(&vault), ["The boat is green"]);
    let undone = undo(&vault, &batch_of(&report));
    assert_eq!(
        (&undone["removed"], &undone["restored"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(active(&vault), ["The boat is blue", "The boat is green"]);
}

#[test]
fn what_was_replaced_again_after_an_undo_stays_replaced_when_the_undo_is_repeated() {
    let vault = Vault::start();
    let blue = vault.remember("The boat is blue");
    vault.remember("The boat is green");
    let report = import(
        &vault,
        json!({ "items": [{ "content": "The boat is green", "supersedes": blue }] }),
    );
    let batch = batch_of(&report);
    undo(&vault, &batch);
    vault.store(json!({ "content": "The boat is white", "supersedes": blue }));
    let again = undo(&vault, &batch);
    assert_eq!(
        (&again["removed"], &again["restored"]),
        (&json!(0), &json!(1))
    );
    assert_eq!(active(&vault), ["The boat is green", "The boat is white"]);
}

#[test]
fn a_known_text_gives_back_all_that_an_import_made_it_replace_and_nothing_else() {
    let vault = Vault::start();
    let yellow = vault.remember("The boat is yellow");
    let green = vault.post(
        "/api/memories",
        json!({ "content": "The boat is green", "supersedes": yellow }),
    );
    let green = green.expect(201)["id"].clone();
    let (blue, red) = (
        vault.remember("The boat is blue"),
        vault.remember("The boat is red"),
    );
    let report = import(
        &vault,
        json!({ "items": [
            { "content": "The boat is green", "supersedes": blue },
            { "content": "The boat is green", "supersedes": red },
        ] }),
    );
    assert_eq!(outcomes(&report), ["duplicate", "duplicate"]);
    assert_eq!(active(&vault), ["The boat is green"]);
    let undone = undo(&vault, &batch_of(&report));
    assert_eq!(
        (&undone["removed"], &undone["restored"]),
        (&json!(0), &json!(2))
    );
    assert_eq!(
        active(&vault),
        ["The boat is blue", "The boat is green", "The boat is red"]
    );
    let path = format!("/api/memories/{}", green.as_str().unwrap());
    assert_eq!(vault.get(&path).expect(200)["supersedes"], json!(yellow));
}

#[test]
fn what_somebody_worked_on_since_stays_with_the_reason() {
    let vault = Vault::start();
    let report = import(
        &vault,
        json!({ "items": ["edited", "tagged", "replaced", "untouched"] }),
    );
    let ids: Vec<String> = report["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["id"].as_str().unwrap().to_owned())
        .collect();
    vault
        .patch(
            &format!("/api/memories/{}", ids[0]),
            json!({ "content": "edited by hand" }),
        )
        .expect(200);
    vault
        .patch(
            &format!("/api/memories/{}", ids[1]),
            json!({ "tags": ["mine"] }),
        )
        .expect(200);
    let newer = vault.store(json!({ "content": "replacement", "supersedes": ids[2] }));
    let undone = undo(&vault, &batch_of(&report));
    assert_eq!(undone["removed"], 1);
    let kept: Vec<(&str, &str)> = undone["kept"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kept| {
            (
                kept["id"].as_str().unwrap(),
                kept["reason"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(kept[0], (ids[0].as_str(), "was edited since"));
    assert_eq!(kept[1], (ids[1].as_str(), "was edited since"));
    assert_eq!(kept[2].0, ids[2]);
    assert!(kept[2].1.contains(&newer), "{kept:?}");
    assert_eq!(active(&vault), ["edited by hand", "replacement", "tagged"]);
    assert_eq!(undo(&vault, &batch_of(&report)), undone);
}

#[test]
fn a_restored_memory_does_not_double_a_text_that_came_again() {
    let vault = Vault::start();
    let old = vault.remember("The boat is blue");
    let batch = batch_of(&import(
        &vault,
        json!({ "items": [{ "content": "The boat is green", "supersedes": old }] }),
    ));
    let again = vault.remember("The boat is blue");
    let undone = undo(&vault, &batch);
    assert_eq!(
        (&undone["removed"], &undone["restored"]),
        (&json!(1), &json!(0))
    );
    assert_eq!(undone["kept"][0]["id"], json!(old));
    assert!(
        undone["kept"][0]["reason"]
            .as_str()
            .unwrap()
            .contains(&again)
    );
    assert_eq!(active(&vault), ["The boat is blue"]);
}

#[test]
fn a_queued_import_is_taken_back_as_far_as_it_was_not_worked_on() {
    let vault = Vault::start();
    let old = vault.remember("The boat is blue");
    let items = json!(["waits", "let in", "let in and edited", "turned down", { "content": "The boat is green", "supersedes": old }]);
    let report = vault.mcp().tool("bulk_remember", json!({ "items": items }));
    let id = |place: usize| report["items"][place]["id"].as_str().unwrap().to_owned();
    let decide = |place: usize, what: &str| {
        vault
            .post_empty(&format!("/api/memories/{}/{what}", id(place)))
            .expect(200)
    };
    decide(1, "approve");
    vault
        .post(
            &format!("/api/memories/{}/approve", id(2)),
            json!({ "importance": 0.9 }),
        )
        .expect(200);
    decide(3, "reject");
    decide(4, "approve");
    assert_eq!(
        vault.get(&format!("/api/memories/{old}")).expect(200)["status"],
        "superseded"
    );
    let undone = undo(&vault, &batch_of(&report));
    assert_eq!(
        (&undone["removed"], &undone["restored"]),
        (&json!(3), &json!(1))
    );
    let kept: Vec<&str> = undone["kept"]
        .as_array()
        .unwrap()
        .iter()
        .map(|kept| kept["id"].as_str().unwrap())
        .collect();
    assert_eq!(kept, [id(2), id(3)]);
    assert_eq!(active(&vault), ["The boat is blue", "let in and edited"]);
    // What was turned down stays turned down.
    let again = vault.mcp().tool(
        "bulk_remember",
        json!({ "items": ["turned down", "waits"] }),
    );
    assert_eq!(
        (&again["excluded"], &again["stored"]),
        (&json!(1), &json!(1))
    );
}

#[test]
fn a_proposal_that_was_replaced_waits_again_after_the_undo() {
    let vault = Vault::start();
    let proposal = vault.store(json!({ "content": "The boat may be blue", "propose": true }));
    let batch = batch_of(&import(
        &vault,
        json!({ "items": [{ "content": "The boat is green", "supersedes": proposal }] }),
    ));
    undo(&vault, &batch);
    let memory = vault.get(&format!("/api/memories/{proposal}")).expect(200);
    assert_eq!(memory["status"], "proposed");
}
