//! The table `oauth_grants`.

use super::millis;
use crate::error::Result;
use crate::model::app::{ClientKind, Grant};
use crate::model::scope::Scopes;
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql};

const COLUMNS: &str = "g.id, g.client_id, c.kind, g.client_name, g.redirect_uri, g.scopes, g.approved_by, g.approved_at, \
    g.connected_at, g.last_used_at, g.expires_at, g.writes";
const FROM: &str = "FROM oauth_grants g JOIN oauth_clients c ON c.client_id = g.client_id";

fn grant(row: &Row) -> Result<Grant> {
    let instant = |at: Option<i64>| at.map(Timestamp::from_millis);
    Ok(Grant {
        id: row.text(0)?,
        client_id: row.text(1)?,
        client_kind: ClientKind::parse(&row.text(2)?)?,
        client_name: row.text(3)?,
        redirect_uri: row.text(4)?,
        scopes: Scopes::parse(&row.text(5)?),
        approved_by: row.text(6)?,
        approved_at: Timestamp::from_millis(row.integer(7)?),
        connected_at: instant(row.integer_or_null(8)?),
        last_used_at: instant(row.integer_or_null(9)?),
        expires_at: Timestamp::from_millis(row.integer(10)?),
        writes: row.integer(11)?,
    })
}

/// Adds a grant.
pub fn insert(sql: &dyn Sql, new: &Grant) -> Result<()> {
    sql.run(
        "INSERT INTO oauth_grants (id, client_id, client_name, redirect_uri, scopes, approved_by, approved_at, connected_at, last_used_at, expires_at, writes) \
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        &[
            (&new.id).into(),
            (&new.client_id).into(),
            (&new.client_name).into(),
            (&new.redirect_uri).into(),
            new.scopes.to_text().into(),
            (&new.approved_by).into(),
            new.approved_at.millis().into(),
            millis(new.connected_at),
            millis(new.last_used_at),
            new.expires_at.millis().into(),
            new.writes.into(),
        ],
    )
}

/// The grant with this id.
pub fn find(sql: &dyn Sql, id: &str) -> Result<Option<Grant>> {
    let statement = format!("SELECT {COLUMNS} {FROM} WHERE g.id = ?");
    sql.first(&statement, &[id.into()])?
        .map(|row| grant(&row))
        .transpose()
}

/// The connected grants, last used first.
pub fn list(sql: &dyn Sql, limit: usize) -> Result<Vec<Grant>> {
    let statement = format!(
        "SELECT {COLUMNS} {FROM} WHERE g.connected_at IS NOT NULL ORDER BY g.last_used_at DESC, g.id LIMIT ?"
    );
    sql.query(&statement, &[(limit as i64).into()])?
        .iter()
        .map(grant)
        .collect()
}

/// The grants of a client, connected or not.
pub fn of_client(sql: &dyn Sql, client_id: &str) -> Result<Vec<Grant>> {
    let statement = format!("SELECT {COLUMNS} {FROM} WHERE g.client_id = ? ORDER BY g.id");
    sql.query(&statement, &[client_id.into()])?
        .iter()
        .map(grant)
        .collect()
}

/// Notes that the app fetched its first token.
pub fn connect(sql: &dyn Sql, id: &str, at: Timestamp) -> Result<()> {
    sql.run(
        "UPDATE oauth_grants SET connected_at = ?, last_used_at = ? WHERE id = ?",
        &[at.millis().into(), at.millis().into(), id.into()],
    )
}

/// Notes that the app did something.
pub fn touch(sql: &dyn Sql, id: &str, at: Timestamp) -> Result<()> {
    sql.run(
        "UPDATE oauth_grants SET last_used_at = ? WHERE id = ?",
        &[at.millis().into(), id.into()],
    )
}

/// Adds to what the app wrote in all.
pub fn add_written(sql: &dyn Sql, id: &str, count: usize) -> Result<()> {
    sql.run(
        "UPDATE oauth_grants SET writes = writes + ? WHERE id = ?",
        &[(count as i64).into(), id.into()],
    )
}

/// Ends a grant: it, its codes and its tokens are gone.
pub fn delete(sql: &dyn Sql, id: &str) -> Result<()> {
    sql.run("DELETE FROM oauth_grants WHERE id = ?", &[id.into()])
}

/// Removes grants that are over: past their end, or without any code or token left.
pub fn purge(sql: &dyn Sql, now: Timestamp) -> Result<()> {
    sql.run(
        "DELETE FROM oauth_grants WHERE expires_at <= ? OR \
         id NOT IN (SELECT grant_id FROM oauth_codes UNION SELECT grant_id FROM oauth_tokens)",
        &[now.millis().into()],
    )
}
