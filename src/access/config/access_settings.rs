//! The Access settings, checked. It reads no environment and fetches nothing: text in, settings or faults out.

use std::fmt;

use url::Url;

use crate::access::config::Config;
use crate::model::actor::ServiceRole;

/// How the owner signs in, besides `DEV_OWNER_EMAIL`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignIn {
    /// No Access setting is present.
    Off,
    /// Through Cloudflare Access.
    Access(AccessSettings),
    /// Some settings are present, but not enough or not well-formed: nobody is let in. Never empty; in the order of
    /// `ACCESS_TEAM_DOMAIN`, `ACCESS_AUD`, `ACCESS_ALLOWED_EMAILS`, `ACCESS_SERVICE_TOKENS`, `PUBLIC_URL`.
    Incomplete(Vec<SettingFault>),
}

/// What an assertion is measured against. Made by [`Config::sign_in`] only from well-formed settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccessSettings {
    /// `https://` and the team's host in lower case, without a slash: the `iss` of every assertion.
    pub issuer: String,
    /// The application audience tags, 64 lower-case hex digits each. At least one.
    pub audience: Vec<String>,
    /// The addresses that may sign in, ASCII letters in lower case. At least one.
    pub allowed_emails: Vec<String>,
    /// The programs that may enter. Each name once; may be empty.
    pub service_tokens: Vec<ServiceToken>,
}

impl AccessSettings {
    /// Where the team publishes its keys, as a JWK set.
    pub fn certs_url(&self) -> String {
        format!("{}/cdn-cgi/access/certs", self.issuer)
    }

    /// Where a person signs out of all the team's applications.
    pub fn sign_out_url(&self) -> String {
        format!("{}/cdn-cgi/access/logout", self.issuer)
    }
}

/// A program of the owner's that Access lets in by a client id and secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceToken {
    /// The token's client id, which its assertions carry as `common_name`.
    pub common_name: String,
    /// What it may do.
    pub role: ServiceRole,
}

/// One setting that keeps the sign-in closed. Its `Display` is a sentence that says what belongs there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SettingFault {
    /// The variable's name.
    pub setting: &'static str,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with a setting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// Not set, or blank.
    Missing,
    /// Set, but not to what belongs there.
    Malformed,
}

impl fmt::Display for SettingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = match self.fault {
            Fault::Missing => "missing",
            Fault::Malformed => "malformed",
        };
        let wanted = match self.setting {
            TEAM_DOMAIN => "the team's host name, such as team.cloudflareaccess.com",
            AUDIENCE => "the Access application's audience tag, 64 hex digits",
            ALLOWED_EMAILS => "the e-mail addresses that may sign in, separated by commas",
            SERVICE_TOKENS => {
                "entries such as <client id>:backup, each client id once; roles are backup, import, full"
            }
            _ => "the vault's address, such as https://vault.example.org (no path)",
        };
        write!(f, "{} is {state}: set it to {wanted}", self.setting)
    }
}

const TEAM_DOMAIN: &str = "ACCESS_TEAM_DOMAIN";
const AUDIENCE: &str = "ACCESS_AUD";
const ALLOWED_EMAILS: &str = "ACCESS_ALLOWED_EMAILS";
const SERVICE_TOKENS: &str = "ACCESS_SERVICE_TOKENS";
const PUBLIC_URL: &str = "PUBLIC_URL";

/// An audience tag is a SHA-256 in hex, as Access makes it.
const AUDIENCE_CHARS: usize = 64;
/// The longest host name, and the longest of its labels (RFC 1035 section 2.3.4).
const HOST_CHARS: usize = 253;
const LABEL_CHARS: usize = 63;

pub(super) fn sign_in(config: &Config) -> SignIn {
    if !config.any_access_setting {
        return SignIn::Off;
    }
    let mut faults = Vec::new();
    let issuer = needed(&mut faults, TEAM_DOMAIN, &config.team_domain, issuer);
    let audience = needed(&mut faults, AUDIENCE, &config.audience, audience);
    let allowed_emails = needed(
        &mut faults,
        ALLOWED_EMAILS,
        &config.allowed_emails,
        allowed_emails,
    );
    let service_tokens = if config.service_tokens.is_none() {
        Some(Vec::new())
    } else {
        needed(
            &mut faults,
            SERVICE_TOKENS,
            &config.service_tokens,
            service_tokens,
        )
    };
    let public_url = needed(&mut faults, PUBLIC_URL, &config.public_url, web_origin);
    match (issuer, audience, allowed_emails, service_tokens, public_url) {
        (Some(issuer), Some(audience), Some(allowed_emails), Some(service_tokens), Some(())) => {
            SignIn::Access(AccessSettings {
                issuer,
                audience,
                allowed_emails,
                service_tokens,
            })
        }
        _ => SignIn::Incomplete(faults),
    }
}

/// The setting's value as `read` understands it; otherwise `None` and one more fault.
fn needed<T>(
    faults: &mut Vec<SettingFault>,
    setting: &'static str,
    value: &Option<String>,
    read: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let outcome = match value {
        None => Err(Fault::Missing),
        Some(text) => read(text).ok_or(Fault::Malformed),
    };
    outcome
        .map_err(|fault| faults.push(SettingFault { setting, fault }))
        .ok()
}

/// `team.cloudflareaccess.com`, with or without `https://` before it and a slash behind it.
fn issuer(text: &str) -> Option<String> {
    let text = text.to_ascii_lowercase();
    let host = text.strip_prefix("https://").unwrap_or(&text);
    let host = host.strip_suffix('/').unwrap_or(host);
    is_host_name(host).then(|| format!("https://{host}"))
}

/// A name of at least two labels in lower case, the last of which is no number (so not an IPv4 address).
fn is_host_name(host: &str) -> bool {
    let label = |label: &str| {
        (1..=LABEL_CHARS).contains(&label.len())
            && label
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let last = host.rsplit_once('.').map(|(_, last)| last);
    host.len() <= HOST_CHARS
        && host.split('.').all(label)
        && last.is_some_and(|last| !last.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The entries of a list separated by commas, white space or both; `None` when there is not one.
fn entries(text: &str) -> Option<Vec<&str>> {
    let entries: Vec<&str> = text
        .split(|letter: char| letter == ',' || letter.is_whitespace())
        .filter(|entry| !entry.is_empty())
        .collect();
    (!entries.is_empty()).then_some(entries)
}

fn audience(text: &str) -> Option<Vec<String>> {
    let tag = |entry: &str| {
        let hex =
            entry.len() == AUDIENCE_CHARS && entry.bytes().all(|byte| byte.is_ascii_hexdigit());
        hex.then(|| entry.to_ascii_lowercase())
    };
    entries(text)?.into_iter().map(tag).collect()
}

fn allowed_emails(text: &str) -> Option<Vec<String>> {
    let email = |entry: &str| {
        let (local, domain) = entry.split_once('@')?;
        let plausible = !local.is_empty()
            && !domain.is_empty()
            && !domain.contains('@')
            && !entry.chars().any(char::is_control);
        plausible.then(|| entry.to_ascii_lowercase())
    };
    entries(text)?.into_iter().map(email).collect()
}

fn service_tokens(text: &str) -> Option<Vec<ServiceToken>> {
    let mut tokens: Vec<ServiceToken> = Vec::new();
    for entry in entries(text)? {
        let (name, role) = match entry.split_once(':') {
            Some((name, role)) => (name, ServiceRole::parse(role).ok()?),
            None => (entry, ServiceRole::Backup),
        };
        let printable = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_graphic());
        // Two roles for one program would leave it to chance which one counts.
        if !printable || tokens.iter().any(|token| token.common_name == name) {
            return None;
        }
        tokens.push(ServiceToken {
            common_name: name.to_owned(),
            role,
        });
    }
    Some(tokens)
}

/// Passes what a browser would itself call the origin, so that the Host and Origin headers can be compared with it.
fn web_origin(text: &str) -> Option<()> {
    let url = Url::parse(text).ok()?;
    let web = matches!(url.scheme(), "https" | "http");
    (web && url.origin().ascii_serialization() == text.to_ascii_lowercase()).then_some(())
}
