//! Vectorize: told what is so, within its limits, in the end; never believed beyond what the vault knows itself.

use serde_json::{Value, json};

use crate::support::{Services, Vault, encode};

fn with_vectorize(variables: &[(&str, &str)]) -> (Vault, Services) {
    let (vault, services) = Vault::start_with_services(&["AI", "VECTORIZE"], variables);
    vault
        .put("/api/settings", json!({ "engine": "vectorize" }))
        .expect(200);
    (vault, services)
}

fn notes() -> Vec<String> {
    let people = ["Ruth", "Milo", "Ilse", "Noor", "Bo"];
    let things = [
        "cheese",
        "automobile",
        "physician",
        "beach",
        "wife",
        "code",
        "violin",
        "harbour",
    ];
    let mut notes = Vec::new();
    for person in people {
        for (number, thing) in things.iter().enumerate() {
            notes.push(format!("{person} spoke of the {thing} in week {number}"));
        }
    }
    notes
}

const QUESTIONS: [&str; 6] = [
    "dairy",
    "the vehicle of Milo",
    "surgeon",
    "shore",
    "spouse of Ilse",
    "string instrument",
];

fn ranking(vault: &Vault, question: &str) -> Vec<Value> {
    let path = format!("/api/recall?q={}&limit=10", encode(question));
    let answer = vault.get(&path).expect(200);
    assert_eq!(answer["mode"], "hybrid", "{answer}");
    answer["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["content"].clone())
        .collect()
}

#[test]
fn both_engines_give_the_same_first_ten() {
    let (vault, services) = with_vectorize(&[]);
    vault
        .post("/api/bulk", json!({ "items": notes() }))
        .expect(200);
    let index = vault.indexed();
    assert_eq!(
        (&index["engine"], &index["engine_in_use"]),
        (&json!("vectorize"), &json!("vectorize"))
    );
    assert_eq!(index["vectorize"]["told"], 40);
    // Older than what is looked at beside Vectorize's answer.
    vault.shift_clock_seconds(3_600);
    let by_vectorize: Vec<_> = QUESTIONS
        .iter()
        .map(|question| ranking(&vault, question))
        .collect();
    assert!(services.seen()["queries"].as_i64().unwrap() >= QUESTIONS.len() as i64);
    vault
        .put("/api/settings", json!({ "engine": "vault" }))
        .expect(200);
    let queries = services.seen()["queries"].clone();
    let by_vault: Vec<_> = QUESTIONS
        .iter()
        .map(|question| ranking(&vault, question))
        .collect();
    assert_eq!(services.seen()["queries"], queries, "the vault asks nobody");
    assert_eq!(by_vectorize, by_vault);
    assert_eq!(vault.index()["engine_in_use"], "vault");
}

/// More memories than the index in memory may hold: Vectorize names those alike, and the same ranking orders them.
#[test]
fn a_vault_too_large_for_the_index_in_memory_recalls_by_vectorize() {
    let (vault, _services) = with_vectorize(&[]);
    vault
        .post("/api/bulk", json!({ "items": notes() }))
        .expect(200);
    vault.indexed();
    vault.shift_clock_seconds(3_600);
    let before: Vec<_> = QUESTIONS.map(|question| ranking(&vault, question)).into();
    vault
        .post("/test/index_bytes", json!({ "bytes": 1 }))
        .expect(200);
    assert!(before.iter().filter(|found| !found.is_empty()).count() > 3);
    for (question, before) in QUESTIONS.iter().zip(before) {
        let answer = vault
            .get(&format!("/api/recall?q={}&limit=10", encode(question)))
            .expect(200);
        assert_eq!(answer["mode"], "hybrid", "{answer}");
        assert_eq!(answer["unavailable"], Value::Null, "{answer}");
        let first = before.first().unwrap_or(&Value::Null);
        assert_eq!(&answer["results"][0]["content"], first, "{question}");
    }
}

/// Behind the candidates comes everything else that has the words, each once.
#[test]
fn a_vault_too_large_for_the_index_in_memory_is_paged_to_the_end() {
    let (vault, _services) = with_vectorize(&[]);
    let letters: Vec<String> = (0..130)
        .map(|number| format!("Letter {number} came by ship from harbour {}", number * 7))
        .collect();
    vault
        .post("/api/bulk", json!({ "items": letters }))
        .expect(200);
    vault.indexed();
    vault
        .post("/test/index_bytes", json!({ "bytes": 1 }))
        .expect(200);
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = vault
            .get(&format!("/api/recall?q=letter&limit=40{cursor}"))
            .expect(200);
        assert_eq!(page["total"], 130, "{page}");
        let hits = page["results"].as_array().unwrap();
        seen.extend(hits.iter().map(|hit| hit["id"].to_string()));
        let Some(next) = page["next_cursor"].as_str() else {
            break;
        };
        cursor = format!("&cursor={}", encode(next));
    }
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), 130);
}

/// The same without Vectorize: words answer, and the answer says what is missing.
#[test]
fn a_vault_too_large_for_the_index_in_memory_says_so() {
    let vault = Vault::start();
    vault.remember("Cheese gives Milo a stomach ache");
    vault
        .post("/test/index_bytes", json!({ "bytes": 1 }))
        .expect(200);
    let answer = vault.get("/api/recall?q=cheese").expect(200);
    assert_eq!(answer["mode"], "keyword-only", "{answer}");
    assert_eq!(
        answer["results"][0]["content"],
        "Cheese gives Milo a stomach ache"
    );
    assert_eq!(
        answer["unavailable"],
        json!(["recall by meaning: there are more memories than the index in memory may hold"])
    );
}

#[test]
fn a_small_vault_does_not_need_vectorize() {
    let (vault, services) = Vault::start_with_services(&["AI", "VECTORIZE"], &[]);
    vault.remember("Cheese gives Milo a stomach ache");
    let index = vault.indexed();
    assert_eq!(
        (&index["engine"], &index["engine_in_use"]),
        (&json!("auto"), &json!("vault"))
    );
    assert_eq!(
        (&services.seen()["upserts"], &services.seen()["queries"]),
        (&json!(0), &json!(0))
    );
    // Told to use it, it sends what it has without embedding it again.
    vault
        .put("/api/settings", json!({ "engine": "vectorize" }))
        .expect(200);
    vault.indexed();
    assert_eq!(services.ids().len(), 1);
    assert_eq!(services.times_sent("Cheese gives Milo a stomach ache"), 1);
}

/// U-135: no id or namespace is longer than Vectorize takes, whatever the names.
#[test]
fn ids_fit_whatever_the_names() {
    let name = "a-vault-with-a-name-that-is-longer-than-sixty-four-bytes-because-somebody-liked-it";
    let (vault, services) = with_vectorize(&[("VAULT_NAME", name)]);
    let long = "x".repeat(200);
    vault.store(json!({ "content": "Cheese gives Milo a stomach ache", "source": long, "session": long, "author": long }));
    vault.store(json!({ "content": format!("{}surgeon", "The harbour is quiet. ".repeat(2_000)), "source": long }));
    let index = vault.indexed();
    assert_eq!(index["dead"], 0, "{index}");
    let ids = services.ids();
    assert!(
        ids.len() > 10 && ids.iter().all(|id| id.len() <= 64),
        "{ids:?}"
    );
    let namespaces = services.seen()["namespaces"].clone();
    assert_eq!(namespaces.as_array().unwrap().len(), 1);
    assert!(namespaces[0].as_str().unwrap().len() <= 64);
}

#[test]
fn a_shorter_text_and_a_forgotten_one_leave_nothing_behind() {
    let (vault, services) = with_vectorize(&[]);
    let long = "The harbour is quiet in winter. ".repeat(200);
    let id = vault.remember(&long);
    vault.indexed();
    assert!(services.ids().len() > 3);
    vault
        .patch(
            &format!("/api/memories/{id}"),
            json!({ "content": "The harbour is loud" }),
        )
        .expect(200);
    vault.indexed();
    assert_eq!(services.ids(), [format!("{id}.0")]);
    vault
        .post_empty(&format!("/api/memories/{id}/forget"))
        .expect(200);
    vault.indexed();
    assert!(services.ids().is_empty());
    assert_eq!(vault.sql("SELECT count(*) FROM vectorize_rows")[0][0], 0);
}

/// A delete beats an upsert that was still under way, or came late.
#[test]
fn what_is_forgotten_while_it_is_being_told_does_not_stay() {
    let (vault, services) = with_vectorize(&[]);
    services.vectorize(json!({ "fail": "Network connection lost." }));
    let id = vault.remember("Cheese gives Milo a stomach ache");
    vault.index_when("it is parked", |index| {
        index["vectorize"]["parked"].is_object()
    });
    // The vault took the call for lost, and it was not.
    services.ghost(
        &format!("{id}.0"),
        "personal/bge-m3",
        "Cheese gives Milo a stomach ache",
    );
    vault
        .post_empty(&format!("/api/memories/{id}/forget"))
        .expect(200);
    services.vectorize(json!({}));
    vault.shift_clock_seconds(61);
    vault.run_agenda();
    vault.indexed();
    assert!(services.ids().is_empty(), "{:?}", services.ids());
    assert_eq!(vault.ask("dairy")["total"], 0);
}

#[test]
fn ghosts_are_not_seen_and_are_removed() {
    let (vault, services) =
        Vault::start_with_services(&["AI", "VECTORIZE"], &[("VAULT_NAME", "personal")]);
    vault
        .put("/api/settings", json!({ "engine": "vectorize" }))
        .expect(200);
    vault.remember("Cheese gives Milo a stomach ache");
    vault.indexed();
    services.ghost(
        "mem_01kkbc5300000g40r40m30e209.2",
        "personal/bge-m3",
        "dairy dairy",
    );
    services.ghost("not one of ours", "personal/bge-m3", "dairy");
    assert_eq!(vault.recall("dairy"), ["Cheese gives Milo a stomach ache"]);
    vault.indexed();
    let ids = services.ids();
    assert!(
        !ids.contains(&"mem_01kkbc5300000g40r40m30e209.2".to_owned()),
        "{ids:?}"
    );
    assert_eq!(vault.recall("dairy"), ["Cheese gives Milo a stomach ache"]);
}

#[test]
fn an_old_vector_in_vectorize_is_not_believed() {
    let (vault, services) = with_vectorize(&[]);
    let id = vault.remember("Cheese gives Milo a stomach ache");
    vault.indexed();
    services.vectorize(json!({ "visible": false }));
    vault
        .patch(
            &format!("/api/memories/{id}"),
            json!({ "content": "Ruth is a physician" }),
        )
        .expect(200);
    vault.indexed();
    // Vectorize still shows the vector of the old text.
    assert_eq!(vault.ask("dairy")["total"], 0);
    assert_eq!(vault.recall("surgeon"), ["Ruth is a physician"]);
    services.settle();
    assert_eq!(vault.recall("surgeon"), ["Ruth is a physician"]);
}

#[test]
fn what_an_agent_hides_or_the_owner_replaces_does_not_answer() {
    let (vault, services) = with_vectorize(&[]);
    let id = vault.remember("Cheese gives Milo a stomach ache");
    vault.indexed();
    vault.mcp().tool("forget", json!({ "id": id }));
    assert_eq!(vault.ask("dairy")["total"], 0);
    vault.indexed();
    assert!(services.ids().is_empty());
    vault
        .post_empty(&format!("/api/memories/{id}/keep"))
        .expect(200);
    vault.indexed();
    assert_eq!(services.ids(), [format!("{id}.0")]);
    assert_eq!(
        services.times_sent("Cheese gives Milo a stomach ache"),
        1,
        "its vector was kept"
    );
}

#[test]
fn an_index_of_other_dimensions_is_named() {
    let (vault, services) = with_vectorize(&[]);
    services.vectorize(json!({ "dimensions": 768 }));
    vault.remember("Cheese gives Milo a stomach ache");
    let index = vault.index_when("it is parked", |index| {
        index["vectorize"]["parked"].is_object()
    });
    let reason = index["vectorize"]["parked"]["reason"].as_str().unwrap();
    assert!(
        reason.contains("768") && reason.contains("1024"),
        "{reason}"
    );
    assert_eq!(
        vault.ask("dairy")["results"][0]["content"],
        "Cheese gives Milo a stomach ache"
    );
}

#[test]
fn a_rebuild_fills_an_index_that_was_emptied() {
    let (mut vault, services) = with_vectorize(&[]);
    vault
        .post("/api/bulk", json!({ "items": notes() }))
        .expect(200);
    vault.indexed();
    assert_eq!(services.ids().len(), 40);
    // The stand-in forgets everything with the process.
    vault.kill_and_restart();
    let services = vault.services();
    assert!(services.ids().is_empty());
    vault.post_empty("/api/reindex").expect(202);
    vault.indexed();
    assert_eq!(services.ids().len(), 40);
    assert_eq!(services.seen()["calls"], 0, "nothing is embedded again");
}

#[test]
fn an_erased_vault_leaves_nothing_in_vectorize() {
    let (vault, services) = with_vectorize(&[]);
    vault.remember("Cheese gives Milo a stomach ache");
    vault.indexed();
    assert_eq!(services.ids().len(), 1);
    vault
        .post("/api/erase", json!({ "confirm": "erase my vault" }))
        .expect(202);
    vault.shift_clock_days(8);
    vault.run_agenda();
    vault.run_agenda();
    vault.indexed();
    assert!(services.ids().is_empty(), "{:?}", services.ids());
    assert_eq!(vault.ask("dairy")["total"], 0);
    vault.remember("Ruth is a physician");
    vault.indexed();
    assert_eq!(vault.recall("surgeon"), ["Ruth is a physician"]);
}

#[test]
fn what_is_forgotten_leaves_vectorize_also_when_it_is_not_used_any_more() {
    let (vault, services) = with_vectorize(&[]);
    let id = vault.remember("Cheese gives Milo a stomach ache");
    vault.indexed();
    vault
        .put("/api/settings", json!({ "engine": "vault" }))
        .expect(200);
    vault
        .post_empty(&format!("/api/memories/{id}/forget"))
        .expect(200);
    vault.indexed();
    assert!(services.ids().is_empty(), "{:?}", services.ids());
}
