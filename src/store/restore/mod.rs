//! Restores: what was uploaded, the tables it is parsed into, and how they take the place of the vault's own.

pub mod links;
pub mod staging;
pub mod swap;
pub mod uploads;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::model::restore::{Restore, RestoreState};
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql, SqlValue};

fn parsed<T: DeserializeOwned>(json: &str) -> Result<T> {
    serde_json::from_str(json).map_err(|_| Error::internal("a restore's state is not readable"))
}

fn written<T: Serialize>(value: &T) -> Result<SqlValue> {
    serde_json::to_string(value)
        .map(SqlValue::Text)
        .map_err(|_| Error::internal("a restore's state does not serialise"))
}

fn restore(row: &Row) -> Result<Restore> {
    Ok(Restore {
        id: row.text(0)?,
        state: RestoreState::parse(&row.text(1)?)?,
        created_at: Timestamp::from_millis(row.integer(2)?),
        created_by: row.text(3)?,
        changed_at: Timestamp::from_millis(row.integer(4)?),
        progress: parsed(&row.text(5)?)?,
        wish: row.text_or_null(6)?.map(|json| parsed(&json)).transpose()?,
        outcome: row.text_or_null(7)?.map(|json| parsed(&json)).transpose()?,
    })
}

/// The one there is.
pub fn current(sql: &dyn Sql) -> Result<Option<Restore>> {
    sql.first(
        "SELECT id, state, created_at, created_by, changed_at, progress, wish, outcome FROM restores",
        &[],
    )?
    .map(|row| restore(&row))
    .transpose()
}

/// Opens one. The caller removed the one before.
pub fn insert(sql: &dyn Sql, id: &str, at: Timestamp, by: &str) -> Result<()> {
    sql.run(
        "INSERT INTO restores (id, state, created_at, created_by, changed_at) VALUES (?, 'receiving', ?, ?, ?)",
        &[id.into(), at.millis().into(), by.into(), at.millis().into()],
    )
}

/// Writes what may change.
pub fn update(sql: &dyn Sql, changed: &Restore) -> Result<()> {
    let wish = changed.wish.as_ref().map(written).transpose()?;
    let outcome = changed.outcome.as_ref().map(written).transpose()?;
    sql.run(
        "UPDATE restores SET state = ?, changed_at = ?, progress = ?, wish = ?, outcome = ? WHERE id = ?",
        &[
            changed.state.as_str().into(),
            changed.changed_at.millis().into(),
            written(&changed.progress)?,
            wish.unwrap_or(SqlValue::Null),
            outcome.unwrap_or(SqlValue::Null),
            (&changed.id).into(),
        ],
    )
}

/// Removes it with all that was uploaded and staged. Part of the caller's transaction.
pub fn remove(sql: &dyn Sql) -> Result<()> {
    staging::drop_all(sql)?;
    uploads::remove_all(sql)?;
    sql.run("DELETE FROM restores", &[])
}
