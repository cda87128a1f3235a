//! An app asks to be let in (the authorization endpoint's GET). Everything about the request is checked and kept here;
//! the page the owner sees carries only its id. Asking again changes nothing that was asked before.

use crate::error::Result;
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::app::{AuthorizationRequest, Client};
use crate::model::ids::IdKind;
use crate::model::scope::{self, DEFAULT_SCOPES, Scope, Scopes};
use crate::model::time::MINUTE_MILLIS;
use crate::oauth::form::Form;
use crate::oauth::secret::{self, SecretKind};
use crate::oauth::{documents, pkce, redirect, resource};
use crate::store;
use crate::vault::Vault;
use crate::vault::oauth::{clients, sweep};

/// What to show, or where to send the browser.
#[derive(Debug)]
pub enum Asked {
    /// The owner decides.
    Consent(Box<Question>),
    /// The request is wrong in a way the app has to hear of: an address of its own.
    Redirect(String),
    /// The request is wrong in a way that must not be sent anywhere: a sentence for the owner.
    Refused(String),
}

/// What the owner is asked.
#[derive(Debug, Clone)]
pub struct Question {
    /// The id the form sends back.
    pub request: AuthorizationRequest,
    /// Who asks.
    pub client: Client,
    /// The form's one-use token.
    pub form_token: String,
    /// The cookie that binds the form to this browser.
    pub browser: String,
}

/// Checks and keeps an authorization request. `browser` is the binding cookie the browser already has, `own_host` the
/// vault's host, `address` the caller's.
pub async fn ask(
    vault: &Vault<'_>,
    actor: &Actor,
    form: Form,
    origin: &str,
    browser: Option<&str>,
    address: &str,
) -> Result<Asked> {
    actor.require(Permission::Connect)?;
    let refused = |sentence: &str| Ok(Asked::Refused(sentence.to_owned()));
    let Some(client_id) = form.get("client_id") else {
        return refused("The app did not say who it is: client_id is missing.");
    };
    let own_host = origin.split_once("://").map(|(_, host)| host);
    let client = match clients::resolve(vault, client_id, own_host, address).await? {
        Ok(client) => client,
        Err(sentence) => return Ok(Asked::Refused(sentence)),
    };
    let redirect_uri = match redirect::choose(&client.redirect_uris, form.get("redirect_uri")) {
        Ok(uri) => uri,
        Err(fault) => {
            return Ok(Asked::Refused(format!(
                "The app's request cannot be used: {fault}."
            )));
        }
    };
    let state = form.get("state");
    if state.is_some_and(|state| state.len() > limits::STATE_BYTES) {
        return refused("The app's state parameter is longer than 4 KB.");
    }
    let scopes = match check(&form, origin) {
        Ok(scopes) => scopes,
        Err((code, description)) => {
            return Ok(Asked::Redirect(error_redirect(
                &redirect_uri,
                origin,
                state,
                code,
                description,
            )));
        }
    };
    let random = |kind| secret::new_secret(kind, |bytes| vault.random.fill(bytes));
    let form_token = random(SecretKind::Form)?;
    let browser = match browser {
        Some(browser) => browser.to_owned(),
        None => random(SecretKind::Form)?,
    };
    let now = vault.now();
    let request = AuthorizationRequest {
        id: vault.new_id(IdKind::Ask)?,
        client_id: client.client_id.clone(),
        redirect_uri,
        state: state.map(str::to_owned),
        code_challenge: form.get("code_challenge").unwrap_or_default().to_owned(),
        scopes,
        asked_of: actor.label(),
        form_hash: secret::hash(&form_token),
        browser_hash: secret::hash(&browser),
        created_at: now,
        expires_at: now.plus_millis(limits::ASK_MINUTES * MINUTE_MILLIS),
    };
    vault.sql.in_transaction(|| -> Result<()> {
        store::oauth::requests::insert(vault.sql, &request)?;
        store::oauth::requests::purge(vault.sql, now, limits::ASKS)?;
        store::oauth::clients::touch(vault.sql, &client.client_id, now)?;
        sweep::schedule(vault)
    })?;
    Ok(Asked::Consent(Box::new(Question {
        request,
        client,
        form_token,
        browser,
    })))
}

/// The checks whose failure the app hears of; the scopes asked for.
fn check(form: &Form, origin: &str) -> std::result::Result<Scopes, (&'static str, &'static str)> {
    if form.get("response_type") != Some("code") {
        return Err(("unsupported_response_type", "response_type must be code"));
    }
    if form
        .get("response_mode")
        .is_some_and(|mode| mode != "query")
    {
        return Err(("invalid_request", "response_mode must be query"));
    }
    if form.get("code_challenge_method") != Some(pkce::METHOD) {
        return Err((
            "invalid_request",
            "code_challenge_method must be S256 (RFC 7636)",
        ));
    }
    if !form.get("code_challenge").is_some_and(pkce::is_challenge) {
        return Err((
            "invalid_request",
            "code_challenge must be the SHA-256 of the verifier in base64url, 43 characters",
        ));
    }
    if form
        .get("resource")
        .is_some_and(|wanted| !resource::is_ours(wanted, origin))
    {
        return Err((
            "invalid_target",
            "this server gives tokens for its own MCP endpoint only",
        ));
    }
    asked_scopes(form.get("scope")).ok_or(("invalid_scope", "none of these scopes is known here"))
}

/// The scopes of a request: unknown words are dropped, no word of its own means what every app needs.
fn asked_scopes(parameter: Option<&str>) -> Option<Scopes> {
    let words = scope::meant(parameter.unwrap_or_default());
    if words.is_empty() {
        return Some(Scopes::parse(DEFAULT_SCOPES));
    }
    let mut scopes = Scopes::parse(&words);
    for (wider, narrower) in [
        (Scope::MemoryWrite, Scope::MemoryRead),
        (Scope::ArchiveWrite, Scope::ArchiveRead),
    ] {
        if scopes.contains(wider) {
            scopes = scopes.with(narrower);
        }
    }
    (!scopes.is_empty()).then_some(scopes)
}

/// The address that tells an app of its failure (RFC 6749 section 4.1.2.1, with `iss` of RFC 9207).
pub(crate) fn error_redirect(
    redirect_uri: &str,
    origin: &str,
    state: Option<&str>,
    code: &str,
    description: &str,
) -> String {
    let mut parameters = vec![("error", code), ("error_description", description)];
    parameters.extend(state.map(|state| ("state", state)));
    parameters.push(("iss", documents::issuer(origin)));
    redirect::with_parameters(redirect_uri, &parameters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_asked_for_are_read_generously() {
        let asked = |scope| asked_scopes(scope).map(Scopes::to_text);
        assert_eq!(asked(None).as_deref(), Some("memory.read memory.write"));
        assert_eq!(
            asked(Some("offline_access")).as_deref(),
            Some("memory.read memory.write")
        );
        assert_eq!(
            asked(Some("openid memory.read")).as_deref(),
            Some("memory.read")
        );
        assert_eq!(
            asked(Some("archive.write")).as_deref(),
            Some("archive.read archive.write")
        );
        assert_eq!(asked(Some("openid email")), None);
    }
}
