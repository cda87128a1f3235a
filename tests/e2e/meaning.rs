//! Recall by meaning: the model inside, the index in memory in step with every write, and the floor.

use serde_json::{Value, json};

use crate::support::{Vault, encode};

/// Questions that share no word with what answers them.
const SAID_OTHERWISE: [(&str, &str); 3] = [
    ("I prefer trains to planes", "railway or flying"),
    ("My cat sleeps on the sofa", "where does the kitten nap"),
    ("Ilse plays the violin", "string instrument"),
];

fn vault_with_notes() -> Vault {
    let vault = Vault::start();
    for (note, _) in SAID_OTHERWISE {
        vault.remember(note);
    }
    vault
}

#[test]
fn what_is_said_in_other_words_is_found_at_once() {
    let vault = vault_with_notes();
    for (note, question) in SAID_OTHERWISE {
        let answer = vault.ask(question);
        assert_eq!(answer["results"][0]["content"], note, "{question}");
        assert_eq!(answer["mode"], "local");
    }
}

#[test]
fn what_nothing_answers_gets_nothing() {
    let vault = vault_with_notes();
    for question in [
        "what is the melting point of tungsten",
        "capital of Mongolia",
        "quantum chromodynamics lagrangian",
    ] {
        assert_eq!(vault.ask(question)["total"], 0, "{question}");
    }
}

#[test]
fn the_index_follows_edits_and_decisions() {
    let vault = vault_with_notes();
    let first = |question: &str| vault.ask(question)["results"][0]["content"].clone();
    assert_eq!(first("railway or flying"), SAID_OTHERWISE[0].0);
    let id = vault.ask("trains")["results"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let path = format!("/api/memories/{id}");
    vault
        .patch(&path, json!({ "content": "Ruth swims in the ocean" }))
        .expect(200);
    assert_eq!(first("bathing in the sea"), "Ruth swims in the ocean");
    assert_ne!(first("railway or flying"), "Ruth swims in the ocean");
    // Replaced, it answers only when history is asked for.
    vault.store(json!({ "content": "Ruth dives in the ocean", "supersedes": id }));
    assert_eq!(first("bathing in the sea"), "Ruth dives in the ocean");
    let all = vault
        .get("/api/recall?q=bathing+in+the+sea&include_superseded=1")
        .expect(200);
    let texts: Vec<&Value> = all["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| &hit["content"])
        .collect();
    assert!(texts.contains(&&json!("Ruth swims in the ocean")), "{all}");
}

#[test]
fn what_is_forgotten_or_hidden_is_not_found_by_meaning_either() {
    let vault = vault_with_notes();
    let id = vault.ask("string instrument")["results"][0]["id"]
        .as_str()
        .unwrap()
        .to_owned();
    vault.mcp().tool("forget", json!({ "id": id }));
    assert!(
        !vault
            .recall("string instrument")
            .contains(&SAID_OTHERWISE[2].0.to_owned())
    );
    vault
        .post_empty(&format!("/api/memories/{id}/keep"))
        .expect(200);
    assert_eq!(vault.recall("string instrument")[0], SAID_OTHERWISE[2].0);
    vault
        .post_empty(&format!("/api/memories/{id}/forget"))
        .expect(200);
    assert!(
        !vault
            .recall("string instrument")
            .contains(&SAID_OTHERWISE[2].0.to_owned())
    );
    let left = vault.sql("SELECT count(*) FROM memory_sense");
    assert_eq!(left[0][0], SAID_OTHERWISE.len() - 1);
}

#[test]
fn a_write_that_is_rolled_back_leaves_nothing_to_find() {
    let vault = vault_with_notes();
    let before = vault.ask("where does the kitten nap");
    let refused = json!({ "content": "The kitten naps in the attic", "supersedes": "mem_01kkbc5300000g40r40m30e209" });
    vault.post("/api/memories", refused).refused(404);
    assert_eq!(vault.ask("where does the kitten nap"), before);
}

#[test]
fn a_killed_vault_fills_its_index_again() {
    let mut vault = vault_with_notes();
    vault.recall("trains");
    vault.remember("Noor repairs bicycles");
    vault.kill_and_restart();
    assert_eq!(vault.recall("string instrument")[0], SAID_OTHERWISE[2].0);
    assert_eq!(vault.recall("mending a bike")[0], "Noor repairs bicycles");
}

#[test]
fn a_vault_from_before_gets_its_vectors_from_the_alarm() {
    let mut vault = vault_with_notes();
    // As the step that brings senses leaves an older vault: none yet, and the job that makes them.
    for statement in [
        "DELETE FROM memory_sense",
        "DELETE FROM memory_changes",
        "INSERT INTO jobs (kind, key, due_at) VALUES ('refresh_sense', '', 0)",
    ] {
        vault.sql(statement);
    }
    vault.kill_and_restart();
    assert_eq!(
        vault.recall("violin"),
        [SAID_OTHERWISE[2].0],
        "by words at once"
    );
    assert_eq!(vault.run_agenda(), 0);
    assert_eq!(vault.get("/api/status").expect(200)["index"]["missing"], 0);
    assert_eq!(vault.recall("string instrument")[0], SAID_OTHERWISE[2].0);
}

#[test]
fn making_everything_anew_mends_what_was_broken_and_never_stops_answering() {
    let vault = vault_with_notes();
    vault.sql("UPDATE memory_sense SET vector = zeroblob(260), words = x'01'");
    assert!(vault.recall("string instrument").is_empty());
    vault.post_empty("/api/reindex?reembed=1").expect(202);
    assert_eq!(vault.recall("violin"), ["Ilse plays the violin"]);
    assert_eq!(vault.run_agenda(), 0);
    assert_eq!(vault.get("/api/status").expect(200)["index"]["missing"], 0);
    assert_eq!(vault.recall("string instrument"), ["Ilse plays the violin"]);
}

#[test]
fn a_score_can_be_explained() {
    let vault = vault_with_notes();
    let plain = vault.ask("railway or flying");
    assert!(plain["results"][0].get("explanation").is_none());
    let answer = vault
        .get("/api/recall?q=railway+or+flying&explain=1")
        .expect(200);
    let parts = answer["results"][0]["explanation"].as_object().unwrap();
    assert!(
        parts["cover"].as_f64().unwrap() > 0.9 && parts["cosine"].as_f64().unwrap() > 0.1,
        "{parts:?}"
    );
    assert!(!parts.contains_key("label"));
}

#[test]
fn a_date_is_found_as_people_write_it() {
    let vault = vault_with_notes();
    vault.store(json!({ "content": "Dentist with Ruth", "source_date": "2026-06-12" }));
    vault.store(json!({ "content": "Dentist with Milo", "source_date": "2026-09-03" }));
    assert_eq!(
        vault.recall("dentist on 12 June 2026")[0],
        "Dentist with Ruth"
    );
    assert_eq!(vault.recall("dentist in September")[0], "Dentist with Milo");
}

#[test]
fn an_answer_takes_its_question_along() {
    // Nothing in "Yes, since March" says what it is about; what was said before it in the same sitting does.
    let vault = vault_with_notes();
    for (author, content) in [
        ("Ada", "Are you still learning to sail?"),
        ("Milo", "Yes, since March, every Sunday."),
    ] {
        vault.store(json!({ "content": content, "author": author, "session": "harbour" }));
    }
    let found = vault.recall("When did Milo begin to sail?");
    assert_eq!(found[0], "Yes, since March, every Sunday.");
}

#[test]
fn every_match_is_on_one_page_and_on_one_only() {
    let vault = Vault::start();
    let items: Vec<String> = (0..260)
        .map(|number| format!("The boat needs part {number}"))
        .collect();
    vault
        .post("/api/bulk", json!({ "items": items }))
        .expect(200);
    let mut seen: Vec<String> = Vec::new();
    let mut cursor = String::new();
    loop {
        let path = format!(
            "/api/recall?q={}&limit=70{cursor}",
            encode("which part for the boat")
        );
        let page = vault.get(&path).expect(200);
        assert_eq!(page["total"], 260);
        seen.extend(crate::support::texts(&page["results"]));
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => break,
        }
    }
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!((count, seen.len()), (260, 260));
}
