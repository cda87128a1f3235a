//! An app gives back what it holds (RFC 7009).

use crate::error::Result;
use crate::model::app::{Grant, TokenPair};
use crate::model::audit::Action;
use crate::oauth::error::OAuthError;
use crate::oauth::{access_token, secret};
use crate::store;
use crate::vault::Vault;
use crate::vault::oauth::Outcome;
use crate::vault::oauth::token::{self, TokenCall};

/// Revokes. A refresh token ends its grant; an access token ends alone. A token we do not know counts as revoked.
///
/// # Errors
/// To the client: as for the token endpoint; `invalid_grant` for another client's token (RFC 7009 section 2.1).
pub fn revoke(vault: &Vault<'_>, call: TokenCall<'_>) -> Outcome<()> {
    let (form, client) = match token::caller(vault, call)? {
        Ok(caller) => caller,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let presented = match form.need("token") {
        Ok(presented) => presented,
        Err(refusal) => return Ok(Err(refusal)),
    };
    vault.sql.in_transaction(|| {
        let Some((pair, grant, is_refresh)) = find(vault, presented, call.origin)? else {
            return Ok(Ok(()));
        };
        if grant.client_id != client.client_id {
            return Ok(Err(OAuthError::invalid_grant(
                "the token is another client's",
            )));
        }
        if is_refresh {
            store::oauth::grants::delete(vault.sql, &grant.id)?;
            let actor = token::as_actor(&grant, &pair.id);
            vault.audit(&actor, Action::DisconnectApp, Some(&grant.id), None)?;
        } else {
            store::oauth::tokens::revoke_access(vault.sql, &pair.id, vault.now())?;
        }
        Ok(Ok(()))
    })
}

/// The pair a token belongs to, its grant, and whether it is the refresh token.
fn find(
    vault: &Vault<'_>,
    presented: &str,
    origin: &str,
) -> Result<Option<(TokenPair, Grant, bool)>> {
    let by_refresh = store::oauth::tokens::with_refresh_hash(vault.sql, &secret::hash(presented))?;
    let (pair, is_refresh) = match by_refresh {
        Some(pair) => (Some(pair), true),
        None => (by_access_token(vault, presented, origin)?, false),
    };
    let Some(pair) = pair else {
        return Ok(None);
    };
    let grant = store::oauth::grants::find(vault.sql, &pair.grant_id)?;
    Ok(grant.map(|grant| (pair, grant, is_refresh)))
}

fn by_access_token(vault: &Vault<'_>, presented: &str, origin: &str) -> Result<Option<TokenPair>> {
    let Some(kid) = access_token::key_id(presented) else {
        return Ok(None);
    };
    let key = store::oauth::keys::all(vault.sql)?
        .into_iter()
        .find(|key| key.kid == kid);
    let now = token::seconds(vault.now());
    let claims = key.and_then(|key| access_token::verify(presented, &key, origin, now));
    match claims {
        Some(claims) => store::oauth::tokens::find(vault.sql, &claims.jti),
        None => Ok(None),
    }
}
