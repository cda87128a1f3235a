//! The table `batches`.

use crate::error::{Error, Result};
use crate::model::batch::{Batch, BatchState, Input};
use crate::model::memory::Status;
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql};

const COLUMNS: &str = "b.seq, b.id, b.created_by, b.created_at, b.source, b.counts, b.state, b.identity, b.read_as, b.status, \
    b.input_hash, b.input_first, b.input_taken, b.input_total, b.more, b.undone_at, b.undo_removed, b.undo_restored, \
    (SELECT count(*) FROM memories m WHERE m.batch_id = b.id AND m.status = 'proposed' AND m.forget_requested_at IS NULL), \
    (SELECT count(*) FROM memories m WHERE m.batch_id = b.id AND m.status = 'active' AND m.forget_requested_at IS NULL), b.sources";

fn batch(row: &Row) -> Result<Batch> {
    let unknown = |_| Error::internal("a batch holds an unknown word");
    let size = |column: usize| {
        usize::try_from(row.integer(column)?)
            .map_err(|_| Error::internal("a batch counts below zero"))
    };
    Ok(Batch {
        seq: row.integer(0)?,
        id: row.text(1)?,
        created_by: row.text(2)?,
        created_at: Timestamp::from_millis(row.integer(3)?),
        source: row.text_or_null(4)?,
        counts: serde_json::from_str(&row.text(5)?)
            .map_err(|_| Error::internal("a batch's counts are not readable"))?,
        state: BatchState::parse(&row.text(6)?).map_err(unknown)?,
        identity: row.text_or_null(7)?,
        read_as: row.text_or_null(8)?,
        status: Status::parse(&row.text(9)?).map_err(unknown)?,
        input: Input {
            hash: row.text_or_null(10)?.unwrap_or_default(),
            first: size(11)?,
            taken: size(12)?,
            total: size(13)?,
            more: row.integer(14)? != 0,
        },
        undone_at: row.integer_or_null(15)?.map(Timestamp::from_millis),
        undo: (size(16)?, size(17)?),
        proposed: row.integer(18)?,
        active: row.integer(19)?,
        // A list that cannot be read costs an import its list, not its line.
        sources: (row.text_or_null(20)?)
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default(),
    })
}

/// Adds a batch, or writes what may change about one: sources, counts, state, input and undo.
pub fn save(sql: &dyn Sql, batch: &Batch) -> Result<()> {
    let unwritten = |_| Error::internal("a batch does not serialise");
    let counts = serde_json::to_string(&batch.counts).map_err(unwritten)?;
    let sources = (!batch.sources.is_empty()).then(|| serde_json::to_string(&batch.sources));
    sql.run(
        "INSERT INTO batches (id, created_by, created_at, source, counts, state, identity, read_as, status, input_hash, \
         input_first, input_taken, input_total, more, undone_at, undo_removed, undo_restored, sources) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
         ON CONFLICT (id) DO UPDATE SET source = excluded.source, counts = excluded.counts, state = excluded.state, \
         read_as = excluded.read_as, input_hash = excluded.input_hash, input_first = excluded.input_first, \
         input_taken = excluded.input_taken, input_total = excluded.input_total, more = excluded.more, \
         undone_at = excluded.undone_at, undo_removed = excluded.undo_removed, undo_restored = excluded.undo_restored, \
         sources = excluded.sources",
        &[
            (&batch.id).into(),
            (&batch.created_by).into(),
            batch.created_at.millis().into(),
            batch.source.clone().into(),
            counts.into(),
            batch.state.as_str().into(),
            batch.identity.clone().into(),
            batch.read_as.clone().into(),
            batch.status.as_str().into(),
            (&batch.input.hash).into(),
            (batch.input.first as i64).into(),
            (batch.input.taken as i64).into(),
            (batch.input.total as i64).into(),
            batch.input.more.into(),
            batch.undone_at.map(Timestamp::millis).into(),
            (batch.undo.0 as i64).into(),
            (batch.undo.1 as i64).into(),
            sources.transpose().map_err(unwritten)?.into(),
        ],
    )
}

/// The batch with this id.
pub fn find(sql: &dyn Sql, id: &str) -> Result<Option<Batch>> {
    let statement = format!("SELECT {COLUMNS} FROM batches b WHERE b.id = ?");
    sql.first(&statement, &[id.into()])?
        .map(|row| batch(&row))
        .transpose()
}

/// The newest incomplete batch of somebody whose last input has this hash.
pub fn open_with_input(sql: &dyn Sql, identity: &str, hash: &str) -> Result<Option<Batch>> {
    let statement = format!(
        "SELECT {COLUMNS} FROM batches b WHERE b.state = 'incomplete' AND b.identity = ? AND b.input_hash = ? \
         ORDER BY b.seq DESC LIMIT 1"
    );
    sql.first(&statement, &[identity.into(), hash.into()])?
        .map(|row| batch(&row))
        .transpose()
}

/// Newest first, batches with a key below `before_seq`.
pub fn list(sql: &dyn Sql, before_seq: i64, limit: usize) -> Result<Vec<Batch>> {
    let statement =
        format!("SELECT {COLUMNS} FROM batches b WHERE b.seq < ? ORDER BY b.seq DESC LIMIT ?");
    sql.query(&statement, &[before_seq.into(), (limit as i64).into()])?
        .iter()
        .map(batch)
        .collect()
}

/// How many there are.
pub fn count(sql: &dyn Sql) -> Result<i64> {
    sql.count("SELECT count(*) FROM batches", &[])
}

/// Up to `limit` memories of a batch with a key below `before_seq`, newest first: `(key, id)`.
pub fn members(
    sql: &dyn Sql,
    batch_id: &str,
    before_seq: i64,
    limit: usize,
) -> Result<Vec<(i64, String)>> {
    let rows = sql.query(
        "SELECT seq, id FROM memories WHERE batch_id = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
        &[batch_id.into(), before_seq.into(), (limit as i64).into()],
    )?;
    rows.iter()
        .map(|row| Ok((row.integer(0)?, row.text(1)?)))
        .collect()
}

/// Up to `limit` memories of a batch that wait in the queue and have a key above `after_seq`, oldest first: `(key, id)`.
pub fn waiting(
    sql: &dyn Sql,
    batch_id: &str,
    after_seq: i64,
    limit: usize,
) -> Result<Vec<(i64, String)>> {
    let rows = sql.query(
        "SELECT seq, id FROM memories WHERE batch_id = ? AND status = 'proposed' AND forget_requested_at IS NULL AND seq > ? \
         ORDER BY seq LIMIT ?",
        &[batch_id.into(), after_seq.into(), (limit as i64).into()],
    )?;
    rows.iter()
        .map(|row| Ok((row.integer(0)?, row.text(1)?)))
        .collect()
}
