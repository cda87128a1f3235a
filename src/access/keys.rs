//! Public keys that tokens are checked with, and when to fetch them. Nothing here knows Access: any issuer's JWK set
//! (RFC 7517) does, our own too. It fetches nothing: [`KeyCache::plan`] says when to, the caller does it and reports.
//!
//! ```text
//! if cache.plan(kid, now) == Plan::FetchFirst {
//!     cache.fetch_started(now);
//!     match fetch() { Ok(set) => cache.fetched(set, now), Err(_) => cache.fetch_failed(now) }
//! }
//! cache.get(kid)
//! ```

mod cache;

use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

pub use cache::{FAILURE_BACKOFF_MS, FRESH_MS, KeyCache, Plan, UNKNOWN_KEY_ID_MS, USABLE_MS};

/// Keys in one set. Access publishes two, at most three while it rotates; the bound keeps a broken answer cheap.
pub const KEYS: usize = 20;
/// A key set document. Access's answer, certificates included, measures some 8 KB.
pub const KEY_SET_BYTES: usize = 64 * 1024;
/// A key id, in bytes. Access's are 64 hex digits.
pub const KEY_ID_BYTES: usize = 200;
/// Smallest RSA modulus in bits: RFC 7518 section 3.3 demands it of RS256.
pub const RSA_BITS_MIN: usize = 2048;
/// Largest RSA modulus in bits; the cost of a check grows with its square.
pub const RSA_BITS_MAX: usize = 4096;
/// Smallest RSA exponent: with 1 every number is its own signature.
const RSA_EXPONENT_MIN: u64 = 3;
/// Bytes of an RSA exponent; everybody's is 65537, which takes three.
const RSA_EXPONENT_BYTES: usize = 4;
/// Bytes of one coordinate on P-256 (RFC 7518 section 6.2.1.2).
const P256_BYTES: usize = 32;

/// One public key. It checks with one algorithm only, its own.
#[derive(Debug, Clone)]
pub struct Key {
    algorithm: Algorithm,
    public: DecodingKey,
}

/// Why a token's claims were not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unread {
    /// The signature is not this key's over these bytes.
    Signature,
    /// Not a compact JWS of this key's algorithm with claims of the expected types.
    Shape,
}

impl Key {
    /// The JOSE name of the key's algorithm: `RS256` or `ES256`.
    pub fn algorithm(&self) -> &'static str {
        match self.algorithm {
            Algorithm::ES256 => "ES256",
            _ => "RS256",
        }
    }

    /// The claims of a compact JWS (RFC 7515 section 3.1) that this key signed. Only signature and types are checked:
    /// issuer, audience and times are the caller's.
    ///
    /// # Errors
    /// [`Unread`]; also when the header names another algorithm, demands an extension (`crit`), or a claim comes twice.
    pub fn claims<T: DeserializeOwned>(&self, token: &str) -> Result<T, Unread> {
        let mut validation = Validation::new(self.algorithm);
        // The library would ask the system's clock, which there is none of in WebAssembly.
        validation.validate_exp = false;
        validation.validate_nbf = false;
        validation.validate_aud = false;
        validation.required_spec_claims.clear();
        jsonwebtoken::decode(token, &self.public, &validation)
            .map(|data| data.claims)
            .map_err(|error| match error.kind() {
                jsonwebtoken::errors::ErrorKind::InvalidSignature => Unread::Signature,
                _ => Unread::Shape,
            })
    }

    /// The key of a JWK, if it is one we can and want to check signatures with.
    fn from_jwk(jwk: &Jwk) -> Option<Key> {
        let (algorithm, name, public) = match jwk.kty.as_str() {
            "RSA" => {
                let public = rsa(jwk.n.as_deref()?, jwk.e.as_deref()?)?;
                (Algorithm::RS256, "RS256", public)
            }
            "EC" if jwk.crv.as_deref() == Some("P-256") => {
                let public = p256(jwk.x.as_deref()?, jwk.y.as_deref()?)?;
                (Algorithm::ES256, "ES256", public)
            }
            _ => return None,
        };
        let for_signatures = jwk
            .purpose
            .as_deref()
            .is_none_or(|purpose| purpose == "sig");
        let ours = jwk.alg.as_deref().is_none_or(|alg| alg == name);
        (for_signatures && ours).then_some(Key { algorithm, public })
    }
}

#[derive(Deserialize)]
struct Jwk {
    kid: String,
    kty: String,
    #[serde(rename = "use")]
    purpose: Option<String>,
    alg: Option<String>,
    n: Option<String>,
    e: Option<String>,
    crv: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

fn rsa(modulus: &str, exponent: &str) -> Option<DecodingKey> {
    let (n, e) = (number(modulus)?, number(exponent)?);
    let bits = n.len() * 8 - n.first()?.leading_zeros() as usize;
    let odd = |number: &[u8]| number.last().is_some_and(|byte| byte % 2 == 1);
    let value = e
        .iter()
        .fold(0, |sum: u64, byte| (sum << 8) | u64::from(*byte));
    let usable = (RSA_BITS_MIN..=RSA_BITS_MAX).contains(&bits)
        && e.len() <= RSA_EXPONENT_BYTES
        && value >= RSA_EXPONENT_MIN
        && odd(&n)
        && odd(&e);
    usable.then(|| DecodingKey::from_rsa_raw_components(&n, &e))
}

/// The bytes of a number without leading zeros; `None` for zero.
fn number(text: &str) -> Option<Vec<u8>> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    let start = bytes.iter().position(|byte| *byte != 0)?;
    bytes.get(start..).map(<[u8]>::to_vec)
}

fn p256(x: &str, y: &str) -> Option<DecodingKey> {
    let coordinate = |text: &str| {
        let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
        (bytes.len() == P256_BYTES).then_some(bytes)
    };
    let mut point = vec![4]; // SEC 1: an uncompressed point follows.
    point.extend(coordinate(x)?);
    point.extend(coordinate(y)?);
    ::p256::ecdsa::VerifyingKey::from_sec1_bytes(&point).ok()?;
    Some(DecodingKey::from_ec_der(&point))
}

/// The usable keys of one document, by key id. Never empty.
#[derive(Debug, Clone)]
pub struct KeySet {
    keys: Vec<(String, Key)>,
}

/// Why a document gives no key set. Its `Display` is for the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeySetFault {
    /// More than [`KEY_SET_BYTES`], or more than [`KEYS`] keys.
    TooLarge,
    /// No JSON object with an array `keys`.
    NotAKeySet,
    /// Not one RSA key of 2048 bits or more and not one on P-256.
    NoUsableKey,
}

impl fmt::Display for KeySetFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            KeySetFault::TooLarge => "the key set is larger than any real one",
            KeySetFault::NotAKeySet => "the answer is not a JWK set",
            KeySetFault::NoUsableKey => "the key set has no RSA key of 2048 bits and no P-256 key",
        })
    }
}

impl KeySet {
    /// Reads a JWK set. Unknown members (Access adds `public_cert`) and unusable keys are passed over: other kinds,
    /// curves and purposes, RSA below 2048 bits, points off the curve, no key id. Of two keys with one id the first counts.
    ///
    /// # Errors
    /// [`KeySetFault`].
    pub fn parse(document: &str) -> Result<KeySet, KeySetFault> {
        #[derive(Deserialize)]
        struct Document {
            keys: Vec<Value>,
        }
        if document.len() > KEY_SET_BYTES {
            return Err(KeySetFault::TooLarge);
        }
        let document: Document =
            serde_json::from_str(document).map_err(|_| KeySetFault::NotAKeySet)?;
        if document.keys.len() > KEYS {
            return Err(KeySetFault::TooLarge);
        }
        let mut set = KeySet { keys: Vec::new() };
        for value in document.keys {
            let Ok(jwk) = serde_json::from_value::<Jwk>(value) else {
                continue;
            };
            let named = (1..=KEY_ID_BYTES).contains(&jwk.kid.len());
            if let (true, Some(key)) = (named, Key::from_jwk(&jwk)) {
                set.keys.push((jwk.kid, key));
            }
        }
        if set.keys.is_empty() {
            return Err(KeySetFault::NoUsableKey);
        }
        Ok(set)
    }

    /// The key with exactly this id.
    pub fn get(&self, kid: &str) -> Option<&Key> {
        let found = self.keys.iter().find(|(id, _)| id == kid);
        found.map(|(_, key)| key)
    }
}

#[cfg(test)]
mod tests;
