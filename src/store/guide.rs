//! The table `guide_versions`. A vault without rows has the default guide as its version 1.

use crate::error::Result;
use crate::model::guide::{DEFAULT, Guide};
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql};

const COLUMNS: &str = "version, content, created_at, created_by";

fn guide(row: &Row) -> Result<Guide> {
    Ok(Guide {
        version: row.integer(0)?,
        content: row.text(1)?,
        created_at: Timestamp::from_millis(row.integer(2)?),
        created_by: row.text(3)?,
    })
}

/// Writes the default guide into a vault that has none.
pub fn insert_default(sql: &dyn Sql, at: Timestamp) -> Result<()> {
    sql.run(
        "INSERT INTO guide_versions (version, content, created_at, created_by) VALUES (1, ?, ?, 'vault') ON CONFLICT DO NOTHING",
        &[DEFAULT.trim().into(), at.millis().into()],
    )
}

/// The version in force.
pub fn current(sql: &dyn Sql) -> Result<Option<Guide>> {
    let statement = format!("SELECT {COLUMNS} FROM guide_versions ORDER BY version DESC LIMIT 1");
    sql.first(&statement, &[])?
        .map(|row| guide(&row))
        .transpose()
}

/// One version.
pub fn find(sql: &dyn Sql, version: i64) -> Result<Option<Guide>> {
    let statement = format!("SELECT {COLUMNS} FROM guide_versions WHERE version = ?");
    sql.first(&statement, &[version.into()])?
        .map(|row| guide(&row))
        .transpose()
}

/// Newest first, versions below `before`.
pub fn list(sql: &dyn Sql, before: i64, limit: usize) -> Result<Vec<Guide>> {
    let statement = format!(
        "SELECT {COLUMNS} FROM guide_versions WHERE version < ? ORDER BY version DESC LIMIT ?"
    );
    sql.query(&statement, &[before.into(), (limit as i64).into()])?
        .iter()
        .map(guide)
        .collect()
}

/// How many versions there are.
pub fn count(sql: &dyn Sql) -> Result<i64> {
    sql.count("SELECT count(*) FROM guide_versions", &[])
}

/// Adds a version.
pub fn insert(sql: &dyn Sql, new: &Guide) -> Result<()> {
    sql.run(
        "INSERT INTO guide_versions (version, content, created_at, created_by) VALUES (?, ?, ?, ?)",
        &[
            new.version.into(),
            (&new.content).into(),
            new.created_at.millis().into(),
            (&new.created_by).into(),
        ],
    )
}
