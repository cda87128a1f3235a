//! A refresh token becomes the next pair (OAuth 2.1 section 4.3). Which of a retry, a lost answer and a theft it is when
//! a token comes again, [`crate::oauth::refresh`] decides.

use crate::model::app::Client;
use crate::model::audit::Action;
use crate::model::scope::{self, Scopes};
use crate::oauth::error::OAuthError;
use crate::oauth::form::Form;
use crate::oauth::refresh::{Presented, Stage, stage};
use crate::oauth::{resource, secret};
use crate::store;
use crate::vault::Vault;
use crate::vault::oauth::Outcome;
use crate::vault::oauth::token::{self, Issued};

/// Refreshes, in one transaction. A refused request uses nothing up.
pub(crate) fn refresh(
    vault: &Vault<'_>,
    client: &Client,
    form: &Form,
    origin: &str,
) -> Outcome<Issued> {
    let refresh_token = match form.need("refresh_token") {
        Ok(refresh_token) => refresh_token,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let dead = || {
        Ok(Err(OAuthError::invalid_grant(
            "the refresh token is unknown, outlived, revoked, or another client's; sign in again",
        )))
    };
    vault.sql.in_transaction(|| {
        let Some(pair) =
            store::oauth::tokens::with_refresh_hash(vault.sql, &secret::hash(refresh_token))?
        else {
            return dead();
        };
        let now = vault.now();
        let grant = store::oauth::grants::find(vault.sql, &pair.grant_id)?
            .filter(|grant| grant.client_id == client.client_id && now < grant.expires_at);
        let Some(grant) = grant else {
            return dead();
        };
        if form
            .get("resource")
            .is_some_and(|wanted| !resource::is_ours(wanted, origin))
        {
            return Ok(Err(OAuthError::invalid_target()));
        }
        let asked = scope::meant(form.get("scope").unwrap_or_default());
        let scopes = if asked.is_empty() {
            grant.scopes
        } else {
            Scopes::parse(&asked).within(grant.scopes)
        };
        if scopes.is_empty() {
            return Ok(Err(OAuthError::invalid_scope(
                "the owner allowed none of these scopes",
            )));
        }
        let presented = Presented {
            exchanged_at: pair.exchanged_at,
            expires_at: pair.expires_at,
            dropped: pair.revoked_at.is_some(),
            successor_seen: store::oauth::tokens::successor_seen(vault.sql, &pair.id)?,
        };
        match stage(presented, now) {
            Stage::Dead => return dead(),
            Stage::Reuse => {
                let actor = token::as_actor(&grant, &pair.id);
                store::oauth::grants::delete(vault.sql, &grant.id)?;
                vault.audit(&actor, Action::RefreshReuse, Some(&grant.id), None)?;
                return dead();
            }
            Stage::Rotate => store::oauth::tokens::mark_exchanged(vault.sql, &pair.id, now)?,
            Stage::AnotherChild => {}
            Stage::Heal => {
                store::oauth::tokens::drop_unseen_successors(vault.sql, &pair.id, now)?;
                store::oauth::tokens::mark_exchanged(vault.sql, &pair.id, now)?;
            }
        }
        store::oauth::grants::touch(vault.sql, &grant.id, now)?;
        token::issue(vault, client, &grant, scopes, Some(&pair.id), origin).map(Ok)
    })
}
