//! What happens to an import after it came in: its report, going on with it, and taking it back.

use serde_json::{Value, json};

use crate::openapi::conforms;
use crate::support::{Vault, texts};

fn import(vault: &Vault, body: Value) -> Value {
    vault.post("/api/bulk", body).expect(200)
}

fn batch_of(report: &Value) -> String {
    report["batch_id"].as_str().unwrap().to_owned()
}

fn undo(vault: &Vault, batch: &str) -> Value {
    vault
        .post_empty(&format!("/api/batches/{batch}/undo"))
        .expect(200)
}

fn active(vault: &Vault) -> Vec<String> {
    let mut texts = texts(&vault.get("/api/memories?status=active").expect(200)["memories"]);
    texts.sort();
    texts
}

fn outcomes(report: &Value) -> Vec<&str> {
    let items = report["items"].as_array().unwrap();
    items
        .iter()
        .map(|item| item["outcome"].as_str().unwrap())
        .collect()
}

#[test]
fn the_report_of_an_import_can_be_read_again_without_its_texts() {
    // U-87
    let vault = Vault::start();
    vault.remember("Rent is due on the 3rd");
    let items = json!(["One new fact", "rent is due on the 3rd", "", 7]);
    let report = import(&vault, json!({ "items": items, "source": "notes" }));
    let batch = batch_of(&report);
    let read = vault.get(&format!("/api/batches/{batch}")).expect(200);
    assert_eq!(read["items"], report["items"]);
    assert_eq!(outcomes(&read), ["stored", "duplicate", "blank", "refused"]);
    assert_eq!(
        (&read["state"], &read["counts"]["total"], &read["active"]),
        (&json!("done"), &json!(4), &json!(1))
    );
    let refused = vault
        .get(&format!("/api/batches/{batch}?outcome=refused"))
        .expect(200);
    assert_eq!(refused["items"], json!([report["items"][3]]));
    let page = vault
        .get(&format!("/api/batches/{batch}?limit=3"))
        .expect(200);
    let cursor = page["next_cursor"].as_str().unwrap();
    let rest = vault
        .get(&format!("/api/batches/{batch}?limit=3&cursor={cursor}"))
        .expect(200);
    assert_eq!(rest["items"], json!([report["items"][3]]));
    assert_eq!(rest["next_cursor"], Value::Null);
    assert_eq!(vault.get("/api/batches/bat_none").refused(404), "not_found");
}

#[test]
fn a_dry_run_says_what_would_happen_and_writes_nothing() {
    let vault = Vault::start();
    let known = vault.remember("Rent is due on the 3rd");
    let body = json!({ "items": ["A new fact", "A new fact", "rent is due on the 3rd", " "] });
    let tables = [
        "memories",
        "memory_text",
        "batches",
        "batch_items",
        "audit",
        "memory_sense",
    ];
    let counts = || tables.map(|table| vault.sql(&format!("SELECT count(*) FROM {table}")));
    let before = counts();
    let dry = vault.post("/api/bulk?dry_run=1", body.clone()).expect(200);
    assert_eq!(counts(), before);
    assert_eq!(
        (&dry["dry_run"], &dry["batch_id"]),
        (&json!(true), &Value::Null)
    );
    assert_eq!(
        outcomes(&dry),
        ["stored", "duplicate", "duplicate", "blank"]
    );
    // Ids that would be made are none.
    assert_eq!(dry["items"][0]["id"], Value::Null);
    assert_eq!(dry["items"][1]["id"], Value::Null);
    assert_eq!(dry["items"][2]["id"], json!(known));
    assert_eq!(vault.recall("new fact"), Vec::<String>::new());
    let real = import(&vault, body);
    assert_eq!(outcomes(&real), outcomes(&dry));
    assert_eq!(vault.recall("new fact"), ["A new fact"]);
}

#[test]
fn a_long_text_is_taken_in_steps_of_the_same_call_under_one_import() {
    let vault = Vault::start_in_auto_mode();
    let text: String = (0..1_100)
        .map(|number| format!("- Shelf {number} is full\n"))
        .collect();
    let body = json!({ "text": text, "idempotency_key": "long" });
    let first = import(&vault, body.clone());
    assert_eq!(
        (&first["state"], &first["stored"], &first["remaining"]),
        (&json!("incomplete"), &json!(1_000), &json!(100))
    );
    let second = import(&vault, body.clone());
    assert_eq!(second["batch_id"], first["batch_id"]);
    assert_eq!(second["items"][0]["index"], 1_000);
    assert_eq!(
        (&second["state"], &second["stored"], &second["remaining"]),
        (&json!("done"), &json!(100), &json!(0))
    );
    // Once all is in, the key stands for the last answer.
    assert_eq!(import(&vault, body), second);
    let batches = vault.get("/api/batches").expect(200);
    assert_eq!(batches["total"], 1);
    assert_eq!(
        (
            batches["batches"][0]["counts"]["stored"].as_i64(),
            batches["batches"][0]["active"].as_i64()
        ),
        (Some(1_100), Some(1_100))
    );
}

#[test]
fn several_calls_make_one_import_and_a_repeated_one_is_answered_again() {
    let vault = Vault::start();
    let first = import(&vault, json!({ "items": ["a", "b"], "more": true }));
    let batch = batch_of(&first);
    assert_eq!(first["state"], "incomplete");
    // The answer was lost: the caller does not know the id and sends the call again.
    assert_eq!(
        import(&vault, json!({ "items": ["a", "b"], "more": true })),
        first
    );
    let second = json!({ "items": ["b", "c"], "batch_id": batch });
    let answer = import(&vault, second.clone());
    assert_eq!(
        (&answer["state"], &answer["stored"], &answer["duplicate"]),
        (&json!("done"), &json!(1), &json!(1))
    );
    assert_eq!(answer["items"][0]["index"], 2);
    assert_eq!(import(&vault, second), answer);
    let read = vault.get(&format!("/api/batches/{batch}")).expect(200);
    assert_eq!(
        (&read["counts"]["total"], &read["counts"]["stored"]),
        (&json!(4), &json!(3))
    );
}

#[test]
fn an_import_is_gone_on_with_by_nobody_but_who_began_it() {
    let vault = Vault::start();
    let begun = import(&vault, json!({ "items": ["mine"], "more": true }));
    let refusal = vault.mcp().refusal(
        "bulk_remember",
        json!({ "items": ["theirs"], "batch_id": batch_of(&begun) }),
    );
    assert!(refusal.contains("batch_id"), "{refusal}");
    let unknown = vault.post(
        "/api/bulk",
        json!({ "items": ["x"], "batch_id": "bat_none" }),
    );
    assert_eq!(unknown.refused(404), "not_found");
}

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

#[test]
fn a_queued_import_is_turned_down_with_one_call() {
    let vault = Vault::start();
    let report = vault
        .mcp()
        .tool("bulk_remember", json!({ "items": ["one", "two", "three"] }));
    let batch = batch_of(&report);
    let first = report["items"][0]["id"].as_str().unwrap();
    vault
        .post_empty(&format!("/api/memories/{first}/approve"))
        .expect(200);
    let rejected = vault
        .post_empty(&format!("/api/batches/{batch}/reject"))
        .expect(200);
    assert_eq!(rejected, json!({ "id": batch, "rejected": 2, "left": [] }));
    let read = vault.get(&format!("/api/batches/{batch}")).expect(200);
    assert_eq!((&read["proposed"], &read["active"]), (&json!(0), &json!(1)));
}

#[test]
fn answers_about_imports_are_as_the_document_says() {
    let vault = Vault::start();
    let document = vault.get("/api/openapi.json").expect(200);
    let report = vault
        .mcp()
        .tool("bulk_remember", json!({ "items": ["One", "Two", "Three"] }));
    let batch = batch_of(&report);
    let one = report["items"][0]["id"].as_str().unwrap();
    let approve = format!("/api/memories/{one}/approve");
    vault.post(&approve, json!({ "importance": 1 })).expect(200);
    let items = Some(json!({ "items": ["x", "x", 5] }));
    let calls = [
        ("post", "/api/bulk", "/api/bulk?dry_run=1".to_owned(), items),
        (
            "get",
            "/api/batches/{id}",
            format!("/api/batches/{batch}"),
            None,
        ),
        (
            "post",
            "/api/batches/{id}/reject",
            format!("/api/batches/{batch}/reject"),
            None,
        ),
        (
            "post",
            "/api/batches/{id}/undo",
            format!("/api/batches/{batch}/undo"),
            None,
        ),
        ("get", "/api/batches", "/api/batches".to_owned(), None),
    ];
    for (method, path, url, body) in calls {
        let answer = match (method, body) {
            ("get", _) => vault.get(&url),
            (_, Some(body)) => vault.post(&url, body),
            (_, None) => vault.post_empty(&url),
        };
        let schema = &document["paths"][path][method]["responses"]["200"]["content"]["application/json"]
            ["schema"];
        assert!(schema.is_object(), "{method} {path}");
        conforms(
            &answer.expect(200),
            schema,
            &document["components"]["schemas"],
        )
        .unwrap_or_else(|error| panic!("{method} {path}: {error}"));
    }
}
