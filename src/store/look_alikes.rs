//! What judging new texts asks of the memories that are there, each question one statement with one value for an answer: every
//! value that crosses from SQLite costs as much as finding it.

use crate::error::{Error, Result};
use crate::model::memory::{Status, StatusReason};
use crate::model::time::Timestamp;
use crate::ports::Sql;
use crate::store::exclusions::{Mark, OF_MARK};
use crate::store::many::NEXT_SEQ;

/// A memory as far as a new text is compared with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// Its key.
    pub seq: i64,
    /// Its id.
    pub id: String,
    /// Where it stands.
    pub status: Status,
    /// Why it no longer holds.
    pub status_reason: Option<StatusReason>,
    /// When it ended.
    pub valid_until: Option<Timestamp>,
    /// Whether an agent asked to forget it.
    pub hidden: bool,
    /// Its text.
    pub content: String,
    /// Who said it.
    pub author: Option<String>,
    /// The day somebody gave it.
    pub source_date: Option<String>,
}

/// A candidate as SQLite writes it.
type Written = (
    i64,
    String,
    String,
    Option<String>,
    Option<i64>,
    i64,
    String,
    Option<String>,
    Option<String>,
);

/// The memories with these keys, in any order; those that are gone are left out.
pub fn with_keys(sql: &dyn Sql, seqs: &[i64]) -> Result<Vec<Candidate>> {
    let row = sql.first(
        "SELECT json_group_array(json_array(seq, id, status, status_reason, valid_until, forget_requested_at IS NOT NULL, content, author, \
         source_date)) FROM memories WHERE seq IN (SELECT value FROM json_each(?))",
        &[json(&seqs)?.into()],
    )?;
    let text = row.map(|row| row.text(0)).transpose()?.unwrap_or_default();
    let written: Vec<Written> = serde_json::from_str(&text).map_err(|_| unreadable())?;
    let read = |written: Written| {
        let (seq, id, status, reason, valid_until, hidden, content, author, source_date) = written;
        Ok(Candidate {
            seq,
            id,
            status: Status::parse(&status).map_err(|_| unreadable())?,
            status_reason: (reason.map(|word| StatusReason::parse(&word)).transpose())
                .map_err(|_| unreadable())?,
            valid_until: valid_until.map(Timestamp::from_millis),
            hidden: hidden != 0,
            content,
            author,
            source_date,
        })
    };
    written.into_iter().map(read).collect()
}

/// Those of some duplicate hashes that no memory has and no exclusion names.
pub fn unknown(sql: &dyn Sql, hashes: &[&str]) -> Result<Vec<String>> {
    let row = sql.first(
        "SELECT json_group_array(h.value) FROM json_each(?) h \
         WHERE NOT EXISTS (SELECT 1 FROM memories m WHERE m.content_hash = h.value) \
         AND NOT EXISTS (SELECT 1 FROM exclusions e WHERE e.content_hash = h.value)",
        &[json(&hashes)?.into()],
    )?;
    let text = row.map(|row| row.text(0)).transpose()?.unwrap_or_default();
    serde_json::from_str(&text).map_err(|_| unreadable())
}

/// What the tables know of a text before it is stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Known {
    /// Whether a memory has its duplicate hash.
    pub stored: bool,
    /// Whether it is excluded.
    pub excluded: bool,
    /// [`any_unwanted`].
    pub any_unwanted: bool,
    /// [`crate::store::many::next_seq`].
    pub next_seq: i64,
}

/// Looks a text up, and what storing it will ask next. The memories themselves, with their thirty columns, are read only for a
/// text that is there.
pub fn known(sql: &dyn Sql, mark: &Mark) -> Result<Known> {
    let row = sql.first(
        &format!(
            "SELECT EXISTS (SELECT 1 FROM memories WHERE content_hash = ?2), \
             EXISTS (SELECT 1 FROM exclusions WHERE {OF_MARK}), {ANY_UNWANTED}, {NEXT_SEQ}"
        ),
        &[(&mark.exact).into(), (&mark.family).into()],
    )?;
    let row = row.ok_or_else(unreadable)?;
    Ok(Known {
        stored: row.integer(0)? != 0,
        excluded: row.integer(1)? != 0,
        any_unwanted: row.integer(2)? != 0,
        next_seq: row.integer(3)?,
    })
}

const ANY_UNWANTED: &str = "(EXISTS (SELECT 1 FROM exclusions WHERE family IS NULL) \
     OR EXISTS (SELECT 1 FROM memories WHERE status = 'rejected') \
     OR EXISTS (SELECT 1 FROM memories WHERE forget_requested_at IS NOT NULL))";

/// Whether anything must not come back that is known by its own spelling only: rejected memories, those an agent asked to forget,
/// and exclusions from before they had families.
pub fn any_unwanted(sql: &dyn Sql) -> Result<bool> {
    let found = sql.count(&format!("SELECT {ANY_UNWANTED}"), &[])?;
    Ok(found != 0)
}

fn json(values: &impl serde::Serialize) -> Result<String> {
    serde_json::to_string(values).map_err(|_| Error::internal("a list does not serialise"))
}

fn unreadable() -> Error {
    Error::internal("a list made by the database is not readable")
}
