//! Apps that publish who they are at an address of their own (OAuth Client ID Metadata Documents): the address is the
//! client id, and its host is the one thing about the app that is verified. This module says which addresses may be
//! fetched and what a fetched document means; it fetches nothing. The caller must follow no redirects, take status 200
//! only, send no credentials and read no more than [`DOCUMENT_BYTES`]. A name that resolves to a private address cannot
//! be seen from here.
//!
//! `https://claude.ai/oauth/claude-code-client-metadata` may be fetched; `https://127.0.0.1/x` and
//! `https://example.org/a/../b` may not.

use serde_json::{Map, Value};
use url::{Host, Url};

use super::display::checked_name;
use super::redirect::{is_address_byte, split_authority, split_port};
use super::registration::{ListFault, NAME_CHARS, grants, member, strings, usable_redirects};

/// Largest document in bytes: the size the draft recommends (§6.6); those in use have about 1 KB.
pub const DOCUMENT_BYTES: usize = 5 * 1024;
/// Longest address in bytes; it is stored as the client's id.
pub const ADDRESS_BYTES: usize = 2048;
/// A document is kept at least so long, whatever it says: one sign-in asks for it several times.
pub const FRESH_MIN_SECONDS: i64 = 5 * 60;
/// A document is kept at most so long: an app must be able to withdraw a redirect address.
pub const FRESH_MAX_SECONDS: i64 = 24 * 60 * 60;
/// How long a document is kept that does not say.
pub const FRESH_DEFAULT_SECONDS: i64 = 60 * 60;

/// Names that lead into private networks or nowhere in the public one. `.test` and `.example` are left alone: they
/// resolve only where someone arranged for it.
const PRIVATE_SUFFIXES: [&str; 12] = [
    "corp",
    "home",
    "home.arpa",
    "internal",
    "intranet",
    "invalid",
    "lan",
    "local",
    "localdomain",
    "localhost",
    "onion",
    "private",
];

/// Members of a JSON Web Key that are secret (RFC 7518 §6.2.2, §6.3.2, §6.4.1).
const PRIVATE_KEY_MEMBERS: [&str; 8] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"];

/// Why an address may not be fetched or a document is not used: always `invalid_client`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocumentFault {
    /// Not `https://`, too long, or characters that do not belong in an address.
    NotAnAddress,
    /// Has a fragment or user information.
    FragmentOrUser,
    /// Has no path.
    NoPath,
    /// Has `.` or `..` segments, also percent-encoded.
    DotSegments,
    /// The host is an IP address, local, private or not spelt as it resolves.
    PrivateHost,
    /// The host is the vault's own.
    OwnHost,
    /// Larger than [`DOCUMENT_BYTES`].
    TooLarge,
    /// Not a JSON object in UTF-8.
    NotAnObject,
    /// Its `client_id` is not its own address.
    OtherClientId,
    /// No `client_name` that could be shown.
    NoName,
    /// Its name holds a secret or speaks to agents.
    Name,
    /// `redirect_uris` is missing, or has nothing usable.
    NoRedirects,
    /// One of `redirect_uris` is dangerous.
    DangerousRedirect,
    /// Contains a client secret or private keys.
    Secret,
    /// Neither `none` nor a choice that includes `none`.
    AuthMethod,
    /// `grant_types` or `response_types` leave out the authorization code.
    NoCodeGrant,
}

impl DocumentFault {
    /// A sentence that says what to change; contains nothing of what was sent.
    pub fn sentence(self) -> &'static str {
        match self {
            Self::NotAnAddress => {
                "The client_id must be an https:// address of at most 2048 bytes without spaces, backslashes or \
                 other unusual characters."
            }
            Self::FragmentOrUser => {
                "The client_id address must have no fragment and no user information."
            }
            Self::NoPath => "The client_id address must have a path, such as /client.json.",
            Self::DotSegments => {
                "The client_id address must have no '.' or '..' segments and no encoded slashes beside them."
            }
            Self::PrivateHost => {
                "The client_id address must be on a public domain name, not an IP address or a local name."
            }
            Self::OwnHost => "The client_id address must not be on the vault's own host.",
            Self::TooLarge => "The client's metadata document must not be larger than 5 KB.",
            Self::NotAnObject => "The client's metadata document must be one JSON object in UTF-8.",
            Self::OtherClientId => {
                "The client_id in the client's metadata document must be exactly the document's address."
            }
            Self::Name => {
                "The client_name in the client's metadata document must be a name, without a secret and without a text for agents."
            }
            Self::NoName => "The client's metadata document must have a client_name.",
            Self::NoRedirects => {
                "The client's metadata document must list at least one usable address in redirect_uris."
            }
            Self::DangerousRedirect => {
                "The client's metadata document lists a dangerous address in redirect_uris; it must be removed."
            }
            Self::Secret => {
                "The client's metadata document is public and must contain no client secret and no private keys."
            }
            Self::AuthMethod => {
                "The client's metadata document must allow token_endpoint_auth_method none."
            }
            Self::NoCodeGrant => {
                "The client's metadata document must allow the grant type authorization_code and the response type code."
            }
        }
    }
}

impl std::fmt::Display for DocumentFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.sentence())
    }
}

impl std::error::Error for DocumentFault {}

/// A client as its document describes it. It has no secret: it authenticates by nothing but PKCE.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientDocument {
    /// The document's address, as sent.
    pub client_id: String,
    /// Fit to be shown: one line, 1 to 200 visible characters. Chosen by the app.
    pub name: String,
    /// At least one usable address, each once, as spelt.
    pub redirect_uris: Vec<String>,
    /// `authorization_code`, and `refresh_token` unless the document left it out of a list of its own.
    pub grant_types: Vec<String>,
    /// The verified `host` or `host:port` of the address: lower case, ASCII.
    pub host: String,
}

/// Whether a client id is meant as an address: begins with `https://`, in lower case. Ids we give out never do.
pub fn is_url(client_id: &str) -> bool {
    client_id.starts_with("https://")
}

/// The address to fetch for a client id. `own_host` is the vault's host, with or without port; any port of it is refused.
///
/// # Errors
/// [`DocumentFault`] when it must not be fetched.
pub fn check_url(client_id: &str, own_host: Option<&str>) -> Result<Url, DocumentFault> {
    let fits = client_id.len() <= ADDRESS_BYTES && client_id.bytes().all(is_address_byte);
    let after = client_id
        .strip_prefix("https://")
        .filter(|_| fits)
        .ok_or(DocumentFault::NotAnAddress)?;
    let (authority, rest) = split_authority(after);
    if client_id.contains('#') || authority.contains('@') {
        return Err(DocumentFault::FragmentOrUser);
    }
    let path = rest.split('?').next().unwrap_or_default();
    if path.trim_matches('/').is_empty() {
        return Err(DocumentFault::NoPath);
    }
    if has_dot_segments(path) {
        return Err(DocumentFault::DotSegments);
    }
    let (raw_host, _) = split_port(authority).ok_or(DocumentFault::NotAnAddress)?;
    let url = Url::parse(client_id).map_err(|_| DocumentFault::NotAnAddress)?;
    let host = match url.host() {
        Some(Host::Domain(host)) => host,
        _ => return Err(DocumentFault::PrivateHost),
    };
    if !raw_host.eq_ignore_ascii_case(host) || is_private_name(host) {
        return Err(DocumentFault::PrivateHost);
    }
    if own_host.is_some_and(|own| is_same_name(own, host)) {
        return Err(DocumentFault::OwnHost);
    }
    Ok(url)
}

/// Looked for in the characters as sent, since URL parsers resolve these segments silently. Servers differ on encoded
/// slashes, so they count as slashes here.
fn has_dot_segments(path: &str) -> bool {
    path.to_ascii_lowercase()
        .replace("%2e", ".")
        .replace("%2f", "/")
        .replace("%5c", "/")
        .split('/')
        .any(|segment| segment == "." || segment == "..")
}

/// `host` in lower case, as the url crate gives it.
fn is_private_name(host: &str) -> bool {
    host.ends_with('.')
        || !host.contains('.')
        || PRIVATE_SUFFIXES.iter().any(|suffix| {
            host.strip_suffix(suffix)
                .is_some_and(|before| before.is_empty() || before.ends_with('.'))
        })
}

fn is_same_name(own_host: &str, host: &str) -> bool {
    split_port(own_host)
        .is_some_and(|(own, _)| own.trim_end_matches('.').eq_ignore_ascii_case(host))
}

/// Reads the body fetched from `client_id`. Unknown members and foreign grant types are ignored.
///
/// # Errors
/// [`DocumentFault`] when the address is not one to be fetched, or the document may not be used.
pub fn read(client_id: &str, body: &[u8]) -> Result<ClientDocument, DocumentFault> {
    let url = check_url(client_id, None)?;
    if body.len() > DOCUMENT_BYTES {
        return Err(DocumentFault::TooLarge);
    }
    let Ok(Value::Object(document)) = serde_json::from_slice(body) else {
        return Err(DocumentFault::NotAnObject);
    };
    if text(&document, "client_id") != Some(client_id) {
        return Err(DocumentFault::OtherClientId);
    }
    if has_secrets(&document) {
        return Err(DocumentFault::Secret);
    }
    if !is_public(&document) {
        return Err(DocumentFault::AuthMethod);
    }
    let name = checked_name(
        text(&document, "client_name").unwrap_or_default(),
        NAME_CHARS,
    )
    .map_err(|_| DocumentFault::Name)?;
    if name.is_empty() {
        return Err(DocumentFault::NoName);
    }
    Ok(ClientDocument {
        client_id: client_id.to_owned(),
        name,
        redirect_uris: read_redirects(&document)?,
        grant_types: read_grants(&document)?,
        host: match (url.host_str().unwrap_or_default(), url.port()) {
            (host, Some(port)) => format!("{host}:{port}"),
            (host, None) => host.to_owned(),
        },
    })
}

fn text<'a>(document: &'a Map<String, Value>, name: &str) -> Option<&'a str> {
    document.get(name).and_then(Value::as_str)
}

fn has_secrets(document: &Map<String, Value>) -> bool {
    let is_private_key = |key: &Value| {
        PRIVATE_KEY_MEMBERS
            .iter()
            .any(|member| key.get(member).is_some())
    };
    document.contains_key("client_secret")
        || document.contains_key("client_secret_expires_at")
        || document.get("jwks").is_some_and(|jwks| {
            is_private_key(jwks)
                || jwks
                    .get("keys")
                    .and_then(Value::as_array)
                    .is_some_and(|keys| keys.iter().any(is_private_key))
        })
}

/// Whether the client may come without authentication. One that prefers to sign with a key must say that it can also do
/// without. Nothing said means `none`: a document cannot hold the secret that RFC 7591's default would need.
fn is_public(document: &Map<String, Value>) -> bool {
    match member(document, "token_endpoint_auth_method").map(Value::as_str) {
        None | Some(Some("none")) => true,
        Some(Some("private_key_jwt")) => document
            .get("token_endpoint_auth_methods_supported")
            .and_then(strings)
            .is_some_and(|methods| methods.contains(&"none")),
        Some(_) => false,
    }
}

fn read_redirects(document: &Map<String, Value>) -> Result<Vec<String>, DocumentFault> {
    let uris = document
        .get("redirect_uris")
        .and_then(strings)
        .ok_or(DocumentFault::NoRedirects)?;
    usable_redirects(&uris).map_err(|fault| match fault {
        ListFault::Dangerous => DocumentFault::DangerousRedirect,
        ListFault::NoneUsable => DocumentFault::NoRedirects,
    })
}

fn read_grants(document: &Map<String, Value>) -> Result<Vec<String>, DocumentFault> {
    let list = |name| {
        member(document, name)
            .map(|value| strings(value).ok_or(DocumentFault::NoCodeGrant))
            .transpose()
    };
    if list("response_types")?.is_some_and(|types| !types.contains(&"code")) {
        return Err(DocumentFault::NoCodeGrant);
    }
    grants(list("grant_types")?.as_deref()).ok_or(DocumentFault::NoCodeGrant)
}

/// How many seconds a valid document may be used again, from its `Cache-Control`: `max-age` (the smallest of several)
/// within [`FRESH_MIN_SECONDS`] and [`FRESH_MAX_SECONDS`], the minimum for `no-store` and `no-cache`,
/// [`FRESH_DEFAULT_SECONDS`] when it does not say. Faults are never to be kept.
pub fn fresh_for(cache_control: Option<&str>) -> i64 {
    let mut seconds: Option<i64> = None;
    for directive in cache_control.unwrap_or_default().split(',') {
        let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
        let name = name.trim().to_ascii_lowercase();
        if name == "no-store" || name == "no-cache" {
            return FRESH_MIN_SECONDS;
        }
        if name == "max-age"
            && let Some(age) = delta_seconds(value.trim().trim_matches('"'))
        {
            seconds = Some(seconds.map_or(age, |least| least.min(age)));
        }
    }
    seconds
        .unwrap_or(FRESH_DEFAULT_SECONDS)
        .clamp(FRESH_MIN_SECONDS, FRESH_MAX_SECONDS)
}

/// RFC 9111 §1.2.2: digits only; numbers too large to hold count as the largest.
fn delta_seconds(digits: &str) -> Option<i64> {
    let valid = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    valid.then(|| digits.parse().unwrap_or(i64::MAX))
}

#[cfg(test)]
mod properties;

#[cfg(test)]
mod tests;
