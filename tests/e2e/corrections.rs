//! Corrections: edits, and memories that take the place of others.

use serde_json::json;

use crate::support::Vault;

#[test]
fn a_correction_replaces_what_it_corrects() {
    // U-57
    let vault = Vault::start_in_auto_mode();
    let old = vault.mcp().tool(
        "remember",
        json!({ "content": "Device A is a Synology unit" }),
    );
    let new = vault.mcp().tool(
        "remember",
        json!({ "content": "Device A is a FnOS unit", "supersedes": old["id"] }),
    );
    assert_eq!(vault.recall("Device A"), ["Device A is a FnOS unit"]);
    let old = vault
        .get(&format!("/api/memories/{}", old["id"].as_str().unwrap()))
        .expect(200);
    assert_eq!(
        (&old["status"], &old["superseded_by"]),
        (&json!("superseded"), &new["id"])
    );
    assert!(old["valid_until"].is_string());
    let both = vault
        .get("/api/recall?q=Device+A&include_superseded=1")
        .expect(200);
    assert_eq!(both["results"].as_array().unwrap().len(), 2);
}

#[test]
fn a_correction_by_an_agent_waits_for_the_owner_in_review_mode() {
    let vault = Vault::start();
    let old = vault.remember("The relay listens on port 22");
    let new = vault.mcp().tool(
        "remember",
        json!({ "content": "The relay listens on port 49222", "supersedes": old }),
    );
    let status = |id: &str| vault.get(&format!("/api/memories/{id}")).expect(200)["status"].clone();
    assert_eq!(status(&old), "active");
    vault
        .post_empty(&format!(
            "/api/memories/{}/approve",
            new["id"].as_str().unwrap()
        ))
        .expect(200);
    assert_eq!(status(&old), "superseded");
}

#[test]
fn superseding_what_cannot_be_superseded_writes_nothing() {
    // U-60
    let vault = Vault::start();
    let old = vault.remember("The boat is blue");
    let new = vault.store(json!({ "content": "The boat is green", "supersedes": old }));
    let refused = |content: &str, supersedes: &str, status: u16| {
        let answer = vault.post(
            "/api/memories",
            json!({ "content": content, "supersedes": supersedes }),
        );
        assert_eq!(
            answer.clone().expect(status)["error"]["field"],
            "supersedes",
            "{}",
            answer.body
        );
    };
    refused("The boat is red", "mem_00000000000000000000000000", 404);
    refused("The boat is red", &old, 409);
    refused("The boat is green", &new, 400);
    assert_eq!(
        vault.get("/api/memories?status=all").expect(200)["total"],
        2
    );
    let waiting = vault
        .mcp()
        .tool("remember", json!({ "content": "The boat is gone" }));
    let itself = vault.patch(
        &format!("/api/memories/{}", waiting["id"].as_str().unwrap()),
        json!({ "supersedes": waiting["id"] }),
    );
    assert_eq!(itself.refused(400), "invalid_argument");
}

#[test]
fn an_edit_keeps_the_old_text_as_history_and_is_found_by_the_new() {
    let vault = Vault::start();
    let id = vault.remember("Ships on 1 July");
    let other = vault.remember("The crane is hired");
    let path = format!("/api/memories/{id}");
    assert_eq!(
        vault
            .patch(
                &path,
                json!({ "content": "Sails on 9 July", "tags": ["boat"] })
            )
            .expect(200)["content"],
        "Sails on 9 July"
    );
    assert_eq!(
        vault.get(&format!("{path}/history")).expect(200)["revisions"][0]["content"],
        "Ships on 1 July"
    );
    assert_eq!(vault.recall("ships"), Vec::<String>::new());
    assert_eq!(vault.recall("sails boat"), ["Sails on 9 July"]);
    assert_eq!(
        vault
            .patch(&path, json!({ "content": "the crane is hired" }))
            .refused(409),
        "duplicate"
    );
    assert_eq!(
        vault
            .patch(&path, json!({ "status": "rejected" }))
            .refused(400),
        "invalid_argument"
    );
    assert_eq!(
        vault.get(&format!("/api/memories/{other}")).expect(200)["content"],
        "The crane is hired"
    );
}

#[test]
fn a_proposal_can_be_reworded_while_it_is_approved() {
    let vault = Vault::start();
    let id = vault
        .mcp()
        .tool("remember", json!({ "content": "Ada perfers tea" }))["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let approved = vault
        .post(
            &format!("/api/memories/{id}/approve"),
            json!({ "content": "Ada prefers tea" }),
        )
        .expect(200);
    assert_eq!(
        (&approved["content"], &approved["status"]),
        (&json!("Ada prefers tea"), &json!("active"))
    );
    assert_eq!(
        vault
            .get(&format!("/api/memories/{id}/history"))
            .expect(200)["revisions"][0]["content"],
        "Ada perfers tea"
    );
}

#[test]
fn a_known_text_that_replaces_another_does_so_or_says_why_not() {
    let vault = Vault::start();
    let known = vault.remember("The relay listens on port 49222");
    let old = vault.remember("The relay listens on port 22");
    let again = json!({ "content": "The relay listens on port 49222", "supersedes": old });
    let answer = vault.post("/api/memories", again.clone()).expect(200);
    assert_eq!(
        (&answer["id"], &answer["supersedes"]),
        (&json!(known), &json!(old))
    );
    assert_eq!(
        vault.get(&format!("/api/memories/{old}")).expect(200)["superseded_by"],
        json!(known)
    );
    let third = vault.remember("The relay listens on port 80");
    let refusal = vault.mcp().refusal(
        "remember",
        json!({ "content": "The relay listens on port 49222", "supersedes": third }),
    );
    assert!(
        refusal.contains("supersedes") && refusal.contains(&known),
        "{refusal}"
    );
}

#[test]
fn replacements_cannot_run_in_a_circle() {
    let vault = Vault::start();
    let first = vault
        .mcp()
        .tool("remember", json!({ "content": "The boat is blue" }))["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let second = vault.mcp().tool(
        "remember",
        json!({ "content": "The boat is green", "supersedes": first }),
    )["id"]
        .as_str()
        .unwrap()
        .to_owned();
    let circle = vault.patch(
        &format!("/api/memories/{first}"),
        json!({ "supersedes": second }),
    );
    assert_eq!(circle.clone().refused(400), "invalid_argument");
    assert!(circle.body.contains("itself replaces"), "{}", circle.body);
}

#[test]
fn a_target_that_waits_to_be_forgotten_is_named_as_such_to_the_owner() {
    let vault = Vault::start();
    let old = vault.remember("The boat is blue");
    let new = vault.mcp().tool(
        "remember",
        json!({ "content": "The boat is green", "supersedes": old }),
    )["id"]
        .as_str()
        .unwrap()
        .to_owned();
    vault.mcp().tool("forget", json!({ "id": old }));
    let answer = vault.post_empty(&format!("/api/memories/{new}/approve"));
    assert_eq!(answer.clone().refused(409), "conflict");
    assert!(
        answer.body.contains("waits to be forgotten"),
        "{}",
        answer.body
    );
    vault
        .patch(
            &format!("/api/memories/{new}"),
            json!({ "supersedes": null }),
        )
        .expect(200);
    assert_eq!(
        vault
            .post_empty(&format!("/api/memories/{new}/approve"))
            .expect(200)["status"],
        "active"
    );
}

#[test]
fn a_fact_that_was_replaced_and_is_true_again_is_stored_and_names_what_replaced_it() {
    // U-36, U-37
    let vault = Vault::start_in_auto_mode();
    let first = "SSH on the relay listens on port 22";
    let old = vault.store(json!({ "content": first, "source_date": "2026-01-10" }));
    let new = vault.store(json!({
        "content": "SSH on the relay moved to port 49222", "source_date": "2026-03-10", "supersedes": old
    }));
    let told = |content: &str, date: Option<&str>| {
        vault.mcp().tool(
            "remember",
            json!({ "content": content, "source_date": date }),
        )
    };
    // Nothing says that it is news: no date, or one from before it was replaced.
    for date in [
        None,
        Some("2026-01-10"),
        Some("2026-02-20"),
        Some("2026-03-10"),
    ] {
        let answer = told(first, date);
        assert_eq!(
            (&answer["outcome"], &answer["id"]),
            (&json!("duplicate"), &json!(old))
        );
    }
    let back = told(first, Some("2026-05-02"));
    assert_eq!(
        (&back["outcome"], &back["status"]),
        (&json!("stored"), &json!("active"))
    );
    assert_eq!(back["may_conflict_with"], json!([new]), "{back}");
    assert_eq!(
        vault.ask("ssh port of the relay")["results"][0]["content"],
        first
    );
    // The owner sees both; replacing is one word.
    assert_eq!(told(first, Some("2026-06-01"))["outcome"], "duplicate");
    let report = |date: &str| {
        let item = json!({ "content": first, "source_date": date });
        vault
            .post("/api/bulk", json!({ "items": [item] }))
            .expect(200)["items"][0]
            .clone()
    };
    assert_eq!(report("2026-06-02")["outcome"], "duplicate");

    let vault = Vault::start();
    let old = vault.store(json!({ "content": first, "source_date": "2026-01-10" }));
    let new = vault.store(json!({
        "content": "SSH on the relay moved to port 49222", "source_date": "2026-03-10", "supersedes": old
    }));
    let item = json!({ "content": first, "source_date": "2026-05-02" });
    let told = vault
        .post("/api/bulk", json!({ "items": [item] }))
        .expect(200)["items"][0]
        .clone();
    assert_eq!(
        (&told["outcome"], &told["status"], &told["similar_to"]),
        (&json!("stored"), &json!("proposed"), &json!(new))
    );
    let id = told["id"].as_str().unwrap();
    vault
        .post_empty(&format!("/api/memories/{id}/approve?supersede_similar=1"))
        .expect(200);
    assert_eq!(vault.recall("ssh port of the relay"), [first]);
}
