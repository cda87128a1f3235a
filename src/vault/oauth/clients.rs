//! Clients: finding the one that asks, fetching its document if its id is an address, and the owner's list of them.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::app::{Client, ClientKind, ClientView};
use crate::model::audit::Action;
use crate::model::time::Timestamp;
use crate::oauth::client_document::{self, DOCUMENT_BYTES};
use crate::oauth::registration::AuthMethod;
use crate::ports::{FetchFailure, FetchRequest};
use crate::store;
use crate::vault::oauth::sweep;
use crate::vault::{Vault, rates};

/// Why a client cannot be found, in a sentence for the owner.
pub(crate) type Unknown = String;

/// Finds the client that asks. One whose id is an https address is read from there, unless a fresh copy is at hand.
pub(crate) async fn resolve(
    vault: &Vault<'_>,
    client_id: &str,
    own_host: Option<&str>,
    address: &str,
) -> Result<std::result::Result<Client, Unknown>> {
    let known = store::oauth::clients::find(vault.sql, client_id)?;
    if !client_document::is_url(client_id) {
        let message = "This app is not registered here (any more). Remove the connection in the app and add it again.";
        return Ok(known.ok_or_else(|| message.to_owned()));
    }
    if let Err(fault) = client_document::check_url(client_id, own_host) {
        return Ok(Err(fault.sentence().to_owned()));
    }
    let now = vault.now();
    if let Some(client) = known.filter(|client| client.fresh_until.is_some_and(|until| now < until))
    {
        return Ok(Ok(client));
    }
    let who = rates::hashed_address(vault, address)?;
    if let Err(seconds) = rates::take(vault, rates::DOCUMENT_FETCHES, &who)? {
        return Ok(Err(format!(
            "Too many apps were looked up lately. Try again in {seconds} seconds."
        )));
    }
    let request = FetchRequest {
        url: client_id,
        headers: &[("Accept", "application/json")],
        body_bytes: DOCUMENT_BYTES,
        milliseconds: limits::DOCUMENT_MILLISECONDS,
    };
    let fetched = match vault.internet.get(request).await {
        Ok(fetched) if fetched.status == 200 => fetched,
        Ok(fetched) => {
            return Ok(Err(format!(
                "The app's description could not be read: its address answered with status {}.",
                fetched.status
            )));
        }
        Err(failure) => {
            let why = match failure {
                FetchFailure::Unreachable => "its address did not answer",
                FetchFailure::TooLarge => "it is larger than 5 KB",
                FetchFailure::Late => "its address took too long to answer",
            };
            return Ok(Err(format!(
                "The app's description could not be read: {why}."
            )));
        }
    };
    let document = match client_document::read(client_id, &fetched.body) {
        Ok(document) => document,
        Err(fault) => return Ok(Err(fault.sentence().to_owned())),
    };
    let fresh_for = client_document::fresh_for(fetched.header("cache-control"));
    let client = Client {
        client_id: document.client_id,
        kind: ClientKind::Document,
        name: document.name,
        auth_method: AuthMethod::None.as_str().to_owned(),
        secret_hash: None,
        redirect_uris: document.redirect_uris,
        refreshes: document
            .grant_types
            .iter()
            .any(|grant_type| grant_type == "refresh_token"),
        created_at: now,
        last_used_at: now,
        fresh_until: Some(now.plus_millis(fresh_for * 1_000)),
    };
    vault.sql.in_transaction(|| -> Result<()> {
        store::oauth::clients::put(vault.sql, &client)?;
        sweep::schedule(vault)
    })?;
    Ok(Ok(client))
}

/// A client in the owner's list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListedClient {
    /// Who it is.
    #[serde(flatten)]
    pub client: ClientView,
    /// Where it may have answers sent.
    pub redirect_uris: Vec<String>,
    /// How it proves itself.
    pub auth_method: String,
    /// Since when it is known.
    pub created_at: Timestamp,
    /// When it was last here.
    pub last_used_at: Timestamp,
    /// Grants it holds.
    pub grants: i64,
}

/// Every known client.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Clients {
    /// Last used first.
    pub clients: Vec<ListedClient>,
}

/// Lists clients, last used first.
pub fn list_clients(vault: &Vault<'_>, actor: &Actor) -> Result<Clients> {
    actor.require(Permission::Connect)?;
    let clients = store::oauth::clients::list(vault.sql, limits::APPS_SHOWN)?;
    Ok(Clients {
        clients: clients
            .into_iter()
            .map(|(client, grants)| listed(client, grants))
            .collect(),
    })
}

/// One client.
///
/// # Errors
/// `not_found`.
pub fn get_client(vault: &Vault<'_>, actor: &Actor, client_id: &str) -> Result<ListedClient> {
    actor.require(Permission::Connect)?;
    let client = find(vault, client_id)?;
    let grants = store::oauth::grants::of_client(vault.sql, client_id)?;
    let connected = grants
        .iter()
        .filter(|grant| grant.connected_at.is_some())
        .count();
    Ok(listed(client, connected as i64))
}

/// Removes a client; every grant it holds ends at once.
///
/// # Errors
/// `not_found`.
pub fn remove_client(vault: &Vault<'_>, actor: &Actor, client_id: &str) -> Result<()> {
    actor.require(Permission::Connect)?;
    vault.sql.in_transaction(|| {
        let client = find(vault, client_id)?;
        let grants: Vec<String> = store::oauth::grants::of_client(vault.sql, client_id)?
            .into_iter()
            .map(|grant| grant.id)
            .collect();
        store::oauth::clients::delete(vault.sql, client_id)?;
        let details = serde_json::json!({ "client": client.name, "grants": grants });
        vault.audit(actor, Action::RemoveClient, Some(client_id), Some(details))
    })
}

fn find(vault: &Vault<'_>, client_id: &str) -> Result<Client> {
    store::oauth::clients::find(vault.sql, client_id)?
        .ok_or_else(|| Error::not_found("client with this id").in_field("id"))
}

fn listed(client: Client, grants: i64) -> ListedClient {
    ListedClient {
        client: ClientView::of(&client.client_id, &client.name, client.kind),
        redirect_uris: client.redirect_uris,
        auth_method: client.auth_method,
        created_at: client.created_at,
        last_used_at: client.last_used_at,
        grants,
    }
}
