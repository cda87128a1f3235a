//! Apps that register themselves (RFC 7591). Anyone may: a registration proves nothing and opens nothing. What is read
//! here is only what the vault uses — a name to show, addresses to answer at, how the app will authenticate; logos, links,
//! contacts and all unknown members are ignored. Answers say what the vault will really do, not what was asked for.
//!
//! `{"redirect_uris":["http://localhost/callback"],"token_endpoint_auth_method":"none"}` is enough.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::display::{checked_name, known_secret};
use super::redirect::{self, RedirectKind};

/// Redirect addresses in one registration. The most seen in use is 3.
pub const REDIRECTS: usize = 20;
/// Characters of an app's name that are kept; longer names are cut, not refused.
pub const NAME_CHARS: usize = 200;
/// Longest `scope` in bytes. All of our scopes together have about 100.
pub const SCOPE_BYTES: usize = 1000;
/// What an app without a name is called.
pub const UNNAMED: &str = "Unnamed app";
/// The grant types we serve, in the order in which they are listed.
pub const GRANT_TYPES: [&str; 2] = ["authorization_code", "refresh_token"];

/// How an app authenticates at the token and revocation endpoints. Serialised by the words of RFC 7591 §2.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum AuthMethod {
    /// A public app: no secret, PKCE only.
    #[serde(rename = "none")]
    None,
    /// The secret is a form parameter.
    #[serde(rename = "client_secret_post")]
    ClientSecretPost,
    /// The secret is in the Authorization header.
    #[serde(rename = "client_secret_basic")]
    ClientSecretBasic,
}

impl AuthMethod {
    /// All of them, in the order in which they are advertised.
    pub const ALL: [Self; 3] = [Self::None, Self::ClientSecretPost, Self::ClientSecretBasic];

    /// The word of RFC 7591 §2.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::ClientSecretPost => "client_secret_post",
            Self::ClientSecretBasic => "client_secret_basic",
        }
    }

    /// The method of that exact word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.as_str() == word)
    }

    /// Whether the app must be given a secret.
    pub fn needs_secret(self) -> bool {
        self != Self::None
    }
}

/// A registration as it takes effect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Registration {
    /// Fit to be shown: one line, 1 to [`NAME_CHARS`] visible characters. Chosen by the app, not verified.
    pub name: String,
    /// 1 to [`REDIRECTS`] different usable addresses, as spelt and in the order sent.
    pub redirect_uris: Vec<String>,
    /// How it will authenticate.
    pub auth_method: AuthMethod,
    /// `authorization_code`, and `refresh_token` unless the app left it out of a list of its own.
    pub grant_types: Vec<String>,
    /// The scopes it says it will ask for: valid characters, single spaces; may name scopes we do not have.
    pub scope: Option<String>,
}

/// A refusal, for a 400 answer (RFC 7591 §3.2.2). Contains nothing of what was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RegistrationError {
    /// `invalid_client_metadata` or `invalid_redirect_uri`.
    pub code: &'static str,
    /// What to change, in ASCII.
    pub description: String,
}

impl RegistrationError {
    fn metadata(description: impl Into<String>) -> Self {
        Self {
            code: "invalid_client_metadata",
            description: description.into(),
        }
    }

    fn redirect(description: impl Into<String>) -> Self {
        Self {
            code: "invalid_redirect_uri",
            description: description.into(),
        }
    }
}

impl std::fmt::Display for RegistrationError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.code, self.description)
    }
}

impl std::error::Error for RegistrationError {}

/// A member that is there. `null` counts as left out: some libraries write every field they know.
pub(super) fn member<'a>(object: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    object.get(name).filter(|value| !value.is_null())
}

/// The strings of an array; `None` when it is not an array of strings.
pub(super) fn strings(value: &Value) -> Option<Vec<&str>> {
    value.as_array()?.iter().map(Value::as_str).collect()
}

/// Our grant types among those asked for, all of ours when nothing was said: apps that leave the list out expect to
/// refresh all the same. `None` without `authorization_code`.
pub(super) fn grants(asked: Option<&[&str]>) -> Option<Vec<String>> {
    let kept: Vec<String> = GRANT_TYPES
        .iter()
        .filter(|own| asked.is_none_or(|asked| asked.contains(own)))
        .map(ToString::to_string)
        .collect();
    kept.iter()
        .any(|grant| grant == "authorization_code")
        .then_some(kept)
}

/// Why a list of redirect addresses is refused.
pub(super) enum ListFault {
    Dangerous,
    NoneUsable,
}

/// The usable addresses of a list, each once. Unusable company is tolerated: apps register all their variants at once.
pub(super) fn usable_redirects(uris: &[&str]) -> Result<Vec<String>, ListFault> {
    let mut usable: Vec<String> = Vec::new();
    for uri in uris {
        match redirect::classify(uri) {
            RedirectKind::Dangerous => return Err(ListFault::Dangerous),
            RedirectKind::Unusable => {}
            RedirectKind::Web | RedirectKind::Loopback | RedirectKind::App => {
                if !usable.iter().any(|known| known == uri) {
                    usable.push((*uri).to_owned());
                }
            }
        }
    }
    if usable.is_empty() {
        return Err(ListFault::NoneUsable);
    }
    Ok(usable)
}

fn string_member<'a>(
    object: &'a Map<String, Value>,
    name: &str,
) -> Result<Option<&'a str>, RegistrationError> {
    member(object, name)
        .map(|value| {
            value
                .as_str()
                .ok_or_else(|| RegistrationError::metadata(format!("{name} must be a string")))
        })
        .transpose()
}

fn strings_member<'a>(
    object: &'a Map<String, Value>,
    name: &str,
) -> Result<Option<Vec<&'a str>>, RegistrationError> {
    member(object, name)
        .map(|value| {
            strings(value).ok_or_else(|| {
                RegistrationError::metadata(format!("{name} must be an array of strings"))
            })
        })
        .transpose()
}

/// Reads the body of a registration request and applies the defaults of RFC 7591 §2, except that a missing
/// `grant_types` means both of ours. The caller limits the body's size.
///
/// # Errors
/// [`RegistrationError`] for anything but a JSON object with usable metadata.
pub fn read(body: &[u8]) -> Result<Registration, RegistrationError> {
    let Ok(Value::Object(object)) = serde_json::from_slice(body) else {
        return Err(RegistrationError::metadata(
            "the body must be one JSON object in UTF-8",
        ));
    };
    let redirect_uris = read_redirects(&object)?;
    let auth_method = match string_member(&object, "token_endpoint_auth_method")? {
        None => AuthMethod::ClientSecretBasic,
        Some(word) => AuthMethod::parse(word).ok_or_else(|| {
            RegistrationError::metadata(
                "token_endpoint_auth_method must be none, client_secret_post or client_secret_basic",
            )
        })?,
    };
    let grant_types =
        grants(strings_member(&object, "grant_types")?.as_deref()).ok_or_else(|| {
            RegistrationError::metadata("grant_types must contain authorization_code")
        })?;
    if strings_member(&object, "response_types")?.is_some_and(|types| !types.contains(&"code")) {
        return Err(RegistrationError::metadata(
            "response_types must contain code",
        ));
    }
    let name = string_member(&object, "client_name")?.unwrap_or_default();
    let name = checked_name(name, NAME_CHARS).map_err(|fault| {
        RegistrationError::metadata(format!("client_name {}", fault.sentence()))
    })?;
    Ok(Registration {
        name: if name.is_empty() {
            UNNAMED.to_owned()
        } else {
            name
        },
        redirect_uris,
        auth_method,
        grant_types,
        scope: read_scope(&object)?,
    })
}

fn read_redirects(object: &Map<String, Value>) -> Result<Vec<String>, RegistrationError> {
    let uris = member(object, "redirect_uris")
        .and_then(strings)
        .ok_or_else(|| RegistrationError::redirect("redirect_uris must be an array of strings"))?;
    if uris.is_empty() || uris.len() > REDIRECTS {
        return Err(RegistrationError::redirect(format!(
            "redirect_uris must have 1 to {REDIRECTS} entries"
        )));
    }
    if let Some(fault) = uris.iter().find_map(|uri| known_secret(uri)) {
        return Err(RegistrationError::redirect(format!(
            "redirect_uris {}",
            fault.sentence()
        )));
    }
    usable_redirects(&uris).map_err(|fault| {
        RegistrationError::redirect(match fault {
            ListFault::Dangerous => {
                "redirect_uris has an entry with a forbidden scheme, a fragment, user information, a backslash, \
                 white space or control characters; remove it"
            }
            ListFault::NoneUsable => {
                "redirect_uris has no usable entry; give an https address, an http address on localhost, 127.0.0.1 \
                 or [::1], or an app's own scheme such as com.example.app:/callback, without code, state, iss or \
                 error parameters and of at most 2048 bytes"
            }
        })
    })
}

/// Scope words (RFC 6749 §3.3) with single spaces.
fn read_scope(object: &Map<String, Value>) -> Result<Option<String>, RegistrationError> {
    let Some(text) = string_member(object, "scope")? else {
        return Ok(None);
    };
    if let Some(fault) = known_secret(text) {
        return Err(RegistrationError::metadata(format!(
            "scope {}",
            fault.sentence()
        )));
    }
    let valid = text.len() <= SCOPE_BYTES
        && text
            .bytes()
            .all(|byte| matches!(byte, b' ' | b'!' | b'#'..=b'[' | b']'..=b'~'));
    if !valid {
        return Err(RegistrationError::metadata(format!(
            "scope must be scope names separated by spaces, at most {SCOPE_BYTES} bytes"
        )));
    }
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    Ok((!words.is_empty()).then(|| words.join(" ")))
}

/// The 201 body (RFC 7591 §3.2.1) with the values in effect. With a `secret`, `client_secret_expires_at` is 0: it does
/// not expire on its own. The result holds the secret in clear: send it with `no-store`, never log or keep it.
pub fn answer(
    registration: &Registration,
    client_id: &str,
    secret: Option<&str>,
    issued_at_seconds: i64,
) -> Value {
    let mut body = json!({
        "client_id": client_id,
        "client_id_issued_at": issued_at_seconds,
        "redirect_uris": registration.redirect_uris,
        "token_endpoint_auth_method": registration.auth_method,
        "grant_types": registration.grant_types,
        "response_types": ["code"],
        "client_name": registration.name,
    });
    if let Some(object) = body.as_object_mut() {
        if let Some(secret) = secret {
            object.insert("client_secret".into(), secret.into());
            object.insert("client_secret_expires_at".into(), 0.into());
        }
        if let Some(scope) = &registration.scope {
            object.insert("scope".into(), scope.as_str().into());
        }
    }
    body
}

#[cfg(test)]
mod tests;
