//! Many new memories at once: a statement a table instead of several a memory, since each statement costs the platform more than
//! a row. The values travel as one JSON text; bytes, which JSON has no form for, behind one another in one value beside it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::model::flag;
use crate::model::memory::{Memory, StatusReason};
use crate::model::sense::Sense;
use crate::model::time::Timestamp;
use crate::ports::Sql;
use crate::store::memory_text;

/// A memory to write, its `seq` being the key it gets.
#[derive(Debug, Clone)]
pub struct New {
    /// The memory.
    pub memory: Memory,
    /// Its sense.
    pub sense: Sense,
    /// Keys of the memories it seems to contradict; those that come with it must be given before it.
    pub conflicts: Vec<i64>,
}

/// The key that the next memory gets. Keys are never given twice, not even those of destroyed memories.
pub fn next_seq(sql: &dyn Sql) -> Result<i64> {
    sql.count(&format!("SELECT {NEXT_SEQ}"), &[])
}

/// The same as an expression.
pub(super) const NEXT_SEQ: &str =
    "coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'memories'), 0) + 1";

/// The columns of a memory, as [`row`] gives their values.
const COLUMNS: [&str; 29] = [
    "seq",
    "id",
    "status",
    "status_reason",
    "content",
    "content_hash",
    "type",
    "tier",
    "importance",
    "tags",
    "session",
    "author",
    "source",
    "source_date",
    "dated_at",
    "supersedes",
    "superseded_by",
    "valid_from",
    "valid_until",
    "similar_to",
    "batch_id",
    "created_by",
    "created_at",
    "updated_at",
    "expires_at",
    "forget_requested_at",
    "forget_requested_by",
    "similarity",
    "flags",
];

fn row(new: &Memory) -> Result<Value> {
    let tags =
        serde_json::to_string(&new.tags).map_err(|_| Error::internal("tags do not serialise"))?;
    let millis = |time: Option<Timestamp>| time.map(Timestamp::millis);
    Ok(json!([
        new.seq,
        new.id,
        new.status.as_str(),
        new.status_reason.map(StatusReason::as_str),
        new.content,
        new.content_hash,
        new.memory_type.as_str(),
        new.tier.as_str(),
        new.importance,
        tags,
        new.session,
        new.author,
        new.source,
        new.source_date,
        new.dated_at.millis(),
        new.supersedes,
        new.superseded_by,
        new.valid_from.millis(),
        millis(new.valid_until),
        new.similar_to,
        new.batch_id,
        new.created_by,
        new.created_at.millis(),
        new.updated_at.millis(),
        millis(new.expires_at),
        millis(new.forget_requested_at),
        new.forget_requested_by,
        new.similarity,
        flag::to_text(&new.flags),
    ]))
}

/// Inserts memories with their tags, full text, senses and contradictions. Their keys must be those from [`next_seq`] on.
pub fn insert(sql: &dyn Sql, all: &[New]) -> Result<()> {
    let memories: Vec<Value> = all
        .iter()
        .map(|new| row(&new.memory))
        .collect::<Result<_>>()?;
    rows(sql, "memories", &COLUMNS, memories)?;
    let tags = all.iter().flat_map(|new| {
        let tags = new.memory.tags.iter();
        tags.map(|tag| json!([tag, new.memory.seq]))
    });
    rows(sql, "memory_tags", &["tag", "memory_seq"], tags.collect())?;
    memory_text::insert_many(sql, all.iter().map(|new| &new.memory))?;
    senses(sql, all)?;
    let pairs = all.iter().flat_map(|new| {
        let pairs = new.conflicts.iter().map(|other| (new.memory.seq, *other));
        pairs.flat_map(|(one, two)| [json!([one, two]), json!([two, one])])
    });
    rows(
        sql,
        "memory_conflicts",
        &["memory_seq", "other_seq"],
        pairs.collect(),
    )
}

/// Inserts rows, given as lists of their values.
pub(super) fn rows(
    sql: &dyn Sql,
    table: &'static str,
    columns: Columns,
    rows: Vec<Value>,
) -> Result<()> {
    if rows.is_empty() {
        return Ok(());
    }
    sql.run(
        &statement(table, columns),
        &[Value::Array(rows).to_string().into()],
    )
}

type Columns = &'static [&'static str];

thread_local! {
    static STATEMENTS: RefCell<HashMap<(&'static str, Columns), Rc<str>>> = RefCell::default();
}

/// The statement of [`rows`] for a table and its columns, put together once.
fn statement(table: &'static str, columns: Columns) -> Rc<str> {
    let write = || {
        let values: Vec<String> = (0..columns.len())
            .map(|place| format!("value ->> {place}"))
            .collect();
        let (columns, values) = (columns.join(", "), values.join(", "));
        format!("INSERT INTO {table} ({columns}) SELECT {values} FROM json_each(?)").into()
    };
    STATEMENTS
        .with_borrow_mut(|known| Rc::clone(known.entry((table, columns)).or_insert_with(write)))
}

fn senses(sql: &dyn Sql, all: &[New]) -> Result<()> {
    let mut bytes: Vec<u8> = Vec::new();
    // SQLite counts from 1.
    let mut keep = |kept: &[u8]| {
        let start = bytes.len() + 1;
        bytes.extend(kept);
        (start, kept.len())
    };
    let mut rows: Vec<Value> = Vec::new();
    for New { memory, sense, .. } in all {
        let (vector, words) = (keep(&sense.vector), keep(&sense.words));
        let (model, made_from) = (&sense.model, &sense.made_from);
        rows.push(json!([
            memory.seq,
            model,
            made_from,
            vector.0,
            vector.1,
            words.0,
            words.1,
            sense.marks,
            sense.day
        ]));
    }
    sql.run(
        "INSERT INTO memory_sense (memory_seq, model, made_from, vector, words, marks, day) \
         SELECT value ->> 0, value ->> 1, value ->> 2, substr(?2, value ->> 3, value ->> 4), substr(?2, value ->> 5, value ->> 6), \
         value ->> 7, value ->> 8 FROM json_each(?1)",
        &[Value::Array(rows).to_string().into(), bytes.into()],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_statement_that_is_kept_belongs_to_its_table_and_columns() {
        let two = "INSERT INTO a (x, y) SELECT value ->> 0, value ->> 1 FROM json_each(?)";
        let one = "INSERT INTO a (y) SELECT value ->> 0 FROM json_each(?)";
        for _ in 0..2 {
            assert_eq!(&*statement("a", &["x", "y"]), two);
            assert_eq!(&*statement("a", &["y"]), one);
            assert_eq!(
                &*statement("b", &["y"]),
                "INSERT INTO b (y) SELECT value ->> 0 FROM json_each(?)"
            );
        }
    }
}
