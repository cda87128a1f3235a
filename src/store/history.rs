//! The table `memory_history`: earlier texts of edited memories.

use crate::error::Result;
use crate::model::memory::{Memory, Revision};
use crate::model::time::Timestamp;
use crate::ports::Sql;

/// Keeps the present text of a memory that is about to change.
pub fn insert(
    sql: &dyn Sql,
    before: &Memory,
    replaced_at: Timestamp,
    replaced_by: &str,
) -> Result<()> {
    sql.run(
        "INSERT INTO memory_history (memory_id, content, content_hash, replaced_at, replaced_by) VALUES (?, ?, ?, ?, ?)",
        &[
            (&before.id).into(),
            (&before.content).into(),
            (&before.content_hash).into(),
            replaced_at.millis().into(),
            replaced_by.into(),
        ],
    )
}

/// Whether the memory's text was changed after that instant.
pub fn changed_after(sql: &dyn Sql, memory_id: &str, since: Timestamp) -> Result<bool> {
    let statement = "SELECT count(*) FROM memory_history WHERE memory_id = ? AND replaced_at > ?";
    Ok(sql.count(statement, &[memory_id.into(), since.millis().into()])? > 0)
}

/// Earlier texts of a memory, newest first.
pub fn list(sql: &dyn Sql, memory_id: &str) -> Result<Vec<Revision>> {
    let rows = sql.query(
        "SELECT content, replaced_at, replaced_by FROM memory_history WHERE memory_id = ? ORDER BY seq DESC",
        &[memory_id.into()],
    )?;
    rows.iter()
        .map(|row| {
            Ok(Revision {
                content: row.text(0)?,
                replaced_at: Timestamp::from_millis(row.integer(1)?),
                replaced_by: row.text(2)?,
            })
        })
        .collect()
}
