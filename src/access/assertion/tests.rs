//! Every way in and every way to be turned away, with assertions signed here.

mod forgeries;

use super::*;
use crate::access::config::ServiceToken;
use crate::access::keys::KeySet;
use crate::access::test_keys::{TEST_EC_ID, TEST_RSA_ID, ec_signer, jwks, rsa_signer};
use jsonwebtoken::{Algorithm, EncodingKey, encode};
use serde_json::{Value, json};

const NOW: i64 = 1_659_474_400;
const AUD: &str = "32eafc7626e974616deaf0dc3ce63d7bcbed58a2731e84d06bc3cdf1b53c4228";
const SECOND_AUD: &str = "97e2aae120121f902df8bc99fc345913ab186d174f3079ea729236766b2e7c4a";
const OTHER_AUD: &str = "0000000000000000000000000000000000000000000000000000000000000000";

fn settings() -> AccessSettings {
    let token = |common_name: &str, role| ServiceToken {
        common_name: common_name.into(),
        role,
    };
    AccessSettings {
        issuer: "https://team.cloudflareaccess.com".into(),
        audience: vec![AUD.into(), SECOND_AUD.into()],
        allowed_emails: vec!["ada@example.org".into(), "kim@example.org".into()],
        service_tokens: vec![
            token("0a1b.access", ServiceRole::Backup),
            token("2c3d.access", ServiceRole::Import),
        ],
    }
}

fn keys() -> KeyCache {
    let mut cache = KeyCache::default();
    cache.fetched(KeySet::parse(&jwks()).unwrap(), NOW * 1000);
    cache
}

/// What Access says about a person.
fn person() -> Value {
    json!({
        "aud": [AUD], "email": "ada@example.org", "exp": 1_659_478_000, "iat": 1_659_474_397, "nbf": 1_659_474_397,
        "iss": "https://team.cloudflareaccess.com", "type": "app", "identity_nonce": "6ei69kawdKzMIAPF",
        "sub": "7335d417-61da-459d-899c-0a01c76a2f94", "country": "US",
    })
}

/// What Access says about a program.
fn program() -> Value {
    json!({
        "type": "app", "aud": AUD, "exp": 1_659_478_000, "iss": "https://team.cloudflareaccess.com",
        "common_name": "0a1b.access", "iat": 1_659_474_397, "sub": "",
    })
}

/// The claims with one of them replaced.
fn changed(mut claims: Value, claim: &str, value: Value) -> Value {
    claims[claim] = value;
    claims
}

fn without(mut claims: Value, claim: &str) -> Value {
    claims.as_object_mut().unwrap().remove(claim);
    claims
}

fn sign(algorithm: Algorithm, kid: &str, signer: &EncodingKey, claims: &Value) -> String {
    let mut header = jsonwebtoken::Header::new(algorithm);
    header.kid = Some(kid.to_owned());
    encode(&header, claims, signer).unwrap()
}

fn es256(claims: &Value) -> String {
    sign(Algorithm::ES256, TEST_EC_ID, &ec_signer(), claims)
}

fn rs256(claims: &Value) -> String {
    sign(Algorithm::RS256, TEST_RSA_ID, &rsa_signer(), claims)
}

fn decide(assertion: &str) -> Result<Identity, Denial> {
    verify(assertion, &keys(), &settings(), NOW)
}

/// The decision about these claims, genuinely signed.
fn claimed(claims: &Value) -> Result<Identity, Denial> {
    decide(&es256(claims))
}

fn ada() -> Identity {
    Identity::Person {
        email: "ada@example.org".into(),
    }
}

fn base64(json: &Value) -> String {
    URL_SAFE_NO_PAD.encode(json.to_string())
}

/// The token with its header replaced and its signature kept.
fn with_header(token: &str, header: &Value) -> String {
    let (_, rest) = token.split_once('.').unwrap();
    format!("{}.{rest}", base64(header))
}

#[test]
fn a_listed_person_enters_with_either_kind_of_key() {
    assert_eq!(decide(&rs256(&person())), Ok(ada()));
    assert_eq!(decide(&es256(&person())), Ok(ada()));
    assert_eq!(key_id(&rs256(&person())), Ok(TEST_RSA_ID.to_owned()));
}

#[test]
fn a_listed_program_enters_in_its_role() {
    let service = |common_name: &str, role| {
        Ok(Identity::Service {
            common_name: common_name.into(),
            role,
        })
    };
    assert_eq!(
        decide(&rs256(&program())),
        service("0a1b.access", ServiceRole::Backup)
    );
    assert_eq!(
        claimed(&changed(program(), "common_name", json!("2c3d.access"))),
        service("2c3d.access", ServiceRole::Import)
    );
}

#[test]
fn a_program_that_is_not_listed_exactly_stays_out() {
    for name in ["4e5f.access", "0A1B.access", "0a1b.access ", "0a1b", ""] {
        let claims = changed(program(), "common_name", json!(name));
        assert_eq!(claimed(&claims), Err(Denial::ServiceNotListed), "{name}");
    }
}

#[test]
fn an_address_is_compared_without_regard_to_ascii_case() {
    let claims = changed(person(), "email", json!("Ada@Example.ORG"));
    let expected = Identity::Person {
        email: "Ada@Example.ORG".into(),
    };
    assert_eq!(claimed(&claims), Ok(expected));
}

#[test]
fn another_address_stays_out() {
    // The last one begins with the Kelvin sign, which Unicode lower-cases to an ordinary k.
    for email in [
        "eve@example.org",
        "ada@example.org.evil.example",
        "xada@example.org",
        "ada",
        "\u{212a}im@example.org",
    ] {
        let claims = changed(person(), "email", json!(email));
        assert_eq!(claimed(&claims), Err(Denial::PersonNotListed), "{email}");
    }
}

#[test]
fn an_address_with_white_space_or_control_characters_is_refused() {
    for email in [
        "",
        " ada@example.org",
        "ada@example.org\n",
        "ada@example.org\u{0}",
        "ada @example.org",
        "ada@example.org\u{a0}",
        "ada\u{85}@example.org",
    ] {
        let claims = changed(person(), "email", json!(email));
        assert_eq!(claimed(&claims), Err(Denial::Email), "{email:?}");
    }
}

#[test]
fn an_assertion_names_one_person_or_one_program() {
    let both = changed(person(), "common_name", json!("0a1b.access"));
    assert_eq!(claimed(&both), Err(Denial::TwoIdentities));
    let blank = changed(program(), "email", json!(""));
    assert_eq!(claimed(&blank), Err(Denial::TwoIdentities));
    assert_eq!(
        claimed(&without(person(), "email")),
        Err(Denial::NoIdentity)
    );
    let null = changed(person(), "common_name", Value::Null);
    assert_eq!(claimed(&null), Ok(ada()));
}

#[test]
fn the_audience_may_be_a_string_or_a_list_and_any_of_ours() {
    for audience in [
        json!(AUD),
        json!(SECOND_AUD),
        json!([SECOND_AUD]),
        json!([OTHER_AUD, AUD]),
    ] {
        assert_eq!(claimed(&changed(person(), "aud", audience)), Ok(ada()));
    }
    for audience in [
        json!(OTHER_AUD),
        json!([OTHER_AUD]),
        json!([]),
        json!(""),
        json!(AUD.to_uppercase()),
        json!(format!("{AUD},{OTHER_AUD}")),
        Value::Null,
    ] {
        let claims = changed(person(), "aud", audience);
        assert_eq!(claimed(&claims), Err(Denial::Audience), "{claims}");
    }
    assert_eq!(claimed(&without(person(), "aud")), Err(Denial::Audience));
}

#[test]
fn another_team_is_refused() {
    for issuer in [
        "https://evil.cloudflareaccess.com",
        "https://team.cloudflareaccess.com/",
        "https://team.cloudflareaccess.com.evil.example",
        "http://team.cloudflareaccess.com",
        "team.cloudflareaccess.com",
        "",
    ] {
        let claims = changed(person(), "iss", json!(issuer));
        assert_eq!(claimed(&claims), Err(Denial::Issuer), "{issuer}");
    }
    assert_eq!(claimed(&without(person(), "iss")), Err(Denial::Issuer));
}

#[test]
fn an_assertion_ends_a_minute_after_its_expiry() {
    let expiring = |exp: Value| claimed(&changed(person(), "exp", exp));
    assert_eq!(expiring(json!(NOW - 59)), Ok(ada()));
    assert_eq!(expiring(json!(NOW - 60)), Err(Denial::Expired));
    assert_eq!(expiring(json!(0)), Err(Denial::Expired));
    assert_eq!(expiring(json!(i64::MIN)), Err(Denial::Expired));
    assert_eq!(expiring(json!(i64::MAX)), Ok(ada()));
    assert_eq!(expiring(Value::Null), Err(Denial::NoExpiry));
    assert_eq!(claimed(&without(person(), "exp")), Err(Denial::NoExpiry));
}

#[test]
fn an_assertion_begins_at_most_a_minute_early() {
    for claim in ["nbf", "iat"] {
        let beginning = |time: i64| claimed(&changed(person(), claim, json!(time)));
        assert_eq!(beginning(NOW + 60), Ok(ada()), "{claim}");
        assert_eq!(beginning(NOW + 61), Err(Denial::NotYetValid), "{claim}");
        assert_eq!(beginning(i64::MAX), Err(Denial::NotYetValid), "{claim}");
        assert_eq!(claimed(&without(person(), claim)), Ok(ada()), "{claim}");
    }
}

#[test]
fn claims_of_the_wrong_types_are_refused() {
    for (claim, value) in [
        ("exp", json!("1659478000")),
        ("exp", json!(1e300)),
        ("nbf", json!(true)),
        ("iss", json!(["https://team.cloudflareaccess.com"])),
        ("aud", json!({"0": AUD})),
        ("aud", json!([AUD, 7])),
        ("email", json!(["ada@example.org"])),
    ] {
        let claims = changed(person(), claim, value);
        assert_eq!(claimed(&claims), Err(Denial::Malformed), "{claims}");
    }
}

#[test]
fn a_claim_that_comes_twice_is_refused() {
    #[derive(serde::Serialize)]
    struct Twice {
        #[serde(flatten)]
        all: Value,
        #[serde(rename = "email")]
        again: &'static str,
    }
    let claims = Twice {
        all: changed(person(), "email", json!("eve@example.org")),
        again: "ada@example.org",
    };
    let mut header = jsonwebtoken::Header::new(Algorithm::ES256);
    header.kid = Some(TEST_EC_ID.into());
    let token = encode(&header, &claims, &ec_signer()).unwrap();
    assert_eq!(decide(&token), Err(Denial::Malformed));
}

#[test]
fn the_header_comes_before_the_cookie() {
    assert_eq!(
        from_headers(Some("a.b.c"), Some("CF_Authorization=d.e.f")),
        Some("a.b.c")
    );
    assert_eq!(
        from_headers(Some(" "), Some("CF_Authorization=d.e.f")),
        Some("d.e.f")
    );
    assert_eq!(from_headers(None, None), None);
}

#[test]
fn the_first_cookie_of_exactly_that_name_counts() {
    let found = |cookie| from_headers(None, Some(cookie));
    assert_eq!(
        found("theme=dark; CF_Authorization=d.e.f; CF_Authorization=g.h.i"),
        Some("d.e.f")
    );
    assert_eq!(found("CF_Authorization=a=b"), Some("a=b"));
    for cookie in [
        "",
        "CF_Authorization",
        "CF_Authorization=",
        "cf_authorization=d.e.f",
        "XCF_Authorization=d.e.f",
        "CF_Authorization_2=d.e.f",
        "CF_AppSession=d.e.f",
        "a=CF_Authorization=d.e.f",
    ] {
        assert_eq!(found(cookie), None, "{cookie}");
    }
}

#[test]
fn a_denial_is_forbidden_and_only_absent_keys_are_worth_a_retry() {
    let error = Error::from(Denial::PersonNotListed);
    assert_eq!(error.kind, Kind::Forbidden);
    assert!(error.message.contains("ACCESS_ALLOWED_EMAILS"));
    assert_eq!(Error::from(Denial::Missing).kind, Kind::Forbidden);
    assert_eq!(Error::from(Denial::NoKeys).kind, Kind::Unavailable);
}
