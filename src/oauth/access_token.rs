//! Access tokens: JWTs (RFC 9068) signed with ES256 by a key that the vault makes for itself. The edge checks one with
//! the public half alone; whether its grant still holds is the vault's to say.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{Algorithm, DecodingKey, EncodingKey, Header, Validation};
use p256::elliptic_curve::sec1::ToSec1Point as _;
use p256::pkcs8::EncodePrivateKey as _;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};
use crate::model::app::SigningKey;
use crate::oauth::{documents, resource};

/// How long an access token holds. Revoking the grant ends it at once all the same.
pub const LIFETIME_SECONDS: i64 = 3_600;
/// `typ` of the header (RFC 9068 section 2.1), so that no other JWT passes for an access token.
const TYPE: &str = "at+jwt";
/// Largest token read.
const TOKEN_BYTES: usize = 4 * 1024;
/// `sub`: there is one person, who is not named.
const SUBJECT: &str = "owner";

/// What a token says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claims {
    /// Our origin.
    pub iss: String,
    /// Whose vault: always `owner`.
    pub sub: String,
    /// The MCP endpoint.
    pub aud: String,
    /// The client.
    pub client_id: String,
    /// Space-separated scopes.
    pub scope: String,
    /// The grant's id.
    pub grant: String,
    /// The token's own id.
    pub jti: String,
    /// Issued at, in seconds.
    pub iat: i64,
    /// Holds until, in seconds.
    pub exp: i64,
}

impl Claims {
    /// The claims of a token issued now for this site.
    pub fn new(
        origin: &str,
        client_id: &str,
        scope: &str,
        grant: &str,
        id: &str,
        now_seconds: i64,
    ) -> Self {
        Claims {
            iss: documents::issuer(origin).to_owned(),
            sub: SUBJECT.to_owned(),
            aud: resource::of(origin),
            client_id: client_id.to_owned(),
            scope: scope.to_owned(),
            grant: grant.to_owned(),
            jti: id.to_owned(),
            iat: now_seconds,
            exp: now_seconds + LIFETIME_SECONDS,
        }
    }
}

/// Makes a key pair from 32 bytes of chance; `None` for the few byte strings that are no private key (chance 2^-32).
pub fn key_pair(seed: &[u8; 32]) -> Option<SigningKey> {
    let secret = p256::SecretKey::from_slice(seed).ok()?;
    let private = secret.to_pkcs8_der().ok()?.as_bytes().to_vec();
    let point = secret.public_key().to_sec1_point(false);
    let x = URL_SAFE_NO_PAD.encode(point.x()?);
    let y = URL_SAFE_NO_PAD.encode(point.y()?);
    let thumbprint = format!(r#"{{"crv":"P-256","kty":"EC","x":"{x}","y":"{y}"}}"#);
    let kid = URL_SAFE_NO_PAD.encode(Sha256::digest(thumbprint.as_bytes()));
    Some(SigningKey { kid, private, x, y })
}

/// The public half as a JSON Web Key (RFC 7517).
pub fn jwk(key: &SigningKey) -> Value {
    json!({ "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": key.kid, "x": key.x, "y": key.y })
}

/// Signs.
///
/// # Errors
/// `internal` when the key is not readable.
pub fn sign(claims: &Claims, key: &SigningKey) -> Result<String> {
    let header = Header {
        typ: Some(TYPE.to_owned()),
        kid: Some(key.kid.clone()),
        ..Header::new(Algorithm::ES256)
    };
    jsonwebtoken::encode(&header, claims, &EncodingKey::from_ec_der(&key.private))
        .map_err(|error| Error::internal(format!("an access token could not be signed: {error}")))
}

/// The name of the key a token says it is signed with; `None` when it is no access token of ours at all.
pub fn key_id(token: &str) -> Option<String> {
    if token.len() > TOKEN_BYTES {
        return None;
    }
    let header = jsonwebtoken::decode_header(token).ok()?;
    (header.alg == Algorithm::ES256 && header.typ.as_deref() == Some(TYPE)).then_some(header.kid?)
}

/// Whether claims whose signature was checked were made by and for this site and hold now.
pub fn holds(claims: &Claims, origin: &str, now_seconds: i64) -> bool {
    claims.iss == documents::issuer(origin)
        && claims.aud == resource::of(origin)
        && now_seconds < claims.exp
}

/// The claims of a token that one of the vault's own keys signed and that holds now.
pub fn verify(token: &str, key: &SigningKey, origin: &str, now_seconds: i64) -> Option<Claims> {
    let public = DecodingKey::from_ec_components(&key.x, &key.y).ok()?;
    let mut validation = Validation::new(Algorithm::ES256);
    // The library would ask the system's clock, which there is none of in WebAssembly.
    validation.validate_exp = false;
    validation.validate_aud = false;
    validation.required_spec_claims.clear();
    let data = jsonwebtoken::decode::<Claims>(token, &public, &validation).ok()?;
    Some(data.claims).filter(|claims| holds(claims, origin, now_seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SITE: &str = "https://vault.example.org";
    const NOW: i64 = 1_773_129_600;

    fn pair() -> SigningKey {
        key_pair(&[7; 32]).unwrap()
    }

    fn token(pair: &SigningKey) -> String {
        let claims = Claims::new(SITE, "app_1", "memory.read", "gra_1", "tok_1", NOW);
        sign(&claims, pair).unwrap()
    }

    #[test]
    fn a_token_holds_for_an_hour_and_not_a_second_longer() {
        let (pair, token) = (pair(), token(&pair()));
        assert_eq!(key_id(&token).as_deref(), Some(pair.kid.as_str()));
        let holds = |now| verify(&token, &pair, SITE, now).is_some();
        assert!(holds(NOW) && holds(NOW + 3_599) && !holds(NOW + 3_600));
        assert_eq!(verify(&token, &pair, SITE, NOW).unwrap().grant, "gra_1");
    }

    #[test]
    fn another_key_or_another_site_does_not_pass() {
        let token = token(&pair());
        let stranger = key_pair(&[8; 32]).unwrap();
        assert_eq!(verify(&token, &stranger, SITE, NOW), None);
        for site in [
            "https://vault.example.org:8443",
            "http://vault.example.org",
            "https://evil.test",
        ] {
            assert_eq!(verify(&token, &pair(), site, NOW), None, "{site}");
        }
    }

    #[test]
    fn an_audience_of_another_path_does_not_pass() {
        let pair = pair();
        let mut claims = Claims::new(SITE, "app_1", "memory.read", "gra_1", "tok_1", NOW);
        claims.aud = format!("{SITE}/other");
        let token = sign(&claims, &pair).unwrap();
        assert_eq!(verify(&token, &pair, SITE, NOW), None);
    }

    #[test]
    fn a_changed_token_does_not_pass() {
        let (pair, token) = (pair(), token(&pair()));
        let parts: Vec<&str> = token.split('.').collect();
        let payload = String::from_utf8(URL_SAFE_NO_PAD.decode(parts[1]).unwrap()).unwrap();
        let forged = payload.replace("memory.read", "memory.write");
        let forged = format!(
            "{}.{}.{}",
            parts[0],
            URL_SAFE_NO_PAD.encode(forged),
            parts[2]
        );
        assert_eq!(verify(&forged, &pair, SITE, NOW), None);
    }

    #[test]
    fn other_kinds_of_tokens_name_no_key() {
        let plain = jsonwebtoken::encode(
            &Header {
                kid: Some("k".into()),
                ..Header::new(Algorithm::ES256)
            },
            &Claims::new(SITE, "", "", "", "", NOW),
            &EncodingKey::from_ec_der(&pair().private),
        )
        .unwrap();
        for text in ["", "abc", "a.b.c", &plain, &"a".repeat(5_000)] {
            assert_eq!(key_id(text), None, "{text}");
        }
    }

    #[test]
    fn no_key_is_made_from_zero() {
        assert!(key_pair(&[0; 32]).is_none() && key_pair(&[0xff; 32]).is_none());
    }
}
