//! Recall by words: no question breaks it, in any script, and the right memory comes first.

use serde_json::{Value, json};

use crate::support::{Vault, texts};

/// Each question must find the text first, alone in a vault with some bystanders.
pub fn finds(text: &str, questions: &[&str]) {
    let vault = Vault::start();
    for bystander in [
        "The crane is hired until May",
        "Odile plays the violin on Sundays",
        "Porto has six bridges",
        "天気がいいから散歩しよう",
        "고양이는 창가에서 잔다",
    ] {
        vault.remember(bystander);
    }
    vault.remember(text);
    for question in questions {
        let found = vault.recall(question);
        assert_eq!(found.first().map(String::as_str), Some(text), "{question}");
    }
}

#[test]
fn quotation_marks_and_hyphens_are_text() {
    // U-01, U-02
    finds(
        "The barge's fuel valve sticks in winter",
        &[
            "what's wrong with the barge's fuel valve",
            "what’s wrong with the barge’s fuel valve",
        ],
    );
    finds(
        "Our post-mortem template lives in the quay-side wiki",
        &["post-mortem quay-side", "post mortem", "quay-side wiki."],
    );
}

#[test]
fn a_leading_minus_has_no_meaning() {
    // U-03
    let vault = Vault::start();
    vault.remember("amber tariff applies");
    vault.remember("violet tariff applies");
    assert!(
        vault
            .recall("tariff -amber")
            .contains(&"violet tariff applies".to_owned())
    );
}

#[test]
fn versions_and_file_names_are_found_whole_and_by_part() {
    // U-04
    finds(
        "Pin libtern to v4.11.2 in deploy.conf",
        &["deploy.conf", "4.11.2", "v4.11.2", "deploy", "libtern"],
    );
}

#[test]
fn symbols_that_are_names_are_found() {
    // U-11
    let vault = Vault::start();
    vault.remember("Vitamin C is in the drawer, grade c, shelf c");
    vault.remember("Milo writes C++, Ada writes F#, Noor writes .NET");
    for question in ["C++", "F#", ".NET"] {
        assert_eq!(
            vault.recall(question).first().map(String::as_str),
            Some("Milo writes C++, Ada writes F#, Noor writes .NET"),
            "{question}"
        );
    }
}

#[test]
fn addresses_and_paths_are_found_whole_and_by_part() {
    finds(
        "Write to ada+boats@example.org about the mooring",
        &["ada+boats@example.org", "example.org", "ada"],
    );
    finds(
        "The panic is at /srv/app/main.rs:8420 in the worker",
        &["/srv/app/main.rs:8420", "main.rs", "8420"],
    );
}

#[test]
fn no_input_is_a_syntax_error() {
    // U-06, U-13
    let vault = Vault::start();
    vault.remember("The valve in the north region is for launch");
    let questions = [
        "region:north",
        "say \"hi",
        "(valve",
        "valve*",
        "NEAR(",
        "*",
        "\"",
        "title:x",
        "^valve",
        "a{b}",
        "\\",
        "whole : x",
        "- whole",
        "NEAR/2",
        "valve AND",
        "OR",
        "NOT valve",
        "'; DROP TABLE memories; --",
        "🚀 launch",
        "launch\u{0}",
        "%",
        "_",
        "\u{202e}valve",
        "valve + + valve",
    ];
    for question in questions {
        let answer = vault.ask(question);
        assert!(answer["results"].is_array(), "{question}");
    }
    for question in ["valve*", "(valve", "^valve", "🚀 launch", "launch\u{0}"] {
        assert_eq!(vault.recall(question).len(), 1, "{question}");
    }
    for question in ["*", "\"", "\\", "(){}", "?!"] {
        let answer = vault.ask(question);
        assert_eq!(answer["results"], json!([]), "{question}");
        assert!(
            answer["hint"].as_str().is_some_and(|hint| hint.len() > 10),
            "{question}"
        );
    }
}

#[test]
fn shouted_operators_are_words() {
    // U-07
    let vault = Vault::start();
    vault.remember("The pump is red");
    vault.remember("Never restart the pump from the roof");
    let shouted = vault.recall("DO NOT RESTART PUMP AND / OR FAN");
    assert_eq!(
        shouted.first().map(String::as_str),
        Some("Never restart the pump from the roof")
    );
    assert_eq!(shouted, vault.recall("do not restart pump and / or fan"));
}

#[test]
fn words_need_not_stand_together() {
    // U-08
    finds(
        "The nightly export of invoices is checked by Odile",
        &["invoices Odile export"],
    );
}

#[test]
fn a_question_of_stop_words_alone_finds_nothing() {
    // U-09
    let vault = Vault::start();
    for number in 0..50 {
        vault.remember(&format!("It is what it is about the thing number {number}"));
    }
    let answer = vault.ask("what is it about the");
    assert_eq!(answer["results"], json!([]));
    assert!(answer["hint"].is_string());
}

#[test]
fn a_proposal_is_labelled_and_a_rejected_one_is_not_shown() {
    // U-41
    let vault = Vault::start();
    vault.remember("The harbour has a crane");
    for text in [
        "The harbour crane lifts nine tonnes",
        "The harbour crane lifts ten tonnes",
    ] {
        vault.mcp().tool("remember", json!({ "content": text }));
    }
    let rejected = vault.ask("ten tonnes")["results"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    vault
        .post_empty(&format!("/api/memories/{rejected}/reject"))
        .expect(200);
    let results = vault.ask("harbour crane lifts nine tonnes")["results"].clone();
    let seen: Vec<(&str, bool)> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| {
            (
                hit["content"].as_str().unwrap(),
                hit["approved"].as_bool().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("The harbour crane lifts nine tonnes", false),
            ("The harbour has a crane", true)
        ]
    );
}

#[test]
fn a_word_that_hundreds_have_finds_tags_and_what_was_turned_down_as_any_other() {
    // More than the full text is asked for; see `RECALL_COMMON`.
    let vault = Vault::start();
    let items: Vec<String> = (0..501)
        .map(|number| format!("Lantern {number} hangs at gate {}", 7 * number))
        .collect();
    vault
        .post("/api/bulk", json!({ "items": items }))
        .expect(200);
    vault.store(json!({ "content": "Oil is in the shed", "tags": ["lantern"] }));
    vault.mcp().tool(
        "remember",
        json!({ "content": "The old lantern is to be sold" }),
    );
    let sold = vault.ask("old lantern sold")["results"][0]["id"].clone();
    vault
        .post_empty(&format!("/api/memories/{}/reject", sold.as_str().unwrap()))
        .expect(200);
    assert_eq!(vault.ask("lantern")["total"], 502);
    let rejected = vault
        .get("/api/recall?q=lantern&status=rejected")
        .expect(200);
    assert_eq!(
        texts(&rejected["results"]),
        ["The old lantern is to be sold"]
    );
}

#[test]
fn the_exact_sentence_comes_first() {
    // U-42
    let vault = Vault::start();
    for text in [
        "The pump is in the cellar",
        "The pump in the cellar is old",
        "The cellar pump is old and the pump in the attic is not",
    ] {
        vault.remember(text);
    }
    let results = vault.ask("The pump in the cellar is old")["results"].clone();
    assert_eq!(results[0]["content"], "The pump in the cellar is old");
    let scores: Vec<f64> = results
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["score"].as_f64().unwrap())
        .collect();
    assert!(
        scores.windows(2).all(|pair| pair[0] >= pair[1])
            && scores.iter().all(|score| (0.0..=1.0).contains(score)),
        "{scores:?}"
    );
}

#[test]
fn near_ties_are_stable_and_both_doors_rank_alike() {
    // U-30, U-40
    let vault = Vault::start();
    for number in 0..10 {
        vault.remember(&format!("Anchor {number} lies in the shed"));
    }
    let ids = |answer: &Value| {
        answer["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| (hit["id"].clone(), hit["score"].clone()))
            .collect::<Vec<_>>()
    };
    let first = ids(&vault.ask("anchor shed"));
    assert_eq!(first.len(), 10);
    assert_eq!(ids(&vault.ask("anchor shed")), first);
    assert_eq!(
        ids(&vault
            .mcp()
            .tool("recall", json!({ "query": "anchor shed" }))),
        first
    );
}

#[test]
fn filters_apply_before_the_cut() {
    let vault = Vault::start();
    for number in 0..60 {
        vault.remember(&format!("A note about the lantern, number {number}"));
    }
    vault.store(json!({ "content": "Far away, in a very long sentence that says many other things, stands a lantern", "type": "fact", "tags": ["Light"], "tier": "short", "source": "diary" }));
    for filter in [
        "type=fact",
        "tag=light",
        "tag=LIGHT",
        "tier=short",
        "source=diary",
    ] {
        let answer = vault
            .get(&format!("/api/recall?q=lantern&limit=1&{filter}"))
            .expect(200);
        assert_eq!(
            (answer["total"].as_i64(), &answer["results"][0]["type"]),
            (Some(1), &json!("fact")),
            "{filter}"
        );
    }
    assert_eq!(
        vault
            .get("/api/recall?q=lantern&status=superseded")
            .expect(200)["total"],
        0
    );
}
