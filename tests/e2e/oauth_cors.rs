//! Pages of other sites (U-192): which doors they may knock at, and what they may read of the answer.

use serde_json::json;

use crate::support::Vault;
use crate::support::oauth::{App, form};

const ORIGIN: (&str, &str) = ("Origin", "https://inspector.test");
const OPEN: [(&str, &str); 10] = [
    ("/mcp", "POST"),
    ("/token", "POST"),
    ("/register", "POST"),
    ("/revoke", "POST"),
    ("/.well-known/oauth-protected-resource", "GET"),
    ("/.well-known/oauth-protected-resource/mcp", "GET"),
    ("/.well-known/oauth-authorization-server", "GET"),
    ("/.well-known/oauth-authorization-server/mcp", "GET"),
    ("/.well-known/openid-configuration", "GET"),
    ("/.well-known/jwks.json", "GET"),
];

#[test]
fn a_preflight_of_an_open_door_is_204_without_a_sign_in() {
    // U-192, the Fetch standard's CORS protocol
    let vault = Vault::start_with(&[]);
    let asked = "authorization, content-type, mcp-protocol-version, mcp-session-id, mcp-method, mcp-name, last-event-id";
    for (path, method) in OPEN {
        let headers = [
            ORIGIN,
            ("Access-Control-Request-Method", method),
            ("Access-Control-Request-Headers", asked),
        ];
        let answer = vault.send("OPTIONS", path, &headers, None);
        assert_eq!((answer.status, answer.body.as_str()), (204, ""), "{path}");
        assert_eq!(answer.header("Access-Control-Allow-Origin"), "*", "{path}");
        assert_eq!(
            answer.header("Access-Control-Allow-Methods"),
            method,
            "{path}"
        );
        let allowed = answer.header("Access-Control-Allow-Headers").to_lowercase();
        let allowed: Vec<&str> = allowed.split(", ").collect();
        for header in asked.split(", ") {
            assert!(allowed.contains(&header), "{path} {header}");
        }
        assert_eq!(
            answer.header("Access-Control-Allow-Credentials"),
            "",
            "{path}"
        );
        assert_eq!(answer.header("Access-Control-Max-Age"), "7200", "{path}");
    }
}

#[test]
fn the_owners_doors_answer_no_preflight() {
    let vault = Vault::start();
    for path in [
        "/",
        "/authorize",
        "/api/memories",
        "/api/oauth/grants",
        "/api/settings",
        "/health",
        "/connect",
    ] {
        let headers = [ORIGIN, ("Access-Control-Request-Method", "GET")];
        let answer = vault.send("OPTIONS", path, &headers, None);
        assert!(answer.status >= 400, "{path}");
        for name in ["Origin", "Methods", "Headers", "Credentials"] {
            assert_eq!(
                answer.header(&format!("Access-Control-Allow-{name}")),
                "",
                "{path}"
            );
        }
        let answer = vault.send("GET", path, &[ORIGIN], None);
        assert_eq!(answer.header("Access-Control-Allow-Origin"), "", "{path}");
        assert_eq!(
            answer.header("Cross-Origin-Resource-Policy"),
            "same-origin",
            "{path}"
        );
    }
}

#[test]
fn refusals_can_be_read_by_the_page_that_asked() {
    // U-192: the same headers on 401, 403 and every other error
    let vault = Vault::start();
    let app = App::register(&vault, "Inspector");
    let reader = app.sign_in_for("memory.read").access;
    let bearer = |token: &str| format!("Bearer {token}");
    let json_type = ("Content-Type", "application/json");
    let call = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": { "name": "remember", "arguments": { "content": "x" } } }).to_string();
    let mcp = |method: &str, authorization: &str, media_type: &str, body: &str| {
        let mut headers = vec![ORIGIN, ("Content-Type", media_type)];
        if !authorization.is_empty() {
            headers.push(("Authorization", authorization));
        }
        vault.send(method, "/mcp", &headers, Some(body.as_bytes()))
    };
    let good = bearer(&reader);
    let large = "x".repeat(4 * 1024 * 1024 + 1);
    for (answer, status) in [
        (mcp("POST", "", json_type.1, &call), 401),
        (mcp("POST", "Bearer x", json_type.1, &call), 401),
        (mcp("POST", "Basic x", json_type.1, &call), 400),
        (mcp("POST", &good, json_type.1, &call), 403),
        (mcp("POST", &good, json_type.1, "{"), 400),
        (mcp("POST", &good, "text/plain", &call), 415),
        (mcp("PUT", &good, json_type.1, &call), 405),
        (mcp("POST", &good, json_type.1, &large), 413),
        (form(&vault, "/token", &[ORIGIN], "grant_type=x"), 401),
        (form(&vault, "/revoke", &[ORIGIN], "token=x"), 401),
        (form(&vault, "/register", &[ORIGIN], "x"), 400),
        (vault.send("GET", "/token", &[ORIGIN], None), 405),
    ] {
        assert_eq!(answer.status, status, "{}", answer.body);
        assert_eq!(
            answer.header("Access-Control-Allow-Origin"),
            "*",
            "{status}"
        );
        assert_eq!(
            answer.header("Access-Control-Allow-Credentials"),
            "",
            "{status}"
        );
        let exposed = answer.header("Access-Control-Expose-Headers");
        for name in ["WWW-Authenticate", "Mcp-Session-Id", "Retry-After"] {
            assert!(exposed.contains(name), "{status}: {exposed}");
        }
    }
}

#[test]
fn a_page_of_another_site_may_use_a_token_of_its_own() {
    let vault = Vault::start();
    let tokens = App::register(&vault, "Inspector").sign_in();
    let answer = vault.mcp_with(&tokens.access).raw(
        &[ORIGIN, ("Sec-Fetch-Site", "cross-site")],
        r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#,
    );
    assert_eq!(answer.header("Access-Control-Allow-Origin"), "*");
    answer.expect(200);
}

#[test]
fn a_slash_at_the_end_opens_the_same_door() {
    // The router takes "/mcp/" for "/mcp"; a page must then be let through, too
    let vault = Vault::start();
    for path in [
        "/mcp/",
        "/token/",
        "/.well-known/oauth-protected-resource/mcp/",
    ] {
        let headers = [ORIGIN, ("Access-Control-Request-Method", "POST")];
        let answer = vault.send("OPTIONS", path, &headers, None);
        assert_eq!(
            (answer.status, answer.header("Access-Control-Allow-Origin")),
            (204, "*"),
            "{path}"
        );
    }
    let answer = vault.send("POST", "/mcp/", &[ORIGIN], Some(b"{}"));
    assert_eq!(
        (answer.status, answer.header("Access-Control-Allow-Origin")),
        (401, "*")
    );
}
