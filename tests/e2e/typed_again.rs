//! A text typed again is known; one in which a capital, a comma or a flag says something else is another. What was forgotten
//! is known in any dress.

use memory_vault::text::identity::content_hash;
use serde_json::{Value, json};

use crate::restore::{restore, tampered};
use crate::support::Vault;

fn texts(vault: &Vault) -> Vec<String> {
    let rows = vault.sql("SELECT content FROM memories WHERE status = 'active' ORDER BY content");
    rows.iter()
        .map(|row| row[0].as_str().unwrap().to_owned())
        .collect()
}

fn add(vault: &Vault, content: &str) -> Value {
    vault
        .post("/api/memories", json!({ "content": content }))
        .json()
}

/// What became of each item of an import.
fn outcomes(vault: &Vault, items: &[&str]) -> Vec<String> {
    let report = vault
        .post("/api/bulk", json!({ "items": items }))
        .expect(200);
    let items = report["items"].as_array().unwrap().iter();
    items
        .map(|item| item["outcome"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn a_text_in_which_a_capital_or_a_comma_says_something_else_is_stored_beside_the_first() {
    // U-49
    let pairs = [
        ("use flag -f", "use flag -F"),
        (
            "The certificate is in Key.pem",
            "The certificate is in key.pem",
        ),
        ("mount ro,noexec", "mount ro noexec"),
        ("we go with plan A", "we go with plan a"),
        ("Milo works in IT", "Milo works in it"),
        ("she likes Polish food", "she likes polish food"),
        ("Set the owner with --User", "Set the owner with --user"),
    ];
    let vault = Vault::start_in_auto_mode();
    for (first, second) in pairs {
        for text in [first, second] {
            let told = add(&vault, text);
            assert_eq!(told["outcome"], "stored", "{text}: {told}");
            assert_eq!(add(&vault, text)["outcome"], "duplicate", "{text}");
        }
    }
    let vault = Vault::start();
    for (first, second) in pairs {
        assert_eq!(outcomes(&vault, &[first, second]), ["stored", "stored"]);
        assert_eq!(
            outcomes(&vault, &[second, first]),
            ["duplicate", "duplicate"]
        );
    }
}

#[test]
fn a_text_typed_again_is_the_one_that_is_there_and_the_owner_may_keep_both() {
    let vault = Vault::start();
    let first = vault.remember("Ada's 12 Apples are ripe");
    let told = add(&vault, "ada's 12  apples ARE ripe");
    assert_eq!(
        (&told["outcome"], &told["id"]),
        (&json!("duplicate"), &json!(first))
    );
    let both = json!({ "content": "ada's 12  apples ARE ripe", "keep_both": true });
    let kept = vault.post("/api/memories", both.clone()).json();
    assert_eq!(kept["outcome"], "stored", "{kept}");
    // The very same a third time is not.
    assert_eq!(
        vault.post("/api/memories", both).json()["outcome"],
        "duplicate"
    );
    // Neither a clean-up nor forgetting one takes the other along.
    assert_eq!(
        vault.post_empty("/api/memories/dedupe").expect(200)["merged"],
        json!([])
    );
    vault.delete(&format!("/api/memories/{first}")).expect(200);
    assert_eq!(texts(&vault), ["ada's 12  apples ARE ripe"]);
    assert_eq!(vault.get("/api/exclusions").expect(200)["total"], 0);
}

#[test]
fn an_edit_to_another_capital_is_checked_against_the_memory_that_has_it() {
    // U-58
    let vault = Vault::start();
    let small = vault.remember("use flag -f");
    let big = vault.remember("use flag -F");
    let edit = |text: &str| {
        vault.patch(
            &format!("/api/memories/{small}"),
            json!({ "content": text }),
        )
    };
    let refused = edit("use flag -F");
    assert!(refused.body.contains(&big), "{}", refused.body);
    assert_eq!(edit("Use flag -f").expect(200)["content"], "Use flag -f");
}

#[test]
fn forgetting_one_of_two_texts_that_differ_in_a_capital_leaves_the_other_and_lets_it_be_imported() {
    let vault = Vault::start();
    let small = vault.remember("use flag -f");
    vault.remember("use flag -F");
    let file = vault.get("/api/backup").body;
    vault.delete(&format!("/api/memories/{small}")).expect(200);
    assert_eq!(texts(&vault), ["use flag -F"]);
    assert_eq!(
        outcomes(&vault, &["Use flag -f", "use flag -F"]),
        ["excluded", "duplicate"]
    );
    // A restore of an older backup brings back the one that was not forgotten.
    restore(&vault, &file, "?replace=1&keep_forgotten=1");
    assert_eq!(texts(&vault), ["use flag -F"]);
    let other = Vault::start();
    let id = other.remember("use flag -f");
    other.delete(&format!("/api/memories/{id}")).expect(200);
    assert_eq!(
        outcomes(&other, &["use flag -F", "use flag -f"]),
        ["stored", "excluded"]
    );
}

#[test]
fn what_was_forgotten_before_families_were_known_stays_forgotten_also_from_an_older_backup() {
    // U-62, U-204
    let vault = Vault::start();
    vault.get("/api/status").expect(200);
    let hash = content_hash("The locker is Ilse's, code -F");
    vault.sql(&format!(
        "INSERT INTO exclusions (content_hash, reason, created_at, created_by) VALUES ('{hash}', 'forgotten', 5, 'owner:a')"
    ));
    let forms = [
        "The locker is Ilse's, code -F",
        "the locker is ilse's, code -f",
        "“The locker is Ilse's, code -F”",
        "- The locker is Ilse's, code -F",
    ];
    assert_eq!(outcomes(&vault, &forms), ["excluded"; 4]);
    // The backup of that version knows no families.
    let file = vault.get("/api/backup").body;
    let file = tampered(&file, r#","family""#, "");
    let restored = Vault::start();
    restore(&restored, &file, "");
    assert_eq!(outcomes(&restored, &forms), ["excluded"; 4]);
    // The owner's own hand lifts it.
    assert_eq!(add(&vault, forms[0])["outcome"], "stored");
    assert_eq!(vault.get("/api/exclusions").expect(200)["total"], 0);
}

#[test]
fn forgotten_text_does_not_come_back_in_other_quotes_brackets_or_punctuation() {
    // U-62
    let forms = [
        "Ilse hides the key",
        "“Ilse hides the key”",
        "«Ilse hides the key»",
        "„Ilse hides the key“",
        "「Ilse hides the key」",
        "『Ilse hides the key』",
        "‘Ilse hides the key’",
        "'Ilse hides the key'",
        "*Ilse hides the key*",
        "**Ilse hides the key.**",
        "_Ilse hides the key_",
        "`Ilse hides the key`",
        "~~Ilse hides the key~~",
        "(Ilse hides the key)",
        "[Ilse hides the key]",
        "Ilse hides the key…",
        "Ilse hides the key...",
        "…Ilse hides the key",
        "Ilse hides the key;",
        "Ilse hides the key,",
        "Ilse hides the key —",
        "— Ilse hides the key",
        "Ilse hides the key！",
        "¡Ilse hides the key!",
        "> Ilse hides the key",
        "• “Ilse hides the key”.",
        "ILSE HIDES THE KEY!!",
        "Note: “Ilse hides the key”",
    ];
    let vault = Vault::start();
    for form in forms {
        let id = vault.remember(form);
        vault.delete(&format!("/api/memories/{id}")).expect(200);
        assert_eq!(
            outcomes(&vault, &forms),
            vec!["excluded"; forms.len()],
            "forgotten as {form}"
        );
        let told = vault
            .mcp()
            .refusal("remember", json!({ "content": forms[3] }));
        assert!(told.contains("forgot"), "{told}");
        // Adding it by hand lifts it, whatever it looked like.
        let by_hand = add(&vault, forms[1]);
        assert_eq!(by_hand["outcome"], "stored", "{form}");
        assert_eq!(vault.get("/api/exclusions").expect(200)["total"], 0);
        let id = by_hand["id"].as_str().unwrap();
        vault.delete(&format!("/api/memories/{id}")).expect(200);
        let hash = vault.get("/api/exclusions").expect(200)["exclusions"][0]["content_hash"]
            .as_str()
            .unwrap()
            .to_owned();
        vault.delete(&format!("/api/exclusions/{hash}")).expect(204);
    }
    // A question, and what belongs to the text, is another text.
    let id = vault.remember("Ilse hides the key");
    vault.delete(&format!("/api/memories/{id}")).expect(200);
    assert_eq!(
        outcomes(&vault, &["Ilse hides the key?", "#Ilse hides the key"]),
        ["stored", "stored"]
    );
}
