//! What an item says of the fields that could not be taken as they were.

use super::*;
use crate::intake::foreign::{LeftOut, draft};
use crate::model::draft::Draft;
use serde_json::json;

fn read(value: Value) -> Draft {
    draft(0, value.as_object().unwrap()).unwrap()
}

#[test]
fn every_field_that_is_not_taken_is_named_with_what_was_found_and_what_was_taken() {
    let long = "x".repeat(limits::LABEL_CHARS + 1);
    let many: Vec<String> = (0..limits::TAGS + 2)
        .map(|number| format!("t{number}"))
        .collect();
    for (fields, warning) in [
        (
            json!({ "importance": 7 }),
            "importance “7” is no number from 0 to 1: it is 0.5",
        ),
        (
            json!({ "importance": "very" }),
            "importance “very” is no number",
        ),
        (
            json!({ "importance": [1] }),
            "importance (a list) is no number",
        ),
        (
            json!({ "importance": -0.1 }),
            "importance “-0.1” is no number",
        ),
        (
            json!({ "type": "hobby" }),
            "type “hobby” is none of fact, preference",
        ),
        (
            json!({ "kind": 4 }),
            "kind is a number, not a word: the type is note",
        ),
        (
            json!({ "tier": "eternal" }),
            "tier “eternal” is none of long, short: it is long",
        ),
        (
            json!({ "created_at": "yesterday" }),
            "created_at “yesterday” is no date: it has none",
        ),
        (json!({ "date": true }), "date (a boolean) is no date"),
        (
            json!({ "source": long }),
            "source left out: it has 201 characters, and 200 are taken",
        ),
        (
            json!({ "author": { "name": "Ada" } }),
            "author left out: it is an object, not a text",
        ),
        (
            json!({ "session": false }),
            "session left out: it is a boolean",
        ),
        (
            json!({ "supersedes": ["m1"] }),
            "supersedes left out: it is a list, not an id",
        ),
        (
            json!({ "id": 7, "supersedes": "m1" }),
            "supersedes left out: it names a memory of another program",
        ),
        (
            json!({ "tags": many }),
            "tags: 2 left out beyond the 20 a memory has",
        ),
        (
            json!({ "tags": ["x".repeat(limits::TAG_CHARS + 1)] }),
            "tags: 1 left out with more than",
        ),
        (
            json!({ "tags": ["home", { "a": 1 }, null] }),
            "tags: 1 left out that are no texts",
        ),
        (
            json!({ "category": 5.5, "tags": { "a": 1 } }),
            "tags left out: it is an object, not a list",
        ),
        (
            json!({ "note": "another text" }),
            "note left out: the memory is the text under content",
        ),
        (
            json!({ "metadata": { "source": [1] } }),
            "source left out: it is a list",
        ),
    ] {
        let mut item = json!({ "content": "Likes tea" });
        item.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        let draft = read(item);
        assert_eq!(draft.content.as_deref(), Some("Likes tea"));
        let said = draft.warnings.iter().any(|said| said.contains(warning));
        assert!(said, "{fields}: {:?}", draft.warnings);
    }
}

#[test]
fn what_is_right_blank_or_has_a_substitute_needs_no_warning() {
    for fields in [
        json!({ "importance": "0.7", "type": "Preference", "tier": "short", "tags": "a, b", "date": "2025-03-01" }),
        json!({ "importance": "", "type": null, "tags": [], "source": " ", "created_at": 0, "tier": "" }),
        json!({ "type": "semantic_memory", "source": 12, "session_id": 4 }),
        json!({ "source_date": "n/a", "created_at": "2025-03-01T10:00:00Z" }),
        json!({ "source": { "id": 1 }, "origin": "notes" }),
        json!({ "text": "Likes tea" }),
    ] {
        let mut item = json!({ "content": "Likes tea" });
        item.as_object_mut()
            .unwrap()
            .extend(fields.as_object().unwrap().clone());
        assert_eq!(read(item).warnings, Vec::<String>::new(), "{fields}");
    }
    assert_eq!(
        read(json!({ "content": "x", "source_date": "n/a", "created_at": "2025-03-01" }))
            .source_date
            .as_deref(),
        Some("2025-03-01")
    );
}

#[test]
fn a_warning_holds_no_secret_and_no_long_text() {
    let token = concat!("gh", "p_", "Zk3Qw9TtR8s7Lm2Vb6Nc5Xj4Hd1Fg0PaYuEi");
    let draft = read(
        json!({ "content": "x", "tier": token, "importance": token, "date": format!("of the {token}") }),
    );
    assert_eq!(draft.warnings.len(), 3);
    let all = draft.warnings.join(" ");
    assert!(!all.contains("Zk3Q"), "{all}");
    let long = read(
        json!({ "content": "x", "importance": "a sentence that slipped into the wrong column ".repeat(9) }),
    );
    assert!(long.warnings[0].len() < 120, "{:?}", long.warnings);
}

#[test]
fn fields_nobody_knows_are_listed_once() {
    let mut left_out = LeftOut::default();
    left_out.look_at(
        json!({ "content": "x", "Mood": "good", "empty": "", "metadata": { "a": 1 } })
            .as_object()
            .unwrap(),
    );
    left_out.look_at(json!({ "mood": "bad", "hash": "ab" }).as_object().unwrap());
    assert_eq!(
        left_out.note("Fields").as_deref(),
        Some("Fields left out: “hash”, “mood”.")
    );
    assert_eq!(LeftOut::default().note("Fields"), None);
    for number in 0..12 {
        left_out.look_at(json!({ format!("x{number:02}"): 1 }).as_object().unwrap());
    }
    let note = left_out.note("Fields").unwrap();
    assert!(note.ends_with(" and 2 more."), "{note}");
}
