//! The readable export.

use serde_json::{Value, json};

use crate::support::Vault;

fn vault() -> Vault {
    let vault = Vault::start();
    vault.store(json!({
        "content": "=HYPERLINK(\"http://evil.example\",\"x\")", "tags": ["sheet"], "author": "@Ilse", "source_date": "2026-03-10",
    }));
    vault.remember("a | b `c` <img src=x>\n# no heading\n- no list");
    let old = vault.remember("Old text");
    vault.store(json!({ "content": "New text", "supersedes": old }));
    vault
}

#[test]
fn an_export_says_it_is_no_backup_and_keeps_ids_and_dates() {
    // U-149
    let vault = vault();
    let id = vault.sql("SELECT id FROM memories WHERE content = 'New text'")[0][0].clone();
    let id = id.as_str().unwrap();
    let markdown = vault.get("/api/export?format=md");
    assert_eq!(
        markdown.header("content-type"),
        "text/markdown; charset=utf-8"
    );
    assert!(
        markdown
            .header("content-disposition")
            .contains("export-not-a-backup.md")
    );
    assert!(markdown.body.contains("not a backup"), "{}", markdown.body);
    assert!(markdown.body.contains(id), "{}", markdown.body);
    assert!(
        markdown.body.contains("dated 2026-03-10"),
        "{}",
        markdown.body
    );
    // Only what holds, unless more is asked for.
    assert!(!markdown.body.contains("Old text"));
    let json: Value = vault.get("/api/export?format=json&status=all").expect(200);
    assert!(json["note"].as_str().unwrap().contains("not a backup"));
    let memories = json["memories"].as_array().unwrap();
    assert_eq!(memories.len(), 4);
    assert_eq!(memories[2]["status"], "superseded");
    assert!(memories[3]["created_at"].as_str().unwrap().ends_with('Z'));
    assert_eq!(memories[3]["id"], id);
    assert_eq!(
        vault.get("/api/export?format=pdf").refused(400),
        "invalid_argument"
    );
    assert_eq!(
        vault.get("/api/export?status=gone").refused(400),
        "invalid_argument"
    );
}

#[test]
fn an_export_does_nothing_in_a_spreadsheet_or_a_markdown_viewer() {
    // U-158
    let vault = vault();
    let csv = vault.get("/api/export?format=csv").body;
    let lines: Vec<&str> = csv.split("\r\n").collect();
    assert_eq!(
        lines[0],
        "id,status,content,type,tier,importance,tags,author,session,source,source_date,supersedes,valid_from,created_by,created_at,updated_at"
    );
    assert!(
        lines[1].contains(r#""'=HYPERLINK(""http://evil.example"",""x"")""#),
        "{csv}"
    );
    assert!(lines[1].contains(",'@Ilse,"), "{csv}");
    let markdown = vault.get("/api/export?format=md").body;
    assert!(
        markdown.contains("a \\| b \\`c\\` \\<img src=x\\>\\\n\\# no heading\\\n\\- no list"),
        "{markdown}"
    );
}

#[test]
fn an_export_of_nothing_and_of_many_is_well_formed() {
    let vault = Vault::start();
    assert_eq!(
        vault.get("/api/export?format=json").expect(200)["memories"],
        json!([])
    );
    let items: Vec<String> = (0..700)
        .map(|number| format!("Line {number} of the log"))
        .collect();
    vault
        .post("/api/bulk", json!({ "items": items }))
        .expect(200);
    // Some wait for the owner's word, since they resemble each other.
    let json = vault.get("/api/export?format=json&status=all").expect(200);
    assert_eq!(json["memories"].as_array().unwrap().len(), 700);
    let csv = vault.get("/api/export?format=csv&status=all");
    assert_eq!(csv.body.lines().count(), 701);
}
