//! A code becomes the first pair of tokens (RFC 6749 section 4.1.3, OAuth 2.1 section 4.1.3).

use crate::model::app::Client;
use crate::model::audit::Action;
use crate::oauth::error::OAuthError;
use crate::oauth::form::Form;
use crate::oauth::{pkce, resource, secret};
use crate::store;
use crate::vault::Vault;
use crate::vault::oauth::Outcome;
use crate::vault::oauth::token::{self, Issued};

/// Exchanges. Everything is checked before the code is used up. A code that comes a second time from its own client ends
/// the grant and all it gave out (OAuth 2.1 section 4.1.3).
pub(crate) fn exchange(
    vault: &Vault<'_>,
    client: &Client,
    form: &Form,
    origin: &str,
) -> Outcome<Issued> {
    let invalid = |why: &str| Ok(Err(OAuthError::invalid_grant(why)));
    let (code, verifier) = match (form.need("code"), form.need("code_verifier")) {
        (Ok(code), Ok(verifier)) => (code, verifier),
        (Err(refusal), _) | (_, Err(refusal)) => return Ok(Err(refusal)),
    };
    vault.sql.in_transaction(|| {
        let unknown = "the code is unknown, outlived, or another client's";
        let Some(code) = store::oauth::codes::find(vault.sql, &secret::hash(code))? else {
            return invalid(unknown);
        };
        let grant = store::oauth::grants::find(vault.sql, &code.grant_id)?;
        let Some(grant) = grant.filter(|grant| grant.client_id == client.client_id) else {
            return invalid(unknown);
        };
        if code.used_at.is_some() {
            let actor = token::as_actor(&grant, "");
            store::oauth::grants::delete(vault.sql, &grant.id)?;
            vault.audit(&actor, Action::CodeReuse, Some(&grant.id), None)?;
            return invalid("the code was used before; what it gave out is revoked, sign in again");
        }
        let now = vault.now();
        if now >= code.expires_at {
            return invalid(unknown);
        }
        if form
            .get("redirect_uri")
            .is_some_and(|uri| uri != code.redirect_uri)
        {
            return invalid("redirect_uri is not the one the code was sent to");
        }
        if !pkce::proves(verifier, &code.code_challenge) {
            return invalid("code_verifier does not match the challenge");
        }
        if form
            .get("resource")
            .is_some_and(|wanted| !resource::is_ours(wanted, origin))
        {
            return Ok(Err(OAuthError::invalid_target()));
        }
        store::oauth::codes::mark_used(vault.sql, &code.code_hash, now)?;
        store::oauth::grants::connect(vault.sql, &grant.id, now)?;
        token::issue(vault, client, &grant, grant.scopes, None, origin).map(Ok)
    })
}
