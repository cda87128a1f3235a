//! Which tables a backup holds, and which it leaves out and why. A table that is in neither list fails a test, so a new table
//! takes one line here.

/// A table of the backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// Rows read at once: few enough that the largest possible ones fit some megabytes.
    pub rows: usize,
    /// Whether it can be made anew from other tables, and is left out of a backup without embeddings.
    pub vectors: bool,
}

const fn kept(name: &'static str, rows: usize) -> Table {
    Table {
        name,
        rows,
        vectors: false,
    }
}

const fn vectors(name: &'static str, rows: usize) -> Table {
    Table {
        name,
        rows,
        vectors: true,
    }
}

/// The tables of a backup, in the order of the file: settings first, since a restore reads the rest by them; a table after
/// those it refers to.
pub const TABLES: &[Table] = &[
    kept("settings", 1),
    kept("guide_versions", 64),
    kept("batches", 64),
    kept("batch_items", 512),
    kept("memories", 64),
    kept("memory_history", 64),
    kept("memory_conflicts", 512),
    kept("decisions", 512),
    vectors("memory_sense", 256),
    vectors("memory_vectors", 64),
    kept("exclusions", 512),
    kept("audit", 256),
];

/// Why a table is not in a backup.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Excuse {
    /// It is made from other tables.
    Derived,
    /// It holds secrets, or is of no use to another vault: a restore leaves it as it is.
    OfThisVault,
    /// It is about work under way.
    Passing,
}

use Excuse::{Derived, OfThisVault, Passing};

/// The tables that are in no backup.
pub const EXCUSED: &[(&str, Excuse)] = &[
    ("memory_tags", Derived),
    ("memory_text", Derived),
    ("memory_changes", Derived),
    ("map_points", Derived),
    ("map_hills", Derived),
    ("map_drawn", Derived),
    ("vector_changes", Derived),
    ("index_state", OfThisVault),
    ("index_pauses", Passing),
    ("index_jobs", Passing),
    ("vectorize_rows", OfThisVault),
    ("schema_version", OfThisVault),
    ("address_salt", OfThisVault),
    ("oauth_clients", OfThisVault),
    ("oauth_grants", OfThisVault),
    ("oauth_keys", OfThisVault),
    ("oauth_codes", OfThisVault),
    ("oauth_requests", OfThisVault),
    ("oauth_tokens", OfThisVault),
    ("vault_notes", OfThisVault),
    ("rates", Passing),
    ("idempotency_keys", Passing),
    ("jobs", Passing),
    ("backup_runs", Passing),
    ("restores", Passing),
    ("restore_parts", Passing),
    ("restore_pieces", Passing),
];

/// Whether somebody has decided about a table, by its name in `sqlite_master`.
pub fn is_known(name: &str) -> bool {
    // SQLite's own, the platform's own, and what a full-text table consists of.
    let inner = ["sqlite_", "_cf_", "before_", "staged_"]
        .iter()
        .any(|prefix| name.starts_with(prefix));
    let full_text = name.starts_with("memory_text_");
    inner
        || full_text
        || TABLES.iter().any(|table| table.name == name)
        || EXCUSED.iter().any(|(excused, _)| *excused == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::migrations::MIGRATIONS;

    fn created() -> Vec<String> {
        let files = MIGRATIONS.iter().map(|step| step.sql);
        files
            .flat_map(str::lines)
            .filter_map(|line| {
                line.strip_prefix("CREATE TABLE ")
                    .or_else(|| line.strip_prefix("CREATE VIRTUAL TABLE "))
            })
            .map(|rest| rest.split([' ', '(']).next().unwrap().to_owned())
            .collect()
    }

    #[test]
    fn every_table_is_in_the_backup_or_excused() {
        // U-138
        for name in created() {
            assert!(
                is_known(&name),
                "{name}: is it part of a backup? Say so in TABLES or EXCUSED"
            );
        }
    }

    #[test]
    fn a_table_nobody_decided_about_is_noticed_and_none_is_listed_twice_or_in_vain() {
        assert!(!is_known("a_new_table"));
        let created = created();
        let mut names: Vec<&str> = TABLES.iter().map(|table| table.name).collect();
        names.extend(EXCUSED.iter().map(|(name, _)| *name));
        for name in &names {
            assert!(
                *name == "schema_version" || created.iter().any(|table| table == name),
                "{name} does not exist"
            );
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn no_statement_replaces_rows_behind_the_backs_of_the_triggers() {
        // OR REPLACE deletes without firing delete triggers, so a backup under way would miss what the row was.
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/store");
        let mut folders = vec![std::path::PathBuf::from(folder)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let source = std::fs::read_to_string(&path).unwrap();
                for table in TABLES {
                    for word in ["REPLACE INTO", "UPDATE OR REPLACE"] {
                        let statement = format!("{word} {}", table.name);
                        assert!(
                            !source.contains(&statement),
                            "{}: {statement}",
                            path.display()
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn nothing_of_the_authorization_server_is_in_a_backup() {
        assert!(!TABLES.iter().any(|table| table.name.starts_with("oauth_")));
    }
}
