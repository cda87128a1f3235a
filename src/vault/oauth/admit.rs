//! The vault's own look at an app's call: the edge has verified the token's signature, audience and age; whether its
//! grant still holds only the vault knows, so that revoking bites on the very next call.

use crate::error::Result;
use crate::model::actor::Actor;
use crate::model::time::MINUTE_MILLIS;
use crate::store;
use crate::vault::Vault;

/// How exact "last used" is; a call within this time of the last noted one writes nothing.
const LAST_USED_MILLIS: i64 = MINUTE_MILLIS;

/// The app with its name and the scopes that hold now; `None` when its token or grant is no longer good.
/// Other actors come back as they are.
pub fn admit(vault: &Vault<'_>, actor: &Actor) -> Result<Option<Actor>> {
    let Actor::Agent { grant, token, .. } = actor else {
        return Ok(Some(actor.clone()));
    };
    let now = vault.now();
    let Some(admission) = store::oauth::admission::find(vault.sql, token, grant, now)? else {
        return Ok(None);
    };
    if !admission.seen {
        store::oauth::tokens::mark_seen(vault.sql, token, now)?;
    }
    if admission
        .last_used_at
        .is_none_or(|at| now.millis() - at.millis() >= LAST_USED_MILLIS)
    {
        store::oauth::grants::touch(vault.sql, grant, now)?;
    }
    Ok(Some(Actor::Agent {
        client: admission.client_name,
        grant: grant.clone(),
        token: token.clone(),
        scopes: admission.scopes,
    }))
}
