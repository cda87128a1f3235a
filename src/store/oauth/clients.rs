//! The table `oauth_clients`.

use super::millis;
use crate::error::{Error, Result};
use crate::model::app::{Client, ClientKind};
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql};

const COLUMNS: &str = "client_id, kind, name, auth_method, secret_hash, redirect_uris, refreshes, created_at, last_used_at, fresh_until";

fn client(row: &Row) -> Result<Client> {
    Ok(Client {
        client_id: row.text(0)?,
        kind: ClientKind::parse(&row.text(1)?)?,
        name: row.text(2)?,
        auth_method: row.text(3)?,
        secret_hash: row.text_or_null(4)?,
        redirect_uris: serde_json::from_str(&row.text(5)?)
            .map_err(|_| Error::internal("a client's redirect URIs are not readable"))?,
        refreshes: row.integer(6)? != 0,
        created_at: Timestamp::from_millis(row.integer(7)?),
        last_used_at: Timestamp::from_millis(row.integer(8)?),
        fresh_until: row.integer_or_null(9)?.map(Timestamp::from_millis),
    })
}

/// Adds a client, or brings a known one up to date; since when it is known stays.
pub fn put(sql: &dyn Sql, client: &Client) -> Result<()> {
    let uris = serde_json::to_string(&client.redirect_uris)
        .map_err(|_| Error::internal("redirect URIs do not serialise"))?;
    let statement = format!(
        "INSERT INTO oauth_clients ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) \
         ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, auth_method = excluded.auth_method, \
         redirect_uris = excluded.redirect_uris, refreshes = excluded.refreshes, \
         last_used_at = excluded.last_used_at, fresh_until = excluded.fresh_until"
    );
    sql.run(
        &statement,
        &[
            (&client.client_id).into(),
            client.kind.as_str().into(),
            (&client.name).into(),
            (&client.auth_method).into(),
            client.secret_hash.clone().into(),
            uris.into(),
            client.refreshes.into(),
            client.created_at.millis().into(),
            client.last_used_at.millis().into(),
            millis(client.fresh_until),
        ],
    )
}

/// The client with this id.
pub fn find(sql: &dyn Sql, client_id: &str) -> Result<Option<Client>> {
    let statement = format!("SELECT {COLUMNS} FROM oauth_clients WHERE client_id = ?");
    sql.first(&statement, &[client_id.into()])?
        .map(|row| client(&row))
        .transpose()
}

/// Clients with the number of their connected grants: those that have one first, then last used first.
pub fn list(sql: &dyn Sql, limit: usize) -> Result<Vec<(Client, i64)>> {
    let statement = format!(
        "SELECT {COLUMNS}, (SELECT count(*) FROM oauth_grants g WHERE g.client_id = c.client_id AND g.connected_at IS NOT NULL) AS held \
         FROM oauth_clients c ORDER BY held > 0 DESC, last_used_at DESC, client_id LIMIT ?"
    );
    sql.query(&statement, &[(limit as i64).into()])?
        .iter()
        .map(|row| Ok((client(row)?, row.integer(10)?)))
        .collect()
}

/// Notes that the client was here.
pub fn touch(sql: &dyn Sql, client_id: &str, at: Timestamp) -> Result<()> {
    sql.run(
        "UPDATE oauth_clients SET last_used_at = ? WHERE client_id = ?",
        &[at.millis().into(), client_id.into()],
    )
}

/// Removes a client and, with it, everything it was granted.
pub fn delete(sql: &dyn Sql, client_id: &str) -> Result<()> {
    sql.run(
        "DELETE FROM oauth_clients WHERE client_id = ?",
        &[client_id.into()],
    )
}

/// Clients without any grant, and without a question that waits for the owner.
const UNUSED: &str = "NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client_id = c.client_id) \
    AND NOT EXISTS (SELECT 1 FROM oauth_requests r WHERE r.client_id = c.client_id)";

/// Removes clients without a grant that were last here at or before `until`.
pub fn purge_unused(sql: &dyn Sql, until: Timestamp, limit: usize) -> Result<()> {
    let statement = format!(
        "DELETE FROM oauth_clients WHERE client_id IN \
         (SELECT client_id FROM oauth_clients c WHERE {UNUSED} AND last_used_at <= ? LIMIT ?)"
    );
    sql.run(&statement, &[until.millis().into(), (limit as i64).into()])
}

/// Keeps the newest `keep` clients without a grant and removes the others.
pub fn bound_unused(sql: &dyn Sql, keep: usize) -> Result<()> {
    let statement = format!(
        "DELETE FROM oauth_clients WHERE client_id IN \
         (SELECT client_id FROM oauth_clients c WHERE {UNUSED} ORDER BY last_used_at DESC LIMIT -1 OFFSET ?)"
    );
    sql.run(&statement, &[(keep as i64).into()])
}
