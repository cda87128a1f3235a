//! A vault of every older schema version opens, once.

use serde_json::json;

use crate::support::Vault;

/// The statements of a migration, as the vault itself cuts them.
fn statements(file: &str) -> Vec<String> {
    let code: String = file
        .lines()
        .filter(|line| !line.trim_start().starts_with("--"))
        .collect::<Vec<_>>()
        .join("\n");
    let parts = code
        .split(";\n")
        .map(|part| part.trim().trim_end_matches(';'));
    parts
        .filter(|part| !part.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_vault_of_every_older_schema_is_brought_up_to_date_once_and_keeps_what_it_held() {
    // U-204
    let newest = memory_vault::store::migrations::newest();
    let mut vault = Vault::start();
    for version in 1..newest {
        // Everything goes, and an older program's vault takes its place.
        vault.sql("PRAGMA defer_foreign_keys = ON");
        for kind in ["trigger", "table"] {
            let named = format!(
                "SELECT name FROM sqlite_master WHERE type = '{kind}' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '\\_cf%' ESCAPE '\\' \
                 AND name NOT LIKE 'memory\\_text\\_%' ESCAPE '\\' ORDER BY rowid DESC"
            );
            for row in vault.sql(&named) {
                vault.sql(&format!("DROP {kind} {}", row[0].as_str().unwrap()));
            }
        }
        vault.sql("CREATE TABLE schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT");
        for step in memory_vault::store::migrations::MIGRATIONS {
            if step.version > version {
                break;
            }
            for statement in statements(step.sql) {
                vault.sql(&statement);
            }
            vault.sql(&format!(
                "INSERT INTO schema_version VALUES ({}, '{}', 0)",
                step.version, step.name
            ));
        }
        vault.sql(
            "INSERT INTO memories (id, status, content, content_hash, type, tier, importance, dated_at, valid_from, created_by, created_at, updated_at) \
             VALUES ('mem_old', 'active', 'Kept from an older vault', 'a', 'note', 'long', 0.5, 0, 0, 'owner:ada@localhost', 0, 0)",
        );
        vault.sql("INSERT INTO memory_text (rowid, whole, parts, labels) VALUES (1, 'kept from an older vault', '', '')");
        vault.kill_and_restart();
        assert_eq!(
            vault.recall("older"),
            ["Kept from an older vault"],
            "version {version}"
        );
        vault.run_agenda();
        let steps = "SELECT count(*), max(version) FROM schema_version";
        assert_eq!(
            vault.sql(steps)[0],
            [json!(newest), json!(newest)],
            "version {version}"
        );
        let schema = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name";
        let once = vault.sql(schema);
        // Opened again, nothing changes.
        vault.kill_and_restart();
        assert_eq!(vault.get("/health").status, 200);
        assert_eq!(vault.sql(schema), once, "version {version}");
        assert_eq!(vault.sql(steps)[0], [json!(newest), json!(newest)]);
        vault.remember(&format!("Written after the upgrade from {version}"));
    }
}
