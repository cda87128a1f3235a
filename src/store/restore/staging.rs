//! The tables `staged_…`: copies of the backup's tables, empty at first, made by the definitions that the vault's own have at
//! this moment, so that every check of theirs holds here as well. Full text and tags are staged with the memories.

use std::collections::BTreeMap;

use crate::error::{Error, Result};
use crate::model::memory::Memory;
use crate::model::time::Timestamp;
use crate::ports::{SQL_PARAMETERS, Sql, SqlValue};
use crate::store::backup::snapshot::Columns;
use crate::store::backup::tables::TABLES;
use crate::store::memory_rows::{COLUMNS, memory};
use crate::store::memory_text;
use crate::store::settings;

/// Tables made from others that are made together with them.
pub const DERIVED: &[&str] = &["memory_tags", FULL_TEXT];
/// The full text.
pub const FULL_TEXT: &str = "memory_text";

/// The staged table's name.
pub fn staged(table: &str) -> String {
    format!("staged_{table}")
}

/// Every table that is staged, those first that others refer to.
pub fn tables() -> impl DoubleEndedIterator<Item = &'static str> {
    TABLES
        .iter()
        .map(|table| table.name)
        .chain(DERIVED.iter().copied())
}

/// Makes the staged tables, empty.
pub fn create(sql: &dyn Sql) -> Result<()> {
    drop_all(sql)?;
    for table in tables() {
        let row = sql.first(
            "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?",
            &[table.into()],
        )?;
        let definition = row
            .ok_or_else(|| Error::internal(format!("{table} does not exist")))?
            .text(0)?;
        sql.run(&renamed(&definition), &[])?;
    }
    memory_text::configure(sql, &staged(FULL_TEXT))
}

/// A table's definition with `staged_` before its own name and those of the staged tables it refers to. A definition that was
/// renamed before has its names in quotes.
fn renamed(definition: &str) -> String {
    let mut text = definition.to_owned();
    for before in ["CREATE TABLE ", "CREATE VIRTUAL TABLE ", "REFERENCES "] {
        for table in tables() {
            for name in [table.to_owned(), format!("\"{table}\"")] {
                for after in [" ", "(", "\n"] {
                    text = text.replace(
                        &format!("{before}{name}{after}"),
                        &format!("{before}{}{after}", staged(table)),
                    );
                }
            }
        }
    }
    text
}

/// Drops what is staged.
pub fn drop_all(sql: &dyn Sql) -> Result<()> {
    for table in tables().rev() {
        sql.run(&format!("DROP TABLE IF EXISTS {}", staged(table)), &[])?;
    }
    Ok(())
}

/// A row: its values in the order of the table's columns; `None` leaves the column to its default.
pub type StagedRow = Vec<Option<SqlValue>>;

/// Adds rows, all of which leave the same columns to their defaults.
pub fn insert(sql: &dyn Sql, table: &str, columns: &Columns, rows: &[StagedRow]) -> Result<()> {
    let Some(first) = rows.first() else {
        return Ok(());
    };
    let given = columns.names.iter().zip(first);
    let names: Vec<&str> = given
        .filter_map(|(name, value)| value.as_ref().map(|_| name.as_str()))
        .collect();
    let rows = rows
        .iter()
        .map(|row| row.iter().flatten().cloned().collect());
    insert_all(sql, &staged(table), &names.join(", "), rows)
}

/// Adds rows with as few statements as their parameters allow. All have as many values as there are names.
fn insert_all(
    sql: &dyn Sql,
    table: &str,
    names: &str,
    rows: impl Iterator<Item = Vec<SqlValue>>,
) -> Result<()> {
    let width = names.split(',').count();
    let at_once = (SQL_PARAMETERS / width).max(1);
    let row = format!("({})", vec!["?"; width].join(", "));
    let mut rows = rows.peekable();
    while rows.peek().is_some() {
        let values: Vec<Vec<SqlValue>> = rows.by_ref().take(at_once).collect();
        let places = vec![row.as_str(); values.len()].join(", ");
        sql.run(
            &format!("INSERT INTO {table} ({names}) VALUES {places}"),
            &values.concat(),
        )?;
    }
    Ok(())
}

/// The staged memories with these keys, by key; a row that is no memory of this version's is an error in its place.
pub fn find_memories(sql: &dyn Sql, keys: &[i64]) -> Result<Vec<Result<Memory>>> {
    let mut found = Vec::new();
    for keys in keys.chunks(SQL_PARAMETERS) {
        let places = vec!["?"; keys.len()].join(", ");
        let statement = format!(
            "SELECT {COLUMNS} FROM staged_memories m WHERE m.seq IN ({places}) ORDER BY m.seq"
        );
        let keys: Vec<SqlValue> = keys.iter().map(|key| (*key).into()).collect();
        found.extend(sql.query(&statement, &keys)?.iter().map(memory));
    }
    Ok(found)
}

/// Makes what belongs to staged memories: their tags and full text.
pub fn derive(sql: &dyn Sql, of: &[Memory]) -> Result<()> {
    let tags = of.iter().flat_map(|memory| {
        let tags = memory.tags.iter();
        tags.map(|tag| vec![tag.into(), memory.seq.into()])
    });
    insert_all(sql, "staged_memory_tags", "tag, memory_seq", tags)?;
    let texts = of.iter().map(|memory| memory_text::terms(memory).to_vec());
    insert_all(sql, &staged(FULL_TEXT), memory_text::TERMS, texts)
}

/// The time zone of the staged settings.
pub fn time_zone(sql: &dyn Sql) -> Result<String> {
    Ok(settings::load_from(sql, "staged_settings")?.time_zone)
}

/// Rows of a staged table.
pub fn count(sql: &dyn Sql, table: &str) -> Result<i64> {
    sql.count(&format!("SELECT count(*) FROM {}", staged(table)), &[])
}

/// Exclusions of forgotten texts that the vault made since, and the file does not know.
const NEWER: &str = "e.reason = 'forgotten' AND e.created_at >= ? \
    AND NOT EXISTS (SELECT 1 FROM staged_exclusions s WHERE s.content_hash = e.content_hash)";

/// A text of a staged memory, its own or an earlier one, that may have been forgotten since.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Returning {
    /// Key of the memory.
    pub seq: i64,
    /// Its id.
    pub id: String,
    /// The text.
    pub text: String,
    /// The exclusion that may be about it.
    pub exclusion: String,
    /// Whether the exclusion is of the time before marks: then it is about the text.
    pub older: bool,
}

/// The texts whose families were forgotten since, by the keys of their memories.
pub fn returning(sql: &dyn Sql, made_at: Timestamp) -> Result<Vec<Returning>> {
    let since = SqlValue::from(made_at.millis());
    let rows = sql.query(
        &format!(
            "SELECT m.seq, m.id, m.content, e.content_hash, e.family IS NULL FROM exclusions e \
             JOIN staged_memories m ON m.content_hash = coalesce(e.family, e.content_hash) WHERE {NEWER} \
             UNION ALL SELECT m.seq, m.id, h.content, e.content_hash, e.family IS NULL FROM exclusions e \
             JOIN staged_memory_history h ON h.content_hash = coalesce(e.family, e.content_hash) \
             JOIN staged_memories m ON m.id = h.memory_id WHERE {NEWER} ORDER BY 1"
        ),
        &[since.clone(), since],
    )?;
    rows.iter()
        .map(|row| {
            Ok(Returning {
                seq: row.integer(0)?,
                id: row.text(1)?,
                text: row.text(2)?,
                exclusion: row.text(3)?,
                older: row.integer(4)? != 0,
            })
        })
        .collect()
}

/// Takes these memories out of what is staged, and the exclusions made since in.
pub fn keep_forgotten(
    sql: &dyn Sql,
    made_at: Timestamp,
    doomed: &BTreeMap<i64, String>,
) -> Result<()> {
    for (seq, id) in doomed {
        let seq = [SqlValue::from(*seq)];
        sql.run("DELETE FROM staged_memory_text WHERE rowid = ?", &seq)?;
        for table in ["memory_history", "decisions"] {
            sql.run(
                &format!("DELETE FROM {} WHERE memory_id = ?", staged(table)),
                &[id.into()],
            )?;
        }
        // Tags, embeddings and conflicts refer to the memory and go with it.
        sql.run("DELETE FROM staged_memories WHERE seq = ?", &seq)?;
        for pointer in ["supersedes", "superseded_by", "similar_to"] {
            sql.run(
                &format!("UPDATE staged_memories SET {pointer} = NULL WHERE {pointer} = ?"),
                &[id.into()],
            )?;
        }
    }
    sql.run(
        &format!(
            "INSERT INTO staged_exclusions (content_hash, family, reason, created_at, created_by) \
             SELECT e.content_hash, e.family, e.reason, e.created_at, e.created_by FROM exclusions e WHERE {NEWER}"
        ),
        &[made_at.millis().into()],
    )
}

/// Adds what the vault's own audit log says since the file was made: who forgot what, who let an app in, goes on being known.
pub fn keep_audit(sql: &dyn Sql, made_at: Timestamp) -> Result<()> {
    sql.run(
        "INSERT INTO staged_audit (at, actor, action, subject, details) \
         SELECT at, actor, action, subject, details FROM audit WHERE at > ? ORDER BY seq",
        &[made_at.millis().into()],
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_renamed_with_what_it_refers_to() {
        assert_eq!(
            renamed(
                "CREATE TABLE memory_tags (\n  memory_seq INTEGER NOT NULL REFERENCES memories (seq) ON DELETE CASCADE\n)"
            ),
            "CREATE TABLE staged_memory_tags (\n  memory_seq INTEGER NOT NULL REFERENCES staged_memories (seq) ON DELETE CASCADE\n)"
        );
        assert_eq!(
            renamed(
                "CREATE TABLE \"memory_sense\" (memory_seq INTEGER REFERENCES \"memories\" (seq))"
            ),
            "CREATE TABLE staged_memory_sense (memory_seq INTEGER REFERENCES staged_memories (seq))"
        );
        assert_eq!(
            renamed("CREATE VIRTUAL TABLE memory_text USING fts5 (whole)"),
            "CREATE VIRTUAL TABLE staged_memory_text USING fts5 (whole)"
        );
    }
}
