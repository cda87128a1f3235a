//! The table `memories` with its tags and full text: find, list, insert, change, destroy. Whoever changes a text or its
//! tags here changes the full text in the same call, so the two cannot part.

use crate::error::{Error, Result};
use crate::model::flag;
use crate::model::memory::{Filter, Memory, Status, StatusReason};
use crate::model::time::Timestamp;
use crate::ports::{Sql, SqlValue};
use crate::store::conflicts;
use crate::store::decisions;
pub use crate::store::memory_filter::condition;
use crate::store::memory_rows::{COLUMNS, memory};
use crate::store::memory_text;

/// The memory with this id, hidden or not.
pub fn find(sql: &dyn Sql, id: &str) -> Result<Option<Memory>> {
    let statement = format!("SELECT {COLUMNS} FROM memories m WHERE m.id = ?");
    sql.first(&statement, &[id.into()])?
        .map(|row| memory(&row))
        .transpose()
}

/// The memory with this key.
pub fn find_by_seq(sql: &dyn Sql, seq: i64) -> Result<Option<Memory>> {
    let statement = format!("SELECT {COLUMNS} FROM memories m WHERE m.seq = ?");
    sql.first(&statement, &[seq.into()])?
        .map(|row| memory(&row))
        .transpose()
}

/// The memories with these keys, in the order of their keys; those that are gone are left out.
pub fn with_keys(sql: &dyn Sql, seqs: &[i64]) -> Result<Vec<Memory>> {
    let statement = format!(
        "SELECT {COLUMNS} FROM memories m WHERE m.seq IN (SELECT value FROM json_each(?)) ORDER BY m.seq"
    );
    let keys = serde_json::Value::from(seqs).to_string();
    sql.query(&statement, &[keys.into()])?
        .iter()
        .map(memory)
        .collect()
}

/// All memories with this duplicate hash, oldest first.
pub fn with_hash(sql: &dyn Sql, content_hash: &str) -> Result<Vec<Memory>> {
    let statement =
        format!("SELECT {COLUMNS} FROM memories m WHERE m.content_hash = ? ORDER BY m.seq");
    sql.query(&statement, &[content_hash.into()])?
        .iter()
        .map(memory)
        .collect()
}

/// The keys of all memories that a filter lets through, in one row.
pub fn keys(sql: &dyn Sql, filter: &Filter) -> Result<Vec<i64>> {
    let (condition, parameters) = condition(filter);
    let statement = format!("SELECT group_concat(m.seq) FROM memories m WHERE {condition}");
    let found = sql.first(&statement, &parameters)?;
    let found = found.map(|row| row.text_or_null(0)).transpose()?.flatten();
    Ok(memory_text::read_keys(&found.unwrap_or_default()))
}

/// Newest first: up to `limit` memories with a key below `before_seq`.
pub fn list(
    sql: &dyn Sql,
    filter: &Filter,
    before_seq: Option<i64>,
    limit: usize,
) -> Result<Vec<Memory>> {
    let (condition, mut parameters) = condition(filter);
    let statement = format!(
        "SELECT {COLUMNS} FROM memories m WHERE {condition} AND m.seq < ? ORDER BY m.seq DESC LIMIT ?"
    );
    parameters.push(before_seq.unwrap_or(MAX_SEQ).into());
    parameters.push((limit as i64).into());
    sql.query(&statement, &parameters)?
        .iter()
        .map(memory)
        .collect()
}

/// Oldest first: up to `limit` memories with a key above `after` and up to `until`.
pub fn list_up(
    sql: &dyn Sql,
    filter: &Filter,
    after: i64,
    until: i64,
    limit: usize,
) -> Result<Vec<Memory>> {
    let (condition, mut parameters) = condition(filter);
    let statement = format!(
        "SELECT {COLUMNS} FROM memories m WHERE {condition} AND m.seq > ? AND m.seq <= ? ORDER BY m.seq LIMIT ?"
    );
    parameters.extend([after.into(), until.into(), (limit as i64).into()]);
    sql.query(&statement, &parameters)?
        .iter()
        .map(memory)
        .collect()
}

/// Above every key the platform can hand back exactly.
const MAX_SEQ: i64 = (1 << 53) - 1;

/// How many memories the filter lets through.
pub fn count(sql: &dyn Sql, filter: &Filter) -> Result<i64> {
    let (condition, parameters) = condition(filter);
    sql.count(
        &format!("SELECT count(*) FROM memories m WHERE {condition}"),
        &parameters,
    )
}

/// How many memories there are, of any status.
pub fn count_all(sql: &dyn Sql) -> Result<i64> {
    sql.count("SELECT count(*) FROM memories", &[])
}

/// The newest key in the table, 0 when it is empty.
pub fn newest_seq(sql: &dyn Sql) -> Result<i64> {
    sql.count("SELECT coalesce(max(seq), 0) FROM memories", &[])
}

/// Writes every field of an existing memory (found by its `seq`) that may change after the insert.
pub fn update(sql: &dyn Sql, changed: &Memory) -> Result<()> {
    let tags = serde_json::to_string(&changed.tags)
        .map_err(|_| Error::internal("tags do not serialise"))?;
    let millis = |time: Option<Timestamp>| SqlValue::from(time.map(Timestamp::millis));
    sql.run(
        "UPDATE memories SET status = ?, status_reason = ?, content = ?, content_hash = ?, type = ?, tier = ?, importance = ?, \
         tags = ?, session = ?, author = ?, source = ?, source_date = ?, dated_at = ?, supersedes = ?, superseded_by = ?, \
         valid_from = ?, valid_until = ?, similar_to = ?, similarity = ?, updated_at = ?, expires_at = ?, forget_requested_at = ?, \
         forget_requested_by = ?, flags = ? WHERE seq = ?",
        &[
            changed.status.as_str().into(),
            changed.status_reason.map(StatusReason::as_str).into(),
            (&changed.content).into(),
            (&changed.content_hash).into(),
            changed.memory_type.as_str().into(),
            changed.tier.as_str().into(),
            changed.importance.into(),
            tags.into(),
            changed.session.clone().into(),
            changed.author.clone().into(),
            changed.source.clone().into(),
            changed.source_date.clone().into(),
            changed.dated_at.millis().into(),
            changed.supersedes.clone().into(),
            changed.superseded_by.clone().into(),
            changed.valid_from.millis().into(),
            millis(changed.valid_until),
            changed.similar_to.clone().into(),
            changed.similarity.into(),
            changed.updated_at.millis().into(),
            millis(changed.expires_at),
            millis(changed.forget_requested_at),
            changed.forget_requested_by.clone().into(),
            flag::to_text(&changed.flags).into(),
            changed.seq.into(),
        ],
    )?;
    Ok(())
}

/// Rewrites tags and full text after [`update`] changed a text, a tag or another searchable field.
pub fn reindex(sql: &dyn Sql, changed: &Memory) -> Result<()> {
    sql.run(
        "DELETE FROM memory_tags WHERE memory_seq = ?",
        &[changed.seq.into()],
    )?;
    insert_tags(sql, changed.seq, &changed.tags)?;
    memory_text::delete(sql, changed.seq)?;
    memory_text::insert(sql, changed.seq, changed)
}

fn insert_tags(sql: &dyn Sql, seq: i64, tags: &[String]) -> Result<()> {
    for tag in tags {
        sql.run(
            "INSERT INTO memory_tags (tag, memory_seq) VALUES (?, ?)",
            &[tag.into(), seq.into()],
        )?;
    }
    Ok(())
}

/// Destroys a memory: text, earlier texts, tags, full text, and the pointers of others to it. Returns every text it ever
/// had, for their marks.
pub fn destroy(sql: &dyn Sql, doomed: &Memory) -> Result<Vec<String>> {
    let mut texts = vec![doomed.content.clone()];
    for row in sql.query(
        "SELECT DISTINCT content FROM memory_history WHERE memory_id = ?",
        &[(&doomed.id).into()],
    )? {
        texts.push(row.text(0)?);
    }
    memory_text::delete(sql, doomed.seq)?;
    sql.run(
        "DELETE FROM memory_tags WHERE memory_seq = ?",
        &[doomed.seq.into()],
    )?;
    conflicts::set(sql, doomed.seq, &[])?;
    sql.run(
        "DELETE FROM memory_history WHERE memory_id = ?",
        &[(&doomed.id).into()],
    )?;
    decisions::delete(sql, &doomed.id)?;
    sql.run("DELETE FROM memories WHERE seq = ?", &[doomed.seq.into()])?;
    // In a chain of replacements the neighbours of one that held, or holds, are joined; a proposal never replaced anything.
    let held = matches!(doomed.status, Status::Active | Status::Superseded);
    for (pointer, next, more) in [
        ("supersedes", &doomed.supersedes, ""),
        ("superseded_by", &doomed.superseded_by, ""),
        ("similar_to", &None, ", similarity = NULL"),
    ] {
        sql.run(
            &format!("UPDATE memories SET {pointer} = ?{more} WHERE {pointer} = ?"),
            &[next.clone().filter(|_| held).into(), (&doomed.id).into()],
        )?;
    }
    Ok(texts)
}

/// Active short-tier memories whose time is up, oldest first.
pub fn expired(sql: &dyn Sql, now: Timestamp, limit: usize) -> Result<Vec<Memory>> {
    let statement = format!(
        "SELECT {COLUMNS} FROM memories m WHERE m.expires_at <= ? AND m.status = 'active' ORDER BY m.expires_at LIMIT ?"
    );
    sql.query(&statement, &[now.millis().into(), (limit as i64).into()])?
        .iter()
        .map(memory)
        .collect()
}

/// When the next active short-tier memory runs out.
pub fn next_expiry(sql: &dyn Sql) -> Result<Option<Timestamp>> {
    let row = sql.first(
        "SELECT min(expires_at) FROM memories WHERE expires_at IS NOT NULL AND status = 'active'",
        &[],
    )?;
    Ok(row
        .map(|row| row.integer_or_null(0))
        .transpose()?
        .flatten()
        .map(Timestamp::from_millis))
}

/// Memories whose forgetting an agent asked for at or before `until`, oldest first.
pub fn forget_requested(sql: &dyn Sql, until: Timestamp, limit: usize) -> Result<Vec<Memory>> {
    let statement = format!(
        "SELECT {COLUMNS} FROM memories m WHERE m.forget_requested_at <= ? ORDER BY m.forget_requested_at LIMIT ?"
    );
    sql.query(&statement, &[until.millis().into(), (limit as i64).into()])?
        .iter()
        .map(memory)
        .collect()
}

/// Counts every wish to forget as made at `now`.
pub fn restart_forget_requests(sql: &dyn Sql, now: Timestamp) -> Result<()> {
    let statement =
        "UPDATE memories SET forget_requested_at = ? WHERE forget_requested_at IS NOT NULL";
    sql.run(statement, &[now.millis().into()])
}

/// When the oldest wish to forget was made.
pub fn oldest_forget_request(sql: &dyn Sql) -> Result<Option<Timestamp>> {
    let row = sql.first(
        "SELECT min(forget_requested_at) FROM memories WHERE forget_requested_at IS NOT NULL",
        &[],
    )?;
    Ok(row
        .map(|row| row.integer_or_null(0))
        .transpose()?
        .flatten()
        .map(Timestamp::from_millis))
}

/// How many memories have each status, hidden ones apart: `(status, visible, asked to forget)`.
pub fn count_by_status(sql: &dyn Sql) -> Result<Vec<(Status, i64, i64)>> {
    // Two counts over indexes alone; one over both columns would read every memory.
    let hidden = sql.query(
        "SELECT status, count(*) FROM memories INDEXED BY memories_by_forget_request \
         WHERE forget_requested_at IS NOT NULL GROUP BY status",
        &[],
    )?;
    let rows = sql.query("SELECT status, count(*) FROM memories GROUP BY status", &[])?;
    rows.iter()
        .map(|row| {
            let (status, all) = (row.text(0)?, row.integer(1)?);
            let mut asked = 0;
            for other in &hidden {
                if other.text(0)? == status {
                    asked = other.integer(1)?;
                }
            }
            Ok((Status::parse(&status)?, all - asked, asked))
        })
        .collect()
}

/// How many proposals are withheld from everybody but the owner.
pub fn count_withheld(sql: &dyn Sql) -> Result<i64> {
    sql.count(
        "SELECT count(*) FROM memories WHERE status = 'proposed' AND flags <> '' AND forget_requested_at IS NULL",
        &[],
    )
}

/// Ids of memories that an app may see and that begin with `prefix`, newest first (for completion).
pub fn ids_with_prefix(sql: &dyn Sql, prefix: &str, limit: usize) -> Result<Vec<String>> {
    let rows = sql.query(
        "SELECT id FROM memories WHERE id >= ? AND id < ? AND forget_requested_at IS NULL \
         AND (status = 'active' OR (status = 'proposed' AND flags = '')) ORDER BY seq DESC LIMIT ?",
        &[
            prefix.into(),
            format!("{prefix}\u{7f}").into(),
            (limit as i64).into(),
        ],
    )?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// The memories that this one replaced.
pub fn superseded_by(sql: &dyn Sql, id: &str) -> Result<Vec<String>> {
    let statement = "SELECT id FROM memories WHERE superseded_by = ? ORDER BY seq";
    let rows = sql.query(statement, &[id.into()])?;
    rows.iter().map(|row| row.text(0)).collect()
}

/// The memories that another took the place of.
pub fn replaced_by(sql: &dyn Sql, id: &str) -> Result<Vec<Memory>> {
    let statement =
        format!("SELECT {COLUMNS} FROM memories m WHERE m.superseded_by = ? ORDER BY m.seq DESC");
    sql.query(&statement, &[id.into()])?
        .iter()
        .map(memory)
        .collect()
}
