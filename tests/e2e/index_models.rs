//! Making the index anew: a rebuild, and the change to another model.

use serde_json::{Value, json};

use crate::index_queue::*;
use crate::support::{Vault, texts};

/// U-129: with Workers AI down a rebuild is not done.
#[test]
fn a_rebuild_says_how_far_it_is() {
    let (vault, services) = with_ai();
    remember_all(
        &vault,
        &[
            "Ilse plays the violin",
            "Milo repairs bicycles",
            "Ruth swims",
        ],
    );
    vault.indexed();
    services.ai(json!({ "fail": "Network connection lost." }));
    vault.post_empty("/api/reindex?reembed=1").expect(202);
    let index = vault.index_when("it is parked", |index| index["parked"].is_object());
    vault.run_agenda();
    assert_eq!(index["rebuild"], json!({ "done": 0, "total": 3 }));
    assert_eq!(
        (&index["pending"], &index["embedded"]),
        (&json!(3), &json!(3)),
        "the old vectors serve"
    );
    services.ai(json!({}));
    vault.shift_clock_seconds(61);
    vault.run_agenda();
    let index = vault.indexed();
    assert!(index.get("rebuild").is_none(), "{index}");
    assert_eq!(services.times_sent("Ruth swims"), 2);
}

#[test]
fn a_rebuild_mends_the_full_text() {
    let vault = Vault::start();
    remember_all(&vault, &["Ilse plays the violin", "Milo repairs bicycles"]);
    vault.sql("DELETE FROM memory_text");
    vault.sql("INSERT INTO memory_text (rowid, whole, parts, labels) VALUES (99, 'stray', '', '')");
    vault.sql("UPDATE memory_sense SET made_from = ''");
    vault.post_empty("/api/reindex?reembed=1").expect(202);
    for _ in 0..3 {
        vault.run_agenda();
    }
    assert_eq!(
        vault.sql("SELECT count(*) FROM memory_text WHERE memory_text MATCH 'violin'")[0][0],
        1
    );
    assert_eq!(vault.sql("SELECT count(*) FROM memory_text")[0][0], 2);
    let index = vault.index();
    assert!(index.get("rebuild").is_none(), "{index}");
    assert_eq!(
        (&index["model"], &index["total"], &index["embedded"]),
        (&json!("u40b_256b2"), &json!(2), &json!(2))
    );
}

/// U-131: what was replaced does not answer, by whichever model.
#[test]
fn what_was_replaced_leaves_the_search() {
    let (vault, services) = with_ai();
    let old = vault.remember("Our automobile is a red Fiat");
    vault.indexed();
    vault.store(json!({ "content": "Our vehicle is a blue Volvo", "supersedes": old }));
    vault.indexed();
    let answer = vault.ask("saloon");
    assert_eq!(
        texts(&answer["results"]),
        ["Our vehicle is a blue Volvo"],
        "{answer}"
    );
    assert_eq!(
        vault
            .recall("red Fiat automobile")
            .first()
            .map(String::as_str),
        Some("Our vehicle is a blue Volvo")
    );
    assert_eq!(
        services.times_sent("Our automobile is a red Fiat"),
        1,
        "a change of status makes no new vector"
    );
}

/// U-133: another model, with other dimensions.
#[test]
fn another_model_has_everything_made_anew_and_recall_goes_on() {
    let (mut vault, _) =
        Vault::start_with_services(&["AI"], &[("EMBEDDING_MODEL", "@cf/baai/bge-base-en-v1.5")]);
    let notes: Vec<&str> = SAID_OTHERWISE.iter().map(|(text, _)| *text).collect();
    remember_all(&vault, &notes);
    assert_eq!(vault.indexed()["model"], "@cf/baai/bge-base-en-v1.5");
    assert_eq!(vault.ask("dairy")["mode"], "hybrid");
    let sizes =
        |vault: &Vault| vault.sql("SELECT DISTINCT model, length(vectors) FROM memory_vectors");
    assert_eq!(
        sizes(&vault),
        [vec![json!("@cf/baai/bge-base-en-v1.5"), json!(768)]]
    );

    let services = vault.restart_with_services(&["AI"], &[]);
    services.ai(json!({ "fail": "Network connection lost." }));
    let index = vault.index_when("it is parked", |index| index["parked"].is_object());
    assert_eq!(
        (
            &index["model"],
            &index["embedded"],
            &index["pending"],
            &index["rebuild"]
        ),
        (
            &json!("@cf/baai/bge-m3"),
            &json!(0),
            &json!(2),
            &json!({ "done": 0, "total": 2 })
        )
    );
    let answer = vault.ask("stomach ache");
    assert_eq!(
        (&answer["mode"], &answer["results"][0]["content"]),
        (&json!("local"), &json!(notes[1]))
    );
    let missing = answer["unavailable"].to_string();
    assert!(
        missing.contains("bge-m3") && missing.contains("2 memories wait"),
        "{missing}"
    );
    assert_eq!(
        sizes(&vault)[0][1],
        768,
        "the old vectors are not wiped before there are new ones"
    );

    services.ai(json!({}));
    vault.shift_clock_seconds(61);
    vault.run_agenda();
    let index = vault.indexed();
    assert_eq!(index["embedded"], 2);
    assert!(index.get("rebuild").is_none(), "{index}");
    assert_eq!(sizes(&vault), [vec![json!("@cf/baai/bge-m3"), json!(1024)]]);
    let answer = vault.ask("dairy");
    assert_eq!(
        (&answer["mode"], &answer["results"][0]["content"]),
        (&json!("hybrid"), &json!(notes[1]))
    );
}

#[test]
fn an_unknown_model_is_a_fault_that_says_what_to_set() {
    let (vault, services) = Vault::start_with_services(&["AI"], &[("EMBEDDING_MODEL", "bge")]);
    vault.remember("Ilse plays the violin");
    let answer = vault.ask("string instrument");
    assert_eq!(
        (&answer["mode"], &answer["results"][0]["content"]),
        (&json!("local"), &json!("Ilse plays the violin"))
    );
    let fault = vault.index()["fault"].as_str().unwrap().to_owned();
    assert!(
        fault.contains("EMBEDDING_MODEL") && fault.contains("@cf/baai/bge-m3"),
        "{fault}"
    );
    assert_eq!(answer["unavailable"], json!([fault]));
    assert_eq!(services.seen()["calls"], 0);
}

#[test]
fn without_workers_ai_nothing_is_queued_and_later_everything_is_made_up_for() {
    let (mut vault, _) = Vault::start_with_services(&[], &[]);
    vault.remember("Cheese gives Milo a stomach ache");
    assert_eq!(jobs(&vault), 0);
    let answer: Value = vault.ask("stomach ache");
    assert_eq!(answer["mode"], "local");
    assert!(
        answer.get("unavailable").is_none(),
        "what was never set up is not missing: {answer}"
    );
    vault.restart_with_services(&["AI"], &[]);
    vault.run_agenda();
    assert_eq!(vault.indexed()["embedded"], 1);
    assert_eq!(vault.recall("dairy"), ["Cheese gives Milo a stomach ache"]);
    // And gone again.
    vault.restart_with_services(&[], &[]);
    vault.remember("Another note");
    assert_eq!(jobs(&vault), 0);
    assert_eq!(vault.ask("stomach ache")["mode"], "local");
}

/// A deployment with another table compiled in: nobody has to ask for it.
#[test]
fn vectors_of_an_older_table_are_made_anew_by_themselves() {
    let mut vault = Vault::start();
    vault.remember("The boat is moored at the north quay");
    vault.sql("UPDATE memory_sense SET model = 'older'");
    vault.sql("DELETE FROM vault_notes WHERE name = 'sense_model'");
    vault.kill_and_restart();
    // By its words it is found meanwhile.
    let found = vault.recall("north quay");
    assert_eq!(found, ["The boat is moored at the north quay"]);
    for _ in 0..3 {
        assert_eq!(vault.run_agenda(), 0);
    }
    assert_eq!(
        vault.sql("SELECT model FROM memory_sense"),
        [[json!("u40b_256b2")]]
    );
    let found = vault.recall("Where does the ship lie at anchor?");
    assert_eq!(found, ["The boat is moored at the north quay"]);
}
