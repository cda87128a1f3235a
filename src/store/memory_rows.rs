//! The columns of a memory, and how a row becomes one.

use crate::error::{Error, Result};
use crate::model::flag;
use crate::model::memory::{Memory, MemoryType, Status, StatusReason, Tier};
use crate::model::time::Timestamp;
use crate::ports::Row;

/// The columns [`memory`] reads, in its order. The last one is derived: the newest ten memories in force that this one seems
/// to contradict, while it holds or waits itself. It is a CROSS JOIN because SQLite keeps the order of one: left to itself it
/// walks every memory in force, newest first, to find the ten.
pub const COLUMNS: &str = "m.seq, m.id, m.status, m.status_reason, m.content, m.content_hash, m.type, m.tier, m.importance, \
    m.tags, m.session, m.author, m.source, m.source_date, m.dated_at, m.supersedes, m.superseded_by, m.valid_from, \
    m.valid_until, m.similar_to, m.batch_id, m.created_by, m.created_at, m.updated_at, m.expires_at, \
    m.forget_requested_at, m.forget_requested_by, m.similarity, m.flags, \
    (SELECT group_concat(id) FROM (SELECT o.id FROM memory_conflicts c CROSS JOIN memories o ON o.seq = c.other_seq \
    WHERE c.memory_seq = m.seq AND m.status IN ('active', 'proposed') AND o.status = 'active' \
    AND o.forget_requested_at IS NULL ORDER BY c.other_seq DESC LIMIT 10))";

/// How many there are, for columns that follow.
pub const COLUMN_COUNT: usize = 30;

/// Reads a row of [`COLUMNS`].
pub fn memory(row: &Row) -> Result<Memory> {
    let time = |column| row.integer(column).map(Timestamp::from_millis);
    let time_or_null =
        |column| Ok::<_, Error>(row.integer_or_null(column)?.map(Timestamp::from_millis));
    Ok(Memory {
        seq: row.integer(0)?,
        id: row.text(1)?,
        status: stored(Status::parse(&row.text(2)?))?,
        status_reason: row
            .text_or_null(3)?
            .map(|word| stored(StatusReason::parse(&word)))
            .transpose()?,
        content: row.text(4)?,
        content_hash: row.text(5)?,
        memory_type: stored(MemoryType::parse(&row.text(6)?))?,
        tier: stored(Tier::parse(&row.text(7)?))?,
        importance: row.real_or_null(8)?.unwrap_or_default(),
        tags: serde_json::from_str(&row.text(9)?)
            .map_err(|_| Error::internal("a memory's tags are not a JSON list"))?,
        session: row.text_or_null(10)?,
        author: row.text_or_null(11)?,
        source: row.text_or_null(12)?,
        source_date: row.text_or_null(13)?,
        dated_at: time(14)?,
        supersedes: row.text_or_null(15)?,
        superseded_by: row.text_or_null(16)?,
        valid_from: time(17)?,
        valid_until: time_or_null(18)?,
        similar_to: row.text_or_null(19)?,
        batch_id: row.text_or_null(20)?,
        created_by: row.text(21)?,
        created_at: time(22)?,
        updated_at: time(23)?,
        expires_at: time_or_null(24)?,
        forget_requested_at: time_or_null(25)?,
        forget_requested_by: row.text_or_null(26)?,
        similarity: row.real_or_null(27)?,
        flags: flag::from_text(&row.text(28)?),
        stale: None,
        may_conflict_with: row
            .text_or_null(29)?
            .map(|ids| ids.split(',').map(str::to_owned).collect())
            .unwrap_or_default(),
    })
}

/// A word that the schema's checks let in but the code does not know.
fn stored<T>(word: Result<T>) -> Result<T> {
    word.map_err(|error| {
        Error::internal(format!(
            "a stored {} is unknown",
            error.field.unwrap_or_default()
        ))
    })
}
