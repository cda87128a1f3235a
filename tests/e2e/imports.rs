//! What happens to an import after it came in: its report, going on with it, and taking it back.

use serde_json::{Value, json};

use crate::openapi::conforms;
use crate::support::{Vault, texts};

pub fn import(vault: &Vault, body: Value) -> Value {
    vault.post("/api/bulk", body).expect(200)
}

pub fn batch_of(report: &Value) -> String {
    report["batch_id"].as_str().unwrap().to_owned()
}

pub fn undo(vault: &Vault, batch: &str) -> Value {
    vault
        .post_empty(&format!("/api/batches/{batch}/undo"))
        .expect(200)
}

pub fn active(vault: &Vault) -> Vec<String> {
    let mut texts = texts(&vault.get("/api/memories?status=active").expect(200)["memories"]);
    texts.sort();
    texts
}

pub fn outcomes(report: &Value) -> Vec<&str> {
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
