//! Memories that have the very same text, as writes before the rule or by hand may leave them.

use crate::error::Result;
use crate::ports::Sql;

/// Texts that more than one memory in force or in the queue has, letter by letter.
pub fn texts(sql: &dyn Sql, limit: usize) -> Result<Vec<String>> {
    sql.query(
        "SELECT content FROM memories WHERE status IN ('active', 'proposed') AND forget_requested_at IS NULL \
         GROUP BY content_hash, content HAVING count(*) > 1 ORDER BY min(seq) LIMIT ?",
        &[(limit as i64).into()],
    )?
    .iter()
    .map(|row| row.text(0))
    .collect()
}

/// Lets whatever points to the memory `from` point to `to`, earlier texts included.
pub fn redirect(sql: &dyn Sql, from: &str, to: &str) -> Result<()> {
    for pointer in ["supersedes", "superseded_by", "similar_to"] {
        sql.run(
            &format!("UPDATE memories SET {pointer} = ?1 WHERE {pointer} = ?2 AND id <> ?1"),
            &[to.into(), from.into()],
        )?;
    }
    sql.run(
        "UPDATE memory_history SET memory_id = ? WHERE memory_id = ?",
        &[to.into(), from.into()],
    )
}
