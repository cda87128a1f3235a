//! The tables `rates` and `address_salt`: who called how often in the current window.

use crate::error::{Error, Result};
use crate::model::time::Timestamp;
use crate::ports::Sql;

/// Windows kept of one kind.
const ROWS: usize = 2_000;

/// Calls in the window that began at or after `since`, and when that window began.
pub fn current(
    sql: &dyn Sql,
    what: &str,
    who: &str,
    since: Timestamp,
) -> Result<Option<(i64, Timestamp)>> {
    let row = sql.first(
        "SELECT calls, window_began_at FROM rates WHERE what = ? AND who = ? AND window_began_at > ?",
        &[what.into(), who.into(), since.millis().into()],
    )?;
    row.map(|row| Ok((row.integer(0)?, Timestamp::from_millis(row.integer(1)?))))
        .transpose()
}

/// Counts one call, unless the window has `most` already; answers whether it did. A window that began at or before `since` is
/// over, and a new one begins `now`.
pub fn count(
    sql: &dyn Sql,
    what: &str,
    who: &str,
    (since, now): (Timestamp, Timestamp),
    most: i64,
) -> Result<bool> {
    let counted = sql.first(
        "INSERT INTO rates (what, who, window_began_at, calls) VALUES (?1, ?2, ?3, 1) \
         ON CONFLICT (what, who) DO UPDATE SET \
         calls = CASE WHEN window_began_at > ?4 THEN calls + 1 ELSE 1 END, \
         window_began_at = CASE WHEN window_began_at > ?4 THEN window_began_at ELSE excluded.window_began_at END \
         WHERE window_began_at <= ?4 OR calls < ?5 RETURNING calls",
        &[
            what.into(),
            who.into(),
            now.millis().into(),
            since.millis().into(),
            most.into(),
        ],
    )?;
    let Some(calls) = counted.map(|row| row.integer(0)).transpose()? else {
        return Ok(false);
    };
    if calls == 1 {
        // Callers from ever new addresses push out the oldest windows instead of filling the database.
        sql.run(
            "DELETE FROM rates WHERE what = ?1 AND who IN \
             (SELECT who FROM rates WHERE what = ?1 ORDER BY window_began_at DESC LIMIT -1 OFFSET ?2)",
            &[what.into(), (ROWS as i64).into()],
        )?;
    }
    Ok(true)
}

/// Removes windows that began at or before `until`.
pub fn purge(sql: &dyn Sql, until: Timestamp) -> Result<()> {
    sql.run(
        "DELETE FROM rates WHERE window_began_at <= ?",
        &[until.millis().into()],
    )
}

/// The vault's own salt for addresses.
pub fn address_salt(sql: &dyn Sql) -> Result<Vec<u8>> {
    sql.first("SELECT salt FROM address_salt WHERE only = 1", &[])?
        .ok_or_else(|| Error::internal("the vault has no salt for addresses"))?
        .blob(0)
}
