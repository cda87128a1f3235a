//! The table `oauth_keys`: the vault's own signing keys.

use crate::error::Result;
use crate::model::app::SigningKey;
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql};

fn key(row: &Row) -> Result<SigningKey> {
    Ok(SigningKey {
        kid: row.text(0)?,
        private: row.blob(1)?,
        x: row.text(2)?,
        y: row.text(3)?,
    })
}

/// Adds a key.
pub fn insert(sql: &dyn Sql, new: &SigningKey, at: Timestamp) -> Result<()> {
    sql.run(
        "INSERT INTO oauth_keys (kid, private, x, y, created_at) VALUES (?, ?, ?, ?, ?)",
        &[
            (&new.kid).into(),
            new.private.clone().into(),
            (&new.x).into(),
            (&new.y).into(),
            at.millis().into(),
        ],
    )
}

/// Every key that still verifies, newest first.
pub fn all(sql: &dyn Sql) -> Result<Vec<SigningKey>> {
    sql.query(
        "SELECT kid, private, x, y FROM oauth_keys ORDER BY created_at DESC, kid",
        &[],
    )?
    .iter()
    .map(key)
    .collect()
}

/// The key to sign with: the newest of those made at or before `published`, or while there is none, the oldest.
pub fn signing(sql: &dyn Sql, published: Timestamp) -> Result<Option<SigningKey>> {
    sql.first(
        "SELECT kid, private, x, y FROM oauth_keys ORDER BY created_at <= ? DESC, \
         CASE WHEN created_at <= ? THEN -created_at ELSE created_at END LIMIT 1",
        &[published.millis().into(), published.millis().into()],
    )?
    .map(|row| key(&row))
    .transpose()
}

/// Removes keys made before the newest.
pub fn delete_older_than_newest(sql: &dyn Sql) -> Result<()> {
    sql.run(
        "DELETE FROM oauth_keys WHERE created_at < (SELECT max(created_at) FROM oauth_keys)",
        &[],
    )
}
