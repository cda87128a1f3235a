//! Recall: the right thing comes back, and the wrong thing does not.

use std::thread;

use serde_json::{Value, json};

use crate::support::{Vault, encode, texts};

/// Thirty things that people note.
const EVERYDAY: [&str; 30] = [
    "The dentist moved my appointment to Thursday",
    "Milk and oats are on the shopping list",
    "The bicycle needs a new chain",
    "My sister arrives by train on Friday evening",
    "The boiler is serviced every October",
    "Rent is due on the third of the month",
    "The library book about bees is overdue",
    "Jonas borrowed the long ladder",
    "The car passed its inspection in spring",
    "The balcony door sticks when it rains",
    "The choir rehearses on Tuesday at seven",
    "Vera prefers tea without sugar",
    "The tax return was sent in May",
    "The spare key hangs behind the fuse box",
    "We planted garlic next to the shed",
    "The neighbours are away until August",
    "The printer takes the larger paper now",
    "Grandmother's recipe uses sour cherries",
    "The kitchen tap drips at night",
    "Noor runs ten kilometres on Sundays",
    "The insurance number is in the blue folder",
    "The cat only eats the dry food",
    "The hallway was painted light grey",
    "The ferry leaves every two hours",
    "Petra teaches chemistry at the school",
    "The hedge may be cut after July",
    "The alarm code changes each January",
    "The guest room has a new mattress",
    "Samir collects old railway maps",
    "The washing machine is seven years old",
];

fn keep_all(vault: &Vault, notes: &[&str]) {
    let report = vault
        .post("/api/bulk", json!({ "items": notes }))
        .expect(200);
    assert_eq!(report["stored"], notes.len(), "{report}");
}

#[test]
fn a_question_in_another_language_finds_what_it_means() {
    // U-25
    let vault = Vault::start();
    keep_all(&vault, &EVERYDAY[1..]);
    vault.remember("I am allergic to peanuts");
    let found = vault.recall("我对什么过敏");
    assert!(
        found
            .iter()
            .take(3)
            .any(|text| text == "I am allergic to peanuts"),
        "{found:?}"
    );
}

#[test]
fn nonsense_finds_nothing_and_says_so() {
    // U-28
    let vault = Vault::start();
    keep_all(&vault, &EVERYDAY);
    let answer = vault.ask("QQZX-77 flumplet gradient");
    assert_eq!(
        (&answer["results"], &answer["total"]),
        (&json!([]), &json!(0))
    );
    assert!(
        answer["hint"]
            .as_str()
            .is_some_and(|hint| hint.starts_with("Nothing was found")),
        "{answer}"
    );
}

#[test]
fn a_person_is_found_without_noise() {
    // U-29
    let vault = Vault::start();
    let mut notes: Vec<String> = (0..20)
        .flat_map(|number| {
            [
                format!("Build {number} took {} minutes on the runner", number + 3),
                format!("Pasta shape {number} cooks for {} minutes", number + 5),
            ]
        })
        .collect();
    notes.extend(
        [
            "Teodora Vance leads the harbour office",
            "Teodora Vance speaks Portuguese",
            "Lunch with Teodora Vance is on Monday",
        ]
        .map(str::to_owned),
    );
    keep_all(
        &vault,
        &notes.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    let found = vault.recall("Teodora Vance");
    assert!(
        (3..=5).contains(&found.len()) && found[..3].iter().all(|text| text.contains("Teodora")),
        "{found:?}"
    );
}

#[test]
fn a_fresh_write_is_found_at_once() {
    // U-34
    let vault = Vault::start();
    keep_all(&vault, &EVERYDAY);
    vault.recall("bicycle");
    vault.remember("Codeword for the drill is HERON-5512");
    for question in ["HERON-5512", "drill codeword"] {
        let found = vault.recall(question);
        assert_eq!(
            found[0], "Codeword for the drill is HERON-5512",
            "{question}"
        );
    }
}

const PORT_22: &str = "SSH on the relay listens on port 22";
const PORT_49222: &str = "SSH on the relay moved to port 49222";

/// The relay's port as it was in January and as it is since March.
fn vault_with_a_moved_port() -> Vault {
    let vault = Vault::start();
    keep_all(&vault, &EVERYDAY);
    let old = vault.store(json!({ "content": PORT_22, "source_date": "2026-01-10" }));
    vault.store(json!({ "content": PORT_49222, "source_date": "2026-03-02", "supersedes": old }));
    vault
}

fn found(vault: &Vault, question: &str, more: &str) -> Value {
    let path = format!("/api/recall?q={}{more}", encode(question));
    vault.get(&path).expect(200)["results"].clone()
}

#[test]
fn the_newer_value_answers_and_the_older_only_as_history() {
    // U-36, U-131
    let vault = vault_with_a_moved_port();
    let question = "ssh port of the relay";
    let now = texts(&found(&vault, question, ""));
    assert!(
        now[0] == PORT_49222 && !now.contains(&PORT_22.to_owned()),
        "{now:?}"
    );
    let old_words = texts(&found(&vault, "SSH on the relay listens on port 22", ""));
    assert_eq!(old_words.first().map(String::as_str), Some(PORT_49222));
    assert!(!old_words.contains(&PORT_22.to_owned()));
    let all = found(&vault, question, "&include_superseded=1");
    let hits = all.as_array().unwrap();
    let old = hits.iter().find(|hit| hit["content"] == PORT_22).unwrap();
    assert_eq!(old["status"], "superseded");
    assert!(
        old["valid_until"]
            .as_str()
            .unwrap()
            .starts_with("2026-03-0"),
        "{old}"
    );
    assert!(hits.iter().any(|hit| hit["content"] == PORT_49222));
}

#[test]
fn what_was_before_is_answered_by_what_was_replaced() {
    let vault = vault_with_a_moved_port();
    for question in [
        "What was the ssh port of the relay before?",
        "Which port did the relay originally listen on?",
        "relay ssh 之前的端口",
        "Welchen port hatte das relay vorher?",
    ] {
        let hits = found(&vault, question, "");
        assert_eq!(
            (&hits[0]["content"], &hits[0]["status"]),
            (&json!(PORT_22), &json!("superseded")),
            "{question}: {hits}"
        );
        assert!(hits[0]["superseded_by"].is_string());
    }
    // It need not share a word with the question: the one that replaced it does.
    let vault = Vault::start();
    let old = vault.remember("Coffee is bought from Miller");
    vault.store(json!({ "content": "Beans come from Okafor's roastery", "supersedes": old }));
    let hits = found(&vault, "Where did beans come from before?", "&explain=1");
    assert_eq!(hits[0]["content"], "Coffee is bought from Miller", "{hits}");
    assert!(hits[0]["explanation"]["former"].as_f64().unwrap() > 0.2);
    assert_eq!(hits[1]["content"], "Beans come from Okafor's roastery");
}

#[test]
fn a_question_as_of_a_day_is_answered_by_what_held_then() {
    let vault = vault_with_a_moved_port();
    for (as_of, expected) in [
        ("2026-01-09", None),
        ("2026-01-10", Some(PORT_22)),
        ("2026-03-01", Some(PORT_22)),
        ("2026-03-02", Some(PORT_49222)),
        ("2026-03-02T00:00:01Z", Some(PORT_49222)),
        ("today", Some(PORT_49222)),
    ] {
        let hits = found(&vault, "ssh port of the relay", &format!("&as_of={as_of}"));
        assert_eq!(hits[0]["content"].as_str(), expected, "{as_of}: {hits}");
        let told = vault.mcp().tool(
            "recall",
            json!({ "query": "ssh port of the relay", "as_of": as_of }),
        );
        assert_eq!(told["results"][0]["content"].as_str(), expected, "{as_of}");
    }
    let refused = vault.get("/api/recall?q=port&as_of=some+day");
    assert!(refused.body.contains("as_of") && refused.body.contains("2026-03-01"));
    assert_eq!(refused.refused(400), "invalid_argument");
}

#[test]
fn two_memories_that_disagree_both_answer_and_name_each_other() {
    // U-37
    let vault = Vault::start();
    let old = vault.store(
        json!({ "content": "SSH on the relay listens on port 22", "source_date": "2026-01-10" }),
    );
    let new = vault.store(
        json!({ "content": "SSH on the relay listens on port 49222", "source_date": "2026-03-02" }),
    );
    let hits = found(&vault, "ssh port of the relay", "");
    let seen: Vec<(&Value, &Value)> = hits
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| (&hit["id"], &hit["may_conflict_with"]))
        .collect();
    assert_eq!(
        seen,
        [(&json!(new), &json!([old])), (&json!(old), &json!([new])),]
    );
}

#[test]
fn what_is_old_but_right_is_not_buried() {
    // U-38
    let vault = Vault::start();
    vault.store(json!({ "content": "Blood type is AB negative", "source_date": "2023-11-30" }));
    let diary: Vec<String> = (0..50)
        .map(|day| format!("Diary, day {day}: walked {} km and slept well", day % 9 + 1))
        .collect();
    keep_all(
        &vault,
        &diary.iter().map(String::as_str).collect::<Vec<_>>(),
    );
    assert_eq!(vault.recall("blood type")[0], "Blood type is AB negative");
}

#[test]
fn many_questions_at_once_are_all_answered_and_memory_stays_bounded() {
    // U-203
    let vault = Vault::start();
    // One question to the empty vault, so that what every vault needs is not counted as growth.
    vault.ask("crate");
    let before = vault.resident_mebibytes();
    for first in (0..5_000).step_by(500) {
        let notes: Vec<String> = (first..first + 500)
            .map(|number| {
                format!(
                    "Crate {number:04} of the harbour holds part {}",
                    40_000 + number
                )
            })
            .collect();
        keep_all(
            &vault,
            &notes.iter().map(String::as_str).collect::<Vec<_>>(),
        );
    }
    thread::scope(|scope| {
        for number in 0..20 {
            let vault = &vault;
            scope.spawn(move || {
                let wanted = format!("{:04}", number * 250);
                let found = vault.recall(&format!("what does crate {wanted} of the harbour hold"));
                assert!(
                    found[0].contains(&format!("Crate {wanted} ")),
                    "{}",
                    found[0]
                );
            });
        }
    });
    if let (Some(before), Some(after)) = (before, vault.resident_mebibytes()) {
        assert!(after < before + 100, "{before} MiB grew to {after} MiB");
    }
}
