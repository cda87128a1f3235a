//! The table `audit`.

use crate::error::{Error, Result};
use crate::model::audit::{Action, AuditEntry, AuditFilter};
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql, SqlValue};

/// Adds a row.
pub fn insert(sql: &dyn Sql, entry: &AuditEntry) -> Result<()> {
    sql.run(
        "INSERT INTO audit (at, actor, action, subject, details) VALUES (?, ?, ?, ?, ?)",
        &[
            entry.at.millis().into(),
            (&entry.actor).into(),
            entry.action.as_str().into(),
            entry.subject.clone().into(),
            entry.details.as_ref().map(ToString::to_string).into(),
        ],
    )
}

fn condition(filter: &AuditFilter) -> (String, Vec<SqlValue>) {
    let mut conditions = vec!["1"];
    let mut parameters = Vec::new();
    if let Some(actor) = &filter.actor {
        conditions.push("actor = ?");
        parameters.push(SqlValue::from(actor));
    }
    if let Some(action) = filter.action {
        conditions.push("action = ?");
        parameters.push(action.as_str().into());
    }
    if let Some(subject) = &filter.subject {
        conditions.push("subject = ?");
        parameters.push(subject.into());
    }
    if let Some(after) = filter.after {
        conditions.push("at >= ?");
        parameters.push(after.millis().into());
    }
    if let Some(before) = filter.before {
        conditions.push("at < ?");
        parameters.push(before.millis().into());
    }
    (conditions.join(" AND "), parameters)
}

/// Newest first, rows with a key below `before_seq`.
pub fn list(
    sql: &dyn Sql,
    filter: &AuditFilter,
    before_seq: i64,
    limit: usize,
) -> Result<Vec<AuditEntry>> {
    let (condition, mut parameters) = condition(filter);
    parameters.push(before_seq.into());
    parameters.push((limit as i64).into());
    let statement = format!(
        "SELECT seq, at, actor, action, subject, details FROM audit WHERE {condition} AND seq < ? ORDER BY seq DESC LIMIT ?"
    );
    sql.query(&statement, &parameters)?
        .iter()
        .map(entry)
        .collect()
}

/// How many rows the filter lets through.
pub fn count(sql: &dyn Sql, filter: &AuditFilter) -> Result<i64> {
    let (condition, parameters) = condition(filter);
    sql.count(
        &format!("SELECT count(*) FROM audit WHERE {condition}"),
        &parameters,
    )
}

fn entry(row: &Row) -> Result<AuditEntry> {
    let unreadable = |_| Error::internal("an audit row is not readable");
    Ok(AuditEntry {
        seq: row.integer(0)?,
        at: Timestamp::from_millis(row.integer(1)?),
        actor: row.text(2)?,
        action: Action::parse(&row.text(3)?)?,
        subject: row.text_or_null(4)?,
        details: row
            .text_or_null(5)?
            .map(|json| serde_json::from_str(&json))
            .transpose()
            .map_err(unreadable)?,
    })
}
