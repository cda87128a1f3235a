//! The team's public keys: fetched, kept, rotated, and not asked for too often (U-199).

use jsonwebtoken::Algorithm;
use serde_json::{Value, json};

use crate::support::deployed::{self, Deployed, keys, owner, person, sign};

#[test]
fn made_up_key_ids_cost_one_fetch_at_most() {
    // U-199
    let there = Deployed::start();
    let flood = |count: usize| {
        for number in 0..count {
            let kid = format!("made-up-{number}");
            let claims = person("ada@example.org");
            let assertion = sign(Algorithm::RS256, &kid, &keys::rsa_signer(), &claims);
            let answer = there.get(&assertion, "/api/settings");
            assert_eq!(answer.refused(403), "forbidden");
        }
    };
    flood(30);
    assert_eq!(there.key_fetches(), 1);
    assert_eq!(there.get(&owner(), "/api/settings").status, 200);
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| flood(10));
        }
    });
    assert_eq!(there.key_fetches(), 1);
}

#[test]
fn without_the_teams_keys_nobody_enters_and_their_address_is_not_hammered() {
    // U-199
    for answer in [
        Value::Null,
        json!({ "status": 500 }),
        json!({ "status": 302, "headers": { "Location": "https://keys.example.test/certs" } }),
        json!({ "body": "<html>a login page</html>" }),
        json!({ "body": "{\"keys\": []}" }),
        json!({ "parts": [], "endless": true }),
    ] {
        let there = Deployed::start();
        there.internet.plays(deployed::CERTS, answer.clone());
        there.internet.serves(
            "https://keys.example.test/certs",
            &serde_json::from_str(&keys::jwks()).unwrap(),
        );
        for _ in 0..5 {
            let refused = there.get(&owner(), "/api/settings");
            assert!(refused.body.contains("ACCESS_TEAM_DOMAIN"));
            assert_eq!(refused.refused(503), "unavailable", "{answer}");
        }
        assert_eq!(there.internet.addresses(), [deployed::CERTS], "{answer}");
    }
}

#[test]
fn keys_rotate_and_an_outage_locks_nobody_out() {
    // U-199. The edge asks for unknown keys once a minute at most, by its own clock, which tests cannot move.
    let (rotating, down) = (Deployed::start(), Deployed::start());
    for there in [&rotating, &down] {
        assert_eq!(there.get(&owner(), "/api/settings").status, 200);
    }
    let claims = person("ada@example.org");
    let with_new_key = sign(Algorithm::ES256, "ec-2", &keys::stranger_signer(), &claims);
    rotating.internet.serves(deployed::CERTS, &new_key_set());
    down.internet
        .plays(deployed::CERTS, json!({ "status": 503 }));
    for there in [&rotating, &down] {
        assert_eq!(there.get(&with_new_key, "/api/settings").status, 403);
        assert_eq!(there.get(&owner(), "/api/settings").status, 200);
        assert_eq!(there.key_fetches(), 1);
    }
    std::thread::sleep(std::time::Duration::from_secs(61));
    assert_eq!(rotating.get(&with_new_key, "/api/settings").status, 200);
    assert_eq!(rotating.key_fetches(), 2);
    assert_eq!(
        rotating.get(&owner(), "/api/settings").refused(403),
        "forbidden",
        "the old key is withdrawn"
    );
    for _ in 0..10 {
        assert_eq!(down.get(&with_new_key, "/api/settings").status, 403);
    }
    assert_eq!(down.get(&owner(), "/api/settings").status, 200);
    assert_eq!(down.key_fetches(), 2);
}

/// The team's keys after a rotation: one new P-256 key, the pair that was a stranger's before.
fn new_key_set() -> Value {
    use base64::Engine as _;
    use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
    let pair = STANDARD.decode(keys::TEST_STRANGER_PRIVATE).unwrap();
    // The point ends the pair's PKCS #8 form: x and y, 32 bytes each.
    let (_, point) = pair.split_at(pair.len() - 64);
    let (x, y) = point.split_at(32);
    json!({ "keys": [{ "kid": "ec-2", "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "x": URL_SAFE_NO_PAD.encode(x), "y": URL_SAFE_NO_PAD.encode(y) }] })
}
