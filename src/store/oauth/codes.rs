//! The table `oauth_codes`.

use super::millis;
use crate::error::Result;
use crate::model::app::Code;
use crate::model::time::Timestamp;
use crate::ports::Sql;

const COLUMNS: &str = "code_hash, grant_id, redirect_uri, code_challenge, expires_at, used_at";

/// Adds a code.
pub fn insert(sql: &dyn Sql, code: &Code) -> Result<()> {
    let statement = format!("INSERT INTO oauth_codes ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)");
    sql.run(
        &statement,
        &[
            (&code.code_hash).into(),
            (&code.grant_id).into(),
            (&code.redirect_uri).into(),
            (&code.code_challenge).into(),
            code.expires_at.millis().into(),
            millis(code.used_at),
        ],
    )
}

/// The code with this hash.
pub fn find(sql: &dyn Sql, code_hash: &str) -> Result<Option<Code>> {
    let statement = format!("SELECT {COLUMNS} FROM oauth_codes WHERE code_hash = ?");
    let row = sql.first(&statement, &[code_hash.into()])?;
    row.map(|row| {
        Ok(Code {
            code_hash: row.text(0)?,
            grant_id: row.text(1)?,
            redirect_uri: row.text(2)?,
            code_challenge: row.text(3)?,
            expires_at: Timestamp::from_millis(row.integer(4)?),
            used_at: row.integer_or_null(5)?.map(Timestamp::from_millis),
        })
    })
    .transpose()
}

/// Notes that a code was exchanged.
pub fn mark_used(sql: &dyn Sql, code_hash: &str, at: Timestamp) -> Result<()> {
    sql.run(
        "UPDATE oauth_codes SET used_at = ? WHERE code_hash = ?",
        &[at.millis().into(), code_hash.into()],
    )
}

/// Removes the codes whose time is up.
pub fn purge(sql: &dyn Sql, now: Timestamp) -> Result<()> {
    sql.run(
        "DELETE FROM oauth_codes WHERE expires_at <= ?",
        &[now.millis().into()],
    )
}
