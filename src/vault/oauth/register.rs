//! Dynamic client registration (RFC 7591): an app introduces itself. It may do nothing until the owner lets it in.

use serde_json::Value;

use crate::error::Result;
use crate::limits;
use crate::model::app::{Client, ClientKind};
use crate::model::ids::IdKind;
use crate::oauth::error::OAuthError;
use crate::oauth::registration;
use crate::oauth::secret::{self, SecretKind};
use crate::store;
use crate::vault::oauth::{Outcome, sweep};
use crate::vault::{Vault, rates};

/// Registers; the answer is RFC 7591's client information, with the secret in it that is shown this once.
///
/// # Errors
/// To the client: `invalid_client_metadata`, `invalid_redirect_uri`, or 429 when its address registers too often.
pub fn register(vault: &Vault<'_>, address: &str, body: &[u8]) -> Outcome<Value> {
    let who = rates::hashed_address(vault, address)?;
    let registration = match registration::read(body) {
        Ok(registration) => registration,
        Err(refusal) => {
            return Ok(Err(OAuthError::bad_request(
                refusal.code,
                refusal.description,
            )));
        }
    };
    if let Err(seconds) = rates::take(vault, rates::REGISTRATIONS, &who)? {
        return Ok(Err(OAuthError::slow_down(seconds)));
    }
    let client_id = vault.new_id(IdKind::Client)?;
    let secret = registration
        .auth_method
        .needs_secret()
        .then(|| secret::new_secret(SecretKind::Client, |bytes| vault.random.fill(bytes)))
        .transpose()?;
    let now = vault.now();
    let client = Client {
        client_id: client_id.clone(),
        kind: ClientKind::Registered,
        name: registration.name.clone(),
        auth_method: registration.auth_method.as_str().to_owned(),
        secret_hash: secret.as_deref().map(secret::hash),
        redirect_uris: registration.redirect_uris.clone(),
        refreshes: registration
            .grant_types
            .iter()
            .any(|grant_type| grant_type == "refresh_token"),
        created_at: now,
        last_used_at: now,
        fresh_until: None,
    };
    vault.sql.in_transaction(|| -> Result<()> {
        store::oauth::clients::put(vault.sql, &client)?;
        store::oauth::clients::bound_unused(vault.sql, limits::UNUSED_CLIENTS)?;
        sweep::schedule(vault)
    })?;
    Ok(Ok(registration::answer(
        &registration,
        &client_id,
        secret.as_deref(),
        now.millis().div_euclid(1_000),
    )))
}
