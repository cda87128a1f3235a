//! The owner answers an app's question. The answer is taken once, from the browser that was asked, and from the owner
//! who was asked.

use crate::error::Result;
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::app::{AuthorizationRequest, Client, Code, Grant};
use crate::model::audit::Action;
use crate::model::ids::IdKind;
use crate::model::scope::Scopes;
use crate::oauth::secret::{self, SecretKind};
use crate::oauth::{documents, redirect};
use crate::store;
use crate::vault::Vault;
use crate::vault::oauth::ask::{Question, error_redirect};
use crate::vault::oauth::sweep;

/// What the form sent back.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// The question's id.
    pub request: &'a str,
    /// The form's one-use token.
    pub form_token: &'a str,
    /// The cookie that binds the form to a browser.
    pub browser: Option<&'a str>,
    /// The owner's decision: what the app may do, or that it may not come in. `None` approves what was asked for.
    pub decision: Decision,
}

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// The app may do this.
    Approve(Scopes),
    /// The app may do what the page had ticked.
    ApproveAsAsked,
    /// The app may not come in.
    Deny,
}

/// What follows.
#[derive(Debug)]
pub enum Decided {
    /// The browser goes back to the app.
    Redirect(String),
    /// Nothing was ticked: the owner is asked again, with a new one-use token.
    AskAgain(Box<Question>),
    /// The form was used, is too old, or belongs to another browser or person.
    Void,
}

/// Takes the owner's answer.
pub fn decide(
    vault: &Vault<'_>,
    actor: &Actor,
    origin: &str,
    answer: Answer<'_>,
) -> Result<Decided> {
    actor.require(Permission::Connect)?;
    vault.sql.in_transaction(|| {
        let Some((request, client)) = find(vault, actor, answer)? else {
            return Ok(Decided::Void);
        };
        let scopes = match answer.decision {
            Decision::Deny => return deny(vault, actor, origin, &request, &client),
            Decision::Approve(scopes) => scopes,
            Decision::ApproveAsAsked => request.scopes,
        };
        store::oauth::requests::delete(vault.sql, &request.id)?;
        if scopes.is_empty() {
            return ask_again(vault, request, client, answer.browser.unwrap_or_default());
        }
        approve(vault, actor, origin, &request, &client, scopes)
    })
}

/// The question, if this answer to it counts.
fn find(
    vault: &Vault<'_>,
    actor: &Actor,
    answer: Answer<'_>,
) -> Result<Option<(AuthorizationRequest, Client)>> {
    let Some(request) = store::oauth::requests::find(vault.sql, answer.request)? else {
        return Ok(None);
    };
    let counts = vault.now() < request.expires_at
        && request.asked_of == actor.label()
        && request.form_hash == secret::hash(answer.form_token)
        && answer
            .browser
            .is_some_and(|browser| request.browser_hash == secret::hash(browser));
    let client = store::oauth::clients::find(vault.sql, &request.client_id)?;
    Ok(client.filter(|_| counts).map(|client| (request, client)))
}

fn deny(
    vault: &Vault<'_>,
    actor: &Actor,
    origin: &str,
    request: &AuthorizationRequest,
    client: &Client,
) -> Result<Decided> {
    store::oauth::requests::delete(vault.sql, &request.id)?;
    audit(
        vault,
        actor,
        Action::DenyApp,
        &client.client_id,
        request,
        client,
        request.scopes,
    )?;
    Ok(Decided::Redirect(error_redirect(
        &request.redirect_uri,
        origin,
        request.state.as_deref(),
        "access_denied",
        "the owner of this memory vault turned the request down",
    )))
}

fn approve(
    vault: &Vault<'_>,
    actor: &Actor,
    origin: &str,
    request: &AuthorizationRequest,
    client: &Client,
    scopes: Scopes,
) -> Result<Decided> {
    let now = vault.now();
    let grant = Grant {
        id: vault.new_id(IdKind::Grant)?,
        client_id: client.client_id.clone(),
        client_kind: client.kind,
        client_name: client.name.clone(),
        redirect_uri: request.redirect_uri.clone(),
        scopes,
        approved_by: actor.label(),
        approved_at: now,
        connected_at: None,
        last_used_at: None,
        expires_at: now.plus_days(limits::GRANT_DAYS),
        writes: 0,
    };
    let code = secret::new_secret(SecretKind::Code, |bytes| vault.random.fill(bytes))?;
    store::oauth::grants::insert(vault.sql, &grant)?;
    store::oauth::codes::insert(
        vault.sql,
        &Code {
            code_hash: secret::hash(&code),
            grant_id: grant.id.clone(),
            redirect_uri: request.redirect_uri.clone(),
            code_challenge: request.code_challenge.clone(),
            expires_at: now.plus_millis(limits::CODE_SECONDS * 1_000),
            used_at: None,
        },
    )?;
    store::oauth::clients::touch(vault.sql, &client.client_id, now)?;
    sweep::schedule(vault)?;
    audit(
        vault,
        actor,
        Action::ConnectApp,
        &grant.id,
        request,
        client,
        scopes,
    )?;
    let mut parameters = vec![("code", code.as_str())];
    parameters.extend(request.state.as_deref().map(|state| ("state", state)));
    parameters.push(("iss", documents::issuer(origin)));
    Ok(Decided::Redirect(redirect::with_parameters(
        &request.redirect_uri,
        &parameters,
    )))
}

fn ask_again(
    vault: &Vault<'_>,
    request: AuthorizationRequest,
    client: Client,
    browser: &str,
) -> Result<Decided> {
    let form_token = secret::new_secret(SecretKind::Form, |bytes| vault.random.fill(bytes))?;
    let request = AuthorizationRequest {
        id: vault.new_id(IdKind::Ask)?,
        form_hash: secret::hash(&form_token),
        ..request
    };
    store::oauth::requests::insert(vault.sql, &request)?;
    Ok(Decided::AskAgain(Box::new(Question {
        request,
        client,
        form_token,
        browser: browser.to_owned(),
    })))
}

fn audit(
    vault: &Vault<'_>,
    actor: &Actor,
    action: Action,
    subject: &str,
    request: &AuthorizationRequest,
    client: &Client,
    scopes: Scopes,
) -> Result<()> {
    let details = serde_json::json!({
        "client": client.name,
        "client_id": client.client_id,
        "redirect_host": redirect::view(&request.redirect_uri).host,
        "scopes": scopes.words(),
    });
    vault.audit(actor, action, Some(subject), Some(details))
}
