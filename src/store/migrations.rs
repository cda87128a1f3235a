//! Schema versions: numbered files, applied once each, in order, one transaction a step.
//!
//! A vault written by a newer program is refused rather than guessed at. Steps only go forward.

use crate::error::{Error, Kind, Result};
use crate::ports::{Sql, SqlValue};

/// One step of the schema.
#[derive(Debug)]
pub struct Migration {
    /// Its number; the file name begins with it.
    pub version: i64,
    /// The file's name.
    pub name: &'static str,
    /// The file's statements.
    pub sql: &'static str,
}

macro_rules! migrations {
    ($($version:literal => $name:literal),+ $(,)?) => {
        &[$(Migration { version: $version, name: $name, sql: include_str!(concat!("../../migrations/", $name)) }),+]
    };
}

/// All steps, oldest first.
pub const MIGRATIONS: &[Migration] = migrations![
    1 => "0001_memories.sql",
    2 => "0002_owner.sql",
    3 => "0003_apps.sql",
    4 => "0004_sense.sql",
    5 => "0005_likeness.sql",
    6 => "0006_backup.sql",
    7 => "0007_map.sql",
    8 => "0008_imports.sql",
    9 => "0009_review.sql",
    10 => "0010_restore.sql",
    11 => "0011_index.sql",
    12 => "0012_counts.sql",
    13 => "0013_listed.sql",
    14 => "0014_exact.sql",
    15 => "0015_older_exclusions.sql",
    16 => "0016_import_reports.sql",
];

/// The version that this program's schema has.
pub fn newest() -> i64 {
    MIGRATIONS.last().map_or(0, |step| step.version)
}

/// Brings the schema up to date and returns its version.
///
/// # Errors
/// `unavailable` when the data was written by a newer program; `internal` when a step fails, which leaves the vault as
/// it was before that step.
pub fn migrate(sql: &dyn Sql, now_millis: i64) -> Result<i64> {
    sql.run(
        "CREATE TABLE IF NOT EXISTS schema_version (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT",
        &[],
    )?;
    let current = sql.count("SELECT coalesce(max(version), 0) FROM schema_version", &[])?;
    let newest = newest();
    if current > newest {
        let message = format!(
            "this vault's data has schema version {current}, this program knows {newest}; run a newer version"
        );
        return Err(Error::new(Kind::Unavailable, message));
    }
    for step in MIGRATIONS.iter().filter(|step| step.version > current) {
        sql.in_transaction(|| {
            for statement in statements(step.sql) {
                sql.run(&statement, &[])?;
            }
            let row: [SqlValue; 3] = [step.version.into(), step.name.into(), now_millis.into()];
            sql.run(
                "INSERT INTO schema_version (version, name, applied_at) VALUES (?, ?, ?)",
                &row,
            )
        })
        .map_err(|error| {
            Error::internal(format!(
                "migration {} failed: {}",
                step.name,
                error.cause.unwrap_or(error.message)
            ))
        })?;
    }
    Ok(newest)
}

/// The statements of a file, without comments: the platform refuses a comment after the last semicolon. Semicolons
/// inside quotes do not occur in our files, which a test holds.
fn statements(file: &str) -> Vec<String> {
    let code: String = file
        .lines()
        .filter(|line| !line.trim_start().starts_with("--"))
        .collect::<Vec<_>>()
        .join("\n");
    code.split(";\n")
        .map(|part| part.trim().trim_end_matches(';').to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_numbered_without_gaps_and_named_after_their_number() {
        for (place, step) in MIGRATIONS.iter().enumerate() {
            assert_eq!(step.version, place as i64 + 1);
            assert!(
                step.name.starts_with(&format!("{:04}_", step.version)),
                "{}",
                step.name
            );
        }
    }

    #[test]
    fn every_file_under_migrations_is_listed() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/migrations");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .filter(|name| name.ends_with(".sql"))
            .collect();
        files.sort();
        assert_eq!(
            files,
            MIGRATIONS.iter().map(|step| step.name).collect::<Vec<_>>()
        );
    }

    #[test]
    fn files_begin_with_why_and_split_into_whole_statements() {
        for step in MIGRATIONS {
            assert!(
                step.sql.starts_with("-- "),
                "{} does not begin with its reason",
                step.name
            );
            for statement in statements(step.sql) {
                assert!(
                    statement.starts_with("CREATE ")
                        || statement.starts_with("INSERT ")
                        || statement.starts_with("ALTER ")
                        || statement.starts_with("UPDATE ")
                        || statement.starts_with("DROP INDEX "),
                    "{statement}"
                );
                let single = statement.starts_with("CREATE TRIGGER ") || !statement.contains(';');
                assert!(single, "{statement}");
            }
        }
        assert_eq!(
            statements("-- a\nCREATE TABLE t (\n  x -- no\n);\nINSERT INTO t VALUES (1);\n").len(),
            2
        );
    }
}
