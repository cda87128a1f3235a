//! Tries what an app outside would do: fetch the MCP endpoint and the discovery documents through the public address,
//! calling itself by the name under which Claude's servers call. Zones that block bots let the sign-in pass and stop the
//! first real call, which looks like a fault of the app; here the owner sees it, with the setting to change.

use serde::Serialize;
use serde_json::Value;

use crate::error::Result;
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::oauth::documents::{self, PROTECTED_RESOURCE_PATH};
use crate::ports::{FetchFailure, FetchRequest, Fetched};
use crate::vault::Vault;

/// How Claude's servers introduce themselves.
const USER_AGENT: &str = "Claude-User";
/// Largest answer read; ours are far smaller, a block page may not be.
const ANSWER_BYTES: usize = 256 * 1024;
/// What to look for when a bot rule answers in our stead.
const BOT_SETTINGS: &str = "Cloudflare dashboard → your zone → Security: Bot Fight Mode, Super Bot Fight Mode, Block AI bots, and custom rules must let /mcp, /token, /register, /revoke and /.well-known/* through";
/// What to look for when Access answers in our stead.
const ACCESS_SETTINGS: &str = "Cloudflare Zero Trust → Access → Applications: an application with a Bypass policy for /mcp, /token, /register, /revoke, /connect, /health and /.well-known/*";
/// What to look for when nothing answers.
const ADDRESS_SETTINGS: &str = "PUBLIC_URL, and the Worker's route or custom domain in the zone";

/// One thing tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What was tried.
    pub name: &'static str,
    /// Whether it went as it should.
    pub passed: bool,
    /// What happened.
    pub detail: String,
    /// The setting to change, when it did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub setting: Option<&'static str>,
}

/// All of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Connection {
    /// What was tried, in order.
    pub checks: Vec<Check>,
    /// Why nothing was tried, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<&'static str>,
}

/// Tries it.
pub async fn check_connection(
    vault: &Vault<'_>,
    actor: &Actor,
    origin: &str,
) -> Result<Connection> {
    actor.require(Permission::Connect)?;
    if !origin.starts_with("https://") {
        let note = "This vault runs on this machine only: apps here reach it, apps outside cannot. Deploy it and set PUBLIC_URL to check from outside.";
        return Ok(Connection {
            checks: Vec::new(),
            note: Some(note),
        });
    }
    let mut checks = Vec::new();
    let resource = get(vault, &format!("{origin}{PROTECTED_RESOURCE_PATH}")).await;
    checks.push(judge(
        "Discovery: protected resource",
        resource,
        |fetched| same_document(fetched, &documents::protected_resource(origin), "resource"),
    ));
    let server = get(
        vault,
        &format!("{origin}/.well-known/oauth-authorization-server"),
    )
    .await;
    checks.push(judge(
        "Discovery: authorization server",
        server,
        |fetched| same_document(fetched, &documents::authorization_server(origin), "issuer"),
    ));
    let mcp = get(vault, &format!("{origin}/mcp")).await;
    checks.push(judge(
        "MCP endpoint, called as Claude-User",
        mcp,
        |fetched| {
            fetched.status == 401
                && fetched
                    .header("www-authenticate")
                    .is_some_and(|value| value.contains(PROTECTED_RESOURCE_PATH))
        },
    ));
    Ok(Connection { checks, note: None })
}

async fn get(vault: &Vault<'_>, url: &str) -> std::result::Result<Fetched, FetchFailure> {
    let request = FetchRequest {
        url,
        headers: &[
            ("User-Agent", USER_AGENT),
            ("Accept", "application/json, text/event-stream"),
        ],
        body_bytes: ANSWER_BYTES,
        milliseconds: limits::DOCUMENT_MILLISECONDS,
    };
    vault.internet.get(request).await
}

fn same_document(fetched: &Fetched, ours: &Value, member: &str) -> bool {
    let theirs: Value = serde_json::from_slice(&fetched.body).unwrap_or_default();
    fetched.status == 200 && theirs.get(member) == ours.get(member)
}

fn judge(
    name: &'static str,
    answer: std::result::Result<Fetched, FetchFailure>,
    right: impl FnOnce(&Fetched) -> bool,
) -> Check {
    let failed = |detail: String, setting| Check {
        name,
        passed: false,
        detail,
        setting: Some(setting),
    };
    match answer {
        Ok(fetched) if right(&fetched) => Check {
            name,
            passed: true,
            detail: format!("answered with status {}, as it should", fetched.status),
            setting: None,
        },
        Ok(fetched) => {
            let location = fetched.header("location").unwrap_or_default();
            if location.contains("/cdn-cgi/access/") || location.contains(".cloudflareaccess.com") {
                return failed(
                    "Cloudflare Access asked for a sign-in, which an app cannot do".to_owned(),
                    ACCESS_SETTINGS,
                );
            }
            let challenged = fetched.header("cf-mitigated").is_some();
            let detail = match (fetched.status, challenged) {
                (status, true) => format!("the zone put a challenge in front (status {status})"),
                (status @ (403 | 429 | 503), false) => {
                    format!("something in front of the vault refused the call with status {status}")
                }
                (status, false) => format!("an unexpected answer came, with status {status}"),
            };
            let blocked = challenged || matches!(fetched.status, 403 | 429 | 503);
            failed(
                detail,
                if blocked {
                    BOT_SETTINGS
                } else {
                    ADDRESS_SETTINGS
                },
            )
        }
        Err(failure) => {
            let detail = match failure {
                FetchFailure::Unreachable => "no answer came",
                FetchFailure::TooLarge => "the answer was far too large",
                FetchFailure::Late => "no answer came in time",
            };
            failed(detail.to_owned(), ADDRESS_SETTINGS)
        }
    }
}
