//! `/authorize`: the page on which the owner lets an app in, and the answer it sends back. Works without JavaScript.

use crate::api::call::Call;
use crate::api::consent::{self, ConsentView, ScopeBox};
use crate::api::response::{self, Response};
use crate::error::{Error, Result};
use crate::model::actor::Actor;
use crate::model::scope::{Scope, Scopes};
use crate::model::settings::Mode;
use crate::oauth::form::Form;
use crate::oauth::redirect;
use crate::ports::Later;
use crate::vault::Vault;
use crate::vault::oauth::ask::{self as asking, Asked, Question};
use crate::vault::oauth::decide::{self as deciding, Answer, Decided, Decision};
use crate::vault::status;

/// Name of the cookie that binds a form to its browser. Over https it has the prefix that keeps other hosts and plain
/// http from setting it; on this machine, without https, browsers would refuse that prefix.
pub fn browser_cookie(origin: &str) -> &'static str {
    if origin.starts_with("https://") {
        "__Host-vault-consent"
    } else {
        "vault-consent"
    }
}

/// `GET /authorize`
pub fn ask<'a>(vault: &'a Vault<'a>, call: &'a Call<'a>) -> Later<'a, Result<Response>> {
    Box::pin(async move {
        if let Some(refusal) = not_a_visit(call) {
            return Ok(refusal);
        }
        let form = match Form::of(call.request.query.clone()) {
            Ok(form) => form,
            Err(refusal) => {
                return Ok(refused(&format!(
                    "The app's request cannot be used: {}.",
                    refusal.description
                )));
            }
        };
        let (origin, browser) = (&call.request.base_url, call.request.browser.as_deref());
        let asked = asking::ask(
            vault,
            call.actor()?,
            form,
            origin,
            browser,
            &call.request.address,
        )
        .await?;
        match asked {
            Asked::Consent(question) => page(vault, call, &question, None),
            Asked::Redirect(to) => Ok(redirect_to(302, to)),
            Asked::Refused(sentence) => Ok(refused(&sentence)),
        }
    })
}

/// A page that somebody opens is asked for with GET and, by a browser, as a document. An image or a frame of another site
/// must not put questions into the vault, and a HEAD is no visit.
fn not_a_visit(call: &Call<'_>) -> Option<Response> {
    let document = call
        .header("sec-fetch-dest")
        .is_none_or(|destination| destination == "document");
    let visit = document && call.request.method == "GET";
    (!visit).then(|| refused("This page can only be opened as a page."))
}

/// `POST /authorize`
pub fn decide(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let fields: Vec<(String, String)> = form_fields(call)?;
    let field = |name: &str| {
        fields
            .iter()
            .find(|(known, _)| known == name)
            .map_or("", |(_, value)| value.as_str())
    };
    let scopes: Vec<&str> = fields
        .iter()
        .filter(|(name, _)| name == "scope")
        .map(|(_, value)| value.as_str())
        .collect();
    let decision = match field("decision") {
        "deny" => Decision::Deny,
        // A browser sends the boxes that are ticked, so none means none. A program that posts the form without any box
        // stands for somebody who left the page as it was.
        "approve" if scopes.is_empty() && !is_browser(call) => Decision::ApproveAsAsked,
        "approve" => Decision::Approve(Scopes::parse(&scopes.join(" "))),
        _ => return Err(Error::invalid("decision", "must be approve or deny")),
    };
    let answer = Answer {
        request: field("request"),
        form_token: field("token"),
        browser: call.request.browser.as_deref(),
        decision,
    };
    match deciding::decide(vault, call.actor()?, &call.request.base_url, answer)? {
        Decided::Redirect(to) => Ok(redirect_to(303, to)),
        Decided::AskAgain(question) => {
            let problem = "Nothing is ticked. Tick what the app may do, or deny.";
            page(vault, call, &question, Some(problem))
        }
        Decided::Void => Ok(with_policy(
            409,
            consent::message_page(
                "This question is closed",
                &[
                    "It was answered already, it waited too long, or it was opened in another browser.",
                    "If the app is not connected yet, start again there.",
                ],
                &[("/", "To the dashboard")],
            ),
        )),
    }
}

/// Every browser calls itself Mozilla; those of today also say that the form was sent by navigating.
fn is_browser(call: &Call<'_>) -> bool {
    call.header("sec-fetch-mode")
        .is_some_and(|mode| mode == "navigate")
        || call
            .header("user-agent")
            .is_some_and(|agent| agent.starts_with("Mozilla/"))
}

fn form_fields(call: &Call<'_>) -> Result<Vec<(String, String)>> {
    let media_type = call
        .header("content-type")
        .and_then(|value| value.split(';').next());
    if !media_type.is_some_and(|value| {
        value
            .trim()
            .eq_ignore_ascii_case("application/x-www-form-urlencoded")
    }) {
        return Err(Error::new(
            crate::error::Kind::UnsupportedMediaType,
            "send the form as application/x-www-form-urlencoded",
        ));
    }
    Ok(url::form_urlencoded::parse(&call.request.body)
        .into_owned()
        .collect())
}

fn page(
    vault: &Vault<'_>,
    call: &Call<'_>,
    question: &Question,
    problem: Option<&str>,
) -> Result<Response> {
    let actor = call.actor()?;
    let scopes = scope_boxes(vault, actor, question.request.scopes)?;
    let to = redirect::view(&question.request.redirect_uri);
    let left = question.request.expires_at.millis() - vault.now().millis();
    let seconds = left.div_euclid(1_000).max(0);
    let signed_in_as = match actor {
        Actor::Owner { email } => email.clone(),
        other => other.label(),
    };
    let view = ConsentView {
        client_name: &question.client.name,
        client_id: &question.client.client_id,
        verified_host: question.client.verified_host(),
        redirect_uri: &question.request.redirect_uri,
        redirect_host: &to.host,
        loopback: to.loopback,
        opens_app: to.opens_app.as_deref(),
        signed_in_as: &signed_in_as,
        scopes: &scopes,
        request: &question.request.id,
        token: &question.form_token,
        minutes: ((seconds + 30) / 60).max(1),
        problem,
    };
    let status = if problem.is_some() { 400 } else { 200 };
    let mut response = with_policy(status, consent::consent_page(&view));
    let origin = &call.request.base_url;
    let secure = if origin.starts_with("https://") {
        "; Secure"
    } else {
        ""
    };
    let cookie = format!(
        "{}={}; Path=/; Max-Age={}; HttpOnly; SameSite=Lax{secure}",
        browser_cookie(origin),
        question.browser,
        seconds
    );
    response.headers.push(("Set-Cookie", cookie));
    Ok(response)
}

/// The four boxes, with what each means for this vault.
fn scope_boxes(vault: &Vault<'_>, actor: &Actor, asked: Scopes) -> Result<Vec<ScopeBox>> {
    let memories = status::status(vault, actor)?.memories.active;
    let mode = vault.settings()?.mode;
    let explain = |scope| {
        match scope {
        Scope::MemoryRead => (
            "Read your memories",
            format!("Search and list them, and read your guide. {}.", counted(memories)),
        ),
        Scope::MemoryWrite if mode == Mode::Review => (
            "Propose memories",
            "New ones wait in Review until you approve them. It can also ask to forget. Includes reading.".to_owned(),
        ),
        Scope::MemoryWrite => (
            "Write memories",
            "New ones hold at once, since your vault is in auto mode. It can also ask to forget. Includes reading.".to_owned(),
        ),
        Scope::ArchiveRead => (
            "Read conversations",
            "Search and open the conversations you keep here.".to_owned(),
        ),
        Scope::ArchiveWrite => (
            "Write conversations",
            "Add, change and delete kept conversations. Includes reading.".to_owned(),
        ),
    }
    };
    Ok(Scope::ALL
        .into_iter()
        .map(|scope| {
            let (title, explanation) = explain(scope);
            ScopeBox {
                scope: scope.as_str(),
                title: title.to_owned(),
                explanation,
                ticked: asked.contains(scope),
                asked: asked.contains(scope),
            }
        })
        .collect())
}

fn counted(memories: i64) -> String {
    match memories {
        0 => "None yet".to_owned(),
        1 => "1 memory".to_owned(),
        many => format!("{many} memories"),
    }
}

fn refused(sentence: &str) -> Response {
    with_policy(
        400,
        consent::message_page(
            "This app cannot be let in",
            &[
                sentence,
                "Nothing was sent to the app and nothing has changed.",
            ],
            &[("/connect", "How to connect an app")],
        ),
    )
}

/// A page with the policy its style needs. Under `no-referrer` browsers send `Origin: null` with a form, which would look
/// like another site's; so these pages name our own origin, to ourselves only.
fn with_policy(status: u16, page: String) -> Response {
    let mut response = response::text(status, "text/html", page);
    response.headers.push((
        "Content-Security-Policy",
        consent::content_security_policy(),
    ));
    response
        .headers
        .push(("Referrer-Policy", "same-origin".to_owned()));
    response
}

fn redirect_to(status: u16, to: String) -> Response {
    let mut response = response::empty(status);
    response.headers.push(("Location", to));
    response
}
