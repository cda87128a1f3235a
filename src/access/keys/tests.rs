//! Which documents give keys, and which keys are passed over.

use super::*;
use crate::access::test_keys::{
    TEST_EC_ID, TEST_EC_X, TEST_RSA_ID, TEST_RSA_MODULUS, TEST_SMALL_RSA_MODULUS, ec_jwk, jwks,
    rsa_jwk,
};
use serde_json::json;

fn parse(keys: &[Value]) -> Result<KeySet, KeySetFault> {
    KeySet::parse(&json!({"keys": keys}).to_string())
}

/// The key with one member replaced.
fn changed(mut jwk: Value, member: &str, value: Value) -> Value {
    jwk[member] = value;
    jwk
}

fn assert_unusable(jwk: Value) {
    assert_eq!(
        parse(std::slice::from_ref(&jwk)).unwrap_err(),
        KeySetFault::NoUsableKey,
        "{jwk}"
    );
}

fn modulus_of_bits(bits: usize) -> Value {
    let mut bytes = vec![0xff_u8; bits.div_ceil(8)];
    bytes[0] >>= bytes.len() * 8 - bits;
    URL_SAFE_NO_PAD.encode(bytes).into()
}

#[test]
fn the_answer_of_access_gives_its_keys() {
    let set = KeySet::parse(&jwks()).unwrap();
    assert_eq!(set.get(TEST_RSA_ID).unwrap().algorithm(), "RS256");
    assert_eq!(set.get(TEST_EC_ID).unwrap().algorithm(), "ES256");
    assert!(set.get("").is_none() && set.get("RSA-1").is_none());
}

#[test]
fn unusable_keys_are_passed_over() {
    let set = parse(&[
        json!({"kid": "o", "kty": "oct", "k": "c2VjcmV0", "alg": "HS256"}),
        json!("no key"),
        changed(rsa_jwk(), "kid", json!(7)),
        rsa_jwk(),
    ])
    .unwrap();
    assert!(set.get(TEST_RSA_ID).is_some() && set.get("o").is_none());
}

#[test]
fn keys_we_do_not_check_with_are_unusable() {
    assert_unusable(changed(rsa_jwk(), "n", json!(TEST_SMALL_RSA_MODULUS)));
    assert_unusable(changed(rsa_jwk(), "n", json!("")));
    assert_unusable(changed(rsa_jwk(), "n", json!("not base64!")));
    assert_unusable(changed(rsa_jwk(), "n", Value::Null));
    assert_unusable(changed(rsa_jwk(), "use", json!("enc")));
    assert_unusable(changed(rsa_jwk(), "alg", json!("RS512")));
    assert_unusable(changed(rsa_jwk(), "alg", json!("HS256")));
    assert_unusable(changed(rsa_jwk(), "kid", json!("")));
    assert_unusable(changed(ec_jwk(), "crv", json!("P-384")));
    assert_unusable(changed(ec_jwk(), "crv", json!("secp256k1")));
    assert_unusable(changed(ec_jwk(), "kty", json!("OKP")));
    assert_unusable(changed(ec_jwk(), "x", json!("AAAA")));
    assert_unusable(changed(ec_jwk(), "alg", json!("RS256")));
    // A point that is not on the curve.
    assert_unusable(changed(ec_jwk(), "y", json!(TEST_EC_X)));
}

#[test]
fn an_rsa_modulus_has_2048_to_4096_bits() {
    let with_bits = |bits| parse(&[changed(rsa_jwk(), "n", modulus_of_bits(bits))]).is_ok();
    assert!(!with_bits(2047) && with_bits(2048) && with_bits(4096) && !with_bits(4097));
    // Leading zeros make no modulus longer.
    let mut padded = vec![0_u8; 256];
    padded.extend(URL_SAFE_NO_PAD.decode(TEST_SMALL_RSA_MODULUS).unwrap());
    assert_unusable(changed(
        rsa_jwk(),
        "n",
        URL_SAFE_NO_PAD.encode(padded).into(),
    ));
    let mut even = URL_SAFE_NO_PAD.decode(TEST_RSA_MODULUS).unwrap();
    *even.last_mut().unwrap() &= 0xfe;
    assert_unusable(changed(rsa_jwk(), "n", URL_SAFE_NO_PAD.encode(even).into()));
}

#[test]
fn an_rsa_exponent_is_odd_and_three_or_more() {
    let with_exponent = |bytes: &[u8]| {
        let exponent = URL_SAFE_NO_PAD.encode(bytes);
        parse(&[changed(rsa_jwk(), "e", exponent.into())]).is_ok()
    };
    assert!(!with_exponent(&[0]) && !with_exponent(&[1]) && !with_exponent(&[2]));
    assert!(with_exponent(&[3]) && !with_exponent(&[4]) && with_exponent(&[1, 0, 1]));
    assert!(with_exponent(&[255; 4]) && !with_exponent(&[255; 5]) && !with_exponent(&[]));
}

#[test]
fn a_key_id_has_one_to_two_hundred_bytes() {
    let with_id = |length| parse(&[changed(rsa_jwk(), "kid", json!("k".repeat(length)))]).is_ok();
    assert!(with_id(1) && with_id(200) && !with_id(201));
}

#[test]
fn of_two_keys_with_one_id_the_first_counts() {
    let set = parse(&[rsa_jwk(), changed(ec_jwk(), "kid", json!(TEST_RSA_ID))]).unwrap();
    assert_eq!(set.get(TEST_RSA_ID).unwrap().algorithm(), "RS256");
}

#[test]
fn twenty_keys_are_read_and_twenty_one_refused() {
    let keys = |count: usize| -> Vec<Value> {
        (0..count)
            .map(|index| changed(ec_jwk(), "kid", json!(format!("key-{index}"))))
            .collect()
    };
    assert!(parse(&keys(20)).unwrap().get("key-19").is_some());
    assert_eq!(parse(&keys(21)).unwrap_err(), KeySetFault::TooLarge);
}

#[test]
fn a_document_has_at_most_64_kib() {
    let padded = |bytes: usize| {
        let text = jwks();
        let padding = " ".repeat(bytes - text.len());
        KeySet::parse(&(text + &padding))
    };
    assert!(padded(64 * 1024).is_ok());
    assert_eq!(padded(64 * 1024 + 1).unwrap_err(), KeySetFault::TooLarge);
}

#[test]
fn what_is_no_key_set_is_refused() {
    for text in [
        "",
        "<html>",
        "[]",
        "{}",
        r#"{"keys":{}}"#,
        r#"{"keys":null}"#,
    ] {
        assert_eq!(
            KeySet::parse(text).unwrap_err(),
            KeySetFault::NotAKeySet,
            "{text}"
        );
    }
    assert_eq!(parse(&[]).unwrap_err(), KeySetFault::NoUsableKey);
    assert!(KeySetFault::NoUsableKey.to_string().contains("2048"));
}
