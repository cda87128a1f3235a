//! The table `oauth_tokens`: pairs of access and refresh token, each grant's a tree.

use super::millis;
use crate::error::Result;
use crate::model::app::TokenPair;
use crate::model::scope::Scopes;
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql};

const COLUMNS: &str = "id, grant_id, parent, refresh_hash, scopes, issued_at, access_expires_at, expires_at, exchanged_at, seen_at, revoked_at";

fn pair(row: &Row) -> Result<TokenPair> {
    let instant = |at: Option<i64>| at.map(Timestamp::from_millis);
    Ok(TokenPair {
        id: row.text(0)?,
        grant_id: row.text(1)?,
        parent: row.text_or_null(2)?,
        refresh_hash: row.text_or_null(3)?,
        scopes: Scopes::parse(&row.text(4)?),
        issued_at: Timestamp::from_millis(row.integer(5)?),
        access_expires_at: Timestamp::from_millis(row.integer(6)?),
        expires_at: Timestamp::from_millis(row.integer(7)?),
        exchanged_at: instant(row.integer_or_null(8)?),
        seen_at: instant(row.integer_or_null(9)?),
        revoked_at: instant(row.integer_or_null(10)?),
    })
}

/// Adds a pair.
pub fn insert(sql: &dyn Sql, new: &TokenPair) -> Result<()> {
    let statement =
        format!("INSERT INTO oauth_tokens ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    sql.run(
        &statement,
        &[
            (&new.id).into(),
            (&new.grant_id).into(),
            new.parent.clone().into(),
            new.refresh_hash.clone().into(),
            new.scopes.to_text().into(),
            new.issued_at.millis().into(),
            new.access_expires_at.millis().into(),
            new.expires_at.millis().into(),
            millis(new.exchanged_at),
            millis(new.seen_at),
            millis(new.revoked_at),
        ],
    )
}

/// The pair with this id.
pub fn find(sql: &dyn Sql, id: &str) -> Result<Option<TokenPair>> {
    let statement = format!("SELECT {COLUMNS} FROM oauth_tokens WHERE id = ?");
    sql.first(&statement, &[id.into()])?
        .map(|row| pair(&row))
        .transpose()
}

/// The pair with this refresh token.
pub fn with_refresh_hash(sql: &dyn Sql, refresh_hash: &str) -> Result<Option<TokenPair>> {
    let statement = format!("SELECT {COLUMNS} FROM oauth_tokens WHERE refresh_hash = ?");
    sql.first(&statement, &[refresh_hash.into()])?
        .map(|row| pair(&row))
        .transpose()
}

/// Whether anybody has used what exchanging this pair gave out.
pub fn successor_seen(sql: &dyn Sql, id: &str) -> Result<bool> {
    Ok(sql.count(
        "SELECT count(*) FROM oauth_tokens WHERE parent = ? AND (seen_at IS NOT NULL OR exchanged_at IS NOT NULL)",
        &[id.into()],
    )? > 0)
}

/// Revokes the pairs that exchanging this one gave out and nobody has seen.
pub fn drop_unseen_successors(sql: &dyn Sql, id: &str, at: Timestamp) -> Result<()> {
    sql.run(
        "UPDATE oauth_tokens SET revoked_at = ? WHERE parent = ? AND seen_at IS NULL AND exchanged_at IS NULL AND revoked_at IS NULL",
        &[at.millis().into(), id.into()],
    )
}

/// Notes that the refresh token was exchanged.
pub fn mark_exchanged(sql: &dyn Sql, id: &str, at: Timestamp) -> Result<()> {
    sql.run(
        "UPDATE oauth_tokens SET exchanged_at = ?, seen_at = coalesce(seen_at, ?) WHERE id = ?",
        &[at.millis().into(), at.millis().into(), id.into()],
    )
}

/// Notes that the access token was used for the first time.
pub fn mark_seen(sql: &dyn Sql, id: &str, at: Timestamp) -> Result<()> {
    sql.run(
        "UPDATE oauth_tokens SET seen_at = ? WHERE id = ? AND seen_at IS NULL",
        &[at.millis().into(), id.into()],
    )
}

/// Ends one pair's access token; its refresh token stays.
pub fn revoke_access(sql: &dyn Sql, id: &str, at: Timestamp) -> Result<()> {
    sql.run(
        "UPDATE oauth_tokens SET access_expires_at = min(access_expires_at, ?) WHERE id = ?",
        &[at.millis().into(), id.into()],
    )
}

/// Removes up to `limit` pairs that no longer matter.
pub fn purge(sql: &dyn Sql, now: Timestamp, limit: usize) -> Result<()> {
    sql.run(
        "DELETE FROM oauth_tokens WHERE id IN (SELECT id FROM oauth_tokens WHERE expires_at <= ? LIMIT ?)",
        &[now.millis().into(), (limit as i64).into()],
    )
}
