//! Imports that meet trouble: a store that fails, a thousand items, an index that takes no more, a target that is gone.

use serde_json::{Value, json};

use crate::imports::{active, batch_of, import, outcomes};
use crate::support::Vault;

/// U-89: storage fails on item 7 of 10. Nothing of the call is there, and repeating it brings all.
#[test]
fn an_import_whose_storage_fails_in_the_middle_leaves_nothing_and_can_be_repeated() {
    let vault = Vault::start_in_auto_mode();
    vault.remember("The yard is empty");
    let items: Vec<String> = (1..=10)
        .map(|number| format!("Crate {number} stands in bay {}", number * 7))
        .collect();
    vault.sql(
        "CREATE TRIGGER fails BEFORE INSERT ON memories WHEN new.content LIKE 'Crate 7 %' BEGIN SELECT RAISE(ABORT, 'disk'); END",
    );
    let answer = vault.post(
        "/api/bulk",
        json!({ "items": items, "idempotency_key": "k" }),
    );
    assert_eq!(answer.refused(500), "internal");
    assert_eq!(active(&vault), ["The yard is empty"]);
    for table in ["batches", "batch_items", "idempotency_keys"] {
        assert_eq!(
            vault.sql(&format!("SELECT count(*) FROM {table}"))[0][0],
            0,
            "{table}"
        );
    }
    vault.sql("DROP TRIGGER fails");
    let body = json!({ "items": items, "idempotency_key": "k" });
    let report = import(&vault, body.clone());
    assert_eq!(
        (&report["stored"], &report["total"]),
        (&json!(10), &json!(10))
    );
    assert_eq!(import(&vault, body), report);
    assert_eq!(active(&vault).len(), 11);
    assert_eq!(vault.recall("bay 49")[0], "Crate 7 stands in bay 49");
}

/// U-94: the model inside finds near-duplicates without any network, and every memory has its vector at once.
#[test]
fn a_thousand_items_with_repeats_are_stored_once_each() {
    let vault = Vault::start();
    let number = |place: usize| {
        json!(format!(
            "Parcel {} holds a letter to person {}",
            place % 900,
            (place % 900) * 7
        ))
    };
    let items: Vec<Value> = (0..1_000).map(number).collect();
    let report = vault
        .post("/api/bulk", json!({ "items": items }))
        .expect(200);
    assert_eq!(
        (
            &report["stored"],
            &report["duplicate"],
            &report["near_duplicate"]
        ),
        (&json!(900), &json!(100), &json!(0))
    );
    assert!(
        report["similar"].as_i64().unwrap() < 10,
        "a list is no heap of contradictions: {}",
        report["similar"]
    );
    let kept = "SELECT count(*), count(s.vector) FROM memories m LEFT JOIN memory_sense s ON s.memory_seq = m.seq";
    assert_eq!(vault.sql(kept)[0], [json!(900), json!(900)]);
    assert!(report.get("note").is_none(), "{}", report["note"]);
}

/// U-94: where the index in memory takes no more, exact repeats are still found, and the report says what was not looked for.
#[test]
fn a_thousand_items_without_an_index_are_stored_and_the_report_says_what_was_not_done() {
    let vault = Vault::start_in_auto_mode();
    // Rows as long as one can be, of words of five bytes: few of them are more than the index takes.
    for number in 0..FILLING {
        vault.remember(&format!("Ox {number} goes by"));
    }
    vault.sql(
        "UPDATE memory_sense SET words = CAST(substr(words, 1, 1) || zeroblob(1900000) AS BLOB)",
    );
    let items: Vec<String> = (0..1_000)
        .map(|place| {
            format!(
                "Parcel {} holds a letter to person {}",
                place % 900,
                (place % 900) * 7
            )
        })
        .collect();
    let report = import(&vault, json!({ "items": items }));
    let counts = ["total", "stored", "duplicate", "near_duplicate", "similar"]
        .map(|name| report[name].as_i64().unwrap());
    assert_eq!(counts, [1_000, 900, 100, 0, 0]);
    let note = report["note"].as_str().unwrap();
    assert!(
        note.contains("near-duplicates were not looked for"),
        "{note}"
    );
    assert_eq!(report["remaining"], 0);
    let lacking =
        "SELECT count(*) FROM memories WHERE seq NOT IN (SELECT memory_seq FROM memory_sense)";
    assert_eq!(vault.sql(lacking)[0][0], 0);
    let found = vault.recall("parcel 17 letter");
    assert!(
        found.contains(&"Parcel 17 holds a letter to person 119".to_owned()),
        "{found:?}"
    );
}

/// So many memories of two megabytes of words are more than the index takes.
const FILLING: usize = 56;

#[test]
fn a_dry_run_names_no_memory_that_is_never_made() {
    let vault = Vault::start();
    let known = vault.remember("The server runs on port 8080");
    let gone = vault.remember("The boat is blue");
    let items = json!([
        "The cat sleeps on the sofa", "A cat sleeps on the sofa.", "The server runs on port 8081",
        { "content": "The boat is green", "supersedes": gone }, { "content": "The boat is red", "supersedes": gone },
        "Use the grep tool, not shell grep", "For searching files use the grep tool instead of shell grep", "The server runs on PORT 8080",
    ]);
    let dry = vault
        .post("/api/bulk?dry_run=1", json!({ "items": items }))
        .expect(200);
    let stored = vault.sql("SELECT id FROM memories");
    for word in dry
        .to_string()
        .split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_')
    {
        let exists = stored.iter().any(|row| row[0] == word);
        assert!(!word.starts_with("mem_") || exists, "{word} in {dry}");
    }
    let reason = |place: usize| dry["items"][place]["reason"].as_str().unwrap().to_owned();
    assert!(reason(1).contains("item 0"), "{}", reason(1));
    assert!(reason(4).contains("item 3"), "{}", reason(4));
    assert!(reason(6).contains("item 5"), "{}", reason(6));
    assert_eq!(
        (&dry["items"][7]["id"], &dry["items"][2]["similar_to"]),
        (&json!(known), &json!(known))
    );
}

#[test]
fn an_item_that_replaces_what_was_replaced_already_is_told_by_what() {
    let vault = Vault::start();
    let first = vault.remember("The boat is blue");
    let second = vault.store(json!({ "content": "The boat is green", "supersedes": first }));
    let item =
        |target: &str| json!({ "items": [{ "content": "The boat is red", "supersedes": target }] });
    let report = import(&vault, item(&first));
    assert_eq!(outcomes(&report), ["refused"]);
    let reason = report["items"][0]["reason"].as_str().unwrap();
    assert!(
        reason.contains(&second) && reason.contains("replace that one"),
        "{reason}"
    );
    // With what it was told, it goes in.
    let report = import(&vault, item(&second));
    assert_eq!(outcomes(&report), ["stored"]);
    assert_eq!(active(&vault), ["The boat is red"]);
}

/// Undo while the same import still comes in, and two undos at once: one of them holds, and nothing is half there.
#[test]
fn an_import_taken_back_while_it_comes_in_is_gone_as_a_whole_or_there_as_a_whole() {
    let vault = Vault::start_in_auto_mode();
    let call = |number: usize, batch: Option<&str>| {
        let items: Vec<String> = (0..60)
            .map(|item| format!("Call {number}: crate {item} stands in bay {}", item * 7))
            .collect();
        json!({ "items": items, "more": true, "batch_id": batch })
    };
    for _ in 0..5 {
        let batch = batch_of(&import(&vault, call(0, None)));
        let undo = format!("/api/batches/{batch}/undo");
        let statuses: Vec<(u16, Value)> = std::thread::scope(|scope| {
            let (vault, undo, batch) = (&vault, &undo, batch.as_str());
            let next = scope.spawn(move || vault.post("/api/bulk", call(1, Some(batch))));
            let undos = [0, 1].map(|_| scope.spawn(move || vault.post_empty(undo)));
            let answers = std::iter::once(next).chain(undos);
            answers
                .map(|answer| answer.join().unwrap())
                .map(|answer| (answer.status, answer.json()))
                .collect()
        });
        assert!(matches!(statuses[0].0, 200 | 409), "{statuses:?}");
        assert_eq!((statuses[1].0, statuses[2].0), (200, 200), "{statuses:?}");
        assert_eq!(statuses[1].1, statuses[2].1);
        assert_eq!(
            vault.sql("SELECT count(*) FROM memories")[0][0],
            0,
            "{statuses:?}"
        );
        assert_eq!(vault.sql("SELECT count(*) FROM memory_text")[0][0], 0);
    }
}
