//! A vault as it is deployed: at `https://vault.example.test`, behind a Cloudflare Access team that the tests play.
//! The requests go to this machine and name that host.

use std::time::{SystemTime, UNIX_EPOCH};

use jsonwebtoken::{Algorithm, EncodingKey, Header};
use serde_json::{Value, json};

use super::answer::Answer;
use super::internet::Internet;
use super::vault::Vault;

/// Key pairs that sign nothing but test assertions.
#[path = "../../../src/access/test_keys.rs"]
#[allow(dead_code)]
pub mod keys;

/// The host the vault answers to.
pub const HOST: &str = "vault.example.test";
/// Where the team publishes its keys.
pub const CERTS: &str = "https://team.cloudflareaccess.com/cdn-cgi/access/certs";
/// The Access application's audience tag.
pub const AUDIENCE: &str = "4714c1358e65fe4b408ad6d432a5f878f08194bdb4752441fd56faefa9b2b6f2";

/// A whole sign-in: the owner, and a program of each role.
pub const SETTINGS: [(&str, &str); 5] = [
    ("PUBLIC_URL", "https://vault.example.test"),
    ("ACCESS_TEAM_DOMAIN", "team.cloudflareaccess.com"),
    ("ACCESS_AUD", AUDIENCE),
    ("ACCESS_ALLOWED_EMAILS", "ada@example.org, Bo@Example.org"),
    (
        "ACCESS_SERVICE_TOKENS",
        "nightly.access:backup, mover.access:import, butler.access:full",
    ),
];

/// The claims of an owner's assertion, as Access writes them.
pub fn person(email: &str) -> Value {
    let now = now();
    json!({
        "iss": "https://team.cloudflareaccess.com", "aud": [AUDIENCE], "email": email,
        "iat": now - 5, "nbf": now - 5, "exp": now + 3_600,
        "sub": "7335d417-61da-459d-899c-0a01c76a2f94", "type": "app", "identity_nonce": "6ei69kawdKzMIAPF", "country": "NL",
    })
}

/// The claims of a service token's assertion.
pub fn program(common_name: &str) -> Value {
    let now = now();
    json!({
        "iss": "https://team.cloudflareaccess.com", "aud": [AUDIENCE], "common_name": common_name,
        "iat": now - 5, "exp": now + 3_600, "sub": "", "type": "app",
    })
}

/// Seconds since 1970.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_secs()).unwrap()
}

/// Signs claims.
pub fn sign(algorithm: Algorithm, kid: &str, key: &EncodingKey, claims: &Value) -> String {
    let mut header = Header::new(algorithm);
    header.kid = Some(kid.to_owned());
    jsonwebtoken::encode(&header, claims, key).unwrap()
}

/// Signs claims as the team does, with its RSA key.
pub fn rs256(claims: &Value) -> String {
    sign(
        Algorithm::RS256,
        keys::TEST_RSA_ID,
        &keys::rsa_signer(),
        claims,
    )
}

/// Signs claims with the team's P-256 key.
pub fn es256(claims: &Value) -> String {
    sign(
        Algorithm::ES256,
        keys::TEST_EC_ID,
        &keys::ec_signer(),
        claims,
    )
}

/// The owner's assertion.
pub fn owner() -> String {
    rs256(&person("ada@example.org"))
}

/// A service token's assertion.
pub fn service(common_name: &str) -> String {
    rs256(&program(common_name))
}

/// The vault behind Access.
pub struct Deployed {
    pub vault: Vault,
    pub internet: Internet,
}

impl Deployed {
    /// With [`SETTINGS`], and a team that publishes its keys.
    pub fn start() -> Self {
        Self::start_with(&SETTINGS)
    }

    /// With these variables.
    pub fn start_with(variables: &[(&str, &str)]) -> Self {
        let (vault, internet) = Vault::start_on_internet(variables);
        internet.serves(CERTS, &serde_json::from_str(&keys::jwks()).unwrap());
        Deployed { vault, internet }
    }

    /// Sends a request to the public host with these headers.
    pub fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<&[u8]>,
    ) -> Answer {
        let mut all = vec![("Host", HOST)];
        all.extend_from_slice(headers);
        self.vault.send(method, path, &all, body)
    }

    /// Sends a request with an assertion and perhaps a JSON body.
    pub fn call(&self, assertion: &str, method: &str, path: &str, body: Option<Value>) -> Answer {
        let body = body.map(|body| body.to_string());
        let mut headers = vec![("Cf-Access-Jwt-Assertion", assertion)];
        if body.is_some() {
            headers.push(("Content-Type", "application/json"));
        } else if method != "GET" {
            headers.push(("Content-Length", "0"));
        }
        self.send(method, path, &headers, body.as_deref().map(str::as_bytes))
    }

    /// A GET with an assertion.
    pub fn get(&self, assertion: &str, path: &str) -> Answer {
        self.call(assertion, "GET", path, None)
    }

    /// A GET from nobody.
    pub fn get_as_nobody(&self, path: &str) -> Answer {
        self.send("GET", path, &[], None)
    }

    /// How often the team was asked for its keys.
    pub fn key_fetches(&self) -> usize {
        let addresses = self.internet.addresses();
        addresses.iter().filter(|address| *address == CERTS).count()
    }
}
