//! The table `exclusions`: hashes of texts that must not come back.

use serde::Serialize;

use crate::error::Result;
use crate::model::time::Timestamp;
use crate::ports::Sql;

/// One exclusion.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Exclusion {
    /// SHA-256 of the exact key of the bare text, lower-case hex; of an older row, of the duplicate key of the text as it stood.
    pub content_hash: String,
    /// `forgotten` or `rejected`.
    pub reason: String,
    /// When.
    pub created_at: Timestamp,
    /// By whom.
    pub created_by: String,
}

/// How the table knows a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mark {
    /// Hash of the exact key of the bare text.
    pub exact: String,
    /// Hash of the duplicate key of the text as it stands, which older rows have.
    pub family: String,
}

/// The rows of a mark; its two hashes are the parameters.
pub(super) const OF_MARK: &str = "content_hash = ?1 OR (content_hash = ?2 AND family IS NULL)";

/// Excludes a text; a second time changes nothing.
pub fn insert(sql: &dyn Sql, mark: &Mark, reason: &str, at: Timestamp, by: &str) -> Result<()> {
    sql.run(
        "INSERT INTO exclusions (content_hash, family, reason, created_at, created_by) VALUES (?, ?, ?, ?, ?) \
         ON CONFLICT DO NOTHING",
        &[
            (&mark.exact).into(),
            (&mark.family).into(),
            reason.into(),
            at.millis().into(),
            by.into(),
        ],
    )
}

/// Whether the text is excluded.
pub fn contains(sql: &dyn Sql, mark: &Mark) -> Result<bool> {
    Ok(sql.count(
        &format!("SELECT count(*) FROM exclusions WHERE {OF_MARK}"),
        &[(&mark.exact).into(), (&mark.family).into()],
    )? > 0)
}

/// Whether a row from before marks had families has this duplicate hash.
pub fn contains_older(sql: &dyn Sql, content_hash: &str) -> Result<bool> {
    Ok(sql.count(
        "SELECT count(*) FROM exclusions WHERE content_hash = ? AND family IS NULL",
        &[content_hash.into()],
    )? > 0)
}

/// Lifts an exclusion by its hash; `false` when there was none.
pub fn delete(sql: &dyn Sql, content_hash: &str) -> Result<bool> {
    let gone = sql.query(
        "DELETE FROM exclusions WHERE content_hash = ? RETURNING content_hash",
        &[content_hash.into()],
    )?;
    Ok(!gone.is_empty())
}

/// Lifts the exclusion of a text; `false` when there was none.
pub fn lift(sql: &dyn Sql, mark: &Mark) -> Result<bool> {
    let gone = sql.query(
        &format!("DELETE FROM exclusions WHERE {OF_MARK} RETURNING content_hash"),
        &[(&mark.exact).into(), (&mark.family).into()],
    )?;
    Ok(!gone.is_empty())
}

/// Lifts an exclusion that a rejection left; `false` when there was none.
pub fn lift_rejected(sql: &dyn Sql, mark: &Mark) -> Result<bool> {
    let gone = sql.query(
        &format!("DELETE FROM exclusions WHERE ({OF_MARK}) AND reason = 'rejected' RETURNING content_hash"),
        &[(&mark.exact).into(), (&mark.family).into()],
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
