//! Idempotency keys: the same key with the same request gives the first answer again, with another request a conflict.
//! Keys belong to the actor and live [`crate::limits::IDEMPOTENCY_DAYS`].

use serde::Serialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};
use crate::limits;
use crate::model::actor::Actor;
use crate::model::draft;
use crate::store;
use crate::store::idempotency::Remembered;
use crate::vault::Vault;
use crate::vault::agenda::{self, JobKind};

/// A caller's key together with the request it stands for.
pub struct Key<'a> {
    key: &'a str,
    request_hash: String,
}

impl<'a> Key<'a> {
    /// Checks the key. `request` is any stable spelling of the request.
    ///
    /// # Errors
    /// `invalid_argument` on field `idempotency_key`.
    pub fn new(key: &'a str, request: &str) -> Result<Self> {
        if key.trim().is_empty() || key.chars().count() > limits::IDEMPOTENCY_KEY_CHARS {
            let message = format!(
                "must have 1 to {} characters",
                limits::IDEMPOTENCY_KEY_CHARS
            );
            return Err(Error::invalid("idempotency_key", message));
        }
        draft::refuse_secret("idempotency_key", key)?;
        let digest = Sha256::digest(request.as_bytes());
        Ok(Key {
            key,
            request_hash: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        })
    }

    /// The answer given the first time, if there was one.
    ///
    /// # Errors
    /// `conflict` when the key was used for another request.
    pub fn answered<T: DeserializeOwned>(
        &self,
        vault: &Vault<'_>,
        actor: &Actor,
    ) -> Result<Option<T>> {
        let since = vault.now().plus_days(-limits::IDEMPOTENCY_DAYS);
        let Some(known) = store::idempotency::find(vault.sql, &actor.identity(), self.key, since)?
        else {
            return Ok(None);
        };
        if known.request_hash != self.request_hash {
            return Err(Error::conflict(
                "was used for another request; use a new key for each request",
            )
            .in_field("idempotency_key"));
        }
        let unreadable = |_| Error::internal("a remembered answer is not readable");
        serde_json::from_str(&known.answer)
            .map(Some)
            .map_err(unreadable)
    }

    /// Remembers the answer, which must hold ids and outcomes only. Part of the caller's transaction.
    pub fn remember<T: Serialize>(
        &self,
        vault: &Vault<'_>,
        actor: &Actor,
        answer: &T,
    ) -> Result<()> {
        let answer = serde_json::to_string(answer)
            .map_err(|_| Error::internal("an answer does not serialise"))?;
        let now = vault.now();
        let entry = Remembered {
            request_hash: self.request_hash.clone(),
            answer,
        };
        store::idempotency::insert(vault.sql, &actor.identity(), self.key, &entry, now)?;
        agenda::schedule(
            vault,
            JobKind::PurgeIdempotencyKeys,
            now.plus_days(limits::IDEMPOTENCY_DAYS),
        )
    }
}

/// Removes outlived keys; says when to come again.
pub fn purge(vault: &Vault<'_>) -> Result<agenda::Next> {
    store::idempotency::purge(
        vault.sql,
        vault.now().plus_days(-limits::IDEMPOTENCY_DAYS),
        limits::ROWS_PER_JOB,
    )?;
    let oldest = store::idempotency::oldest(vault.sql)?;
    Ok(oldest.map_or(agenda::Next::Done, |oldest| {
        agenda::Next::Again(oldest.plus_days(limits::IDEMPOTENCY_DAYS))
    }))
}
