//! The table `batches`.

use crate::error::{Error, Result};
use crate::model::batch::Batch;
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql};

const COLUMNS: &str = "b.seq, b.id, b.created_by, b.created_at, b.source, b.counts, \
    (SELECT count(*) FROM memories m WHERE m.batch_id = b.id AND m.status = 'proposed' AND m.forget_requested_at IS NULL)";

fn batch(row: &Row) -> Result<Batch> {
    Ok(Batch {
        seq: row.integer(0)?,
        id: row.text(1)?,
        created_by: row.text(2)?,
        created_at: Timestamp::from_millis(row.integer(3)?),
        source: row.text_or_null(4)?,
        counts: serde_json::from_str(&row.text(5)?)
            .map_err(|_| Error::internal("a batch's counts are not readable"))?,
        proposed: row.integer(6)?,
    })
}

/// Adds a batch.
pub fn insert(sql: &dyn Sql, new: &Batch) -> Result<()> {
    let counts = serde_json::to_string(&new.counts)
        .map_err(|_| Error::internal("counts do not serialise"))?;
    sql.run(
        "INSERT INTO batches (id, created_by, created_at, source, counts) VALUES (?, ?, ?, ?, ?)",
        &[
            (&new.id).into(),
            (&new.created_by).into(),
            new.created_at.millis().into(),
            new.source.clone().into(),
            counts.into(),
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
