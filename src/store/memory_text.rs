//! The full-text table: cut terms in, ranked keys out. Derived from `memories`; [`terms`] alone says what of a memory.

use crate::error::Result;
use crate::model::memory::{Filter, Memory};
use crate::ports::{Sql, SqlValue};
use crate::store::many;
use crate::store::memories::condition;
use crate::text::tokens::index_terms;

/// bm25 weight of a whole word, name or number.
pub const WEIGHT_WHOLE: f64 = 1.0;
/// bm25 weight of a part of one (a CJK pair, a piece of a path).
pub const WEIGHT_PARTS: f64 = 1.0;
/// bm25 weight of the words of tags and author: they name the topic, but are not what was said.
pub const WEIGHT_LABELS: f64 = 1.0;

/// Adds a memory's terms, under a key that it may not know yet.
pub fn insert(sql: &dyn Sql, seq: i64, memory: &Memory) -> Result<()> {
    let [_, whole, parts, labels] = terms(memory);
    sql.run(
        &format!("INSERT INTO memory_text ({TERMS}) VALUES (?, ?, ?, ?)"),
        &[seq.into(), whole, parts, labels],
    )
}

/// Sets up a new table of this form: what is deleted leaves it at once.
pub fn configure(sql: &dyn Sql, table: &str) -> Result<()> {
    let statement = format!("INSERT INTO {table} ({table}, rank) VALUES ('secure-delete', 1)");
    sql.run(&statement, &[])
}

/// The columns of [`terms`].
pub const TERMS: &str = "rowid, whole, parts, labels";

/// A memory's row: its key, and its text cut into terms.
pub fn terms(memory: &Memory) -> [SqlValue; 4] {
    let terms = index_terms(&memory.content);
    let labels = index_terms(&label_text(memory));
    let labels = format!("{} {}", labels.whole, labels.parts);
    [
        memory.seq.into(),
        terms.whole.into(),
        terms.parts.into(),
        labels.trim().into(),
    ]
}

/// The same for many memories.
pub fn insert_many<'a>(sql: &dyn Sql, all: impl Iterator<Item = &'a Memory>) -> Result<()> {
    let row = |memory: &Memory| {
        let terms = index_terms(&memory.content);
        let labels = index_terms(&label_text(memory));
        let labels = format!("{} {}", labels.whole, labels.parts);
        serde_json::json!([memory.seq, terms.whole, terms.parts, labels.trim()])
    };
    let columns = &["rowid", "whole", "parts", "labels"];
    many::rows(sql, "memory_text", columns, all.map(row).collect())
}

fn label_text(memory: &Memory) -> String {
    let mut text = memory.tags.join(" ");
    for label in [&memory.author].into_iter().flatten() {
        text.push(' ');
        text.push_str(label);
    }
    text
}

/// Removes a memory's terms.
pub fn delete(sql: &dyn Sql, seq: i64) -> Result<()> {
    sql.run("DELETE FROM memory_text WHERE rowid = ?", &[seq.into()])
}

/// The next keys whose terms are to be made anew, from `next` on.
pub fn to_rebuild(sql: &dyn Sql, next: i64, limit: usize) -> Result<Vec<i64>> {
    sql.query(
        "SELECT seq FROM memories WHERE seq >= ? ORDER BY seq LIMIT ?",
        &[next.into(), (limit as i64).into()],
    )?
    .iter()
    .map(|row| row.integer(0))
    .collect()
}

/// How many keys there are from `next` on.
pub fn count_to_rebuild(sql: &dyn Sql, next: i64) -> Result<i64> {
    sql.count(
        "SELECT count(*) FROM memories WHERE seq >= ?",
        &[next.into()],
    )
}

/// Removes terms that belong to no memory.
pub fn delete_orphans(sql: &dyn Sql) -> Result<()> {
    sql.run(
        "DELETE FROM memory_text WHERE rowid NOT IN (SELECT seq FROM memories)",
        &[],
    )
}

/// What matches a question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matches {
    /// `(seq, strength)`, strongest first, ties by newest key; strength is bm25, above 0.
    pub best: Vec<(i64, f64)>,
    /// How many match at all; 0 when `best` is empty.
    pub total: i64,
}

/// What to look for in the full text.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// An FTS5 expression.
    pub expression: &'a str,
    /// Which memories may match.
    pub filter: &'a Filter,
    /// Only keys up to this one take part.
    pub snapshot: i64,
    /// If given, only these keys take part.
    pub among: Option<&'a [i64]>,
}

/// The keys of all that match, up to `snapshot`. One row, however many there are: rows cost more than what is in them.
pub fn keys(sql: &dyn Sql, expression: &str, snapshot: i64) -> Result<Vec<i64>> {
    let found = sql.first(
        "SELECT group_concat(rowid) FROM memory_text WHERE memory_text MATCH ? AND rowid <= ?",
        &[expression.into(), snapshot.into()],
    )?;
    let found = found.map(|row| row.text_or_null(0)).transpose()?.flatten();
    Ok(read_keys(&found.unwrap_or_default()))
}

/// How many match, counted no further than `most`.
pub fn count(sql: &dyn Sql, expression: &str, snapshot: i64, most: u64) -> Result<u64> {
    let found = sql.first(
        "SELECT count(*) FROM (SELECT rowid FROM memory_text WHERE memory_text MATCH ? AND rowid <= ? LIMIT ?)",
        &[expression.into(), snapshot.into(), (most as i64).into()],
    )?;
    let count = found.map(|row| row.integer(0)).transpose()?;
    Ok(count.unwrap_or_default().unsigned_abs())
}

/// Keys in the form of `group_concat`.
pub(super) fn read_keys(text: &str) -> Vec<i64> {
    text.split(',').filter_map(|key| key.parse().ok()).collect()
}

/// The best matches, `offset` of them skipped. The filter applies before the cut.
pub fn search(sql: &dyn Sql, look: Look<'_>, offset: i64, limit: usize) -> Result<Matches> {
    let (condition, filter_parameters) = condition(look.filter);
    let among = look.among.map_or(String::new(), |keys| {
        let keys: Vec<String> = keys.iter().map(i64::to_string).collect();
        format!("AND m.seq IN ({})", keys.join(", "))
    });
    let statement = format!(
        "WITH found AS MATERIALIZED (SELECT f.rowid AS seq, -bm25(memory_text, {WEIGHT_WHOLE:?}, {WEIGHT_PARTS:?}, {WEIGHT_LABELS:?}) AS strength \
         FROM memory_text f CROSS JOIN memories m ON m.seq = f.rowid WHERE memory_text MATCH ? AND m.seq <= ? {among} AND {condition}) \
         SELECT seq, strength, count(*) OVER () FROM found ORDER BY strength DESC, seq DESC LIMIT ? OFFSET ?"
    );
    let mut parameters: Vec<SqlValue> = vec![look.expression.into(), look.snapshot.into()];
    parameters.extend(filter_parameters);
    parameters.extend([(limit as i64).into(), offset.into()]);
    let mut matches = Matches::default();
    for row in sql.query(&statement, &parameters)? {
        matches
            .best
            .push((row.integer(0)?, row.real_or_null(1)?.unwrap_or_default()));
        matches.total = row.integer(2)?;
    }
    Ok(matches)
}
