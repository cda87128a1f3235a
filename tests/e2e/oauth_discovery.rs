//! Where clients learn how to sign in: the discovery documents and the public keys.

use serde_json::json;

use crate::support::Vault;
use crate::support::oauth::{App, part};

const RESOURCE: [&str; 2] = [
    "/.well-known/oauth-protected-resource/mcp",
    "/.well-known/oauth-protected-resource",
];
const SERVER: [&str; 2] = [
    "/.well-known/oauth-authorization-server",
    "/.well-known/oauth-authorization-server/mcp",
];

#[test]
fn the_resource_document_is_at_both_addresses() {
    // U-163, RFC 9728 sections 2 and 3.1
    let vault = Vault::start();
    let url = vault.url();
    for path in RESOURCE {
        let answer = vault.get(path);
        assert_eq!(answer.header("Content-Type"), "application/json", "{path}");
        assert_eq!(answer.header("Access-Control-Allow-Origin"), "*", "{path}");
        assert_eq!(
            answer.header("Cache-Control"),
            "public, max-age=3600",
            "{path}"
        );
        assert_eq!(
            answer.expect(200),
            json!({
                "resource": format!("{url}/mcp"),
                "authorization_servers": [url],
                "scopes_supported": ["memory.read", "memory.write"],
                "bearer_methods_supported": ["header"],
                "resource_name": "Memory Vault",
                "resource_documentation": format!("{url}/connect"),
            }),
            "{path}"
        );
    }
}

#[test]
fn the_server_document_is_at_both_addresses() {
    // U-163, RFC 8414 section 2, RFC 9207 section 3
    let vault = Vault::start();
    let url = vault.url();
    let methods = json!(["none", "client_secret_post", "client_secret_basic"]);
    for path in SERVER {
        let answer = vault.get(path);
        assert_eq!(answer.header("Content-Type"), "application/json", "{path}");
        assert_eq!(answer.header("Access-Control-Allow-Origin"), "*", "{path}");
        assert_eq!(
            answer.expect(200),
            json!({
                "issuer": url,
                "authorization_endpoint": format!("{url}/authorize"),
                "token_endpoint": format!("{url}/token"),
                "registration_endpoint": format!("{url}/register"),
                "revocation_endpoint": format!("{url}/revoke"),
                "jwks_uri": format!("{url}/.well-known/jwks.json"),
                "scopes_supported": ["memory.read", "memory.write", "archive.read", "archive.write", "offline_access"],
                "response_types_supported": ["code"],
                "response_modes_supported": ["query"],
                "grant_types_supported": ["authorization_code", "refresh_token"],
                "token_endpoint_auth_methods_supported": methods,
                "revocation_endpoint_auth_methods_supported": methods,
                "code_challenge_methods_supported": ["S256"],
                "authorization_response_iss_parameter_supported": true,
                "client_id_metadata_document_supported": true,
                "protected_resources": [format!("{url}/mcp")],
                "service_documentation": format!("{url}/connect"),
            }),
            "{path}"
        );
    }
}

#[test]
fn there_is_no_openid_configuration_and_the_no_is_json() {
    // U-163
    let vault = Vault::start();
    let answer = vault.get("/.well-known/openid-configuration");
    assert_eq!(answer.header("Content-Type"), "application/json");
    assert_eq!(answer.header("Access-Control-Allow-Origin"), "*");
    assert_eq!(answer.refused(404), "not_found");
}

#[test]
fn discovery_needs_no_sign_in() {
    // These paths lie outside of Access
    let vault = Vault::start_with(&[]);
    for path in RESOURCE.iter().chain(&SERVER) {
        vault.get(path).expect(200);
    }
    assert_eq!(
        vault.get("/.well-known/jwks.json").expect(200)["keys"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn documents_name_the_public_address_and_no_other() {
    // RFC 9207 section 2.4, RFC 9728 section 3.3: compared letter for letter
    let vault = Vault::start_with(&[("PUBLIC_URL", "https://vault.example.org")]);
    let there = |path: &str| {
        vault
            .send("GET", path, &[("Host", "vault.example.org")], None)
            .expect(200)
    };
    for path in RESOURCE {
        let document = there(path);
        assert_eq!(document["resource"], "https://vault.example.org/mcp");
        assert_eq!(
            document["authorization_servers"],
            json!(["https://vault.example.org"])
        );
    }
    for path in SERVER {
        assert_eq!(there(path)["issuer"], "https://vault.example.org");
        assert!(!there(path).to_string().contains("127.0.0.1"));
    }
}

#[test]
fn every_endpoint_named_is_there() {
    let vault = Vault::start();
    let server = vault.get(SERVER[0]).expect(200);
    for name in [
        "authorization_endpoint",
        "token_endpoint",
        "registration_endpoint",
        "revocation_endpoint",
        "jwks_uri",
        "service_documentation",
    ] {
        let path = server[name].as_str().unwrap().replace(&vault.url(), "");
        let status = vault.get(&path).status;
        assert!(matches!(status, 200 | 400 | 405), "{name}: {status}");
    }
}

#[test]
fn the_key_set_holds_public_halves_only() {
    // RFC 7517 section 9.2
    let vault = Vault::start();
    let tokens = App::register(&vault, "Claude").sign_in();
    let answer = vault.get("/.well-known/jwks.json");
    assert_eq!(answer.header("Access-Control-Allow-Origin"), "*");
    let set = answer.expect(200);
    let key = set["keys"][0].as_object().unwrap();
    let members: Vec<&str> = key.keys().map(String::as_str).collect();
    assert_eq!(members, ["alg", "crv", "kid", "kty", "use", "x", "y"]);
    assert_eq!(
        (&key["alg"], &key["crv"], &key["kty"], &key["use"]),
        (
            &json!("ES256"),
            &json!("P-256"),
            &json!("EC"),
            &json!("sig")
        )
    );
    assert_eq!(part(&tokens.access, 0)["kid"], key["kid"]);
}

#[test]
fn a_stranger_can_check_a_token_with_the_key_set() {
    // RFC 9068 sections 2 and 4
    use jsonwebtoken::{Algorithm, DecodingKey, Validation};
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let tokens = app.sign_in();
    let key = vault.get("/.well-known/jwks.json").expect(200)["keys"][0].clone();
    let (x, y) = (key["x"].as_str().unwrap(), key["y"].as_str().unwrap());
    let public = DecodingKey::from_ec_components(x, y).unwrap();
    let mut validation = Validation::new(Algorithm::ES256);
    validation.set_audience(&[format!("{}/mcp", vault.url())]);
    validation.set_issuer(&[vault.url()]);
    validation.set_required_spec_claims(&["iss", "aud", "sub", "exp"]);
    let claims =
        jsonwebtoken::decode::<serde_json::Value>(&tokens.access, &public, &validation).unwrap();
    let claims = claims.claims;
    assert_eq!(part(&tokens.access, 0)["typ"], "at+jwt");
    assert_eq!(claims["client_id"], app.id);
    assert_eq!(claims["sub"], "owner");
    assert_eq!(claims["scope"], "memory.read memory.write");
    let seconds = |name: &str| claims[name].as_i64().unwrap();
    assert_eq!(seconds("exp") - seconds("iat"), 3_600);
    assert!(claims["jti"].as_str().unwrap().starts_with("tok_"));
}
