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

/// U-150: every kind at every door, and nothing of it anywhere afterwards.
/// Keys that are known by their capitals, in the field that keeps none; and in what is not kept but comes back in an answer.
#[test]
fn a_secret_is_neither_lower_cased_into_a_tag_nor_echoed_as_a_name() {
    let vault = Vault::start();
    let amazon = ["AKIA", "IOSFODNN7EXAMPLF"].concat();
    vault
        .post("/api/memories", json!({ "content": "x", "tags": [amazon] }))
        .expect(400);
    vault
        .post(
            "/api/memories",
            json!({ "content": "x", "idempotency_key": token() }),
        )
        .expect(400);
    assert_eq!(vault.sql("SELECT count(*) FROM idempotency_keys")[0][0], 0);
    let as_a_name = vault.post("/api/memories", json!({ "content": "x", token(): 1 }));
    assert!(
        as_a_name.body.contains("unknown field") && !as_a_name.body.contains("Zk3Q"),
        "{}",
        as_a_name.body
    );
    let as_an_argument = vault
        .mcp()
        .refusal("remember", json!({ "content": "x", token(): 1 }));
    assert!(
        as_an_argument.contains("is not an argument") && !as_an_argument.contains("Zk3Q"),
        "{as_an_argument}"
    );
}

#[test]
fn no_kind_of_secret_comes_in_by_any_door_or_is_kept_anywhere() {
    let vault = Vault::start();
    let id = vault.remember("The deploy key is in the safe");
    let base64 = "QWxsIHRoYXQgaXMgZ29sZCBkb2VzIG5vdCBnbGl0dGVyLCBub3QgYWxsIHdobyB3YW5kZXI";
    // Each with the piece that must turn up nowhere.
    let secrets = [
        (token(), "zk3qw9"),
        (
            [
                "sk",
                "-",
                "Zk3Qw9TtR8s7Lm2Vb6Nc5Xj4Hd1Fg0PaYuEiZk3Qw9TtR8s7",
            ]
            .concat(),
            "zk3qw9",
        ),
        (["AK", "IA", "QWERTYUIOPLKJHGF"].concat(), "qwertyuiop"),
        (
            [
                "xo",
                "xb-",
                "123456789012-1234567890123-Zk3Qw9TtR8s7Lm2Vb6Nc5Xj4",
            ]
            .concat(),
            "zk3qw9",
        ),
        (
            [
                "-----BEGIN RSA PRIV",
                "ATE KEY-----\n",
                base64,
                "\n-----END RSA PRIV",
                "ATE KEY-----",
            ]
            .concat(),
            "qwxsihro",
        ),
        (
            [
                "eyJhbGciOiJIUzI1NiJ9",
                ".eyJzdWIiOiIxMjM0NTY3ODkwIn0",
                ".dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U",
            ]
            .concat(),
            "dozjgnry",
        ),
        (
            ["postgres", "://ilse:", "qu4y-Zwaluw77", "@db.example/vault"].concat(),
            "zwaluw77",
        ),
        (["pass", "word = ", "Zwaluw-4417x"].concat(), "zwaluw-4417x"),
        (
            ["m0", "-", "Zk3Qw9TtR8s7Lm2Vb6Nc5Xj4Hd1Fg0PaYuEiZk3Q"].concat(),
            "zk3qw9",
        ),
    ];
    let mcp = vault.mcp();
    for (secret, piece) in &secrets {
        let text = format!("For the deployment: {secret}");
        let path = format!("/api/memories/{id}");
        for answer in [
            vault.post("/api/memories", json!({ "content": text })),
            vault.patch(&path, json!({ "content": text })),
            vault.put("/api/guide", json!({ "content": text })),
        ] {
            assert!(
                answer.status == 400 && !answer.body.to_lowercase().contains(piece),
                "{piece}: {} {}",
                answer.status,
                answer.body
            );
        }
        for tool in ["remember", "propose_memory"] {
            let refusal = mcp.refusal(tool, json!({ "content": text }));
            assert!(!refusal.to_lowercase().contains(piece), "{refusal}");
        }
        let items = json!({ "items": [text] });
        let exported = json!({ "text": json!({ "results": [{ "memory": text }] }).to_string() });
        for report in [
            mcp.tool("bulk_remember", items.clone()),
            vault.post("/api/bulk", items).expect(200),
            vault.post("/api/bulk", exported).expect(200),
        ] {
            assert_eq!(
                (&report["refused"], &report["stored"]),
                (&json!(1), &json!(0)),
                "{piece}"
            );
            assert!(
                !report.to_string().to_lowercase().contains(piece),
                "{report}"
            );
        }
    }
    let database = crate::forgetting::whole_database(&vault).to_lowercase();
    let log = vault.log().to_lowercase();
    for (_, piece) in &secrets {
        assert!(!database.contains(piece) && !log.contains(piece), "{piece}");
    }
}

#[test]
fn what_only_speaks_of_secrets_is_kept() {
    let vault = Vault::start();
    for text in [
        // U-151
        "The file is 2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae by sha256",
        "the password policy requires 12 characters",
        "API key lives in the safe",
        "The picture's hash is 1B2M2Y8AsgTpgAmY7PhCfg==",
        "ISBN 978-3-16-148410-0 is on the shelf",
        "I moved all my passwords to Bitwarden",
        "The release is commit 9f2c4e1ab37d5608c1e2f3a4b5c6d7e8f9012345",
        "The order has the number 7c9e6679-7425-40de-944b-e07fc1f90ae7",
    ] {
        vault.remember(text);
    }
}
