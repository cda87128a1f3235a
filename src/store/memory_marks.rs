//! Marks of a memory: two that only an undo reads (when the owner changed it by hand, and where it stood before another
//! took its place), and what was noticed in its text.

use crate::error::{Error, Result};
use crate::model::flag::{self, Flag};
use crate::model::memory::Status;
use crate::model::time::Timestamp;
use crate::ports::Sql;

/// Notes that the owner changed the memory.
pub fn set_edited(sql: &dyn Sql, seq: i64, at: Timestamp) -> Result<()> {
    sql.run(
        "UPDATE memories SET edited_at = ? WHERE seq = ?",
        &[at.millis().into(), seq.into()],
    )
}

/// Whether the owner ever changed the memory.
pub fn is_edited(sql: &dyn Sql, seq: i64) -> Result<bool> {
    let statement = "SELECT count(edited_at) FROM memories WHERE seq = ?";
    Ok(sql.count(statement, &[seq.into()])? > 0)
}

/// Notes where the memory stood before it was replaced.
pub fn set_status_before(sql: &dyn Sql, seq: i64, status: Status) -> Result<()> {
    sql.run(
        "UPDATE memories SET status_before = ? WHERE seq = ?",
        &[status.as_str().into(), seq.into()],
    )
}

/// Sets what was noticed in the memory's text. Nothing else counts as changed.
pub fn set_flags(sql: &dyn Sql, seq: i64, flags: &[Flag]) -> Result<()> {
    sql.run(
        "UPDATE memories SET flags = ? WHERE seq = ?",
        &[flag::to_text(flags).into(), seq.into()],
    )
}

/// Where the memory stood before it was replaced; active, if nobody noted it.
pub fn status_before(sql: &dyn Sql, seq: i64) -> Result<Status> {
    let row = sql.first(
        "SELECT status_before FROM memories WHERE seq = ?",
        &[seq.into()],
    )?;
    let word = row.map(|row| row.text_or_null(0)).transpose()?.flatten();
    word.map_or(Ok(Status::Active), |word| {
        Status::parse(&word).map_err(|_| Error::internal("a stored status_before is unknown"))
    })
}
