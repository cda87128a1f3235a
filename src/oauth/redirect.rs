//! Where an app may have its answer sent. An address is judged as the characters that were sent *and* as a browser would
//! read it; where the two differ it is not used. This module decides about spelling only: whether an address belongs to
//! the app that names it is for the owner to see on the consent page.
//!
//! Registered addresses are matched exactly, apart from the port of a loopback address, which native apps pick afresh
//! for each sign-in (RFC 8252 §7.3; `localhost` included, since most of them use it).
//!
//! ```text
//! registered http://localhost/callback, presented http://localhost:49567/callback  → matches
//! registered http://localhost/callback, presented http://127.0.0.1:49567/callback  → does not
//! ```

use url::{Host, Url};

/// Longest redirect address in bytes. The longest seen in use has about 120; each is stored and sent in a header.
pub const REDIRECT_BYTES: usize = 2048;

/// Schemes that run or open something on the owner's device, or read from it, when a browser is sent there.
const DANGEROUS_SCHEMES: [&str; 50] = [
    "about",
    "acrobat",
    "afp",
    "android-app",
    "blob",
    "callto",
    "cid",
    "content",
    "data",
    "devtools",
    "edge",
    "facetime",
    "facetime-audio",
    "feed",
    "file",
    "filesystem",
    "hcp",
    "help",
    "intent",
    "jar",
    "javascript",
    "livescript",
    "magnet",
    "mailto",
    "market",
    "mhtml",
    "microsoft-edge",
    "mid",
    "mk",
    "mocha",
    "nfs",
    "opera",
    "platformapi",
    "rdp",
    "res",
    "resource",
    "rlogin",
    "search",
    "search-ms",
    "shell",
    "sms",
    "smb",
    "ssh",
    "tel",
    "telnet",
    "vbs",
    "vbscript",
    "view-source",
    "vnc",
    "wyciwyg",
];

/// Families of such schemes: browser internals, and Windows' own handlers (`ms-msdt`, `ms-officecmd`, …).
const DANGEROUS_PREFIXES: [&str; 5] = ["brave", "chrome", "moz-", "ms-", "x-apple"];

/// Schemes of the network that no app receives an answer on.
const NETWORK_SCHEMES: [&str; 9] = [
    "ftp", "ftps", "gopher", "ldap", "ldaps", "sftp", "urn", "ws", "wss",
];

/// Parameters of our answer. An address that brings one along would give the app two of it.
const ANSWER_PARAMETERS: [&str; 6] = [
    "code",
    "state",
    "iss",
    "error",
    "error_description",
    "error_uri",
];

/// What an address is good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectKind {
    /// `https` with a host: usable.
    Web,
    /// `http` to this machine (`127.0.0.0/8`, `[::1]`, `localhost`): usable, any port.
    Loopback,
    /// A private-use scheme such as `cursor://…` or `com.example.app:/cb`: usable, opens an app.
    App,
    /// Never used, but no sign of an attack: plain http elsewhere, relative, `ws:`, `urn:`, too long, misspelt.
    Unusable,
    /// Whoever sends this is refused altogether.
    Dangerous,
}

impl RedirectKind {
    /// Whether a browser may be sent there.
    pub fn is_usable(self) -> bool {
        matches!(self, Self::Web | Self::Loopback | Self::App)
    }
}

/// Why no address could be chosen; nothing may be redirected then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChoiceFault {
    /// None was named, and not exactly one is registered.
    Missing,
    /// The one named is not registered.
    NotRegistered,
}

impl std::fmt::Display for ChoiceFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Missing => {
                "redirect_uri is missing; it may be left out only by an app with exactly one registered"
            }
            Self::NotRegistered => {
                "redirect_uri is not one of the app's registered addresses; register it or send one exactly as registered"
            }
        })
    }
}

impl std::error::Error for ChoiceFault {}

/// What the owner is shown about an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedirectView {
    /// For large letters: `host` or `host:port` as a browser would call it (international names as `xn--…`), or
    /// `scheme://` when an app is opened. ASCII only.
    pub host: String,
    /// The answer goes to a program on the owner's own machine; any program there could be listening.
    pub loopback: bool,
    /// The scheme of the app that is opened, without `://`.
    pub opens_app: Option<String>,
}

/// Characters of an address (RFC 3986 §2), ASCII only.
pub(super) fn is_address_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=%".contains(&byte)
}

/// The part after `//` up to path or query, and the rest.
pub(super) fn split_authority(after_slashes: &str) -> (&str, &str) {
    let end = after_slashes
        .find(['/', '?', '#'])
        .unwrap_or(after_slashes.len());
    after_slashes
        .split_at_checked(end)
        .unwrap_or((after_slashes, ""))
}

/// Host and port of an authority without a user; `None` when it is none. A port has one to five digits.
pub(super) fn split_port(authority: &str) -> Option<(&str, Option<&str>)> {
    let host_end = if authority.starts_with('[') {
        authority.find(']')? + 1
    } else {
        authority.find(':').unwrap_or(authority.len())
    };
    let (host, rest) = authority.split_at_checked(host_end)?;
    if host.is_empty() {
        return None;
    }
    match rest.strip_prefix(':') {
        None if rest.is_empty() => Some((host, None)),
        Some(port)
            if port.len() <= 5
                && port.bytes().all(|byte| byte.is_ascii_digit())
                && port.parse::<u16>().is_ok() =>
        {
            Some((host, Some(port)))
        }
        _ => None,
    }
}

fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        None => false,
    }
}

/// The scheme in lower case, and what follows its colon; `None` for a relative address.
fn split_scheme(uri: &str) -> Option<(String, &str)> {
    let (scheme, rest) = uri.split_once(':')?;
    let valid = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    valid.then(|| (scheme.to_ascii_lowercase(), rest))
}

fn is_dangerous(uri: &str) -> bool {
    if uri.contains(|c: char| c.is_control() || c.is_whitespace() || c == '\\' || c == '#') {
        return true;
    }
    let Some((scheme, rest)) = split_scheme(uri) else {
        return false;
    };
    // A browser takes any number of slashes after http(s), none included.
    let has_authority = rest.starts_with("//")
        || matches!(scheme.as_str(), "http" | "https" | "ws" | "wss" | "ftp");
    let (authority, _) = split_authority(rest.trim_start_matches('/'));
    (has_authority && authority.contains('@'))
        || DANGEROUS_SCHEMES.contains(&scheme.as_str())
        || DANGEROUS_PREFIXES
            .iter()
            .any(|prefix| scheme.starts_with(prefix))
}

/// Judges one address by its characters and by what a browser makes of it. Never an error: anything at all may be given.
pub fn classify(uri: &str) -> RedirectKind {
    if is_dangerous(uri) {
        return RedirectKind::Dangerous;
    }
    if uri.len() > REDIRECT_BYTES || !uri.bytes().all(is_address_byte) {
        return RedirectKind::Unusable;
    }
    let (Some((scheme, rest)), Ok(parsed)) = (split_scheme(uri), Url::parse(uri)) else {
        return RedirectKind::Unusable;
    };
    if brings_answer_parameters(&parsed) {
        return RedirectKind::Unusable;
    }
    match scheme.as_str() {
        "https" | "http" => classify_http(&scheme, rest, &parsed),
        other if NETWORK_SCHEMES.contains(&other) || other.len() < 2 => RedirectKind::Unusable,
        // An address without a slash ("localhost:3000", "app:cb") is as likely a forgotten scheme as an app.
        _ if rest.starts_with('/') && rest.len() > 1 => RedirectKind::App,
        _ => RedirectKind::Unusable,
    }
}

fn classify_http(scheme: &str, rest: &str, parsed: &Url) -> RedirectKind {
    let Some((host, _)) = rest
        .strip_prefix("//")
        .and_then(|after| split_port(split_authority(after).0))
    else {
        return RedirectKind::Unusable;
    };
    // Percent-encoded, hexadecimal, decimal or shortened hosts end up somewhere else than they say.
    if parsed.host_str() != Some(host.to_ascii_lowercase().as_str()) {
        return RedirectKind::Unusable;
    }
    match scheme {
        "https" => RedirectKind::Web,
        _ if is_loopback(parsed) => RedirectKind::Loopback,
        _ => RedirectKind::Unusable,
    }
}

fn brings_answer_parameters(parsed: &Url) -> bool {
    parsed
        .query_pairs()
        .any(|(name, _)| ANSWER_PARAMETERS.contains(&name.as_ref()))
}

/// Host and everything after the port of a loopback address, as spelt.
fn split_loopback(uri: &str) -> Option<(&str, &str)> {
    if classify(uri) != RedirectKind::Loopback {
        return None;
    }
    let (authority, rest) = split_authority(uri.strip_prefix("http://")?);
    let (host, _) = split_port(authority)?;
    Some((host, rest))
}

/// Whether `presented` is the registered address: the same characters, or two loopback addresses of the same host
/// spelling, path and query whose ports differ (or are absent). Both are compared as sent; nothing is normalised.
/// Only usable addresses ever match.
pub fn matches(registered: &str, presented: &str) -> bool {
    if registered == presented {
        return classify(presented).is_usable();
    }
    match (split_loopback(registered), split_loopback(presented)) {
        (Some(ours), Some(theirs)) => ours == theirs,
        _ => false,
    }
}

/// The address to answer at: the presented one, as presented, when it matches a registered one; the only registered one
/// when none was presented (RFC 6749 §3.1.2.3). The result is always usable.
///
/// # Errors
/// [`ChoiceFault`]; the caller then shows a page and redirects nowhere.
pub fn choose(registered: &[String], presented: Option<&str>) -> Result<String, ChoiceFault> {
    match (presented, registered) {
        (Some(uri), _) if registered.iter().any(|own| matches(own, uri)) => Ok(uri.to_owned()),
        (Some(_), _) => Err(ChoiceFault::NotRegistered),
        (None, [only]) if classify(only).is_usable() => Ok(only.clone()),
        (None, _) => Err(ChoiceFault::Missing),
    }
}

/// What to show about an address. One that is not usable is shown as "unknown address" and must not be approved.
pub fn view(uri: &str) -> RedirectView {
    let unknown = || RedirectView {
        host: "unknown address".to_owned(),
        loopback: false,
        opens_app: None,
    };
    let kind = classify(uri);
    let Ok(parsed) = Url::parse(uri) else {
        return unknown();
    };
    match (kind, parsed.host_str()) {
        (RedirectKind::Web | RedirectKind::Loopback, Some(host)) => RedirectView {
            host: match parsed.port() {
                Some(port) => format!("{host}:{port}"),
                None => host.to_owned(),
            },
            loopback: is_loopback(&parsed),
            opens_app: None,
        },
        (RedirectKind::App, _) => RedirectView {
            host: format!("{}://", parsed.scheme()),
            loopback: false,
            opens_app: Some(parsed.scheme().to_owned()),
        },
        _ => unknown(),
    }
}

/// `redirect_uri` with form-encoded parameters behind its own query (RFC 6749 §4.1.2); everything else stays as spelt.
/// Expects a usable address, which has no fragment.
pub fn with_parameters(redirect_uri: &str, parameters: &[(&str, &str)]) -> String {
    if parameters.is_empty() {
        return redirect_uri.to_owned();
    }
    let joint = match redirect_uri.split_once('?') {
        None => "?",
        Some((_, query)) if query.is_empty() || query.ends_with('&') => "",
        Some(_) => "&",
    };
    let query = url::form_urlencoded::Serializer::new(String::new())
        .extend_pairs(parameters)
        .finish();
    format!("{redirect_uri}{joint}{query}")
}

#[cfg(test)]
mod properties;

#[cfg(test)]
mod tests;
