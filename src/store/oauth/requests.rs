//! The table `oauth_requests`: questions to the owner that wait for an answer.

use crate::error::Result;
use crate::model::app::AuthorizationRequest;
use crate::model::scope::Scopes;
use crate::model::time::Timestamp;
use crate::ports::{Row, Sql};

const COLUMNS: &str = "id, client_id, redirect_uri, state, code_challenge, scopes, asked_of, form_hash, browser_hash, created_at, expires_at";

fn request(row: &Row) -> Result<AuthorizationRequest> {
    Ok(AuthorizationRequest {
        id: row.text(0)?,
        client_id: row.text(1)?,
        redirect_uri: row.text(2)?,
        state: row.text_or_null(3)?,
        code_challenge: row.text(4)?,
        scopes: Scopes::parse(&row.text(5)?),
        asked_of: row.text(6)?,
        form_hash: row.text(7)?,
        browser_hash: row.text(8)?,
        created_at: Timestamp::from_millis(row.integer(9)?),
        expires_at: Timestamp::from_millis(row.integer(10)?),
    })
}

/// Adds a question.
pub fn insert(sql: &dyn Sql, new: &AuthorizationRequest) -> Result<()> {
    let statement =
        format!("INSERT INTO oauth_requests ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    sql.run(
        &statement,
        &[
            (&new.id).into(),
            (&new.client_id).into(),
            (&new.redirect_uri).into(),
            new.state.clone().into(),
            (&new.code_challenge).into(),
            new.scopes.to_text().into(),
            (&new.asked_of).into(),
            (&new.form_hash).into(),
            (&new.browser_hash).into(),
            new.created_at.millis().into(),
            new.expires_at.millis().into(),
        ],
    )
}

/// The question with this id.
pub fn find(sql: &dyn Sql, id: &str) -> Result<Option<AuthorizationRequest>> {
    let statement = format!("SELECT {COLUMNS} FROM oauth_requests WHERE id = ?");
    sql.first(&statement, &[id.into()])?
        .map(|row| request(&row))
        .transpose()
}

/// Removes a question.
pub fn delete(sql: &dyn Sql, id: &str) -> Result<()> {
    sql.run("DELETE FROM oauth_requests WHERE id = ?", &[id.into()])
}

/// Removes the questions whose time is up, and of the others all but the newest `keep`.
pub fn purge(sql: &dyn Sql, now: Timestamp, keep: usize) -> Result<()> {
    sql.run(
        "DELETE FROM oauth_requests WHERE expires_at <= ? OR id IN \
         (SELECT id FROM oauth_requests ORDER BY created_at DESC LIMIT -1 OFFSET ?)",
        &[now.millis().into(), (keep as i64).into()],
    )
}
