//! Decisions about proposals, and taking them back.

use serde_json::{Value, json};

use crate::support::Vault;
use crate::support::id_of;

/// An agent's proposal; its id.
#[track_caller]
fn propose(vault: &Vault, draft: Value) -> String {
    id_of(&vault.mcp().tool("propose_memory", draft))
}

#[track_caller]
fn memory(vault: &Vault, id: &str) -> Value {
    vault.get(&format!("/api/memories/{id}")).expect(200)
}

/// `POST /api/memories/:id/<verb>`
fn decide(vault: &Vault, id: &str, verb: &str) -> crate::support::Answer {
    vault.post_empty(&format!("/api/memories/{id}/{verb}"))
}

fn audited(vault: &Vault, action: &str) -> Vec<Value> {
    let log = vault
        .get(&format!("/api/audit?action={action}"))
        .expect(200);
    log["entries"].as_array().unwrap().clone()
}

#[test]
fn an_approval_can_be_taken_back() {
    let vault = Vault::start();
    let id = propose(
        &vault,
        json!({ "content": "The lift is broken", "tier": "short" }),
    );
    assert_eq!(
        decide(&vault, &id, "approve").expect(200)["status"],
        "active"
    );
    let undone = decide(&vault, &id, "undecide").expect(200);
    assert_eq!(
        (&undone["status"], &undone["expires_at"]),
        (&json!("proposed"), &Value::Null)
    );
    assert_eq!(
        vault.mcp().tool("recall", json!({ "query": "lift" }))["results"][0]["approved"],
        false
    );
    // Again changes nothing, and the next decision is free.
    decide(&vault, &id, "undecide").expect(200);
    assert_eq!(audited(&vault, "undecide").len(), 1);
    assert_eq!(
        decide(&vault, &id, "reject").expect(200)["status"],
        "rejected"
    );
}

#[test]
fn a_rejection_can_be_taken_back_and_the_text_is_welcome_again() {
    let vault = Vault::start();
    let id = propose(&vault, json!({ "content": "Ada hates tea" }));
    decide(&vault, &id, "reject").expect(200);
    assert!(
        vault
            .mcp()
            .refusal("remember", json!({ "content": "Ada hates tea" }))
            .contains("rejected")
    );
    // A rejection long ago may have left the hash alone.
    vault.sql(&format!(
        "INSERT INTO exclusions (content_hash, reason, created_at, created_by) SELECT content_hash, 'rejected', 0, 'vault' FROM memories WHERE id = '{id}'"
    ));
    assert_eq!(
        decide(&vault, &id, "undecide").expect(200)["status"],
        "proposed"
    );
    assert_eq!(vault.get("/api/exclusions").expect(200)["total"], 0);
    let known = vault
        .mcp()
        .tool("remember", json!({ "content": "Ada hates tea" }));
    assert_eq!(
        (&known["outcome"], &known["id"]),
        (&json!("duplicate"), &json!(id))
    );
}

#[test]
fn taking_back_approve_and_replace_restores_what_was_replaced() {
    let vault = Vault::start();
    let old = vault.store(json!({ "content": "Ships on 1 July", "source_date": "2026-01-01" }));
    let before = memory(&vault, &old);
    let new = propose(&vault, json!({ "content": "Ships on 9 July" }));
    vault.sql(&format!(
        "UPDATE memories SET similar_to = '{old}' WHERE id = '{new}'"
    ));
    let replaced = vault
        .post_empty(&format!("/api/memories/{new}/approve?supersede_similar=1"))
        .expect(200);
    assert_eq!(replaced["supersedes"], json!(old));
    assert_eq!(memory(&vault, &old)["status"], "superseded");
    assert_eq!(vault.recall("ships"), ["Ships on 9 July"]);

    let undone = decide(&vault, &new, "undecide").expect(200);
    assert_eq!(
        (
            &undone["status"],
            &undone["supersedes"],
            &undone["similar_to"]
        ),
        (&json!("proposed"), &Value::Null, &json!(old))
    );
    let after = memory(&vault, &old);
    for field in [
        "status",
        "status_reason",
        "superseded_by",
        "valid_until",
        "valid_from",
        "content",
    ] {
        assert_eq!(after[field], before[field], "{field}");
    }
    assert_eq!(
        audited(&vault, "undecide")[0]["details"],
        json!({ "was": "active", "restored": old })
    );
    // And it can be decided anew.
    vault
        .post_empty(&format!("/api/memories/{new}/approve?supersede_similar=1"))
        .expect(200);
    assert_eq!(memory(&vault, &old)["superseded_by"], json!(new));
}

#[test]
fn taking_back_an_approval_never_makes_two_of_one_text() {
    let vault = Vault::start();
    let old = vault.remember("Ships on 1 July");
    let new = propose(
        &vault,
        json!({ "content": "Ships on 9 July", "supersedes": old }),
    );
    decide(&vault, &new, "approve").expect(200);
    let twin = vault.remember("ships on 1 July");
    let answer = decide(&vault, &new, "undecide");
    assert_eq!(answer.clone().refused(409), "conflict");
    assert!(answer.body.contains(&twin), "{}", answer.body);
    assert_eq!(memory(&vault, &new)["status"], "active");
    // The same for a rejection.
    let rejected = propose(&vault, json!({ "content": "Ada hates tea" }));
    decide(&vault, &rejected, "reject").expect(200);
    vault.remember("Ada hates tea");
    assert_eq!(
        decide(&vault, &rejected, "undecide").refused(409),
        "duplicate"
    );
}

#[test]
fn what_was_decided_upon_since_is_not_pulled_away() {
    let vault = Vault::start();
    let first = propose(&vault, json!({ "content": "The boat is blue" }));
    decide(&vault, &first, "approve").expect(200);
    let second = vault.store(json!({ "content": "The boat is green", "supersedes": first }));
    let answer = decide(&vault, &first, "undecide");
    assert_eq!(answer.clone().refused(409), "conflict");
    assert!(answer.body.contains(&second), "{}", answer.body);
    // The owner's own memory was never proposed.
    assert_eq!(decide(&vault, &second, "undecide").refused(409), "conflict");
    assert_eq!(
        decide(&vault, "mem_00000000000000000000000000", "undecide").refused(404),
        "not_found"
    );
}

#[test]
fn the_second_of_two_tabs_reads_who_decided_what() {
    let vault = Vault::start();
    let id = propose(&vault, json!({ "content": "Ada prefers trains" }));
    decide(&vault, &id, "approve").expect(200);
    // The same decision again is no news, another one is told what happened.
    assert_eq!(
        decide(&vault, &id, "approve").expect(200)["status"],
        "active"
    );
    let answer = decide(&vault, &id, "reject");
    assert_eq!(answer.clone().refused(409), "conflict");
    assert!(
        answer
            .body
            .contains("approved by owner:ada@localhost at 20"),
        "{}",
        answer.body
    );
    assert_eq!(
        vault
            .post_empty(&format!("/api/memories/{id}/approve?supersede_similar=1"))
            .refused(409),
        "conflict"
    );
    let other = propose(&vault, json!({ "content": "Ada prefers boats" }));
    decide(&vault, &other, "reject").expect(200);
    let answer = vault.post(
        &format!("/api/memories/{other}/approve"),
        json!({ "content": "Ada likes boats" }),
    );
    assert!(
        answer.body.contains("turned down by owner"),
        "{}",
        answer.body
    );
    assert_eq!(memory(&vault, &other)["content"], "Ada prefers boats");
    vault.delete(&format!("/api/memories/{other}")).expect(200);
    assert_eq!(decide(&vault, &other, "approve").refused(404), "not_found");
}

#[test]
fn a_proposal_whose_target_changed_since_says_so_and_waits_for_another_look() {
    let vault = Vault::start();
    let old = vault.remember("The relay listens on port 22");
    let new = propose(
        &vault,
        json!({ "content": "The relay listens on port 49222", "supersedes": old }),
    );
    assert_eq!(memory(&vault, &new)["stale"], Value::Null);
    std::thread::sleep(std::time::Duration::from_millis(5));
    vault
        .patch(
            &format!("/api/memories/{old}"),
            json!({ "content": "The relay listens on port 2222" }),
        )
        .expect(200);
    let listed = vault.get("/api/memories?status=proposed").expect(200);
    let stale = listed["memories"][0]["stale"].as_str().unwrap().to_owned();
    assert!(stale.contains(&old) && stale.contains("changed"), "{stale}");
    // An agent is told nothing of it.
    let seen = vault.mcp().tool("list_memories", json!({}));
    assert!(!seen.to_string().contains("stale"), "{seen}");

    let answer = decide(&vault, &new, "approve");
    let error = answer.expect(409)["error"].clone();
    assert_eq!(
        (&error["code"], &error["field"]),
        (&json!("conflict"), &json!("supersedes"))
    );
    // An edit in passing is no look at the other side.
    assert_eq!(
        vault
            .post(
                &format!("/api/memories/{new}/approve"),
                json!({ "content": "The relay now listens on port 49222" })
            )
            .refused(409),
        "conflict"
    );
    let approved = vault
        .post(
            &format!("/api/memories/{new}/approve"),
            json!({ "supersedes": old }),
        )
        .expect(200);
    assert_eq!(approved["status"], "active");
    assert_eq!(memory(&vault, &old)["superseded_by"], json!(new));
}

#[test]
fn a_proposal_whose_target_is_gone_is_stale_and_can_be_kept_beside() {
    let vault = Vault::start();
    let old = vault.remember("The boat is blue");
    let late = propose(
        &vault,
        json!({ "content": "The boat is green", "supersedes": old }),
    );
    let newest = vault.store(json!({ "content": "The boat is red", "supersedes": old }));
    let stale = memory(&vault, &late)["stale"].as_str().unwrap().to_owned();
    assert!(stale.contains(&newest), "{stale}");
    assert_eq!(decide(&vault, &late, "approve").refused(409), "conflict");
    let kept = vault
        .post(
            &format!("/api/memories/{late}/approve"),
            json!({ "supersedes": null }),
        )
        .expect(200);
    assert_eq!(
        (&kept["status"], &kept["stale"]),
        (&json!("active"), &Value::Null)
    );
}

/// U-208: the stored text is the edited one, the original stays in history, and the checks run again.
#[test]
fn editing_while_approving_keeps_the_original_and_checks_again() {
    let vault = Vault::start();
    let id = propose(&vault, json!({ "content": "Ada perfers tea" }));
    let path = format!("/api/memories/{id}/approve");
    vault.remember("Ada prefers coffee");
    let token = concat!("gh", "p_", "Zk3Qw9TtR8s7Lm2Vb6Nc5Xj4Hd1Fg0PaYuEi");
    for (content, status) in [
        (format!("Ada's token is {token}"), 400),
        ("Ada prefers  coffee".to_owned(), 409),
        (" ".to_owned(), 400),
    ] {
        assert_eq!(
            vault.post(&path, json!({ "content": content })).status,
            status
        );
        assert_eq!(memory(&vault, &id)["status"], "proposed");
    }
    let approved = vault
        .post(&path, json!({ "content": "Ada prefers tea" }))
        .expect(200);
    assert_eq!(approved["content"], "Ada prefers tea");
    let history = vault
        .get(&format!("/api/memories/{id}/history"))
        .expect(200);
    assert_eq!(history["revisions"][0]["content"], "Ada perfers tea");
    assert_eq!(vault.recall("perfers"), Vec::<String>::new());
    // Taken back, the edit stays and so does the history.
    let undone = decide(&vault, &id, "undecide").expect(200);
    assert_eq!(undone["content"], "Ada prefers tea");
}
