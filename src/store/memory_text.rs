//! The full-text table: cut terms in, ranked keys out. Derived from `memories`; [`insert`] is the only writer.

use crate::error::Result;
use crate::model::memory::{Filter, Memory};
use crate::ports::{Sql, SqlValue};
use crate::store::memories::condition;
use crate::text::tokens::index_terms;

/// bm25 weight of a whole word, name or number.
pub const WEIGHT_WHOLE: f64 = 1.0;
/// bm25 weight of a part of one (a CJK pair, a piece of a path).
pub const WEIGHT_PARTS: f64 = 1.0;
/// bm25 weight of the words of tags and author: they name the topic, but are not what was said.
pub const WEIGHT_LABELS: f64 = 1.0;

/// Adds a memory's terms.
pub fn insert(sql: &dyn Sql, seq: i64, memory: &Memory) -> Result<()> {
    let terms = index_terms(&memory.content);
    let labels = index_terms(&label_text(memory));
    let labels = format!("{} {}", labels.whole, labels.parts);
    sql.run(
        "INSERT INTO memory_text (rowid, whole, parts, labels) VALUES (?, ?, ?, ?)",
        &[
            seq.into(),
            terms.whole.into(),
            terms.parts.into(),
            labels.trim().into(),
        ],
    )
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

/// What matches a question.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Matches {
    /// `(seq, strength)`, strongest first, ties by newest key; strength is bm25, above 0.
    pub best: Vec<(i64, f64)>,
    /// How many match at all; 0 when `best` is empty.
    pub total: i64,
}

impl Matches {
    /// Whether a memory is among the best.
    pub fn has(&self, seq: i64) -> bool {
        self.best.iter().any(|(found, _)| *found == seq)
    }
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
    /// Keys that are left out.
    pub except: &'a [i64],
}

/// How many of these keys match an expression.
pub fn count_among(sql: &dyn Sql, expression: &str, keys: &[i64]) -> Result<i64> {
    let statement = format!(
        "SELECT count(*) FROM memory_text WHERE memory_text MATCH ? AND rowid IN ({})",
        list(keys)
    );
    sql.count(&statement, &[expression.into()])
}

/// Keys as SQL writes them; more than the platform binds.
fn list(keys: &[i64]) -> String {
    keys.iter()
        .map(i64::to_string)
        .collect::<Vec<_>>()
        .join(", ")
}

/// The best matches, `offset` of them skipped. The filter applies before the cut.
pub fn search(sql: &dyn Sql, look: Look<'_>, offset: i64, limit: usize) -> Result<Matches> {
    let (condition, filter_parameters) = condition(look.filter);
    let except = list(look.except);
    let statement = format!(
        "WITH found AS MATERIALIZED (SELECT f.rowid AS seq, -bm25(memory_text, {WEIGHT_WHOLE:?}, {WEIGHT_PARTS:?}, {WEIGHT_LABELS:?}) AS strength \
         FROM memory_text f CROSS JOIN memories m ON m.seq = f.rowid WHERE memory_text MATCH ? AND m.seq <= ? AND m.seq NOT IN ({except}) AND {condition}) \
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
