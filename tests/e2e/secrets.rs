//! Secrets are refused at every door, and appear in no answer, log or table.

use serde_json::json;

use crate::support::Vault;

/// Looks like a token of a well-known service; made of two pieces, so that it stands nowhere as a whole.
fn token() -> String {
    ["gh", "p_", "Zk3Qw9TtR8s7Lm2Vb6Nc5Xj4Hd1Fg0PaYuEi"].concat()
}

#[test]
fn a_secret_comes_in_by_no_door() {
    let vault = Vault::start();
    let id = vault.remember("The deploy key is in the safe");
    let secret = format!("The deploy token is {}", token());
    let path = format!("/api/memories/{id}");
    let refusals = [
        vault.post("/api/memories", json!({ "content": secret })),
        vault.post(
            "/api/memories",
            json!({ "content": "x", "tags": [token()] }),
        ),
        vault.post(
            "/api/memories",
            json!({ "content": "x", "source": token() }),
        ),
        vault.patch(&path, json!({ "content": secret })),
        vault.patch(&path, json!({ "author": token() })),
        vault.put("/api/guide", json!({ "content": secret })),
    ];
    for answer in refusals {
        assert!(
            answer.body.contains("API token of GitHub"),
            "{}",
            answer.body
        );
        assert!(!answer.body.contains("Zk3Q"), "{}", answer.body);
        assert_eq!(answer.refused(400), "invalid_argument");
    }
    let mcp = vault.mcp();
    for tool in ["remember", "propose_memory"] {
        let refusal = mcp.refusal(tool, json!({ "content": secret }));
        assert!(
            refusal.contains("API token of GitHub") && !refusal.contains("Zk3Q"),
            "{refusal}"
        );
    }
    let report = mcp.tool(
        "bulk_remember",
        json!({ "items": ["A plain fact", secret] }),
    );
    let outcome = |index: i64| {
        let mut items = report["items"].as_array().unwrap().iter();
        items.find(|item| item["index"] == index).unwrap()["outcome"].clone()
    };
    assert_eq!(
        (outcome(0), outcome(1)),
        (json!("stored"), json!("refused")),
        "{report}"
    );
    assert!(!report.to_string().contains("Zk3Q"), "{report}");
    for table in [
        "memories",
        "memory_history",
        "guide_versions",
        "audit",
        "idempotency_keys",
        "batches",
        "memory_text",
    ] {
        let rows = vault.sql(&format!("SELECT * FROM {table}"));
        assert!(
            !json!(rows).to_string().to_lowercase().contains("zk3qw9"),
            "{table}"
        );
    }
}

#[test]
fn what_only_speaks_of_secrets_is_kept() {
    let vault = Vault::start();
    for text in [
        "I moved all my passwords to Bitwarden",
        "The release is commit 9f2c4e1ab37d5608c1e2f3a4b5c6d7e8f9012345",
        "The order has the number 7c9e6679-7425-40de-944b-e07fc1f90ae7",
    ] {
        vault.remember(text);
    }
}
