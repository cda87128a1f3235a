//! The queue of what Workers AI is to embed: one row a memory, tried at once, again later, never lost, never in the way.

use serde_json::json;

use crate::support::{Services, Vault};

/// Each pair shares no word, and means the same to the stand-in; the model inside the vault does not see it (a test below holds
/// that).
pub const SAID_OTHERWISE: [(&str, &str); 2] = [
    ("Combination of the safe: ask Ruth", "digits strongbox"),
    ("Cheese gives Milo a stomach ache", "dairy"),
];

pub fn with_ai() -> (Vault, Services) {
    Vault::start_with_services(&["AI"], &[])
}

pub fn remember_all(vault: &Vault, texts: &[&str]) {
    vault
        .post("/api/bulk", json!({ "items": texts }))
        .expect(200);
}

pub fn jobs(vault: &Vault) -> i64 {
    vault.sql("SELECT count(*) FROM index_jobs")[0][0]
        .as_i64()
        .unwrap()
}

#[test]
fn a_write_is_embedded_by_itself_and_recall_says_hybrid() {
    let (vault, services) = with_ai();
    for (text, _) in SAID_OTHERWISE {
        vault.remember(text);
    }
    let index = vault.indexed();
    assert_eq!(
        (
            &index["model"],
            &index["total"],
            &index["embedded"],
            &index["dead"]
        ),
        (&json!("@cf/baai/bge-m3"), &json!(2), &json!(2), &json!(0))
    );
    assert!(index.get("parked").is_none() && index.get("rebuild").is_none());
    for (text, question) in SAID_OTHERWISE {
        let answer = vault.ask(question);
        assert_eq!(answer["results"][0]["content"], text, "{answer}");
        assert_eq!(answer["mode"], "hybrid");
        assert!(answer.get("unavailable").is_none(), "{answer}");
    }
    assert_eq!(services.times_sent(SAID_OTHERWISE[0].0), 1);
    assert_eq!(
        vault.get("/api/status").expect(200)["recall_mode"],
        "hybrid"
    );
}

#[test]
fn agents_get_the_same_answer_and_a_question_is_embedded_once() {
    let (vault, services) = with_ai();
    vault.remember(SAID_OTHERWISE[1].0);
    vault.indexed();
    let mcp = vault.mcp();
    for _ in 0..3 {
        let answer = mcp.tool("recall", json!({ "query": "dairy" }));
        assert_eq!(answer["mode"], "hybrid", "{answer}");
        assert_eq!(answer["results"][0]["content"], SAID_OTHERWISE[1].0);
    }
    let found = mcp.tool("search", json!({ "query": "dairy" }));
    assert_eq!(found["results"][0]["title"], SAID_OTHERWISE[1].0);
    assert_eq!(services.times_sent("dairy"), 1);
    assert_eq!(
        mcp.tool("get_capabilities", json!({}))["recall_mode"],
        "hybrid"
    );
}

#[test]
fn nonsense_is_answered_with_nothing_by_the_larger_model_too() {
    let (vault, _services) = with_ai();
    for (text, _) in SAID_OTHERWISE {
        vault.remember(text);
    }
    vault.indexed();
    let answer = vault.ask("quantum chromodynamics lagrangian");
    assert_eq!(
        (&answer["total"], &answer["mode"]),
        (&json!(0), &json!("hybrid"))
    );
}

/// U-127: one bad item of a batch does not keep the others waiting.
#[test]
fn what_is_refused_alone_waits_alone() {
    let (vault, services) = with_ai();
    services.ai(json!({ "refuse": "poison" }));
    let texts: Vec<String> = (0..10)
        .map(|number| match number {
            4 => "The poison is in item four".to_owned(),
            _ => format!("Harmless note {number}"),
        })
        .collect();
    let report = vault
        .post("/api/bulk", json!({ "items": texts }))
        .expect(200);
    assert_eq!(report["stored"], 10, "{report}");
    let index = vault.index_when("nine are embedded", |index| {
        index["embedded"] == 9 && index["troubled"].is_array()
    });
    assert_eq!((&index["pending"], &index["dead"]), (&json!(1), &json!(0)));
    assert!(index.get("parked").is_none(), "{index}");
    let troubled = &index["troubled"][0];
    assert_eq!(
        (&troubled["attempts"], &troubled["error"]),
        (&json!(1), &json!("error 3006"))
    );
    assert!(troubled["next_at"].is_string());
    // Retried a minute later.
    services.ai(json!({}));
    vault.shift_clock_seconds(61);
    vault.run_agenda();
    assert_eq!(vault.indexed()["embedded"], 10);
    assert_eq!(jobs(&vault), 0);
}

#[test]
fn what_is_refused_for_ever_is_given_up_shown_and_tried_again_on_request() {
    let (vault, services) = with_ai();
    services.ai(json!({ "refuse": "poison" }));
    remember_all(&vault, &["Harmless note", "The poison"]);
    vault.index_when("one is refused", |index| index["troubled"].is_array());
    vault.sql("UPDATE index_jobs SET attempts = 19, due_at = 0");
    vault.run_agenda();
    let index = vault.index_when("it is dead", |index| index["dead"] == 1);
    assert_eq!(
        (&index["pending"], &index["embedded"]),
        (&json!(0), &json!(1))
    );
    assert!(index["troubled"][0].get("next_at").is_none(), "{index}");
    assert_eq!(
        vault.recall("poison"),
        ["The poison"],
        "found by words all the same"
    );
    services.ai(json!({}));
    vault.post_empty("/api/reindex").expect(202);
    assert_eq!(vault.indexed()["embedded"], 2);
}

/// U-128: busy three times, then well.
#[test]
fn a_busy_service_is_asked_again_later_and_nothing_is_lost() {
    let (vault, services) = with_ai();
    services.ai(
        json!({ "fail": "3040: Capacity temporarily exceeded, please try again.", "times": 3 }),
    );
    vault.remember(SAID_OTHERWISE[1].0);
    let index = vault.index_when("it is parked", |index| index["parked"].is_object());
    assert_eq!(
        (&index["parked"]["jobs"], &index["parked"]["reason"]),
        (&json!(1), &json!("it is busy"))
    );
    for seconds in [61, 200, 500] {
        vault.shift_clock_seconds(seconds);
        vault.run_agenda();
    }
    let index = vault.indexed();
    assert_eq!(index["embedded"], 1);
    assert!(index.get("parked").is_none(), "{index}");
    assert_eq!(jobs(&vault), 0);
}

/// U-128: the day's allowance is used up.
#[test]
fn a_used_up_day_parks_the_jobs_until_midnight() {
    let (vault, services) = with_ai();
    services.ai(json!({ "fail": "3036: you have used up your daily free allocation of 10,000 neurons, please upgrade to Cloudflare's Workers Paid plan" }));
    remember_all(&vault, &["One note", "Another note"]);
    let index = vault.index_when("they are parked", |index| index["parked"].is_object());
    let parked = &index["parked"];
    assert_eq!(parked["jobs"], 2);
    assert!(
        parked["until"].as_str().unwrap().contains("T00:00:00"),
        "{parked}"
    );
    assert!(
        parked["reason"].as_str().unwrap().contains("allowance"),
        "{parked}"
    );
    let calls = services.seen()["calls"].clone();
    vault.remember("A third note");
    vault.run_agenda();
    assert_eq!(
        services.seen()["calls"],
        calls,
        "nothing is tried before midnight"
    );
    services.ai(json!({}));
    vault.shift_clock_days(1);
    vault.run_agenda();
    assert_eq!(vault.indexed()["embedded"], 3);
}

/// U-205: a day of failures costs a call an hour, and one row a memory.
#[test]
fn a_day_long_outage_makes_no_storm() {
    let (vault, services) = with_ai();
    services.ai(json!({ "fail": "Network connection lost." }));
    let id = vault.remember("A note");
    vault.index_when("it is parked", |index| index["parked"].is_object());
    let calls = || services.seen()["calls"].as_i64().unwrap();
    let before = calls();
    for minute in 1..=24 * 60 {
        if minute % 10 == 0 {
            vault.shift_clock_seconds(minute * 60);
            vault.run_agenda();
        }
        if minute % 120 == 0 {
            vault
                .patch(
                    &format!("/api/memories/{id}"),
                    json!({ "content": format!("A note of {minute}") }),
                )
                .expect(200);
        }
    }
    let made = calls() - before;
    assert!((24..=36).contains(&made), "{made} calls in a day");
    assert_eq!(jobs(&vault), 1);
    assert_eq!(vault.index()["dead"], 0);
    services.ai(json!({}));
    vault.shift_clock_seconds(25 * 3_600);
    vault.run_agenda();
    assert_eq!(vault.indexed()["embedded"], 1);
}

/// U-134: the last line of a text that no model takes in whole.
#[test]
fn the_last_line_of_a_long_memory_is_found_by_meaning() {
    for model in ["@cf/baai/bge-m3", "@cf/baai/bge-base-en-v1.5"] {
        let (vault, _services) = Vault::start_with_services(&["AI"], &[("EMBEDDING_MODEL", model)]);
        let filler: String = (0..190)
            .map(|line| format!("Entry {line}: the harbour was quiet.\n"))
            .collect();
        let long = format!("{filler}The physician is called Noor.");
        assert!(long.chars().count() > 6_000);
        vault.remember(&long);
        remember_all(
            &vault,
            &["Milo repairs bicycles", "Ruth swims in the ocean"],
        );
        vault.indexed();
        let parts = vault.sql("SELECT max(parts) FROM memory_vectors")[0][0]
            .as_i64()
            .unwrap();
        assert!((4..=20).contains(&parts), "{parts}");
        let answer = vault.ask("surgeon");
        assert_eq!(answer["results"][0]["content"], json!(long), "{model}");
    }
}

#[test]
fn an_edit_while_the_old_text_is_on_its_way_keeps_the_new_one() {
    let (vault, services) = with_ai();
    services.ai(json!({ "fail": "Network connection lost.", "times": 1 }));
    let id = vault.remember("Our automobile is red");
    vault.index_when("it is parked", |index| index["parked"].is_object());
    vault
        .patch(
            &format!("/api/memories/{id}"),
            json!({ "content": "Ruth is a physician" }),
        )
        .expect(200);
    vault.shift_clock_seconds(61);
    vault.run_agenda();
    vault.indexed();
    assert_eq!(services.times_sent("Our automobile is red"), 0);
    assert_eq!(vault.recall("surgeon"), ["Ruth is a physician"]);
    vault
        .patch(
            &format!("/api/memories/{id}"),
            json!({ "content": "Ruth has a dairy" }),
        )
        .expect(200);
    assert!(
        !vault
            .recall("surgeon")
            .contains(&"Ruth has a dairy".to_owned()),
        "the old vector is gone with the old text"
    );
    vault.indexed();
    assert_eq!(vault.recall("cheese"), ["Ruth has a dairy"]);
}

#[test]
fn what_is_rejected_or_asked_to_be_forgotten_is_not_sent() {
    let (vault, services) = with_ai();
    services.ai(json!({ "fail": "Network connection lost.", "times": 1 }));
    vault.remember("A first note, so that the service is left alone");
    vault.index_when("it is parked", |index| index["parked"].is_object());
    let mcp = vault.mcp();
    let propose = |text: &str| {
        mcp.tool("remember", json!({ "content": text }))["id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let (rejected, hidden) = (propose("A rejected note"), propose("A hidden note"));
    vault
        .post_empty(&format!("/api/memories/{rejected}/reject"))
        .expect(200);
    mcp.tool("forget", json!({ "id": hidden }));
    vault.shift_clock_seconds(61);
    vault.run_agenda();
    vault.indexed();
    assert_eq!(
        services.times_sent("A rejected note") + services.times_sent("A hidden note"),
        0
    );
    vault
        .post_empty(&format!("/api/memories/{hidden}/keep"))
        .expect(200);
    vault.indexed();
    assert_eq!(
        services.times_sent("A hidden note"),
        1,
        "kept, it is made up for"
    );
}

#[test]
fn many_at_once_go_in_batches_that_the_service_takes() {
    let (vault, services) = with_ai();
    let items: Vec<String> = (0..350)
        .map(|number| format!("Part {number} is in box {}", number * 7))
        .collect();
    vault
        .post("/api/bulk", json!({ "items": items }))
        .expect(200);
    assert_eq!(vault.indexed()["embedded"], 350);
    let seen = services.seen();
    assert_eq!(seen["largest_batch"], 100);
    assert_eq!(seen["calls"], 4, "{}", seen["calls"]);
}

#[test]
fn a_vector_of_the_wrong_length_is_not_kept() {
    let (vault, services) = with_ai();
    services.ai(json!({ "short": true }));
    vault.remember("Ilse plays the violin");
    let index = vault.index_when("it is refused", |index| index["troubled"].is_array());
    assert_eq!(
        index["troubled"][0]["error"],
        "1023 numbers instead of 1024"
    );
    assert_eq!(index["embedded"], 0);
}

#[test]
fn the_queue_survives_a_kill() {
    let (mut vault, services) = with_ai();
    services.ai(json!({ "fail": "Network connection lost." }));
    vault.remember("Cheese gives Milo a stomach ache");
    vault.index_when("it is parked", |index| index["parked"].is_object());
    vault.kill_and_restart();
    vault.shift_clock_seconds(61);
    vault.run_agenda();
    assert_eq!(vault.indexed()["embedded"], 1);
    assert_eq!(vault.recall("dairy"), ["Cheese gives Milo a stomach ache"]);
}

#[test]
fn the_model_inside_alone_does_not_find_what_these_tests_ask_for() {
    let vault = Vault::start();
    for (text, _) in SAID_OTHERWISE {
        vault.remember(text);
    }
    vault.remember("Ruth has a dairy");
    let found = vault.recall("digits strongbox");
    assert!(found.is_empty(), "{found:?}");
}
