//! The discovery documents (RFC 9728, RFC 8414) and where they lie. Clients look for them at several addresses; each is
//! served.

use serde_json::{Value, json};

use crate::model::scope::{DEFAULT_SCOPES, OFFLINE_ACCESS, Scope};
use crate::oauth::{pkce, resource};

/// Where a challenge sends clients. Some take only this form, with the endpoint's path.
pub const PROTECTED_RESOURCE_PATH: &str = "/.well-known/oauth-protected-resource/mcp";

/// How clients may prove themselves at the token endpoint.
pub const AUTH_METHODS: [&str; 3] = ["none", "client_secret_post", "client_secret_basic"];

/// The issuer: the origin, without a slash, letter for letter the same everywhere (RFC 9207 compares it).
pub fn issuer(origin: &str) -> &str {
    origin
}

/// What is protected, and by whom (RFC 9728 section 2). Many clients ask for every scope listed here, so it lists what an
/// app needs to be of use; the others stand in the authorization server's document, as does `offline_access`.
pub fn protected_resource(origin: &str) -> Value {
    json!({
        "resource": resource::of(origin),
        "authorization_servers": [issuer(origin)],
        "scopes_supported": DEFAULT_SCOPES.split(' ').collect::<Vec<_>>(),
        "bearer_methods_supported": ["header"],
        "resource_name": "Memory Vault",
        "resource_documentation": format!("{origin}/connect"),
    })
}

/// The authorization server (RFC 8414 section 2, RFC 9207 section 3, and the draft on client id metadata documents).
pub fn authorization_server(origin: &str) -> Value {
    let mut scopes: Vec<&str> = Scope::ALL.map(Scope::as_str).to_vec();
    scopes.push(OFFLINE_ACCESS);
    json!({
        "issuer": issuer(origin),
        "authorization_endpoint": format!("{origin}/authorize"),
        "token_endpoint": format!("{origin}/token"),
        "registration_endpoint": format!("{origin}/register"),
        "revocation_endpoint": format!("{origin}/revoke"),
        "jwks_uri": format!("{origin}/.well-known/jwks.json"),
        "scopes_supported": scopes,
        "response_types_supported": ["code"],
        "response_modes_supported": ["query"],
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "token_endpoint_auth_methods_supported": AUTH_METHODS,
        "revocation_endpoint_auth_methods_supported": AUTH_METHODS,
        "code_challenge_methods_supported": [pkce::METHOD],
        "authorization_response_iss_parameter_supported": true,
        "client_id_metadata_document_supported": true,
        "protected_resources": [resource::of(origin)],
        "service_documentation": format!("{origin}/connect"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_documents_name_one_issuer_and_one_resource() {
        let (resource, server) = (
            protected_resource("https://v.test"),
            authorization_server("https://v.test"),
        );
        assert_eq!(resource["resource"], "https://v.test/mcp");
        assert_eq!(resource["authorization_servers"][0], server["issuer"]);
        assert_eq!(server["issuer"], "https://v.test");
        assert_eq!(server["protected_resources"][0], resource["resource"]);
    }

    #[test]
    fn what_clients_insist_on_is_there() {
        let server = authorization_server("https://v.test");
        assert_eq!(server["code_challenge_methods_supported"], json!(["S256"]));
        assert_eq!(server["token_endpoint_auth_methods_supported"][0], "none");
        assert_eq!(server["client_id_metadata_document_supported"], true);
        assert!(
            server["scopes_supported"]
                .as_array()
                .unwrap()
                .contains(&json!("offline_access"))
        );
        assert!(
            !protected_resource("https://v.test")
                .to_string()
                .contains("offline_access")
        );
    }
}
