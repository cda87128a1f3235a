//! The table `decisions`: what the owner's last decision about a memory changed, so that it can be taken back.

use crate::error::Result;
use crate::model::memory::{Status, words};
use crate::model::time::Timestamp;
use crate::ports::Sql;

words! {
    /// What the owner decided about a proposal.
    Verdict("decision") {
        /// It was let in.
        Approved = "approved",
        /// It was turned down.
        Rejected = "rejected",
    }
}

/// A memory that an approval replaced, as it stood before.
#[derive(Debug, Clone, PartialEq)]
pub struct Replaced {
    /// The memory.
    pub id: String,
    /// Active or proposed.
    pub status: Status,
    /// Until when it was to hold.
    pub valid_until: Option<Timestamp>,
}

/// One decision.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// What was decided.
    pub verdict: Verdict,
    /// When.
    pub at: Timestamp,
    /// By whom.
    pub by: String,
    /// What the proposal said it would replace.
    pub supersedes_before: Option<String>,
    /// What the approval replaced.
    pub replaced: Option<Replaced>,
}

/// Notes a decision, over an earlier one about the same memory.
pub fn put(sql: &dyn Sql, memory_id: &str, decision: &Decision) -> Result<()> {
    let replaced = decision.replaced.as_ref();
    sql.run(
        "INSERT INTO decisions (memory_id, decision, decided_at, decided_by, supersedes_before, replaced_id, \
         replaced_status, replaced_valid_until) VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (memory_id) DO UPDATE SET \
         decision = excluded.decision, decided_at = excluded.decided_at, decided_by = excluded.decided_by, \
         supersedes_before = excluded.supersedes_before, replaced_id = excluded.replaced_id, \
         replaced_status = excluded.replaced_status, replaced_valid_until = excluded.replaced_valid_until",
        &[
            memory_id.into(),
            decision.verdict.as_str().into(),
            decision.at.millis().into(),
            (&decision.by).into(),
            decision.supersedes_before.clone().into(),
            replaced.map(|replaced| replaced.id.clone()).into(),
            replaced.map(|replaced| replaced.status.as_str()).into(),
            replaced
                .and_then(|replaced| replaced.valid_until)
                .map(Timestamp::millis)
                .into(),
        ],
    )
}

/// The last decision about a memory.
pub fn find(sql: &dyn Sql, memory_id: &str) -> Result<Option<Decision>> {
    let row = sql.first(
        "SELECT decision, decided_at, decided_by, supersedes_before, replaced_id, replaced_status, replaced_valid_until \
         FROM decisions WHERE memory_id = ?",
        &[memory_id.into()],
    )?;
    let Some(row) = row else { return Ok(None) };
    let replaced = match (row.text_or_null(4)?, row.text_or_null(5)?) {
        (Some(id), Some(status)) => Some(Replaced {
            id,
            status: Status::parse(&status)?,
            valid_until: row.integer_or_null(6)?.map(Timestamp::from_millis),
        }),
        _ => None,
    };
    Ok(Some(Decision {
        verdict: Verdict::parse(&row.text(0)?)?,
        at: Timestamp::from_millis(row.integer(1)?),
        by: row.text(2)?,
        supersedes_before: row.text_or_null(3)?,
        replaced,
    }))
}

/// Forgets the decision about a memory.
pub fn delete(sql: &dyn Sql, memory_id: &str) -> Result<()> {
    sql.run(
        "DELETE FROM decisions WHERE memory_id = ?",
        &[memory_id.into()],
    )
}
