//! Repetitions in other words, memories alike, and contradictions, through both doors.

use memory_vault::embed::embedder;
use serde_json::{Value, json};

use crate::support::Vault;

fn id_of(answer: &Value) -> String {
    answer["id"].as_str().unwrap().to_owned()
}

/// Brings texts one after the other by hand; what became of each.
fn outcomes(vault: &Vault, texts: &[&str]) -> Vec<String> {
    let outcome = |text: &&str| {
        let answer = vault
            .post("/api/memories", json!({ "content": text }))
            .json();
        answer["outcome"].as_str().unwrap().to_owned()
    };
    texts.iter().map(outcome).collect()
}

fn memory(vault: &Vault, id: &str) -> Value {
    vault.get(&format!("/api/memories/{id}")).expect(200)
}

/// U-48
#[test]
fn a_reworded_text_is_left_out_and_the_kept_one_named() {
    let vault = Vault::start_in_auto_mode();
    let kept = vault.remember("Use the grep tool, not shell grep");
    let again = "For searching files use the grep tool instead of shell grep";
    let answer = vault
        .post("/api/memories", json!({ "content": again }))
        .expect(200);
    assert_eq!(
        (&answer["outcome"], &answer["id"]),
        (&json!("near_duplicate"), &json!(kept))
    );
    let likeness = answer["likeness"].as_f64().unwrap();
    assert!(likeness > 0.85 && likeness < 1.0, "{likeness}");
    let reason = answer["reason"].as_str().unwrap();
    assert!(
        reason.contains(&kept) && reason.contains(&likeness.to_string()),
        "{reason}"
    );
    let told = vault.mcp().tool("remember", json!({ "content": again }));
    assert_eq!(
        (&told["outcome"], &told["id"]),
        (&json!("near_duplicate"), &json!(kept))
    );
    assert_eq!(vault.get("/api/memories").expect(200)["total"], 1);
}

/// U-31: what counts as a repetition goes by the vectors of the two texts. How rare their words are in the vault, which decides
/// what recall makes of them, has no say.
#[test]
fn a_repetition_is_told_by_the_cosine_and_not_by_recalls_score() {
    let kept = "Use the grep tool, not shell grep";
    let again = "For searching files use the grep tool instead of shell grep";
    let told = |around: &[String]| {
        let vault = Vault::start_in_auto_mode();
        vault.remember(kept);
        vault
            .post("/api/bulk", json!({ "items": around }))
            .expect(200);
        let asked = vault.ask(again)["results"][0].clone();
        assert_eq!(asked["content"], kept);
        let answer = vault
            .post("/api/memories", json!({ "content": again }))
            .expect(200);
        assert_eq!(answer["outcome"], "near_duplicate", "{answer}");
        (answer["likeness"].clone(), asked["score"].clone())
    };
    let far: Vec<String> = (0..40)
        .map(|number| format!("Crate {number} came from berth {}", number * 7))
        .collect();
    let close: Vec<String> = (0..40)
        .map(|number| {
            format!(
                "Searching files in shell {number} took the tool {} minutes",
                number * 7
            )
        })
        .collect();
    let (likeness, score) = told(&far);
    assert_eq!(likeness, told(&close).0);
    let cosine = embedder().embed(kept).cosine(&embedder().embed(again));
    let (likeness, score) = (likeness.as_f64().unwrap(), score.as_f64().unwrap());
    assert!((likeness - score).abs() > 0.1, "{likeness} {score}");
    assert!(
        (likeness - f64::from(cosine)).abs() < 0.001,
        "{likeness} {cosine}"
    );
}

#[test]
fn a_repetition_far_back_in_the_same_import_is_found() {
    let vault = Vault::start_in_auto_mode();
    let mut items = vec!["Use the grep tool, not shell grep".to_owned()];
    items
        .extend((0..300).map(|number| format!("Crate {number:03} came from berth {}", number * 7)));
    items.push("For searching files use the grep tool instead of shell grep".to_owned());
    let report = vault
        .post("/api/bulk", json!({ "items": items }))
        .expect(200);
    let (first, last) = (&report["items"][0], &report["items"][301]);
    assert_eq!(
        (&last["outcome"], &last["id"]),
        (&json!("near_duplicate"), &first["id"]),
        "{last}"
    );
    assert_eq!(report["stored"], 301);
}

#[test]
fn the_owner_may_keep_both_and_an_agent_may_replace() {
    let vault = Vault::start_in_auto_mode();
    let kept = vault.remember("The garage code changes in May.");
    let both = json!({ "content": "The garage code changes in May", "keep_both": true });
    let second = vault.post("/api/memories", both).expect(201);
    assert_eq!(second["similar_to"], json!(kept));
    let better = json!({ "content": "Garage code changes in May!", "supersedes": id_of(&second) });
    assert_eq!(vault.mcp().tool("remember", better)["outcome"], "stored");
    assert_eq!(memory(&vault, &id_of(&second))["status"], "superseded");
}

/// U-49, U-51, U-52
#[test]
fn what_differs_in_one_place_is_another_memory() {
    let vault = Vault::start();
    for pair in [
        ["The client is at v2.3.1", "The client is at v2.3.10"],
        [
            "The printer answers at 10.0.0.4",
            "The printer answers at 10.0.0.40",
        ],
        [
            "The relay listens on port 8080",
            "The relay listens on port 8081",
        ],
        ["The deposit is €1,200", "The deposit is €12,00"],
        ["The parcel weighs 1.5 kg", "The parcel weighs 15 kg"],
        ["Milo eats shellfish", "Milo does not eat shellfish"],
        ["ミロは貝を食べる", "ミロは貝を食べない"],
        [
            "Anna moved from Berlin to Madrid",
            "Anna moved from Madrid to Berlin",
        ],
        ["The vault holds 991 letters", "The vault holds 992 letters"],
    ] {
        assert_eq!(outcomes(&vault, &pair), ["stored", "stored"], "{pair:?}");
    }
    assert_eq!(
        outcomes(&vault, &["Milo never eats shellfish"]),
        ["near_duplicate"]
    );
}

/// U-50, U-53
#[test]
fn one_template_or_a_not_makes_no_repetition_and_no_contradiction() {
    let vault = Vault::start();
    let texts = [
        "We picked SQLite over Postgres for easy deployment",
        "We picked a local embedder over a hosted one for privacy",
        "Species K was not recorded in 2019",
        "The harbour was not open on Sunday",
    ];
    assert_eq!(outcomes(&vault, &texts), ["stored"; 4]);
    for row in vault.get("/api/memories").expect(200)["memories"]
        .as_array()
        .unwrap()
    {
        assert!(
            row.get("may_conflict_with").is_none() && row.get("similar_to").is_none(),
            "{row}"
        );
    }
}

/// U-56
#[test]
fn a_contradiction_replaces_only_what_the_owner_lets_it_replace() {
    let vault = Vault::start();
    let loves = vault.remember("Loves cilantro");
    let hates = vault
        .mcp()
        .tool("remember", json!({ "content": "Hates cilantro" }));
    assert_eq!(
        (&hates["status"], &hates["similar_to"]),
        (&json!("proposed"), &json!(loves))
    );
    assert_eq!(hates["may_conflict_with"], json!([loves]));
    let path = format!(
        "/api/memories/{}/approve?supersede_similar=1",
        id_of(&hates)
    );
    let approved = vault.post_empty(&path).expect(200);
    assert_eq!(
        (&approved["status"], &approved["supersedes"]),
        (&json!("active"), &json!(loves))
    );
    assert!(approved.get("may_conflict_with").is_none(), "{approved}");
    let old = memory(&vault, &loves);
    assert_eq!(
        (&old["status"], &old["superseded_by"]),
        (&json!("superseded"), &hates["id"])
    );
}

/// U-37
#[test]
fn two_that_disagree_and_hold_name_each_other() {
    let vault = Vault::start_in_auto_mode();
    let agent = |content: &str| id_of(&vault.mcp().tool("remember", json!({ "content": content })));
    let (old, new) = (
        agent("Device A is a Synology unit"),
        agent("Device A is a FnOS unit"),
    );
    let results = vault.ask("what is device A")["results"].clone();
    let named = |id: &str| {
        let hit = results
            .as_array()
            .unwrap()
            .iter()
            .find(|hit| hit["id"] == id)
            .unwrap();
        hit["may_conflict_with"].clone()
    };
    assert_eq!((named(&old), named(&new)), (json!([new]), json!([old])));
    assert_eq!(results[0]["id"], json!(new), "the newer first");
    let recalled = vault
        .mcp()
        .tool("recall", json!({ "query": "what is device A" }));
    assert_eq!(recalled["results"][0]["may_conflict_with"], json!([old]));
    vault.delete(&format!("/api/memories/{old}")).expect(200);
    assert!(memory(&vault, &new).get("may_conflict_with").is_none());
}

/// U-58
#[test]
fn an_edit_is_checked_like_a_new_text() {
    let vault = Vault::start();
    let first = vault.remember("Ships 1 July");
    let second = vault.remember("Ships soon");
    let path = format!("/api/memories/{second}");
    let edited = vault
        .patch(&path, json!({ "content": "Ships 9 July" }))
        .expect(200);
    assert_eq!(edited["similar_to"], json!(first));
    assert_eq!(memory(&vault, &second)["may_conflict_with"], json!([first]));
    let same = json!({ "content": "ships 1 July" });
    let refused = vault.patch(&path, same).expect(409).to_string();
    assert!(refused.contains(&first), "{refused}");
    let edited = vault
        .patch(&path, json!({ "content": "The cat sleeps on the sofa" }))
        .expect(200);
    assert!(
        edited.get("similar_to").is_none() && edited.get("may_conflict_with").is_none(),
        "{edited}"
    );
    assert!(memory(&vault, &first).get("may_conflict_with").is_none());
}

/// U-208
#[test]
fn a_proposal_edited_while_approving_is_checked_again() {
    let vault = Vault::start();
    let rule = vault.remember("The office closes at 6 pm on Fridays.");
    let proposal = vault.mcp().tool(
        "remember",
        json!({ "content": "The violin needs new strings" }),
    );
    let path = format!("/api/memories/{}", id_of(&proposal));
    let reworded = json!({ "content": "The office closes at 4 pm on Fridays." });
    let approved = vault.post(&format!("{path}/approve"), reworded).expect(200);
    assert_eq!(approved["similar_to"], json!(rule));
    assert_eq!(approved["content"], "The office closes at 4 pm on Fridays.");
    let history = vault.get(&format!("{path}/history")).expect(200);
    assert_eq!(
        history["revisions"][0]["content"],
        "The violin needs new strings"
    );
}

/// U-61
#[test]
fn cleaning_up_keeps_the_oldest_of_the_same() {
    let vault = Vault::start();
    let oldest =
        vault.store(json!({ "content": "The spare key hangs behind the door", "tags": ["home"] }));
    let second = vault.store(json!({ "content": "Ilse plays the violin", "tags": ["keys"] }));
    let third = vault.remember("Noor repairs bicycles");
    vault.sql(&format!(
        "UPDATE memories SET (content, content_hash) = (SELECT content, content_hash FROM memories WHERE id = '{oldest}') \
         WHERE id IN ('{second}', '{third}')"
    ));
    let merged = vault.post_empty("/api/memories/dedupe").expect(200);
    assert_eq!(
        merged,
        json!({ "merged": [{ "kept": oldest, "removed": [second, third] }] })
    );
    assert_eq!(vault.get("/api/memories").expect(200)["total"], 1);
    assert_eq!(memory(&vault, &oldest)["tags"], json!(["home", "keys"]));
    assert_eq!(
        vault.recall("where is the spare key"),
        ["The spare key hangs behind the door"]
    );
    assert_eq!(
        vault.post_empty("/api/memories/dedupe").expect(200),
        json!({ "merged": [] })
    );
    let audited = vault.get("/api/audit?action=merge").expect(200);
    assert_eq!(audited["entries"][0]["subject"], json!(oldest), "{audited}");
    assert_eq!(
        audited["entries"][0]["details"]["removed"],
        json!([second, third])
    );
}

/// U-63
#[test]
fn recalled_text_does_not_come_back_as_new() {
    let vault = Vault::start_in_auto_mode();
    let known = vault.remember("Milo is allergic to shellfish");
    for text in [
        "The user told me: Milo is allergic to shellfish",
        "Note: the user said that Milo is allergic to shellfish",
    ] {
        let answer = vault.mcp().tool("remember", json!({ "content": text }));
        assert_eq!(
            (&answer["outcome"], &answer["id"]),
            (&json!("near_duplicate"), &json!(known))
        );
    }
    vault.delete(&format!("/api/memories/{known}")).expect(200);
    let wrapped = json!({ "content": "The user told me: Milo is allergic to shellfish" });
    let refused = vault.mcp().refusal("remember", wrapped);
    assert!(refused.contains("forgot"), "{refused}");
}

#[test]
fn what_the_owner_writes_counts_more_than_a_proposal() {
    let vault = Vault::start();
    let proposal = vault.mcp().tool(
        "remember",
        json!({ "content": "Tom's car is a red Fiat Panda." }),
    );
    let own = vault
        .post(
            "/api/memories",
            json!({ "content": "Tom's car is a red Fiat Panda!" }),
        )
        .expect(201);
    assert_eq!(
        (&own["status"], &own["similar_to"]),
        (&json!("active"), &proposal["id"])
    );
}
