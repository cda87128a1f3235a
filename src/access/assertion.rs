//! The assertion Cloudflare Access adds to every request it lets through: a JWT that says who is signed in. This decides
//! whether it is genuine, ours, current, and from somebody who may enter. It fetches no keys and asks no clock, and it
//! takes nothing else in a request (such as `Cf-Access-Authenticated-User-Email`) for a proof.
//!
//! [`from_headers`] finds it, [`key_id`] says which key it needs, [`verify`] decides.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::Deserialize;

use crate::access::config::AccessSettings;
use crate::access::keys::{KeyCache, Unread};
use crate::error::{Error, Kind};
use crate::model::actor::ServiceRole;

/// The request header that carries the assertion.
pub const HEADER: &str = "Cf-Access-Jwt-Assertion";
/// The cookie that carries it too, in browsers.
pub const COOKIE: &str = "CF_Authorization";
/// An assertion, in bytes. Real ones measure about one KB; groups and custom claims may double that.
pub const ASSERTION_BYTES: usize = 8 * 1024;
/// How far our clock and Cloudflare's may be apart, in seconds: the usual minute.
pub const LEEWAY_SECONDS: i64 = 60;

/// Who an assertion proves to be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Identity {
    /// Somebody on the list, signed in with an identity provider.
    Person {
        /// The address, as Access wrote it.
        email: String,
    },
    /// A program on the list.
    Service {
        /// The token's client id.
        common_name: String,
        /// What the settings let it do.
        role: ServiceRole,
    },
}

/// Why nobody is let in. It never carries a claim's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Denial {
    /// Neither header nor cookie.
    Missing,
    /// More than [`ASSERTION_BYTES`].
    TooLarge,
    /// Not a signed JWT, or claims of the wrong types.
    Malformed,
    /// Another algorithm than the key's, such as `none` or `HS256`.
    Algorithm,
    /// Access's public keys could not be fetched yet.
    NoKeys,
    /// No published key has the header's key id.
    UnknownKey,
    /// Signed by somebody else, or changed since.
    Signature,
    /// From another team.
    Issuer,
    /// For another application.
    Audience,
    /// It never ends.
    NoExpiry,
    /// Its time is over.
    Expired,
    /// Its time has not come (`nbf` or `iat`).
    NotYetValid,
    /// Both a person's and a program's.
    TwoIdentities,
    /// Neither a person's nor a program's.
    NoIdentity,
    /// An address with white space or control characters.
    Email,
    /// The address is not in `ACCESS_ALLOWED_EMAILS`.
    PersonNotListed,
    /// The program is not in `ACCESS_SERVICE_TOKENS`.
    ServiceNotListed,
}

impl Denial {
    /// A sentence for the owner, which says what to change where there is something to change.
    pub const fn message(self) -> &'static str {
        match self {
            Denial::Missing => "nobody is signed in: open the vault through Cloudflare Access",
            Denial::TooLarge => "the Cloudflare Access assertion is too large",
            Denial::Malformed => "the Cloudflare Access assertion is not a signed token",
            Denial::Algorithm => {
                "the Cloudflare Access assertion is not signed the way its key signs"
            }
            Denial::NoKeys => {
                "Cloudflare Access's public keys cannot be fetched; check ACCESS_TEAM_DOMAIN, or try again in a minute"
            }
            Denial::UnknownKey => {
                "the Cloudflare Access assertion is signed with a key the team does not publish; check ACCESS_TEAM_DOMAIN, or sign in again in a minute"
            }
            Denial::Signature => "the Cloudflare Access assertion's signature is wrong",
            Denial::Issuer => {
                "the Cloudflare Access assertion comes from another team; check ACCESS_TEAM_DOMAIN"
            }
            Denial::Audience => {
                "the Cloudflare Access assertion is for another application; check ACCESS_AUD"
            }
            Denial::NoExpiry => "the Cloudflare Access assertion has no expiry",
            Denial::Expired => "the sign-in has expired; sign in again",
            Denial::NotYetValid => "the Cloudflare Access assertion is not valid yet",
            Denial::TwoIdentities => {
                "the Cloudflare Access assertion names both a person and a service token"
            }
            Denial::NoIdentity => {
                "the Cloudflare Access assertion names neither a person nor a service token"
            }
            Denial::Email => "the signed-in e-mail address is not well-formed",
            Denial::PersonNotListed => {
                "this e-mail address may not enter; the owner can add it to ACCESS_ALLOWED_EMAILS"
            }
            Denial::ServiceNotListed => {
                "this service token may not enter; the owner can add it to ACCESS_SERVICE_TOKENS"
            }
        }
    }
}

impl From<Denial> for Error {
    /// `forbidden`; `unavailable` for [`Denial::NoKeys`], which says nothing about the caller and passes by itself.
    fn from(denial: Denial) -> Error {
        let kind = match denial {
            Denial::NoKeys => Kind::Unavailable,
            _ => Kind::Forbidden,
        };
        Error::new(kind, denial.message())
    }
}

/// The assertion of a request: the [`HEADER`]'s value, or else that of the first cookie named exactly [`COOKIE`] in the
/// whole `Cookie` header. A blank one counts as none.
pub fn from_headers<'a>(header: Option<&'a str>, cookie: Option<&'a str>) -> Option<&'a str> {
    let given = |text: &'a str| Some(text.trim()).filter(|text| !text.is_empty());
    let in_cookie = || {
        let pairs = cookie?.split(';').filter_map(|pair| pair.split_once('='));
        let (_, value) = pairs.into_iter().find(|(name, _)| name.trim() == COOKIE)?;
        given(value)
    };
    header.and_then(given).or_else(in_cookie)
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
}

/// The protected header, not yet proven.
fn header(assertion: &str) -> Result<Header, Denial> {
    if assertion.len() > ASSERTION_BYTES {
        return Err(Denial::TooLarge);
    }
    let (encoded, _) = assertion.split_once('.').ok_or(Denial::Malformed)?;
    let json = URL_SAFE_NO_PAD
        .decode(encoded)
        .map_err(|_| Denial::Malformed)?;
    serde_json::from_slice(&json).map_err(|_| Denial::Malformed)
}

/// The id of the key that the assertion says it is signed with: what to ask [`KeyCache::plan`] about. Proves nothing.
///
/// # Errors
/// `TooLarge`, `Malformed`, or `UnknownKey` if it names none.
pub fn key_id(assertion: &str) -> Result<String, Denial> {
    header(assertion)?.kid.ok_or(Denial::UnknownKey)
}

#[derive(Deserialize)]
struct Claims {
    iss: Option<String>,
    aud: Option<Audience>,
    exp: Option<i64>,
    nbf: Option<i64>,
    iat: Option<i64>,
    email: Option<String>,
    common_name: Option<String>,
}

/// RFC 7519 section 4.1.3 allows both.
#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

/// Decides who is there. `keys` are the team's, after its plan was followed; `now_seconds` counts from 1970.
///
/// Checked in this order: size, key, algorithm (which the key dictates, not the header), signature, issuer, audience,
/// times with [`LEEWAY_SECONDS`], identity. A person's address is compared without regard to the case of ASCII letters,
/// a program's name exactly. A `sub` is not looked at: it is empty for programs and an opaque id for persons.
///
/// # Errors
/// The first [`Denial`].
pub fn verify(
    assertion: &str,
    keys: &KeyCache,
    settings: &AccessSettings,
    now_seconds: i64,
) -> Result<Identity, Denial> {
    let header = header(assertion)?;
    let kid = header.kid.ok_or(Denial::UnknownKey)?;
    let key = keys.get(&kid).ok_or(if keys.has_keys() {
        Denial::UnknownKey
    } else {
        Denial::NoKeys
    })?;
    if header.alg != key.algorithm() {
        return Err(Denial::Algorithm);
    }
    let claims: Claims = key.claims(assertion).map_err(|unread| match unread {
        Unread::Signature => Denial::Signature,
        Unread::Shape => Denial::Malformed,
    })?;
    if claims.iss.as_deref() != Some(&*settings.issuer) {
        return Err(Denial::Issuer);
    }
    let ours = |audience: &String| settings.audience.contains(audience);
    let for_us = match &claims.aud {
        Some(Audience::One(audience)) => ours(audience),
        Some(Audience::Many(audiences)) => audiences.iter().any(ours),
        None => false,
    };
    if !for_us {
        return Err(Denial::Audience);
    }
    check_times(&claims, now_seconds)?;
    identity(claims, settings)
}

fn check_times(claims: &Claims, now_seconds: i64) -> Result<(), Denial> {
    let expiry = claims.exp.ok_or(Denial::NoExpiry)?;
    if now_seconds >= expiry.saturating_add(LEEWAY_SECONDS) {
        return Err(Denial::Expired);
    }
    let latest = now_seconds.saturating_add(LEEWAY_SECONDS);
    let in_future = |time: Option<i64>| time.is_some_and(|time| time > latest);
    if in_future(claims.nbf) || in_future(claims.iat) {
        return Err(Denial::NotYetValid);
    }
    Ok(())
}

fn identity(claims: Claims, settings: &AccessSettings) -> Result<Identity, Denial> {
    match (claims.email, claims.common_name) {
        (Some(_), Some(_)) => Err(Denial::TwoIdentities),
        (None, None) => Err(Denial::NoIdentity),
        (Some(email), None) => {
            let odd = |letter: char| letter.is_control() || letter.is_whitespace();
            if email.is_empty() || email.chars().any(odd) {
                return Err(Denial::Email);
            }
            // ASCII only: Unicode's lower case would make other people's letters equal to the owner's.
            let listed = settings
                .allowed_emails
                .iter()
                .any(|allowed| allowed.eq_ignore_ascii_case(&email));
            if listed {
                Ok(Identity::Person { email })
            } else {
                Err(Denial::PersonNotListed)
            }
        }
        (None, Some(common_name)) => settings
            .service_tokens
            .iter()
            .find(|token| token.common_name == common_name)
            .map(|token| Identity::Service {
                common_name: token.common_name.clone(),
                role: token.role,
            })
            .ok_or(Denial::ServiceNotListed),
    }
}

#[cfg(test)]
mod tests;
