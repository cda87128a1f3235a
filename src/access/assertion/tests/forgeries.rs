//! Assertions that Access never made.

use super::*;
use crate::access::test_keys::{TEST_RSA_MODULUS, stranger_signer};
use proptest::prelude::*;

#[test]
fn an_unsigned_assertion_is_refused() {
    for alg in ["none", "None", "NONE", ""] {
        let header = json!({"alg": alg, "kid": TEST_RSA_ID, "typ": "JWT"});
        let head = format!("{}.{}.", base64(&header), base64(&person()));
        assert_eq!(decide(&head), Err(Denial::Algorithm), "{alg}");
        let signed = with_header(&rs256(&person()), &header);
        assert_eq!(decide(&signed), Err(Denial::Algorithm), "{alg}");
    }
}

#[test]
fn a_public_key_used_as_a_shared_secret_is_refused() {
    let modulus = URL_SAFE_NO_PAD.decode(TEST_RSA_MODULUS).unwrap();
    for secret in [
        modulus.as_slice(),
        TEST_RSA_MODULUS.as_bytes(),
        jwks().as_bytes(),
    ] {
        let secret = EncodingKey::from_secret(secret).unwrap();
        for (algorithm, kid) in [
            (Algorithm::HS256, TEST_RSA_ID),
            (Algorithm::HS256, TEST_EC_ID),
            (Algorithm::HS512, TEST_RSA_ID),
        ] {
            let token = sign(algorithm, kid, &secret, &person());
            assert_eq!(decide(&token), Err(Denial::Algorithm));
        }
    }
}

#[test]
fn the_key_dictates_the_algorithm() {
    let token = sign(Algorithm::ES256, TEST_RSA_ID, &ec_signer(), &person());
    assert_eq!(decide(&token), Err(Denial::Algorithm));
    let token = sign(Algorithm::RS256, TEST_EC_ID, &rsa_signer(), &person());
    assert_eq!(decide(&token), Err(Denial::Algorithm));
    for algorithm in [Algorithm::RS384, Algorithm::RS512, Algorithm::PS256] {
        let token = sign(algorithm, TEST_RSA_ID, &rsa_signer(), &person());
        assert_eq!(decide(&token), Err(Denial::Algorithm), "{algorithm:?}");
    }
}

#[test]
fn a_stranger_s_signature_is_refused() {
    let token = sign(Algorithm::ES256, TEST_EC_ID, &stranger_signer(), &person());
    assert_eq!(decide(&token), Err(Denial::Signature));
    // The claims of one genuine assertion with the signature of another.
    let (genuine, other) = (es256(&program()), es256(&person()));
    let (_, signature) = genuine.rsplit_once('.').unwrap();
    let (claims, _) = other.rsplit_once('.').unwrap();
    assert_eq!(
        decide(&format!("{claims}.{signature}")),
        Err(Denial::Signature)
    );
}

#[test]
fn a_key_inside_the_assertion_or_an_address_of_one_is_not_believed() {
    let mut header = jsonwebtoken::Header::new(Algorithm::ES256);
    header.jku = Some("https://evil.example/keys".into());
    header.kid = Some("mine".into());
    let token = encode(&header, &person(), &stranger_signer()).unwrap();
    assert_eq!(decide(&token), Err(Denial::UnknownKey));
    header.kid = Some(TEST_EC_ID.into());
    let token = encode(&header, &person(), &stranger_signer()).unwrap();
    assert_eq!(decide(&token), Err(Denial::Signature));
}

#[test]
fn an_unknown_key_id_is_refused_and_a_missing_one_too() {
    for kid in ["rsa-2", "", "RSA-1"] {
        let token = sign(Algorithm::RS256, kid, &rsa_signer(), &person());
        assert_eq!(decide(&token), Err(Denial::UnknownKey), "{kid}");
    }
    let header = jsonwebtoken::Header::new(Algorithm::RS256);
    let token = encode(&header, &person(), &rsa_signer()).unwrap();
    assert_eq!(decide(&token), Err(Denial::UnknownKey));
    assert_eq!(key_id(&token), Err(Denial::UnknownKey));
}

#[test]
fn without_keys_nobody_enters() {
    let token = rs256(&person());
    let decision = verify(&token, &KeyCache::default(), &settings(), NOW);
    assert_eq!(decision, Err(Denial::NoKeys));
}

#[test]
fn an_extension_we_do_not_know_is_refused() {
    let mut header = jsonwebtoken::Header::new(Algorithm::ES256);
    header.kid = Some(TEST_EC_ID.into());
    header.crit = Some(vec!["exp".into()]);
    let token = encode(&header, &person(), &ec_signer()).unwrap();
    assert_eq!(decide(&token), Err(Denial::Malformed));
}

#[test]
fn an_assertion_has_at_most_8_kib() {
    // Base64 skips every fourth length, so the header's is varied too.
    let of_length = |length: usize| {
        let around = (length - 600) * 3 / 4;
        ["JWT", "JWT+", "JWT++"]
            .into_iter()
            .flat_map(|typ| (around..around + 400).map(move |pad| (typ, pad)))
            .map(|(typ, pad)| {
                let mut header = jsonwebtoken::Header::new(Algorithm::ES256);
                header.typ = Some(typ.into());
                header.kid = Some(TEST_EC_ID.into());
                let claims = changed(person(), "pad", json!("x".repeat(pad)));
                format!("{}.{}", base64(&json!(header)), base64(&claims))
            })
            .find(|unsigned| unsigned.len() + ".".len() + 86 == length)
            .map(|unsigned| {
                let message = unsigned.as_bytes();
                let signature =
                    jsonwebtoken::crypto::sign(message, &ec_signer(), Algorithm::ES256).unwrap();
                format!("{unsigned}.{signature}")
            })
            .unwrap()
    };
    assert_eq!(decide(&of_length(8 * 1024)), Ok(ada()));
    let long = of_length(8 * 1024 + 1);
    assert_eq!(decide(&long), Err(Denial::TooLarge));
    assert_eq!(key_id(&long), Err(Denial::TooLarge));
}

#[test]
fn what_is_no_assertion_is_refused() {
    let token = es256(&person());
    let (head, _) = token.rsplit_once('.').unwrap();
    for text in [
        "",
        ".",
        "..",
        "a.b.c",
        "ada@example.org",
        "é.é.é",
        "e30.e30.e30",
        "bnVsbA.e30.",
        head,
        &format!("{token}.{token}"),
        &format!("{token}="),
        &format!("{token},{token}"),
        &format!("Bearer {token}"),
    ] {
        assert_eq!(decide(text), Err(Denial::Malformed), "{text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn no_assertion_with_a_changed_byte_verifies(place in any::<prop::sample::Index>(), bit in 0_u8..7, rsa in any::<bool>()) {
        let token = if rsa { rs256(&person()) } else { es256(&person()) };
        prop_assert!(decide(&token).is_ok());
        let mut bytes = token.into_bytes();
        let index = place.index(bytes.len());
        bytes[index] ^= 1 << bit;
        let changed = String::from_utf8(bytes).unwrap();
        prop_assert!(decide(&changed).is_err(), "{changed}");
    }

    #[test]
    fn no_text_makes_the_check_panic(text in "\\PC{0,60}", header in "\\PC{0,40}") {
        prop_assert!(decide(&text).is_err());
        let token = format!("{}.{text}", URL_SAFE_NO_PAD.encode(header));
        prop_assert!(decide(&token).is_err());
        let _ = from_headers(None, Some(&text));
    }
}
