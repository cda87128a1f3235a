//! Imports in the forms other programs export.

use serde_json::{Value, json};

use crate::support::Vault;

fn send(vault: &Vault, media_type: &str, query: &str, body: &str) -> Value {
    let path = format!("/api/bulk{query}");
    let headers = [("Content-Type", media_type)];
    vault
        .send("POST", &path, &headers, Some(body.as_bytes()))
        .expect(200)
}

fn memories(vault: &Vault) -> Vec<(String, Value, Value)> {
    let page = vault.get("/api/memories?status=all").expect(200);
    let mut memories: Vec<(String, Value, Value)> = page["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|memory| {
            let content = memory["content"].as_str().unwrap().to_owned();
            (
                content,
                memory["source_date"].clone(),
                memory["source"].clone(),
            )
        })
        .collect();
    memories.sort_by(|one, two| one.0.cmp(&two.0));
    memories
}

const MEM0: &str = r#"{"results":[{"id":"a","memory":"Ada keeps bees","user_id":"u","categories":["hobby"],"created_at":"2024-03-15T10:30:00Z"}]}"#;
const GRAPH: &str = "{\"type\":\"entity\",\"name\":\"Ada\",\"entityType\":\"person\",\"observations\":[\"keeps bees\"]}\n{\"type\":\"relation\",\"from\":\"Ada\",\"to\":\"Ghent\",\"relationType\":\"lives_in\"}\n";

#[test]
fn anothers_export_is_taken_with_its_dates_by_every_door() {
    // U-93
    let expected = vec![(
        "Ada keeps bees".to_owned(),
        json!("2024-03-15T10:30:00.000Z"),
        json!("mem0"),
    )];
    let as_text = Vault::start();
    let report = as_text
        .post("/api/bulk", json!({ "text": MEM0 }))
        .expect(200);
    assert_eq!(
        (&report["read_as"], &report["stored"]),
        (&json!("mem0"), &json!(1))
    );
    assert_eq!(memories(&as_text), expected);
    assert_eq!(
        as_text.get("/api/memories?tag=hobby").expect(200)["total"],
        1
    );

    let as_it_is = Vault::start();
    let report = send(&as_it_is, "application/json", "?source=old%20notes", MEM0);
    assert_eq!(report["stored"], 1);
    assert_eq!(memories(&as_it_is)[0].2, "old notes");

    let by_an_app = Vault::start();
    let report = by_an_app
        .mcp()
        .tool("bulk_remember", json!({ "text": GRAPH }));
    assert_eq!(
        (&report["read_as"], &report["stored"]),
        (&json!("mcp_memory"), &json!(2))
    );
    let contents: Vec<String> = memories(&by_an_app)
        .into_iter()
        .map(|memory| memory.0)
        .collect();
    assert_eq!(contents, ["Ada lives in Ghent", "Ada: keeps bees"]);
}

#[test]
fn a_file_is_sent_as_it_is_and_read_by_its_media_type() {
    let vault = Vault::start();
    let table = "date;memory\r\n2025-03-01;\"Ada keeps bees; many\"\r\n31.12.2025;Ada sails\r\n";
    let dry = send(&vault, "text/csv", "?dry_run=1", table);
    assert_eq!(
        (&dry["read_as"], &dry["stored"], &dry["dry_run"]),
        (&json!("csv"), &json!(2), &json!(true))
    );
    assert_eq!(memories(&vault), []);
    let report = send(&vault, "text/csv; charset=utf-8", "?source=table", table);
    assert!(
        report["items"][1]["warning"]
            .as_str()
            .unwrap()
            .contains("date “31.12.2025” is no date"),
        "{report}"
    );
    assert_eq!(
        memories(&vault),
        [
            (
                "Ada keeps bees; many".to_owned(),
                json!("2025-03-01"),
                json!("table")
            ),
            ("Ada sails".to_owned(), Value::Null, json!("table")),
        ]
    );
    let lines = send(
        &vault,
        "application/x-ndjson",
        "",
        "{\"text\":\"A third\"}\nbroken\n",
    );
    assert_eq!(
        (&lines["stored"], &lines["refused"]),
        (&json!(1), &json!(1))
    );
    let text = send(&vault, "text/markdown", "", "# Boat\n- blue\n- fast\n");
    assert_eq!(text["stored"], 2);
    assert_eq!(vault.recall("blue"), ["Boat: blue"]);
}

#[test]
fn what_is_no_list_of_memories_is_refused_with_the_accepted_forms() {
    // U-93
    let vault = Vault::start();
    let conversation = json!([{ "title": "x", "mapping": {} }]).to_string();
    for (media_type, body, status) in [
        ("application/json", conversation.as_str(), 400),
        ("application/json", "{\"messages\":[]}", 400),
        ("text/plain", "{\"memories\": [", 400),
        ("text/csv", "a,b\n1,2\n", 400),
        ("application/json", "{\"itmes\":[\"x\"]}", 400),
        ("application/zip", "PK", 415),
    ] {
        let headers = [("Content-Type", media_type)];
        let answer = vault.send("POST", "/api/bulk", &headers, Some(body.as_bytes()));
        let message = answer.body.clone();
        answer.refused(status);
        let named = body.contains("itmes")
            || status == 415
            || ["ChatGPT", "memory_text"]
                .iter()
                .any(|word| message.contains(word));
        assert!(named, "{message}");
    }
    let headers = [("Content-Type", "text/csv")];
    let answer = vault.send("POST", "/api/bulk", &headers, Some(b"\xffm"));
    assert!(answer.body.contains("UTF-8"), "{}", answer.body);
    assert_eq!(memories(&vault), []);
}

#[test]
fn a_secret_in_an_export_is_refused_and_repeated_nowhere() {
    let vault = Vault::start();
    let token = concat!("gh", "p_", "Zk3Qw9TtR8s7Lm2Vb6Nc5Xj4Hd1Fg0PaYuEi");
    let table = format!("content,type\nThe deploy token is {token},fact\nAda sails,fact\n");
    let report = send(&vault, "text/csv", "", &table);
    assert_eq!(
        (&report["stored"], &report["refused"]),
        (&json!(1), &json!(1))
    );
    assert!(!report.to_string().contains("Zk3Q"), "{report}");
    let batch = report["batch_id"].as_str().unwrap();
    let read = vault.get(&format!("/api/batches/{batch}")).body;
    assert!(!read.contains("Zk3Q"), "{read}");
}
