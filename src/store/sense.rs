//! The tables `memory_sense` and `memory_changes`.

use crate::error::{Error, Result};
use crate::model::memory::Status;
use crate::model::sense::Sense;
use crate::ports::{Row, Sql};

/// A memory as the index in memory wants it.
#[derive(Debug, Clone)]
pub struct Sensed {
    /// Its key.
    pub seq: i64,
    /// Where it stands.
    pub status: Status,
    /// Whether nobody may find it: an agent asked to forget it, or it is withheld.
    pub hidden: bool,
    /// Its session.
    pub session: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// The key of the memory that replaced it.
    pub replaced_by: Option<i64>,
    /// Who stored it, unless it came with an import.
    pub stored_by: Option<String>,
    /// When it was stored, in milliseconds.
    pub stored_at: i64,
    /// Its tags.
    pub tags: Vec<String>,
    /// Its date, in milliseconds.
    pub dated_at: i64,
    /// Its sense.
    pub sense: Sense,
}

const SELECT: &str = "SELECT m.seq, m.status, \
    m.forget_requested_at IS NOT NULL OR (m.status = 'proposed' AND m.flags <> ''), m.session, m.author, m.dated_at, \
    s.model, s.made_from, s.vector, s.words, s.marks, s.day, m.tags, \
    (SELECT n.seq FROM memories n WHERE n.id = m.superseded_by), \
    CASE WHEN m.batch_id IS NULL THEN m.created_by END, m.created_at \
    FROM memory_sense s JOIN memories m ON m.seq = s.memory_seq";

fn sensed(row: &Row) -> Result<Sensed> {
    Ok(Sensed {
        seq: row.integer(0)?,
        status: Status::parse(&row.text(1)?)?,
        hidden: row.integer(2)? != 0,
        session: row.text_or_null(3)?,
        author: row.text_or_null(4)?,
        tags: match row.text(12)?.as_str() {
            "[]" => Vec::new(),
            tags => serde_json::from_str(tags)
                .map_err(|_| Error::internal("stored tags are not a list"))?,
        },
        replaced_by: row.integer_or_null(13)?,
        stored_by: row.text_or_null(14)?,
        stored_at: row.integer(15)?,
        dated_at: row.integer(5)?,
        sense: Sense {
            model: row.text(6)?,
            made_from: row.text(7)?,
            vector: row.blob(8)?,
            words: row.blob(9)?,
            marks: u8::try_from(row.integer(10)?).unwrap_or_default(),
            day: i32::try_from(row.integer(11)?).unwrap_or_default(),
        },
    })
}

/// Writes a memory's sense, over an older one.
pub fn put(sql: &dyn Sql, seq: i64, sense: &Sense) -> Result<()> {
    sql.run(
        "INSERT INTO memory_sense (memory_seq, model, made_from, vector, words, marks, day) VALUES (?, ?, ?, ?, ?, ?, ?) \
         ON CONFLICT (memory_seq) DO UPDATE SET model = excluded.model, made_from = excluded.made_from, \
         vector = excluded.vector, words = excluded.words, marks = excluded.marks, day = excluded.day",
        &[
            seq.into(),
            (&sense.model).into(),
            (&sense.made_from).into(),
            sense.vector.clone().into(),
            sense.words.clone().into(),
            i64::from(sense.marks).into(),
            i64::from(sense.day).into(),
        ],
    )
}

/// The next `limit` memories above `after`, by key.
pub fn page(sql: &dyn Sql, after: i64, limit: usize) -> Result<Vec<Sensed>> {
    let statement = format!("{SELECT} WHERE s.memory_seq > ? ORDER BY s.memory_seq LIMIT ?");
    sql.query(&statement, &[after.into(), (limit as i64).into()])?
        .iter()
        .map(sensed)
        .collect()
}

/// The memories with these keys; without those that are gone or have no sense yet.
pub fn with_keys(sql: &dyn Sql, seqs: &[i64]) -> Result<Vec<Sensed>> {
    let statement = format!("{SELECT} WHERE s.memory_seq IN (SELECT value FROM json_each(?))");
    let keys = serde_json::Value::from(seqs).to_string();
    sql.query(&statement, &[keys.into()])?
        .iter()
        .map(sensed)
        .collect()
}

/// A sense that is missing, of another model, or to be made anew.
const LACKING: &str = "(s.model IS NOT ? OR s.made_from = '')";

/// Keys of memories whose sense is to be made, lowest first.
pub fn missing(sql: &dyn Sql, model: &str, limit: usize) -> Result<Vec<i64>> {
    let statement = format!(
        "SELECT m.seq FROM memories m LEFT JOIN memory_sense s ON s.memory_seq = m.seq \
         WHERE {LACKING} ORDER BY m.seq LIMIT ?"
    );
    sql.query(&statement, &[model.into(), (limit as i64).into()])?
        .iter()
        .map(|row| row.integer(0))
        .collect()
}

/// How many there are.
pub fn count_missing(sql: &dyn Sql, model: &str) -> Result<i64> {
    // Every sense is a memory's, so those that are there are counted, over an index that leaves the vectors alone.
    sql.count(
        "SELECT (SELECT count(*) FROM memories) - (SELECT count(*) FROM memory_sense WHERE model = ? AND made_from <> '')",
        &[model.into()],
    )
}

/// Marks every sense to be made anew; until then it serves as it is.
pub fn mark_all(sql: &dyn Sql) -> Result<()> {
    sql.run("UPDATE memory_sense SET made_from = ''", &[])
}

/// Takes the keys of memories that changed since the last call.
pub fn take_changes(sql: &dyn Sql) -> Result<Vec<i64>> {
    let changed: Vec<i64> = sql
        .query(
            "SELECT memory_seq FROM memory_changes ORDER BY memory_seq",
            &[],
        )?
        .iter()
        .map(|row| row.integer(0))
        .collect::<Result<_>>()?;
    if !changed.is_empty() {
        sql.run("DELETE FROM memory_changes", &[])?;
    }
    Ok(changed)
}
