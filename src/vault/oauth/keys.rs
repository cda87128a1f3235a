//! The vault's own signing keys: made when first needed, replaced every few months. A new one is published for a while
//! before it signs, and the old one for a while after.

use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::limits;
use crate::model::actor::Actor;
use crate::model::app::SigningKey;
use crate::model::audit::Action;
use crate::model::time::HOUR_MILLIS;
use crate::oauth::access_token;
use crate::store;
use crate::vault::Vault;
use crate::vault::agenda::{self, JobKind, Next};

/// Tries at a private key; one fails once in four billion times.
const TRIES: usize = 8;

/// The key that signs now. Part of the caller's transaction.
pub(crate) fn signing_key(vault: &Vault<'_>) -> Result<SigningKey> {
    let lead = limits::SIGNING_KEY_LEAD_HOURS * HOUR_MILLIS;
    match store::oauth::keys::signing(vault.sql, vault.now().plus_millis(-lead))? {
        Some(key) => Ok(key),
        None => make(vault),
    }
}

fn make(vault: &Vault<'_>) -> Result<SigningKey> {
    for _ in 0..TRIES {
        let mut seed = [0; 32];
        vault.random.fill(&mut seed)?;
        if let Some(key) = access_token::key_pair(&seed) {
            let now = vault.now();
            store::oauth::keys::insert(vault.sql, &key, now)?;
            agenda::schedule(
                vault,
                JobKind::RotateSigningKey,
                now.plus_days(limits::SIGNING_KEY_DAYS),
            )?;
            return Ok(key);
        }
    }
    Err(Error::internal("no signing key could be made"))
}

/// Makes the next signing key (the alarm's job).
pub(crate) fn rotate(vault: &Vault<'_>) -> Result<Next> {
    let key = make(vault)?;
    agenda::schedule(
        vault,
        JobKind::RetireSigningKeys,
        vault
            .now()
            .plus_millis(limits::SIGNING_KEY_OVERLAP_HOURS * HOUR_MILLIS),
    )?;
    vault.audit(&Actor::Vault, Action::RotateKey, Some(&key.kid), None)?;
    Ok(Next::Again(vault.now().plus_days(limits::SIGNING_KEY_DAYS)))
}

/// Removes the keys that were replaced long enough ago (the alarm's job).
pub(crate) fn retire(vault: &Vault<'_>) -> Result<Next> {
    store::oauth::keys::delete_older_than_newest(vault.sql)?;
    Ok(Next::Done)
}

/// The public halves as a JSON Web Key Set (RFC 7517), newest first. Never empty: the first is made when it is asked for.
pub fn key_set(vault: &Vault<'_>) -> Result<Value> {
    vault.sql.in_transaction(|| {
        signing_key(vault)?;
        let keys: Vec<Value> = store::oauth::keys::all(vault.sql)?
            .iter()
            .map(access_token::jwk)
            .collect();
        Ok(json!({ "keys": keys }))
    })
}
