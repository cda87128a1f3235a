//! Workers AI down, Vectorize down, both, neither: writes succeed, recall answers and says how, nothing hangs, and the queue heals.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::support::{Services, Vault};

const NOTE: &str = "Cheese gives Milo a stomach ache";

fn with_both() -> (Vault, Services) {
    let (vault, services) = Vault::start_with_services(&["AI", "VECTORIZE"], &[]);
    vault
        .put("/api/settings", json!({ "engine": "vectorize" }))
        .expect(200);
    (vault, services)
}

fn missing(answer: &Value) -> String {
    answer["unavailable"].to_string()
}

/// U-34: a fresh write is found at once, whatever Vectorize shows.
#[test]
fn a_fresh_write_is_found_before_vectorize_shows_it() {
    let (vault, services) = with_both();
    services.vectorize(json!({ "visible": false }));
    vault.remember("Call sign for the drill is HERON-5512");
    for question in ["HERON-5512", "drill call sign"] {
        let answer = vault.ask(question);
        assert_eq!(
            answer["results"][0]["content"], "Call sign for the drill is HERON-5512",
            "{question}"
        );
        assert_eq!(answer["mode"], "hybrid", "{answer}");
    }
    vault.remember(NOTE);
    vault.indexed();
    assert_eq!(
        vault.recall("dairy"),
        [NOTE],
        "by the larger model, which Vectorize does not show yet"
    );
    assert!(services.ids().is_empty());
}

/// U-35: an empty answer says that writes are waiting.
#[test]
fn an_answer_says_when_the_queue_is_behind() {
    let (vault, services) = Vault::start_with_services(&["AI"], &[]);
    services.ai(json!({ "fail": "Network connection lost." }));
    for note in [
        "Combination of the safe: ask Ruth",
        "Ilse plays the violin",
        "Milo repairs bicycles",
    ] {
        vault.remember(note);
    }
    vault.index_when("they are parked", |index| index["parked"].is_object());
    let answer = vault.ask("digits strongbox");
    assert_eq!(answer["total"], 0, "{answer}");
    assert_eq!(answer["mode"], "local");
    let missing = missing(&answer);
    assert!(
        missing.contains("3 memories wait to be indexed") && missing.contains("cannot be reached"),
        "{missing}"
    );
    let through_mcp = vault
        .mcp()
        .tool("recall", json!({ "query": "digits strongbox" }));
    assert_eq!(through_mcp["unavailable"], answer["unavailable"]);
    let found = vault.ask("string instrument");
    assert_eq!(found["results"][0]["content"], "Ilse plays the violin");
    assert!(self::missing(&found).contains("3 memories wait"), "{found}");
}

#[test]
fn with_workers_ai_down_writes_hold_and_recall_is_local_until_it_heals() {
    let (vault, services) = with_both();
    services.ai(json!({ "fail": "Network connection lost." }));
    let id = vault.remember(NOTE);
    vault
        .patch(&format!("/api/memories/{id}"), json!({ "tags": ["food"] }))
        .expect(200);
    let answer = vault.ask("stomach ache");
    assert_eq!(
        (&answer["mode"], &answer["results"][0]["content"]),
        (&json!("local"), &json!(NOTE))
    );
    assert!(
        missing(&answer).contains("bge-m3: it cannot be reached"),
        "{answer}"
    );
    vault.index_when("it is parked", |index| index["parked"].is_object());
    services.ai(json!({}));
    // A question that is answered brings the queue forward: it does not wait for its own interval.
    vault.shift_clock_seconds(31);
    assert_eq!(vault.ask("stomach ache")["mode"], "hybrid");
    vault.indexed();
    assert_eq!(vault.recall("dairy"), [NOTE]);
    assert_eq!(services.ids(), [format!("{id}.0")]);
}

#[test]
fn with_vectorize_down_the_vault_searches_itself_until_it_heals() {
    let (vault, services) = with_both();
    services.vectorize(json!({ "fail": "VECTOR_UPSERT_ERROR: internal error" }));
    let id = vault.remember(NOTE);
    let index = vault.index_when("it is parked", |index| {
        index["vectorize"]["parked"].is_object()
    });
    assert_eq!(
        (&index["embedded"], &index["vectorize"]["pending"]),
        (&json!(1), &json!(1))
    );
    let answer = vault.ask("dairy");
    assert_eq!(
        (&answer["mode"], &answer["results"][0]["content"]),
        (&json!("hybrid"), &json!(NOTE))
    );
    assert!(
        missing(&answer).contains("Vectorize: it cannot be reached"),
        "{answer}"
    );
    services.vectorize(json!({}));
    vault.shift_clock_seconds(61);
    vault.run_agenda();
    vault.indexed();
    assert_eq!(services.ids(), [format!("{id}.0")]);
    let answer = vault.ask("dairy");
    assert_eq!(answer["results"][0]["content"], NOTE);
    assert!(answer.get("unavailable").is_none(), "{answer}");
}

#[test]
fn with_both_down_everything_still_works_locally() {
    let (vault, services) = with_both();
    services.ai(json!({ "fail": "Network connection lost." }));
    services.vectorize(json!({ "fail": "Network connection lost." }));
    let id = vault.remember(NOTE);
    let answer = vault.ask("stomach ache");
    assert_eq!(
        (&answer["mode"], &answer["results"][0]["content"]),
        (&json!("local"), &json!(NOTE))
    );
    vault
        .post_empty(&format!("/api/memories/{id}/forget"))
        .expect(200);
    assert_eq!(vault.ask("stomach ache")["total"], 0);
    services.ai(json!({}));
    services.vectorize(json!({}));
    vault.shift_clock_seconds(61);
    vault.run_agenda();
    vault.indexed();
    assert!(services.ids().is_empty());
    assert_eq!(services.times_sent(NOTE), 0, "forgotten before it was sent");
}

#[test]
fn a_service_that_hangs_holds_up_no_write_and_one_answer_only_for_its_limit() {
    let (vault, services) = with_both();
    vault.remember(NOTE);
    vault.indexed();
    services.ai(json!({ "hang": true }));
    services.vectorize(json!({ "hang": true }));
    let begun = Instant::now();
    for number in 0..5 {
        vault.remember(&format!("Note {number} while nobody answers"));
    }
    // Generous: the stand-in would hold a call for two minutes.
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "{:?}",
        begun.elapsed()
    );
    for question in ["stomach ache", "nobody answers", "stomach", "ache"] {
        let answer = vault.ask(question);
        assert_eq!(answer["mode"], "local", "{answer}");
        assert!(
            missing(&answer).contains("did not answer in time"),
            "{answer}"
        );
    }
    assert!(
        begun.elapsed() < Duration::from_secs(40),
        "{:?}",
        begun.elapsed()
    );
    let calls = services.seen()["calls"].as_i64().unwrap();
    assert!(
        calls <= 5,
        "one question waits, the others do without: {calls}"
    );
}

#[test]
fn a_question_in_the_cache_is_answered_by_meaning_through_an_outage() {
    let (vault, services) = Vault::start_with_services(&["AI"], &[]);
    vault.remember(NOTE);
    vault.indexed();
    assert_eq!(vault.ask("dairy")["mode"], "hybrid");
    services.ai(json!({ "fail": "Network connection lost." }));
    let answer = vault.ask("dairy");
    assert_eq!(
        (&answer["mode"], &answer["results"][0]["content"]),
        (&json!("hybrid"), &json!(NOTE))
    );
}
