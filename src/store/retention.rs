//! What has outlived its keeping, over `memories`, `audit` and `jobs`. Active and proposed memories are never in any of
//! these statements.

use crate::error::Result;
use crate::model::memory::{Memory, Status};
use crate::model::time::Timestamp;
use crate::ports::Sql;
use crate::store::memory_rows::{COLUMNS, memory};

/// The two statuses that end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Replaced or expired.
    Superseded,
    /// Turned down.
    Rejected,
}

impl Ended {
    /// The status itself.
    pub fn status(self) -> Status {
        match self {
            Ended::Superseded => Status::Superseded,
            Ended::Rejected => Status::Rejected,
        }
    }

    /// The condition, with the one parameter "since when at the latest".
    fn condition(self) -> String {
        let status = self.status().as_str();
        format!(
            "m.status = '{status}' AND coalesce(m.status_at, m.updated_at) <= ? AND m.forget_requested_at IS NULL"
        )
    }
}

/// Memories that ended at or before `until`, oldest first.
pub fn ended(sql: &dyn Sql, what: Ended, until: Timestamp, limit: usize) -> Result<Vec<Memory>> {
    let statement = format!(
        "SELECT {COLUMNS} FROM memories m WHERE {} ORDER BY coalesce(m.status_at, m.updated_at), m.seq LIMIT ?",
        what.condition()
    );
    sql.query(&statement, &[until.millis().into(), (limit as i64).into()])?
        .iter()
        .map(memory)
        .collect()
}

/// How many there are.
pub fn count_ended(sql: &dyn Sql, what: Ended, until: Timestamp) -> Result<i64> {
    let statement = format!("SELECT count(*) FROM memories m WHERE {}", what.condition());
    sql.count(&statement, &[until.millis().into()])
}

/// How many rows of the log are from `until` or before.
pub fn count_audit(sql: &dyn Sql, until: Timestamp) -> Result<i64> {
    sql.count(
        "SELECT count(*) FROM audit WHERE at <= ?",
        &[until.millis().into()],
    )
}

/// Removes up to `limit` of them, oldest first; how many.
pub fn purge_audit(sql: &dyn Sql, until: Timestamp, limit: usize) -> Result<usize> {
    let gone = sql.query(
        "DELETE FROM audit WHERE seq IN (SELECT seq FROM audit WHERE at <= ? ORDER BY at, seq LIMIT ?) RETURNING seq",
        &[until.millis().into(), (limit as i64).into()],
    )?;
    Ok(gone.len())
}

/// How many dead jobs were last tried at or before `until`.
pub fn count_dead_jobs(sql: &dyn Sql, until: Timestamp) -> Result<i64> {
    sql.count(
        "SELECT count(*) FROM jobs WHERE state = 'dead' AND due_at <= ?",
        &[until.millis().into()],
    )
}

/// Removes dead jobs that were last tried at or before `until`; how many.
pub fn purge_dead_jobs(sql: &dyn Sql, until: Timestamp) -> Result<usize> {
    let gone = sql.query(
        "DELETE FROM jobs WHERE state = 'dead' AND due_at <= ? RETURNING kind",
        &[until.millis().into()],
    )?;
    Ok(gone.len())
}
