//! The table `exclusions`: hashes of texts that must not come back.

use serde::Serialize;

use crate::error::Result;
use crate::model::time::Timestamp;
use crate::ports::Sql;

/// One exclusion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Exclusion {
    /// SHA-256 of the duplicate key of the text, lower-case hex.
    pub content_hash: String,
    /// `forgotten` or `rejected`.
    pub reason: String,
    /// When.
    pub created_at: Timestamp,
    /// By whom.
    pub created_by: String,
}

/// Excludes a text; a second time changes nothing.
pub fn insert(
    sql: &dyn Sql,
    content_hash: &str,
    reason: &str,
    at: Timestamp,
    by: &str,
) -> Result<()> {
    sql.run(
        "INSERT INTO exclusions (content_hash, reason, created_at, created_by) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
        &[content_hash.into(), reason.into(), at.millis().into(), by.into()],
    )
}

/// Whether the text is excluded.
pub fn contains(sql: &dyn Sql, content_hash: &str) -> Result<bool> {
    Ok(sql.count(
        "SELECT count(*) FROM exclusions WHERE content_hash = ?",
        &[content_hash.into()],
    )? > 0)
}

/// Lifts an exclusion; `false` when there was none.
pub fn delete(sql: &dyn Sql, content_hash: &str) -> Result<bool> {
    let gone = sql.query(
        "DELETE FROM exclusions WHERE content_hash = ? RETURNING content_hash",
        &[content_hash.into()],
    )?;
    Ok(!gone.is_empty())
}

/// Lifts an exclusion that a rejection left; `false` when there was none.
pub fn delete_rejected(sql: &dyn Sql, content_hash: &str) -> Result<bool> {
    let gone = sql.query(
        "DELETE FROM exclusions WHERE content_hash = ? AND reason = 'rejected' RETURNING content_hash",
        &[content_hash.into()],
    )?;
    Ok(!gone.is_empty())
}

/// Newest first, `offset` rows skipped.
pub fn list(sql: &dyn Sql, offset: i64, limit: usize) -> Result<Vec<Exclusion>> {
    let rows = sql.query(
        "SELECT content_hash, reason, created_at, created_by FROM exclusions ORDER BY created_at DESC, content_hash LIMIT ? OFFSET ?",
        &[(limit as i64).into(), offset.into()],
    )?;
    rows.iter()
        .map(|row| {
            Ok(Exclusion {
                content_hash: row.text(0)?,
                reason: row.text(1)?,
                created_at: Timestamp::from_millis(row.integer(2)?),
                created_by: row.text(3)?,
            })
        })
        .collect()
}

/// How many there are.
pub fn count(sql: &dyn Sql) -> Result<i64> {
    sql.count("SELECT count(*) FROM exclusions", &[])
}
