//! Connected apps, as the owner sees and ends them.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::app::{ClientView, Grant};
use crate::model::audit::Action;
use crate::model::scope::Scopes;
use crate::model::time::Timestamp;
use crate::store;
use crate::vault::{Vault, rates};

/// How much an app writes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Writes {
    /// Calls in the current window that wrote or were refused.
    pub recent: i64,
    /// Calls allowed in a window.
    pub limit: i64,
    /// The window's length.
    pub window_minutes: i64,
    /// Memories it stored, and asked to forget, since it was let in.
    pub total: i64,
}

/// A connected app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConnectedApp {
    /// The grant's id.
    pub id: String,
    /// The app.
    pub client: ClientView,
    /// Where the key was sent to.
    pub redirect_uri: String,
    /// What the app may do.
    pub scopes: Scopes,
    /// Who let it in.
    pub approved_by: String,
    /// When it fetched its first token.
    pub connected_at: Option<Timestamp>,
    /// When it last did something, to the minute.
    pub last_used_at: Option<Timestamp>,
    /// When it has to ask again, whatever it does.
    pub expires_at: Timestamp,
    /// How much it writes.
    pub writes: Writes,
}

/// Every connected app.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ConnectedApps {
    /// Last used first.
    pub grants: Vec<ConnectedApp>,
}

/// Lists connected apps, last used first.
pub fn list_grants(vault: &Vault<'_>, actor: &Actor) -> Result<ConnectedApps> {
    actor.require(Permission::Connect)?;
    let grants = store::oauth::grants::list(vault.sql, limits::APPS_SHOWN)?;
    Ok(ConnectedApps {
        grants: grants
            .into_iter()
            .map(|grant| connected(vault, grant))
            .collect::<Result<_>>()?,
    })
}

/// One connected app.
///
/// # Errors
/// `not_found`.
pub fn get_grant(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<ConnectedApp> {
    actor.require(Permission::Connect)?;
    connected(vault, find(vault, id)?)
}

/// Ends a grant. The app's next call is refused, and so is its refresh token.
///
/// # Errors
/// `not_found`.
pub fn revoke_grant(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<()> {
    actor.require(Permission::Connect)?;
    vault.sql.in_transaction(|| {
        let grant = find(vault, id)?;
        store::oauth::grants::delete(vault.sql, id)?;
        let details =
            serde_json::json!({ "client": grant.client_name, "client_id": grant.client_id });
        vault.audit(actor, Action::DisconnectApp, Some(id), Some(details))
    })
}

fn find(vault: &Vault<'_>, id: &str) -> Result<Grant> {
    store::oauth::grants::find(vault.sql, id)?
        .filter(|grant| grant.connected_at.is_some())
        .ok_or_else(|| Error::not_found("connected app with this id").in_field("id"))
}

fn connected(vault: &Vault<'_>, grant: Grant) -> Result<ConnectedApp> {
    Ok(ConnectedApp {
        client: ClientView::of(&grant.client_id, &grant.client_name, grant.client_kind),
        redirect_uri: grant.redirect_uri,
        scopes: grant.scopes,
        approved_by: grant.approved_by,
        connected_at: grant.connected_at,
        last_used_at: grant.last_used_at,
        expires_at: grant.expires_at,
        writes: Writes {
            recent: rates::recent(vault, rates::WRITES, &grant.id)?,
            limit: rates::WRITES.calls,
            window_minutes: limits::WRITE_WINDOW_MINUTES,
            total: grant.writes,
        },
        id: grant.id,
    })
}
