//! What the token and revocation endpoints share: counting calls, knowing the client, and giving out a pair of tokens.

use serde::Serialize;

use crate::error::Result;
use crate::limits;
use crate::model::actor::Actor;
use crate::model::app::{Client, Grant, TokenPair};
use crate::model::ids::IdKind;
use crate::model::scope::Scopes;
use crate::model::time::Timestamp;
use crate::oauth::access_token::{self, Claims, LIFETIME_SECONDS};
use crate::oauth::error::OAuthError;
use crate::oauth::form::{self, Form};
use crate::oauth::registration::AuthMethod;
use crate::oauth::secret::{self, SecretKind};
use crate::store;
use crate::vault::oauth::{Outcome, exchange, keys, refresh, sweep};
use crate::vault::{Vault, rates};

/// A call to the token or revocation endpoint.
#[derive(Debug, Clone, Copy)]
pub struct TokenCall<'a> {
    /// `Content-Type`.
    pub content_type: Option<&'a str>,
    /// `Authorization`.
    pub authorization: Option<&'a str>,
    /// The body.
    pub body: &'a [u8],
    /// Our own origin.
    pub origin: &'a str,
    /// The caller's address.
    pub address: &'a str,
}

/// A successful answer (RFC 6749 section 5.1).
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Issued {
    /// The access token.
    pub access_token: String,
    /// `Bearer`.
    pub token_type: &'static str,
    /// Seconds the access token holds.
    pub expires_in: i64,
    /// The refresh token, unless the client takes none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
    /// What the access token allows.
    pub scope: String,
}

/// The token endpoint.
///
/// # Errors
/// To the client, as [`OAuthError`] says; nothing is used up then.
pub fn token(vault: &Vault<'_>, call: TokenCall<'_>) -> Outcome<Issued> {
    let (form, client) = match caller(vault, call)? {
        Ok(caller) => caller,
        Err(refusal) => return Ok(Err(refusal)),
    };
    match form.get("grant_type") {
        Some("authorization_code") => exchange::exchange(vault, &client, &form, call.origin),
        Some("refresh_token") => refresh::refresh(vault, &client, &form, call.origin),
        Some(_) => Ok(Err(OAuthError::unsupported_grant_type())),
        None => Ok(Err(OAuthError::invalid_request("grant_type is missing"))),
    }
}

/// The form, and the client that proved itself.
pub(crate) fn caller(vault: &Vault<'_>, call: TokenCall<'_>) -> Outcome<(Form, Client)> {
    let form = match Form::read(call.content_type, call.body) {
        Ok(form) => form,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let credentials = match form::credentials(call.authorization, &form) {
        Ok(credentials) => credentials,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let Some(client) = store::oauth::clients::find(vault.sql, &credentials.client_id)? else {
        return Ok(Err(OAuthError::invalid_client(
            "this client is not registered here (any more); register again",
        )));
    };
    // Counted for each client and address, so that nobody uses up another's calls, and only for clients we know, so that
    // made-up ones leave no row.
    let who = rates::hashed_address(vault, &format!("{} {}", call.address, client.client_id))?;
    if let Err(seconds) = rates::take(vault, rates::TOKEN_CALLS, &who)? {
        return Ok(Err(OAuthError::slow_down(seconds)));
    }
    sweep::schedule(vault)?;
    let used = match (&credentials.secret, credentials.basic) {
        (None, _) => AuthMethod::None,
        (Some(_), true) => AuthMethod::ClientSecretBasic,
        (Some(_), false) => AuthMethod::ClientSecretPost,
    };
    let proven = credentials.secret.as_deref().map(secret::hash) == client.secret_hash;
    if used.as_str() != client.auth_method || !proven {
        return Ok(Err(OAuthError::invalid_client(format!(
            "the client did not prove itself by {}, as registered",
            client.auth_method
        ))));
    }
    Ok(Ok((form, client)))
}

/// Gives out a pair under a grant. Part of the caller's transaction.
pub(crate) fn issue(
    vault: &Vault<'_>,
    client: &Client,
    grant: &Grant,
    scopes: Scopes,
    parent: Option<&str>,
    origin: &str,
) -> Result<Issued> {
    let now = vault.now();
    let id = vault.new_id(IdKind::Token)?;
    let refresh_token = client
        .refreshes
        .then(|| secret::new_secret(SecretKind::Refresh, |bytes| vault.random.fill(bytes)))
        .transpose()?;
    let access_expires_at = now.plus_millis(LIFETIME_SECONDS * 1_000);
    let expires_at = if refresh_token.is_some() {
        now.plus_days(limits::REFRESH_IDLE_DAYS)
            .min(grant.expires_at)
    } else {
        access_expires_at
    };
    store::oauth::tokens::insert(
        vault.sql,
        &TokenPair {
            id: id.clone(),
            grant_id: grant.id.clone(),
            parent: parent.map(str::to_owned),
            refresh_hash: refresh_token.as_deref().map(secret::hash),
            scopes,
            issued_at: now,
            access_expires_at,
            expires_at,
            exchanged_at: None,
            seen_at: None,
            revoked_at: None,
        },
    )?;
    store::oauth::clients::touch(vault.sql, &client.client_id, now)?;
    let scope = scopes.to_text();
    let claims = Claims::new(
        origin,
        &client.client_id,
        &scope,
        &grant.id,
        &id,
        seconds(now),
    );
    Ok(Issued {
        access_token: access_token::sign(&claims, &keys::signing_key(vault)?)?,
        token_type: "Bearer",
        expires_in: LIFETIME_SECONDS,
        refresh_token,
        scope,
    })
}

pub(crate) fn seconds(at: Timestamp) -> i64 {
    at.millis().div_euclid(1_000)
}

/// The client as an actor, for the audit log.
pub(crate) fn as_actor(grant: &Grant, token: &str) -> Actor {
    Actor::Agent {
        client: grant.client_name.clone(),
        grant: grant.id.clone(),
        token: token.to_owned(),
        scopes: grant.scopes,
    }
}
