//! What an import's report says beside outcomes: what was not taken as it was given, and which files it was read from.

use serde_json::{Value, json};

use crate::support::Vault;

fn file(vault: &Vault, media_type: &str, query: &str, body: &[u8]) -> Value {
    let path = format!("/api/bulk{query}");
    let headers = [("Content-Type", media_type)];
    vault.send("POST", &path, &headers, Some(body)).expect(200)
}

#[test]
fn what_is_not_taken_as_it_was_given_is_said_item_by_item_and_stays_said() {
    let vault = Vault::start();
    let table = "content;type;importance;mood\nAda sails;hobby;7;glad\nAda keeps bees;fact;0.8;\n";
    let report = file(&vault, "text/csv", "", table.as_bytes());
    assert_eq!(
        (&report["stored"], &report["warned"], &report["note"]),
        (&json!(2), &json!(1), &json!("Columns left out: “mood”."))
    );
    let warning = report["items"][0]["warning"].as_str().unwrap();
    for word in [
        "type “hobby”",
        "the type is note",
        "importance “7”",
        "it is 0.5",
    ] {
        assert!(warning.contains(word), "{warning}");
    }
    assert_eq!(report["items"][1]["warning"], Value::Null);
    let batch = format!("/api/batches/{}", report["batch_id"].as_str().unwrap());
    let kept = vault.get(&batch).expect(200);
    assert_eq!(kept["items"][0]["warning"], warning);
    assert_eq!(kept["counts"]["warned"], 1);

    let by_an_app = vault.mcp().tool(
        "bulk_remember",
        json!({ "text": "[{\"memory\":\"Ada paints\"},{\"memory\":\"Ada rows\",\"importance\":\"high\"},\"Ada sails\"]" }),
    );
    let order: Vec<_> = by_an_app["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["index"].as_u64().unwrap())
        .collect();
    assert_eq!((order, &by_an_app["warned"]), (vec![2, 1, 0], &json!(1)));
}

#[test]
fn an_item_given_one_by_one_is_refused_with_the_field_that_is_wrong() {
    let vault = Vault::start();
    let report = vault
        .post(
            "/api/bulk",
            json!({ "items": [
                { "content": "Ada sails", "importance": "high" },
                { "content": "Ada rows", "superseds": "mem_1" },
                { "content": "Ada paints", "source_date": "yesterday" },
            ] }),
        )
        .expect(200);
    let said =
        |place: usize, field: &str| report["items"][place][field].as_str().unwrap().to_owned();
    assert!(said(0, "reason").contains("importance, which has to be a number"));
    assert!(said(1, "reason").contains("“superseds”"));
    assert!(said(2, "warning").contains("without its date “yesterday”"));
    assert_eq!(
        (&report["stored"], &report["refused"]),
        (&json!(1), &json!(2))
    );
}

#[test]
fn an_import_of_several_files_names_them_and_each_item_keeps_its_own() {
    let vault = Vault::start();
    let send = |name: &str, body: &str, more: &str| {
        file(
            &vault,
            "text/markdown",
            &format!("?file={name}{more}"),
            body.as_bytes(),
        )
    };
    let first = send("boat.md", "- The boat is blue", "&more=1");
    let id = first["batch_id"].as_str().unwrap();
    // A file under a second name is a second file.
    let again = send(
        "copy.md",
        "- The boat is blue",
        &format!("&more=1&batch_id={id}"),
    );
    assert_eq!(
        (&again["stored"], &again["duplicate"]),
        (&json!(0), &json!(1))
    );
    send("bees.md", "- Ada keeps bees", &format!("&batch_id={id}"));
    let batches = vault.get("/api/batches").expect(200);
    let batch = &batches["batches"][0];
    assert_eq!(
        (
            &batch["sources"],
            &batch["counts"]["total"],
            &batch["state"]
        ),
        (
            &json!({ "count": 3, "names": ["boat.md", "copy.md", "bees.md"] }),
            &json!(3),
            &json!("done")
        )
    );
    let memories = vault.get("/api/memories").expect(200);
    let sources: Vec<_> = memories["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|memory| &memory["source"])
        .collect();
    assert_eq!(sources, ["bees.md", "boat.md"]);

    // A source that is given holds for all items; the files are named all the same.
    let one = send("a.md", "- Ada sails", "&more=1&source=Notes");
    let id = one["batch_id"].as_str().unwrap();
    send(
        "b.md",
        "- Ada rows",
        &format!("&source=Notes&batch_id={id}"),
    );
    let batch = vault.get(&format!("/api/batches/{id}")).expect(200);
    assert_eq!(
        (&batch["source"], &batch["sources"]["names"]),
        (&json!("Notes"), &json!(["a.md", "b.md"]))
    );
    let memories = vault.get("/api/memories?source=Notes").expect(200);
    assert_eq!(memories["total"], 2);
}

#[test]
fn a_text_longer_than_a_memory_comes_in_parts_that_say_so() {
    let vault = Vault::start();
    let paragraph = |number: usize| {
        format!(
            "Paragraph {number} is about the engine. {}\n\n",
            "It runs. ".repeat(100)
        )
    };
    let section: String = (0..100).map(paragraph).collect();
    let text = format!(
        "# Boat\n\n## Engine\n\n{section}\n---\nThe mast is new.\n\n---\nSo is the sail.\n"
    );
    let report = file(&vault, "text/markdown", "?file=boat.md", text.as_bytes());
    let total = report["total"].as_u64().unwrap();
    assert!(total > 4, "{report}");
    assert_eq!(
        (&report["stored"], &report["refused"], &report["warned"]),
        (&json!(total), &json!(0), &json!(total - 2))
    );
    let memories = vault.get("/api/memories?limit=200").expect(200);
    let contents: Vec<&str> = memories["memories"]
        .as_array()
        .unwrap()
        .iter()
        .map(|memory| memory["content"].as_str().unwrap())
        .collect();
    for number in 0..100 {
        let sentence = format!("Paragraph {number} is about");
        assert_eq!(
            contents
                .iter()
                .filter(|content| content.contains(&sentence))
                .count(),
            1,
            "{number}"
        );
    }
    assert!(
        contents
            .iter()
            .all(|content| content.starts_with("# Boat\n"))
    );
}

#[test]
fn strange_files_get_a_clear_answer_and_numbers_that_add_up() {
    let vault = Vault::start();
    let utf16: Vec<u8> = "\u{feff}content\ttype\nAda sails\tfact\n"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let long_line = "word ".repeat(200_000);
    for (media_type, body, stored, total) in [
        ("text/tab-separated-values", utf16.as_slice(), 1, 1),
        ("text/csv", "\u{feff}content,type\r\n\"Ada says \"\"hi\"\",\r\n\r\nand goes\",fact\r\n".as_bytes(), 1, 1),
        ("text/csv", b"content,id\rAda rows,1\rAda paints,1\r", 2, 2),
        ("text/plain", b"- Ada knits\r\n- Ada cooks\n- Ada knits\r\n\r\n", 2, 3),
        ("text/plain", "[\"Ada \\ud83d digs\"]".as_bytes(), 1, 1),
        ("application/x-ndjson", b"{\"id\":1,\"text\":\"Ada swims\",\"created_at\":-86400}\n{\"id\":1,\"text\":\"Ada dives\"}\n", 2, 2),
        ("text/markdown", long_line.as_bytes(), 31, 31),
    ] {
        let report = file(&vault, media_type, "?source=x", body);
        let sum: u64 = ["stored", "duplicate", "near_duplicate", "excluded", "blank", "refused"].iter().map(|name| report[*name].as_u64().unwrap()).sum();
        assert_eq!((report["total"].as_u64().unwrap(), sum), (total, total), "{report}");
        assert!(report["stored"].as_u64().unwrap() <= stored, "{report}");
    }
    assert_eq!(vault.get("/api/memories?q=x&limit=1").status / 100, 4);
    let deep = format!(
        "{{\"memories\":{}{}}}",
        "[".repeat(3_000),
        "]".repeat(3_000)
    );
    for (media_type, body, words) in [
        ("text/plain", &b""[..], "empty"),
        ("text/plain", b"PK\x03\x04 and so on", "ZIP"),
        ("text/csv", b"PK\x03\x04\xff\xfe", "ZIP"),
        ("text/plain", b"\xff\xfea", "UTF-16"),
        ("text/plain", b"A\0d\0a\0", "NUL"),
        ("text/csv", b"content,type\n\"Ada", "line 2"),
        ("text/plain", deep.as_bytes(), "nested"),
    ] {
        let headers = [("Content-Type", media_type)];
        let answer = vault.send("POST", "/api/bulk", &headers, Some(body));
        assert!(answer.body.contains(words), "{words}: {}", answer.body);
        answer.refused(400);
    }
}

#[test]
fn a_file_that_changed_before_it_goes_on_is_read_anew_and_that_is_said() {
    let vault = Vault::start();
    let text = |first: &str| {
        let more: String = (1..1_200)
            .map(|number| format!("- Shelf {number} holds jar {number}\n"))
            .collect();
        format!("- {first}\n{more}")
    };
    let one = file(
        &vault,
        "text/markdown",
        "?file=shelves.md",
        text("Shelf 0 holds salt").as_bytes(),
    );
    let id = one["batch_id"].as_str().unwrap();
    assert_eq!(
        (&one["remaining"], &one["state"]),
        (&json!(200), &json!("incomplete"))
    );
    let query = format!("?file=shelves.md&batch_id={id}");
    let changed = text("Shelf 0 holds sugar");
    let other = file(&vault, "text/markdown", &query, changed.as_bytes());
    assert_eq!(
        (&other["duplicate"], &other["stored"], &other["remaining"]),
        (&json!(999), &json!(1), &json!(200))
    );
    let note = other["note"].as_str().unwrap();
    assert!(
        note.contains("left 200 items") && note.contains("another input"),
        "{note}"
    );
    let last = file(&vault, "text/markdown", &query, changed.as_bytes());
    assert_eq!(
        (&last["stored"], &last["remaining"], &last["note"]),
        (&json!(200), &json!(0), &Value::Null)
    );
    let batch = vault.get(&format!("/api/batches/{id}")).expect(200);
    assert_eq!(
        (&batch["counts"]["total"], &batch["state"]),
        (&json!(2_200), &json!("done"))
    );
    assert_eq!(
        vault.get("/api/memories?limit=1").expect(200)["total"],
        1_201
    );
}

#[test]
fn a_dry_run_shows_how_a_text_would_be_cut_and_no_secret() {
    let vault = Vault::start();
    let token = concat!("gh", "p_", "Zk3Qw9TtR8s7Lm2Vb6Nc5Xj4Hd1Fg0PaYuEi");
    let text = format!(
        "# Boat\n- blue\n- the token is {token}\n\n{}",
        "long ".repeat(200)
    );
    let dry = file(&vault, "text/markdown", "?dry_run=1", text.as_bytes());
    let texts: Vec<_> = dry["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| item["text"].as_str().unwrap_or("-"))
        .collect();
    assert_eq!(
        (texts[0], texts[1], texts[2].chars().count()),
        ("Boat: blue", "-", 300)
    );
    assert!(!dry.to_string().contains("Zk3Q"));
    let report = file(&vault, "text/markdown", "", text.as_bytes());
    assert_eq!(report["items"][0]["text"], Value::Null);
}
