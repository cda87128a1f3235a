//! Files that cannot be restored are refused in clear words, and leave nothing behind.

use serde_json::Value;

use crate::restore::{sealed, upload};
use crate::support::Vault;

#[test]
fn a_file_that_is_damaged_cut_off_newer_or_something_else_is_refused_in_clear_words() {
    let before = Vault::start();
    before.remember("First memory");
    before.remember("Second memory");
    let file = before.get("/api/backup").body;
    let lines: Vec<&str> = file.lines().collect();
    let line_of = |start: &str| lines.iter().position(|line| line.contains(start)).unwrap();
    let second = line_of("Second memory");
    let without = |place: usize| {
        let mut lines = lines.clone();
        lines.remove(place);
        lines.join("\n") + "\n"
    };
    let cases = [
        (
            "",
            "",
            "cut",
            file[..file.len() / 2].to_owned(),
            "not whole",
        ),
        ("", "", "no trailer", without(lines.len() - 1), "not whole"),
        (
            "Second memory",
            "Second memorY",
            "damaged",
            String::new(),
            "hash is another",
        ),
        (
            "",
            "",
            "a row less",
            sealed(&without(line_of("\"table\":\"audit\""))),
            "as many rows",
        ),
        (
            "\"version\":1",
            "\"version\":2",
            "newer format",
            String::new(),
            "newer version",
        ),
        (
            "\"schema\":",
            "\"schema\":9",
            "newer schema",
            String::new(),
            "newer version",
        ),
        (
            "memory-vault-backup",
            "another-backup",
            "another format",
            String::new(),
            "no backup of a Memory Vault",
        ),
        (
            "\"status\":\"active\"",
            "\"status\":\"gone\"",
            "a wrong word",
            String::new(),
            "constraint failed",
        ),
        (
            "\"type\":\"note\"",
            "\"type\":\"poem\"",
            "a wrong type",
            String::new(),
            "does not know",
        ),
        (
            "\"importance\":",
            "\"weight\":",
            "an unknown column",
            String::new(),
            "unknown column, weight",
        ),
        (
            "\"content\":\"Second memory\"",
            "\"content\":7",
            "a wrong kind",
            String::new(),
            "no text",
        ),
        (
            "{\"table\":\"memories\"",
            "{\"table\":\"oauth_grants\"",
            "a table of secrets",
            String::new(),
            "header does not name",
        ),
        (
            "Second memory\"",
            "Second memory",
            "broken JSON",
            String::new(),
            "broken JSON",
        ),
    ];
    let vault = Vault::start();
    vault.remember("The piano was here before");
    for (from, to, what, whole, said) in cases {
        let text = match (whole.is_empty(), what) {
            (false, _) => whole,
            (true, "damaged") => file.replace(from, to),
            (true, _) => sealed(&file.replacen(from, to, 100)),
        };
        let answer = upload(&vault, "POST", "/api/restore?replace=1", text.as_bytes());
        assert!(answer.body.contains(said), "{what}: {}", answer.body);
        assert!(
            !answer.body.contains("First memory"),
            "{what}: {}",
            answer.body
        );
        assert_eq!(answer.refused(400), "invalid_argument", "{what}");
        assert_eq!(
            vault.recall("piano"),
            ["The piano was here before"],
            "{what}"
        );
        assert_eq!(vault.get("/api/restore").expect(200), Value::Null, "{what}");
    }
    assert!(
        vault
            .sql("SELECT name FROM sqlite_master WHERE name LIKE 'staged%'")
            .is_empty()
    );
    assert_eq!(vault.sql("SELECT count(*) FROM restore_pieces")[0][0], 0);
    // The row at fault is named by its line.
    let broken = sealed(&file.replace("Second memory\"", "Second memory"));
    let answer = upload(&vault, "POST", "/api/restore?replace=1", broken.as_bytes());
    assert!(
        answer.body.contains(&format!("line {}:", second + 1)),
        "{}",
        answer.body
    );
}

#[test]
fn the_first_row_at_fault_is_named_whatever_is_wrong_after_it() {
    let before = Vault::start();
    for number in 0..70 {
        before.remember(&format!("Crate {number} came in on Monday"));
    }
    let file = before.get("/api/backup").body;
    let at = |text: &str| file.lines().position(|line| line.contains(text)).unwrap();
    let (first, then) = (at("Crate 20 came"), at("Crate 31 came"));
    let spoil = |place: usize, from: &str, to: &str, file: &str| {
        let lines = file.lines().enumerate().map(|(number, line)| {
            if number == place {
                assert!(line.contains(from), "{line}");
                line.replace(from, to)
            } else {
                line.to_owned()
            }
        });
        sealed(&(lines.collect::<Vec<_>>().join("\n") + "\n"))
    };
    let gone = spoil(first, "\"status\":\"active\"", "\"status\":\"gone\"", &file);
    // Broken JSON, another refusal of the table's, the text of an earlier row: what comes later does not hide it.
    for (from, to) in [
        ("}}", "}"),
        ("\"active\"", "\"lost\""),
        ("Crate 31", "Crate 30"),
    ] {
        let refused = upload(
            &Vault::start(),
            "POST",
            "/api/restore",
            spoil(then, from, to, &gone).as_bytes(),
        );
        let named = format!("line {}: ", first + 1);
        assert!(
            refused.status == 400 && refused.body.contains(&named),
            "{to}: {}",
            refused.body
        );
    }
}

/// Settings that no owner could have made would take effect with the restore.
#[test]
fn settings_that_cannot_be_are_refused_with_their_line() {
    let before = Vault::start();
    before
        .put(
            "/api/settings",
            serde_json::json!({ "erase_grace_days": 9 }),
        )
        .expect(200);
    let file = before.get("/api/backup").body;
    let vault = Vault::start();
    for (from, to) in [
        (r#"\"mode\":\"review\""#, r#"\"mode\":\"hack\""#),
        (r#"\"time_zone\":\"UTC\""#, r#"\"time_zone\":\"Mars/Base\""#),
        (r#"\"erase_grace_days\":9"#, r#"\"erase_grace_days\":0"#),
        (r#"\"erase_grace_days\":9"#, r#"\"grace\":0"#),
    ] {
        assert!(file.contains(from), "{from}: {file}");
        let text = sealed(&file.replace(from, to));
        let answer = upload(&vault, "POST", "/api/restore", text.as_bytes());
        assert!(answer.body.contains("line "), "{}", answer.body);
        assert_eq!(answer.refused(400), "invalid_argument", "{to}");
    }
    let answer = upload(&vault, "POST", "/api/restore", file.as_bytes());
    answer.expect(200);
    assert_eq!(
        vault.get("/api/settings").expect(200)["erase_grace_days"],
        9
    );
}

/// A file of another hand may hold no guide at all; the vault then has the one it began with.
#[test]
fn a_backup_without_a_guide_leaves_the_first_guide() {
    let before = Vault::start();
    before.remember("The piano stands upstairs");
    let file = before.get("/api/backup").body;
    let lines = file.lines();
    let kept = lines.filter(|line| !line.starts_with(r#"{"table":"guide_versions""#));
    let text = kept.collect::<Vec<_>>().join("\n") + "\n";
    let text = text.replace(r#""guide_versions":1"#, r#""guide_versions":0"#);
    let header = text.lines().next().unwrap().to_owned();
    let mut fields: Value = serde_json::from_str(&header).unwrap();
    for table in fields["tables"].as_array_mut().unwrap() {
        if table["name"] == "guide_versions" {
            table["rows"] = 0.into();
        }
    }
    let text = text.replacen(&header, &fields.to_string(), 1);
    let vault = Vault::start();
    upload(&vault, "POST", "/api/restore", sealed(&text).as_bytes()).expect(200);
    let guide = vault.get("/api/guide").expect(200);
    assert_eq!(guide["version"], 1, "{guide}");
    vault
        .put("/api/guide", serde_json::json!({ "content": "Be brief." }))
        .expect(200);
}
