//! Who enters through Cloudflare Access: persons, and those who only pretend. Programs, settings and keys have files of
//! their own.

mod keys;
mod programs;
mod settings;

use jsonwebtoken::{Algorithm, EncodingKey};
use serde_json::{Value, json};

use crate::support::deployed::{self, Deployed, es256, keys as pairs, owner, person, rs256, sign};
use crate::support::oauth::{self, Consent};

const SECRET_TEXT: &str = "The boat key hangs behind the stove";

fn deployed_with_a_memory() -> Deployed {
    let there = Deployed::start();
    let draft = json!({ "content": SECRET_TEXT });
    let memory = there.call(&owner(), "POST", "/api/memories", Some(draft));
    assert_eq!(memory.expect(201)["created_by"], "owner:ada@example.org");
    there
}

fn with(mut claims: Value, name: &str, value: Value) -> Value {
    claims[name] = value;
    claims
}

/// A token in three parts with any header at all.
fn by_hand(header: &Value, claims: &Value, signature: &str) -> String {
    use base64::Engine as _;
    let encoded = |value: &Value| {
        base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(value.to_string().as_bytes())
    };
    format!("{}.{}.{signature}", encoded(header), encoded(claims))
}

#[test]
fn the_owner_enters_with_an_assertion_of_either_algorithm_in_header_or_cookie() {
    let there = deployed_with_a_memory();
    let claims = person("ada@example.org");
    for assertion in [rs256(&claims), es256(&claims)] {
        let by_header = there.get(&assertion, "/api/memories").expect(200);
        assert_eq!(by_header["memories"][0]["content"], SECRET_TEXT);
        let cookie = format!("theme=dark; CF_Authorization={assertion}");
        let by_cookie = there.send("GET", "/api/memories", &[("Cookie", &cookie)], None);
        assert_eq!(by_cookie.expect(200), by_header);
    }
    assert_eq!(there.key_fetches(), 1);
}

#[test]
fn an_email_address_is_listed_in_any_case() {
    let there = Deployed::start();
    for (email, status) in [
        ("ADA@EXAMPLE.ORG", 200),
        ("bo@example.org", 200),
        ("bob@example.org", 403),
        ("ada@example.org.evil.test", 403),
        ("\u{1d43}da@example.org", 403),
        ("ada@example.org ", 403),
        ("", 403),
    ] {
        let answer = there.get(&rs256(&person(email)), "/api/settings");
        assert_eq!(answer.status, status, "{email}");
    }
}

#[test]
fn a_forged_assertion_reads_and_writes_nothing() {
    // U-195
    let there = deployed_with_a_memory();
    let good = person("ada@example.org");
    let now = deployed::now();
    let without = |name: &str| with(good.clone(), name, Value::Null);
    let changed = |name: &str, value: Value| rs256(&with(good.clone(), name, value));
    let other_aud = "0".repeat(64);
    let shared = |secret: &[u8]| {
        let key = EncodingKey::from_secret(secret).unwrap();
        sign(Algorithm::HS256, pairs::TEST_RSA_ID, &key, &good)
    };
    let (head, rest) = {
        let whole = rs256(&good);
        let (head, rest) = whole.split_once('.').unwrap();
        (head.to_owned(), rest.to_owned())
    };
    let signature = rest.split_once('.').unwrap().1.to_owned();
    let none = |alg: &str| {
        let header = json!({ "alg": alg, "kid": pairs::TEST_RSA_ID, "typ": "JWT" });
        by_hand(&header, &good, "")
    };
    let evil = with(good.clone(), "email", json!("bo@example.org"));
    let forged = [
        ("wrong aud", changed("aud", json!([other_aud]))),
        ("aud as text", changed("aud", json!(other_aud))),
        ("no aud", rs256(&without("aud"))),
        (
            "wrong issuer",
            changed("iss", json!("https://evil.cloudflareaccess.com")),
        ),
        (
            "issuer with a slash",
            changed("iss", json!("https://team.cloudflareaccess.com/")),
        ),
        ("no issuer", rs256(&without("iss"))),
        ("expired", changed("exp", json!(now - 120))),
        ("no expiry", rs256(&without("exp"))),
        ("not yet valid", changed("nbf", json!(now + 600))),
        ("issued in the future", changed("iat", json!(now + 600))),
        ("alg none", none("none")),
        ("alg None", none("None")),
        (
            "HS256 with the modulus",
            shared(pairs::TEST_RSA_MODULUS.as_bytes()),
        ),
        ("HS256 with the key set", shared(pairs::jwks().as_bytes())),
        (
            "unknown kid",
            sign(Algorithm::RS256, "rsa-9", &pairs::rsa_signer(), &good),
        ),
        (
            "no kid",
            by_hand(&json!({ "alg": "RS256" }), &good, &signature),
        ),
        (
            "a stranger's signature",
            sign(
                Algorithm::ES256,
                pairs::TEST_EC_ID,
                &pairs::stranger_signer(),
                &good,
            ),
        ),
        (
            "the other key's algorithm",
            sign(
                Algorithm::ES256,
                pairs::TEST_RSA_ID,
                &pairs::ec_signer(),
                &good,
            ),
        ),
        (
            "changed claims",
            by_hand(
                &json!({ "alg": "RS256", "kid": pairs::TEST_RSA_ID, "typ": "JWT" }),
                &evil,
                &signature,
            ),
        ),
        ("cut short", format!("{head}.")),
        ("other e-mail", rs256(&person("eve@example.org"))),
        ("nobody", rs256(&without("email"))),
        (
            "two identities",
            changed("common_name", json!("butler.access")),
        ),
        ("not a token", "letmein".to_owned()),
        ("far too long", "a".repeat(9_000)),
    ];
    let draft = json!({ "content": "Eve was here" });
    for (what, assertion) in &forged {
        let cookie = format!("CF_Authorization={assertion}");
        let answers = [
            there.get(assertion, "/api/memories"),
            there.send("GET", "/api/memories", &[("Cookie", &cookie)], None),
            there.call(assertion, "POST", "/api/memories", Some(draft.clone())),
            there.get(assertion, "/api/oauth/grants"),
            there.get(assertion, "/"),
        ];
        for answer in answers {
            assert!(!answer.body.contains("boat key"), "{what}");
            assert!(!answer.body.contains("example.org"), "{what}");
            assert_eq!(answer.refused(403), "forbidden", "{what}");
        }
    }
    let kept = there.get(&owner(), "/api/memories?status=all").expect(200);
    assert_eq!(kept["total"], 1);
}

#[test]
fn without_an_assertion_nothing_else_is_taken_for_one() {
    // U-195: missing
    let there = deployed_with_a_memory();
    let token = owner();
    let bearer = format!("Bearer {token}");
    let longer_name = format!("xCF_Authorization={token}; CF_Authorization2={token}");
    for header in [
        ("Accept", "application/json"),
        ("Cf-Access-Authenticated-User-Email", "ada@example.org"),
        ("Authorization", &bearer),
        ("Cookie", &longer_name),
        ("Cf-Access-Jwt-Assertion", ""),
        ("Cf-Access-Client-Id", "butler.access"),
        ("X-Forwarded-Email", "ada@example.org"),
    ] {
        let answer = there.send("GET", "/api/memories", &[header], None);
        assert!(!answer.body.contains("boat key"), "{header:?}");
        assert_eq!(answer.refused(403), "forbidden", "{header:?}");
    }
    assert_eq!(
        there
            .get_as_nobody(&format!("/api/memories?CF_Authorization={token}"))
            .status,
        403
    );
}

#[test]
fn an_app_asks_in_a_browser_that_is_not_signed_in_and_the_question_is_not_lost() {
    // U-182
    let there = Deployed::start();
    let path = ask_path(&there);
    let before = there.send("GET", &path, &[("Accept", "text/html")], None);
    assert_eq!(
        (before.status, before.header("Location")),
        (403, ""),
        "no redirect of our own, so no loop"
    );
    let page = there.get(&owner(), &path);
    let consent = Consent::of(&page);
    assert!(
        page.header("Set-Cookie")
            .starts_with("__Host-vault-consent=")
    );
    assert!(page.header("Set-Cookie").contains("; Secure"));
    let answer = |assertion: Option<&str>| {
        let mut headers = vec![
            ("Cookie", consent.cookie.as_str()),
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("Origin", "https://vault.example.test"),
            ("Sec-Fetch-Site", "same-origin"),
            ("Sec-Fetch-Mode", "navigate"),
        ];
        headers.extend(assertion.map(|assertion| ("Cf-Access-Jwt-Assertion", assertion)));
        let body = consent.body("approve", &["memory.read"]);
        there.send("POST", "/authorize", &headers, Some(body.as_bytes()))
    };
    assert_eq!(answer(None).status, 403, "the session ended meanwhile");
    let other = rs256(&person("bo@example.org"));
    assert_eq!(answer(Some(&other)).status, 409, "asked of somebody else");
    let location = answer(Some(&owner())).location();
    assert!(oauth::parameter(&location, "code").is_some(), "{location}");
    assert_eq!(
        oauth::parameter(&location, "iss").as_deref(),
        Some("https://vault.example.test")
    );
}

/// A registered app's authorization request.
fn ask_path(there: &Deployed) -> String {
    let metadata = json!({ "client_name": "Claude", "redirect_uris": ["https://claude.example.test/cb"], "token_endpoint_auth_method": "none" });
    let headers = [("Content-Type", "application/json")];
    let body = metadata.to_string();
    let registered = there
        .send("POST", "/register", &headers, Some(body.as_bytes()))
        .expect(201);
    let parameters = [
        ("response_type", "code".to_owned()),
        (
            "client_id",
            registered["client_id"].as_str().unwrap().to_owned(),
        ),
        ("redirect_uri", "https://claude.example.test/cb".to_owned()),
        ("code_challenge", oauth::challenge()),
        ("code_challenge_method", "S256".to_owned()),
        ("state", "st-1".to_owned()),
    ];
    format!("/authorize?{}", oauth::query(&parameters))
}
