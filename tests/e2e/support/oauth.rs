//! A bare OAuth client, so that tests see every parameter, and the owner who answers its question.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use super::answer::Answer;
use super::deployed::Deployed;
use super::vault::{Vault, encode};

/// The verifier that every test client uses, and its challenge.
pub const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

/// `VERIFIER`'s challenge.
pub fn challenge() -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(VERIFIER.as_bytes()))
}

/// A registered app.
pub struct App<'a> {
    pub vault: &'a Vault,
    pub id: String,
    pub secret: Option<String>,
    pub redirect_uri: String,
}

/// What an app holds after signing in.
#[derive(Debug, Clone)]
pub struct Tokens {
    pub access: String,
    pub refresh: String,
    pub scope: String,
}

impl<'a> App<'a> {
    /// Registers a public client.
    #[track_caller]
    pub fn register(vault: &'a Vault, name: &str) -> Self {
        let redirect_uri = "http://127.0.0.1:33418/callback";
        Self::register_with(
            vault,
            json!({ "client_name": name, "redirect_uris": [redirect_uri], "token_endpoint_auth_method": "none" }),
        )
    }

    /// Registers with this metadata.
    #[track_caller]
    pub fn register_with(vault: &'a Vault, metadata: Value) -> Self {
        let answer = vault.post("/register", metadata).expect(201);
        App {
            vault,
            id: answer["client_id"].as_str().unwrap().to_owned(),
            secret: answer["client_secret"].as_str().map(str::to_owned),
            redirect_uri: answer["redirect_uris"][0].as_str().unwrap().to_owned(),
        }
    }

    /// The parameters of a good authorization request.
    pub fn request(&self) -> Vec<(&'static str, String)> {
        vec![
            ("response_type", "code".into()),
            ("client_id", self.id.clone()),
            ("redirect_uri", self.redirect_uri.clone()),
            ("code_challenge", challenge()),
            ("code_challenge_method", "S256".into()),
            ("state", "st-1".into()),
        ]
    }

    /// Opens the consent page with these parameters.
    pub fn open(&self, parameters: &[(&str, String)]) -> Answer {
        self.vault.get(&format!("/authorize?{}", query(parameters)))
    }

    /// Asks with a good request, and the owner approves what was asked for.
    #[track_caller]
    pub fn code(&self) -> String {
        self.code_for(&self.request())
    }

    /// The same for these parameters.
    #[track_caller]
    pub fn code_for(&self, parameters: &[(&str, String)]) -> String {
        let page = Consent::of(&self.open(parameters));
        let location = page.approve(self.vault).location();
        parameter(&location, "code").unwrap_or_else(|| panic!("no code in {location}"))
    }

    /// Signs in.
    #[track_caller]
    pub fn sign_in(&self) -> Tokens {
        let answer = self.exchange(&self.code(), &[]);
        Tokens::of(&answer)
    }

    /// Signs in with this scope parameter.
    #[track_caller]
    pub fn sign_in_for(&self, scope: &str) -> Tokens {
        let mut parameters = self.request();
        parameters.push(("scope", scope.to_owned()));
        Tokens::of(&self.exchange(&self.code_for(&parameters), &[]))
    }

    /// Exchanges a code; `more` replaces or adds parameters.
    pub fn exchange(&self, code: &str, more: &[(&str, &str)]) -> Answer {
        let own = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", &self.redirect_uri),
            ("code_verifier", VERIFIER),
            ("client_id", &self.id),
        ];
        self.post_form("/token", &own, more)
    }

    /// Refreshes.
    pub fn refresh(&self, refresh_token: &str, more: &[(&str, &str)]) -> Answer {
        let own = [
            ("grant_type", "refresh_token"),
            ("refresh_token", refresh_token),
            ("client_id", &self.id),
        ];
        self.post_form("/token", &own, more)
    }

    /// Gives a token back.
    pub fn revoke(&self, token: &str) -> Answer {
        self.post_form("/revoke", &[("token", token), ("client_id", &self.id)], &[])
    }

    fn post_form(&self, path: &str, own: &[(&str, &str)], more: &[(&str, &str)]) -> Answer {
        let kept = own
            .iter()
            .filter(|(name, _)| !more.iter().any(|(other, _)| other == name));
        let fields: Vec<(&str, String)> = kept
            .chain(more)
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (*name, (*value).to_owned()))
            .collect();
        form(self.vault, path, &[], &query(&fields))
    }
}

impl Tokens {
    /// Of a successful answer.
    #[track_caller]
    pub fn of(answer: &Answer) -> Self {
        let body = answer.clone().expect(200);
        let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
        Tokens {
            access: text("access_token"),
            refresh: text("refresh_token"),
            scope: text("scope"),
        }
    }
}

/// The consent page as a browser holds it: the form's hidden fields, the ticked boxes, and the cookie.
#[derive(Debug, Clone)]
pub struct Consent {
    pub html: String,
    pub hidden: Vec<(String, String)>,
    pub ticked: Vec<String>,
    pub cookie: String,
}

impl Consent {
    /// Reads the page.
    #[track_caller]
    pub fn of(answer: &Answer) -> Self {
        assert_eq!(answer.status, 200, "{}", answer.body);
        let inputs: Vec<&str> = answer
            .body
            .split("<input")
            .skip(1)
            .map(|rest| rest.split('>').next().unwrap())
            .collect();
        let attribute = |input: &str, name: &str| {
            let (_, rest) = input.split_once(&format!("{name}=\""))?;
            Some(rest.split('"').next()?.to_owned())
        };
        Consent {
            html: answer.body.clone(),
            hidden: inputs
                .iter()
                .filter(|input| input.contains("type=\"hidden\""))
                .map(|input| {
                    (
                        attribute(input, "name").unwrap(),
                        attribute(input, "value").unwrap(),
                    )
                })
                .collect(),
            ticked: inputs
                .iter()
                .filter(|input| input.contains("type=\"checkbox\"") && input.contains(" checked"))
                .map(|input| attribute(input, "value").unwrap())
                .collect(),
            cookie: answer
                .header("Set-Cookie")
                .split(';')
                .next()
                .unwrap()
                .to_owned(),
        }
    }

    /// The owner presses Approve and leaves the boxes as they are.
    pub fn approve(&self, vault: &Vault) -> Answer {
        let ticked: Vec<&str> = self.ticked.iter().map(String::as_str).collect();
        self.answer(vault, "approve", &ticked)
    }

    /// The owner answers, with these boxes ticked, as a browser sends it.
    pub fn answer(&self, vault: &Vault, decision: &str, ticked: &[&str]) -> Answer {
        let origin = vault.url();
        let headers = [
            ("Cookie", self.cookie.as_str()),
            ("Origin", &origin),
            ("Sec-Fetch-Site", "same-origin"),
            ("Sec-Fetch-Mode", "navigate"),
        ];
        form(vault, "/authorize", &headers, &self.body(decision, ticked))
    }

    /// The form as it is sent.
    pub fn body(&self, decision: &str, ticked: &[&str]) -> String {
        let mut fields: Vec<(&str, String)> = self
            .hidden
            .iter()
            .map(|(name, value)| (name.as_str(), value.clone()))
            .collect();
        fields.extend(ticked.iter().map(|scope| ("scope", (*scope).to_owned())));
        fields.push(("decision", decision.to_owned()));
        query(&fields)
    }
}

/// Posts a form.
pub fn form(vault: &Vault, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
    let mut all = vec![("Content-Type", "application/x-www-form-urlencoded")];
    all.extend_from_slice(headers);
    vault.send("POST", path, &all, Some(body.as_bytes()))
}

/// Encodes parameters.
pub fn query(parameters: &[(&str, String)]) -> String {
    let pairs = parameters
        .iter()
        .map(|(name, value)| format!("{name}={}", encode(value)));
    pairs.collect::<Vec<_>>().join("&")
}

/// A parameter of an address, decoded.
pub fn parameter(location: &str, name: &str) -> Option<String> {
    let (_, query) = location.split_once('?')?;
    url::form_urlencoded::parse(query.as_bytes())
        .find(|(known, _)| known == name)
        .map(|(_, value)| value.into_owned())
}

/// Every parameter of an address, decoded, in order.
pub fn parameters(location: &str) -> Vec<(String, String)> {
    let query = location.split_once('?').map_or("", |(_, query)| query);
    url::form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect()
}

/// `parameters` with one replaced or added; an empty value leaves it out.
pub fn with(
    parameters: &[(&'static str, String)],
    name: &'static str,
    value: &str,
) -> Vec<(&'static str, String)> {
    let mut changed: Vec<_> = parameters
        .iter()
        .filter(|(known, _)| *known != name)
        .cloned()
        .collect();
    if !value.is_empty() {
        changed.push((name, value.to_owned()));
    }
    changed
}

/// The value of a Basic header, its parts already encoded.
pub fn basic(id: &str, secret: &str) -> String {
    let encoded = base64::engine::general_purpose::STANDARD.encode(format!("{id}:{secret}"));
    format!("Basic {encoded}")
}

/// One part of a token's three, as JSON: the header is 0, the claims are 1.
#[track_caller]
pub fn part(token: &str, place: usize) -> Value {
    let part = token.split('.').nth(place).unwrap();
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(part).unwrap()).unwrap()
}

/// The status with which the MCP endpoint answers this access token.
pub fn status_of(vault: &Vault, access: &str) -> u16 {
    vault
        .mcp_with(access)
        .request("tools/list", json!({}))
        .status
}

/// Rows of the audit log with this action, newest first.
#[track_caller]
pub fn audited(vault: &Vault, action: &str) -> Vec<Value> {
    let page = vault
        .get(&format!("/api/audit?action={action}"))
        .expect(200);
    page["entries"].as_array().unwrap().clone()
}

/// Connected apps as the owner sees them.
#[track_caller]
pub fn grants(vault: &Vault) -> Vec<Value> {
    let listed = vault.get("/api/oauth/grants").expect(200);
    listed["grants"].as_array().unwrap().clone()
}

/// Rows in a table.
#[track_caller]
pub fn rows(vault: &Vault, table: &str) -> i64 {
    vault.sql(&format!("SELECT count(*) FROM {table}"))[0][0]
        .as_i64()
        .unwrap()
}

/// Forgets who called how often, for tests that call more often than a person's apps.
pub fn forget_calls(vault: &Vault) {
    vault.sql("DELETE FROM rates");
}

/// Keeps the first signing key for good. The edge meets a new one at its next fetch, which in a test whose clock leaps
/// over months comes too late.
pub fn keep_signing_key(vault: &Vault) {
    vault.sql("DELETE FROM jobs WHERE kind = 'rotate_signing_key'");
}

/// [`Vault::sql`] of a vault that answers to its public host only.
#[track_caller]
pub fn sql_of(there: &Deployed, statement: &str) -> Vec<Vec<Value>> {
    let body = json!({ "statement": statement }).to_string();
    let headers = [("Content-Type", "application/json")];
    let answer = there
        .send("POST", "/test/sql", &headers, Some(body.as_bytes()))
        .expect(200);
    serde_json::from_value(answer["rows"].clone()).unwrap()
}

/// The exchange of a code as a body, without the client.
pub fn exchange_body(app: &App<'_>, code: &str, more: &[(&str, &str)]) -> String {
    let mut fields = vec![
        ("grant_type", "authorization_code".to_owned()),
        ("code", code.to_owned()),
        ("redirect_uri", app.redirect_uri.clone()),
        ("code_verifier", VERIFIER.to_owned()),
    ];
    fields.extend(
        more.iter()
            .map(|(name, value)| (*name, (*value).to_owned())),
    );
    query(&fields)
}

/// A call of the token endpoint.
pub fn token(vault: &Vault, headers: &[(&str, &str)], body: &str) -> Answer {
    form(vault, "/token", headers, body)
}
