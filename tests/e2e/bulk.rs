//! Bulk writes through both doors.

use serde_json::json;

use crate::support::Vault;
use crate::support::oauth::App;

#[test]
fn a_report_adds_up_and_names_every_item() {
    let vault = Vault::start();
    let forgotten = vault.remember("Old secret plan");
    vault
        .delete(&format!("/api/memories/{forgotten}"))
        .expect(200);
    vault.remember("Rent is due on the 3rd");
    let items = json!(["New fact one", "New fact two", "rent is due on the 3rd", "New fact one", "Old secret plan", "  ", 7, { "text": "wrong name" }]);
    let report = vault
        .post("/api/bulk", json!({ "items": items, "source": "notes" }))
        .expect(200);
    let outcomes: Vec<&str> = report["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["outcome"].as_str().unwrap())
        .collect();
    assert_eq!(
        outcomes,
        [
            "stored",
            "stored",
            "duplicate",
            "duplicate",
            "excluded",
            "blank",
            "refused",
            "refused"
        ]
    );
    let counts = [
        "total",
        "stored",
        "duplicate",
        "excluded",
        "blank",
        "refused",
    ]
    .map(|name| report[name].as_i64().unwrap());
    assert_eq!(counts, [8, 2, 2, 1, 1, 2]);
    assert_eq!(
        vault
            .get(&format!(
                "/api/memories?batch={}",
                report["batch_id"].as_str().unwrap()
            ))
            .expect(200)["total"],
        2
    );
    assert_eq!(
        vault.get("/api/memories?source=notes").expect(200)["total"],
        2
    );
}

#[test]
fn one_bad_item_does_not_cost_the_others() {
    // U-88
    let vault = Vault::start();
    let items = json!([
        "one",
        "two",
        "three",
        4,
        "five",
        "six",
        "x".repeat(3_000_000)
    ]);
    let report = vault
        .post("/api/bulk", json!({ "items": items }))
        .expect(200);
    assert_eq!(
        (report["stored"].as_i64(), report["refused"].as_i64()),
        (Some(5), Some(2))
    );
    assert_eq!(report["items"][3]["index"], 3);
    assert!(
        report["items"][6]["reason"]
            .as_str()
            .unwrap()
            .contains("65536")
    );
}

#[test]
fn a_pasted_text_is_cut_into_items() {
    let vault = Vault::start();
    let report = vault
        .post(
            "/api/bulk",
            json!({ "text": "About me:\n- likes tea\n- lives in Ghent\n\nThe boat is blue." }),
        )
        .expect(200);
    assert_eq!(report["stored"], 3);
    assert_eq!(vault.recall("Ghent"), ["lives in Ghent"]);
}

#[test]
fn an_agents_import_waits_as_one_batch_and_is_let_in_with_one_call() {
    let vault = Vault::start();
    let report = vault.mcp().tool(
        "bulk_remember",
        json!({ "items": ["One fact", "Another fact"], "source": "Claude" }),
    );
    assert_eq!(
        (&report["status"], report["stored"].as_i64()),
        (&json!("proposed"), Some(2))
    );
    let batches = vault.get("/api/batches").expect(200);
    assert_eq!(
        (
            &batches["batches"][0]["id"],
            batches["batches"][0]["proposed"].as_i64()
        ),
        (&report["batch_id"], Some(2))
    );
    let approved = vault
        .post_empty(&format!(
            "/api/batches/{}/approve",
            report["batch_id"].as_str().unwrap()
        ))
        .expect(200);
    assert_eq!(approved["approved"], 2);
    assert_eq!(
        vault.get("/api/memories?status=active").expect(200)["total"],
        2
    );
}

#[test]
fn an_array_sent_as_text_is_read_as_an_array() {
    // U-65
    let vault = Vault::start();
    let report = vault.mcp().tool(
        "bulk_remember",
        json!({ "items": "[\"a fact\",\"b fact\"]" }),
    );
    assert_eq!(report["stored"], 2);
    let refusal = vault
        .mcp()
        .refusal("bulk_remember", json!({ "items": "a fact" }));
    assert!(refusal.contains("items"), "{refusal}");
}

#[test]
fn too_many_items_and_none_are_refused_whole() {
    let vault = Vault::start();
    let many: Vec<String> = (0..1_001).map(|number| format!("Fact {number}")).collect();
    assert_eq!(
        vault
            .post("/api/bulk", json!({ "items": many }))
            .refused(413),
        "too_large"
    );
    assert_eq!(
        vault
            .post("/api/bulk", json!({ "items": many[..1_000] }))
            .expect(200)["stored"],
        1_000
    );
    assert_eq!(
        vault.post("/api/bulk", json!({ "items": [] })).refused(400),
        "invalid_argument"
    );
    assert_eq!(
        vault.post("/api/bulk", json!({})).refused(400),
        "invalid_argument"
    );
}

#[test]
fn a_retried_import_with_its_key_gives_the_first_report() {
    let vault = Vault::start();
    let send = || {
        vault
            .post(
                "/api/bulk",
                json!({ "items": ["One", "Two"], "idempotency_key": "import-1" }),
            )
            .expect(200)
    };
    assert_eq!(send(), send());
    assert_eq!(vault.get("/api/batches").expect(200)["total"], 1);
}

/// U-64: three clients, and twelve.
#[test]
fn one_list_from_many_clients_at_once_makes_no_doubles() {
    for clients in [3, 12] {
        one_list_from(clients);
    }
}

fn one_list_from(clients: i64) {
    let vault = Vault::start_in_auto_mode();
    let tokens: Vec<String> = (0..clients)
        .map(|number| {
            App::register(&vault, &format!("Client {number}"))
                .sign_in()
                .access
        })
        .collect();
    let items: Vec<String> = (0..20)
        .map(|number| format!("Shared fact {number}"))
        .collect();
    let reports: Vec<serde_json::Value> = std::thread::scope(|scope| {
        let (vault, items) = (&vault, &items);
        let threads: Vec<_> = tokens
            .iter()
            .map(|token| {
                scope.spawn(move || {
                    let mcp = vault.mcp_with(token);
                    mcp.tool("bulk_remember", json!({ "items": items }))
                })
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    });
    let sum = |name: &str| {
        reports
            .iter()
            .map(|report| report[name].as_i64().unwrap())
            .sum::<i64>()
    };
    let counted = ["total", "stored", "duplicate", "near_duplicate", "refused"].map(sum);
    assert_eq!(counted, [20 * clients, 20, 20 * (clients - 1), 0, 0]);
    assert_eq!(vault.get("/api/memories").expect(200)["total"], 20);
}

#[test]
fn what_an_approved_batch_leaves_in_the_queue_says_why() {
    let vault = Vault::start();
    let old = vault.remember("The boat is blue");
    let items = json!([{ "content": "The boat is green", "supersedes": old }, { "content": "The boat is red", "supersedes": old }]);
    let report = vault.mcp().tool("bulk_remember", json!({ "items": items }));
    let approved = vault
        .post_empty(&format!(
            "/api/batches/{}/approve",
            report["batch_id"].as_str().unwrap()
        ))
        .expect(200);
    assert_eq!(approved["approved"], 1);
    assert_eq!(approved["left"][0]["id"], report["items"][1]["id"]);
    assert!(
        approved["left"][0]["reason"]
            .as_str()
            .unwrap()
            .contains("replaced")
    );
}

#[test]
fn every_field_of_a_bulk_item_reads_back_as_it_was_given() {
    let vault = Vault::start();
    let item = json!({
        "content": "She said \"naïve café\" \\ C:\\temp\n\t— 漢字かな 🦀 {\"a\": [1]} '; -- ok",
        "type": "fact",
        "importance": 0.123456789,
        "tags": ["o'brien", "say \"hi\"", "日本"],
        "session": "a \"quoted\" talk",
        "author": "Zoë \\ Ñandú",
        "source": "notes' \"file\"",
        "source_date": "2026-03-10",
    });
    let report = vault
        .post(
            "/api/bulk",
            json!({ "items": [item, { "content": "Plain", "importance": 1 }] }),
        )
        .expect(200);
    assert_eq!(report["stored"], 2, "{report:?}");
    let read = |place: usize| {
        let id = report["items"][place]["id"].as_str().unwrap().to_owned();
        vault.get(&format!("/api/memories/{id}")).expect(200)
    };
    let first = read(0);
    for (field, given) in item.as_object().unwrap() {
        assert_eq!(&first[field], given, "{field}");
    }
    assert_eq!(read(1)["importance"], 1.0);
    assert_eq!(
        vault.get("/api/memories?tag=o'brien").expect(200)["total"],
        1
    );
    for question in ["漢字", "naïve", "brien"] {
        let found = vault.get(&format!("/api/recall?q={question}")).expect(200);
        assert_eq!(found["results"][0]["id"], first["id"], "{question}");
    }
}

#[test]
fn an_item_knows_those_before_it_however_far_back_in_the_same_call() {
    let vault = Vault::start();
    let mut items: Vec<String> = (0..230)
        .map(|number| format!("Locker {number} holds box {}", number * 7 + 3))
        .collect();
    items.push("locker 1 holds box 10".to_owned());
    items.push("locker 229 holds box 1606".to_owned());
    let report = vault
        .post("/api/bulk", json!({ "items": items }))
        .expect(200);
    let outcome = |place: usize| {
        (
            &report["items"][place]["outcome"],
            &report["items"][place]["id"],
        )
    };
    for (again, first) in [(230, 1), (231, 229)] {
        assert_eq!(outcome(again).0, "duplicate");
        assert_eq!(outcome(again).1, outcome(first).1);
    }
    assert_eq!(report["stored"], 230);
    // Keys go up in the order of the items, and the next memory's is the next.
    let id = vault.remember("One more after the import");
    let newest = vault.get("/api/memories?limit=2").expect(200);
    assert_eq!(newest["memories"][0]["id"], id.as_str());
    assert_eq!(newest["memories"][1]["id"], *outcome(229).1);
}
