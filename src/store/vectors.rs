//! The tables `memory_vectors`, `vector_changes` and `vectorize_rows`.

use std::collections::HashMap;

use crate::error::Result;
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql};

/// The vectors of one memory's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredVectors {
    /// The memory's key.
    pub seq: i64,
    /// The model that made them.
    pub model: String,
    /// SHA-256 of the text they were made from, in hexadecimal.
    pub made_from: String,
    /// How many.
    pub parts: i64,
    /// Their numbers, one byte each, one vector behind the other.
    pub vectors: Vec<u8>,
}

const COLUMNS: &str = "memory_seq, model, made_from, parts, vectors";

fn stored(row: &Row) -> Result<StoredVectors> {
    Ok(StoredVectors {
        seq: row.integer(0)?,
        model: row.text(1)?,
        made_from: row.text(2)?,
        parts: row.integer(3)?,
        vectors: row.blob(4)?,
    })
}

/// Writes a memory's vectors over older ones.
pub fn put(sql: &dyn Sql, vectors: &StoredVectors, now: Timestamp) -> Result<()> {
    sql.run(
        "INSERT INTO memory_vectors (memory_seq, model, made_from, parts, vectors, made_at) VALUES (?, ?, ?, ?, ?, ?) \
         ON CONFLICT (memory_seq) DO UPDATE SET model = excluded.model, made_from = excluded.made_from, parts = excluded.parts, \
         vectors = excluded.vectors, made_at = excluded.made_at",
        &[
            vectors.seq.into(),
            (&vectors.model).into(),
            (&vectors.made_from).into(),
            vectors.parts.into(),
            vectors.vectors.clone().into(),
            now.millis().into(),
        ],
    )
}

/// A memory's vectors.
pub fn find(sql: &dyn Sql, seq: i64) -> Result<Option<StoredVectors>> {
    let statement = format!("SELECT {COLUMNS} FROM memory_vectors WHERE memory_seq = ?");
    sql.first(&statement, &[seq.into()])?
        .map(|row| stored(&row))
        .transpose()
}

/// The vectors of these memories, as far as they have some of this model.
pub fn of(sql: &dyn Sql, model: &str, seqs: &[i64]) -> Result<Vec<StoredVectors>> {
    let keys: Vec<String> = seqs.iter().map(i64::to_string).collect();
    let statement = format!(
        "SELECT {COLUMNS} FROM memory_vectors WHERE model = ? AND memory_seq IN ({})",
        keys.join(", ")
    );
    sql.query(&statement, &[model.into()])?
        .iter()
        .map(stored)
        .collect()
}

/// The next `limit` memories' vectors of a model above `after`, by key.
pub fn page(sql: &dyn Sql, model: &str, after: i64, limit: usize) -> Result<Vec<StoredVectors>> {
    let statement = format!(
        "SELECT {COLUMNS} FROM memory_vectors WHERE memory_seq > ? AND model = ? ORDER BY memory_seq LIMIT ?"
    );
    sql.query(
        &statement,
        &[after.into(), model.into(), (limit as i64).into()],
    )?
    .iter()
    .map(stored)
    .collect()
}

/// Bytes of all vectors of a model.
pub fn bytes(sql: &dyn Sql, model: &str) -> Result<i64> {
    sql.count(
        "SELECT coalesce(sum(length(vectors)), 0) FROM memory_vectors WHERE model = ?",
        &[model.into()],
    )
}

/// Memories that should have vectors, and those that have some of this model.
pub fn progress(sql: &dyn Sql, model: &str) -> Result<(i64, i64)> {
    let total = sql.count(
        "SELECT count(*) FROM memories WHERE status <> 'rejected' AND forget_requested_at IS NULL",
        &[],
    )?;
    let done = sql.count(
        "SELECT count(*) FROM memory_vectors v JOIN memories m ON m.seq = v.memory_seq \
         WHERE v.model = ? AND m.status <> 'rejected' AND m.forget_requested_at IS NULL",
        &[model.into()],
    )?;
    Ok((total, done))
}

/// The keys of memories by their ids, as far as they are there.
pub fn seqs<'a>(sql: &dyn Sql, ids: impl Iterator<Item = &'a str>) -> Result<HashMap<String, i64>> {
    let mut seqs = HashMap::new();
    for id in ids {
        let row = sql.first("SELECT seq FROM memories WHERE id = ?", &[id.into()])?;
        if let Some(row) = row {
            seqs.insert(id.to_owned(), row.integer(0)?);
        }
    }
    Ok(seqs)
}

/// Marks every vector to be made anew; until then it serves as it is.
pub fn mark_all(sql: &dyn Sql) -> Result<()> {
    sql.run("UPDATE memory_vectors SET made_from = ''", &[])
}

/// Takes the keys of memories whose vectors changed since the last call.
pub fn take_changes(sql: &dyn Sql) -> Result<Vec<i64>> {
    let rows = sql.query("SELECT memory_seq FROM vector_changes", &[])?;
    let changed: Vec<i64> = rows
        .iter()
        .map(|row| row.integer(0))
        .collect::<Result<_>>()?;
    if !changed.is_empty() {
        sql.run("DELETE FROM vector_changes", &[])?;
    }
    Ok(changed)
}

/// What Vectorize has of a memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Told {
    /// The model.
    pub model: String,
    /// Hash of the text.
    pub made_from: String,
    /// At most so many vectors.
    pub parts: i64,
    /// When Vectorize took them; `None` while that is not known.
    pub told_at: Option<Timestamp>,
}

/// What Vectorize has of a memory.
pub fn told(sql: &dyn Sql, memory_id: &str) -> Result<Option<Told>> {
    let row = sql.first(
        "SELECT model, made_from, parts, told_at FROM vectorize_rows WHERE memory_id = ?",
        &[memory_id.into()],
    )?;
    row.map(|row| {
        Ok(Told {
            model: row.text(0)?,
            made_from: row.text(1)?,
            parts: row.integer(2)?,
            told_at: row.integer_or_null(3)?.map(Timestamp::from_millis),
        })
    })
    .transpose()
}

/// Writes down what Vectorize is about to have, or has.
pub fn tell(sql: &dyn Sql, memory_id: &str, told: &Told) -> Result<()> {
    sql.run(
        "INSERT INTO vectorize_rows (memory_id, model, made_from, parts, told_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT (memory_id) \
         DO UPDATE SET model = excluded.model, made_from = excluded.made_from, parts = excluded.parts, told_at = excluded.told_at",
        &[
            memory_id.into(),
            (&told.model).into(),
            (&told.made_from).into(),
            told.parts.into(),
            told.told_at.map(Timestamp::millis).into(),
        ],
    )
}

/// Vectorize was told to remove it.
pub fn untell(sql: &dyn Sql, memory_id: &str) -> Result<()> {
    sql.run(
        "DELETE FROM vectorize_rows WHERE memory_id = ?",
        &[memory_id.into()],
    )
}

/// Vectorize is to be told everything anew.
pub fn untell_all(sql: &dyn Sql) -> Result<()> {
    sql.run("UPDATE vectorize_rows SET told_at = NULL", &[])
}

/// Everything Vectorize may have: memories' ids and how many vectors of each.
pub fn all_told(sql: &dyn Sql) -> Result<Vec<(String, i64)>> {
    sql.query("SELECT memory_id, parts FROM vectorize_rows", &[])?
        .iter()
        .map(|row| Ok((row.text(0)?, row.integer(1)?)))
        .collect()
}

/// How many memories Vectorize has.
pub fn count_told(sql: &dyn Sql) -> Result<i64> {
    sql.count(
        "SELECT count(*) FROM vectorize_rows WHERE told_at IS NOT NULL",
        &[],
    )
}

/// Keys of memories that Vectorize may not show yet, newest first: told since, or still queued.
pub fn unsettled(sql: &dyn Sql, model: &str, since: Timestamp, limit: usize) -> Result<Vec<i64>> {
    sql.query(
        "SELECT v.memory_seq FROM memory_vectors v JOIN memories m ON m.seq = v.memory_seq LEFT JOIN vectorize_rows r ON r.memory_id = m.id \
         WHERE v.model = ? AND (r.told_at IS NULL OR r.told_at >= ? OR r.made_from <> v.made_from) ORDER BY v.memory_seq DESC LIMIT ?",
        &[model.into(), since.millis().into(), (limit as i64).into()],
    )?
    .iter()
    .map(|row| row.integer(0))
    .collect()
}
