//! What is open to anyone, and that nothing else is: no request without a verified caller reaches the vault.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::support::deployed::{self, AUDIENCE, Deployed, keys, owner, person, rs256, sign};
use crate::support::oauth::{App, Tokens};
use crate::support::{Answer, Vault};

/// Everything that anyone may call. A new entry is a decision.
const PUBLIC: [(&str, &str); 11] = [
    ("get", "/health"),
    ("get", "/connect"),
    ("get", "/.well-known/oauth-protected-resource"),
    ("get", "/.well-known/oauth-protected-resource/mcp"),
    ("get", "/.well-known/oauth-authorization-server"),
    ("get", "/.well-known/oauth-authorization-server/mcp"),
    ("get", "/.well-known/openid-configuration"),
    ("get", "/.well-known/jwks.json"),
    ("post", "/register"),
    ("post", "/token"),
    ("post", "/revoke"),
];

/// Every documented route that is not public: method, path, and a body if it takes one.
pub fn closed_routes() -> Vec<(String, String, bool)> {
    let document = Vault::start().get("/api/openapi.json").expect(200);
    let mut public = Vec::new();
    let mut closed = Vec::new();
    for (path, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            if PUBLIC.contains(&(method, path)) {
                public.push((method.clone(), path.clone()));
            } else {
                let path = path
                    .replace("{id}", "mem_1")
                    .replace("{hash}", "abc")
                    .replace("{n}", "n")
                    .replace("{version}", "1")
                    .replace("{folder}/{file}", "css/base.css")
                    .replace("{file}", "main.js");
                assert!(!path.contains('{'), "{path}");
                closed.push((
                    method.to_uppercase(),
                    path,
                    operation["requestBody"].is_object(),
                ));
            }
            let open = operation["description"]
                .as_str()
                .unwrap()
                .starts_with("Open to anyone.");
            assert_eq!(open, PUBLIC.contains(&(method, path)), "{method} {path}");
        }
    }
    assert_eq!(public.len(), PUBLIC.len(), "{public:?}");
    assert!(closed.len() >= 36, "{}", closed.len());
    closed
}

/// Sends a call as nobody, or with these headers, to this host.
fn knock(
    vault: &Vault,
    host: &str,
    route: &(String, String, bool),
    more: &[(&str, &str)],
) -> Answer {
    let (method, path, takes_body) = route;
    let mut headers = vec![("Host", host)];
    headers.extend_from_slice(more);
    let body: Option<&[u8]> = takes_body.then_some(b"{}");
    headers.push(if *takes_body {
        ("Content-Type", "application/json")
    } else {
        ("Accept", "*/*")
    });
    vault.send(method, path, &headers, body)
}

#[track_caller]
fn assert_closed(answer: &Answer, route: &(String, String, bool), status: u16) {
    let is_mcp = route.1 == "/mcp";
    assert_eq!(
        answer.status,
        if is_mcp { 401 } else { status },
        "{route:?}: {}",
        answer.body
    );
    assert_eq!(
        !answer.header("WWW-Authenticate").is_empty(),
        is_mcp,
        "{route:?}"
    );
    if is_mcp {
        assert!(
            answer
                .header("WWW-Authenticate")
                .contains("/.well-known/oauth-protected-resource/mcp\"")
        );
    }
}

#[test]
fn nobody_reaches_the_vault_but_through_the_public_routes() {
    let routes = closed_routes();
    let there = Deployed::start();
    let bare = Vault::start_with(&[]);
    for route in &routes {
        assert_closed(&knock(&there.vault, deployed::HOST, route, &[]), route, 403);
        assert_closed(&knock(&bare, &bare.host(), route, &[]), route, 401);
    }
    assert_eq!(there.vault.stored_files(), [""; 0]);
    assert_eq!(bare.stored_files(), [""; 0]);
    assert_eq!(
        there.internet.addresses(),
        [""; 0],
        "nobody's call costs a fetch"
    );
    // The proof works: one public call that needs the vault leaves its database behind.
    assert_eq!(bare.get("/health").status, 200);
    assert_ne!(bare.stored_files(), [""; 0]);
}

#[test]
fn a_false_assertion_reaches_the_vault_by_no_route() {
    let there = Deployed::start();
    let false_one = rs256(&person("eve@example.org"));
    let made_up = sign(
        jsonwebtoken::Algorithm::RS256,
        "made-up",
        &keys::rsa_signer(),
        &person("ada@example.org"),
    );
    for route in &closed_routes() {
        for assertion in [&false_one, &made_up] {
            let cookie = format!("CF_Authorization={assertion}");
            let as_header = [("Cf-Access-Jwt-Assertion", assertion.as_str())];
            assert_closed(
                &knock(&there.vault, deployed::HOST, route, &as_header),
                route,
                403,
            );
            assert_closed(
                &knock(&there.vault, deployed::HOST, route, &[("Cookie", &cookie)]),
                route,
                403,
            );
        }
    }
    assert_eq!(there.vault.stored_files(), [""; 0]);
    assert_eq!(there.key_fetches(), 1);
}

#[test]
fn other_methods_and_spellings_of_a_path_open_nothing() {
    let there = Deployed::start();
    let mut paths: Vec<String> = closed_routes()
        .into_iter()
        .map(|(_, path, _)| path)
        .collect();
    paths.dedup();
    for path in &paths {
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            if (method, path.as_str()) == ("OPTIONS", "/mcp") {
                continue; // a preflight, which is answered to anyone
            }
            let answer = there.send(method, path, &[("Content-Length", "0")], None);
            assert!(
                matches!(answer.status, 401 | 403),
                "{method} {path} {}",
                answer.status
            );
            assert_eq!(answer.header("Allow"), "", "{method} {path}");
        }
    }
    for path in [
        "/api/memories/",
        "//api/memories",
        "/API/memories",
        "/api%2fmemories",
        "/api/%6demories",
        "/health/..%2fapi/memories",
        "/api/memories;/health",
        "/api/memories?/health",
        "/connect/api/memories",
        "/mcp/",
        "/Mcp",
        "/test",
    ] {
        let answer = there.send("GET", path, &[], None);
        assert!(
            matches!(answer.status, 401 | 403 | 404),
            "{path} {}",
            answer.status
        );
    }
    assert_eq!(there.vault.stored_files(), [""; 0]);
}

#[test]
fn identity_headers_from_outside_mean_nothing_on_any_route() {
    let there = Deployed::start();
    // As the edge would write it, in base64url.
    let passed = json!({
        "actor": { "kind": "owner", "email": "ada@example.org" }, "request_id": "req_forged",
        "base_url": "https://evil.example.test", "address": "192.0.2.7", "browser": "forged",
        "body_bytes": 1, "headers": [["host", "evil.example.test"]],
    });
    let passed = URL_SAFE_NO_PAD.encode(passed.to_string());
    let forged = [
        ("x-vault-passed", passed.as_str()),
        ("Cf-Access-Authenticated-User-Email", "ada@example.org"),
        ("X-Forwarded-Host", "localhost"),
        ("X-Forwarded-User", "ada@example.org"),
    ];
    for route in &closed_routes() {
        let answer = knock(&there.vault, deployed::HOST, route, &forged);
        assert_closed(&answer, route, 403);
        assert_ne!(answer.header("X-Request-Id"), "req_forged");
    }
    assert_eq!(there.vault.stored_files(), [""; 0]);
    // Nor do they change who a program is, or what our address is.
    let token = deployed::service("nightly.access");
    let mut headers = forged.to_vec();
    headers.push(("Cf-Access-Jwt-Assertion", &token));
    assert_eq!(
        there
            .send("GET", "/api/memories", &headers, None)
            .refused(403),
        "forbidden"
    );
    for path in ["/connect", "/.well-known/oauth-authorization-server"] {
        let page = there.send("GET", path, &forged, None);
        assert!(
            page.body.contains("https://vault.example.test") && !page.body.contains("evil"),
            "{path}"
        );
    }
}

#[test]
fn an_apps_token_opens_the_mcp_endpoint_and_nothing_else() {
    // U-206
    let vault = Vault::start();
    let tokens: Tokens = App::register(&vault, "Claude").sign_in();
    let proposed = vault
        .mcp_with(&tokens.access)
        .tool("remember", json!({ "content": "Approve me" }));
    let id = proposed["id"].as_str().unwrap();
    let bearer = format!("Bearer {}", tokens.access);
    // The proxy's header closes the developer's door, so that the token is all there is.
    let headers = [
        ("Authorization", bearer.as_str()),
        ("X-Forwarded-For", "192.0.2.7"),
    ];
    for (method, path, takes_body) in closed_routes() {
        if path == "/mcp" {
            continue;
        }
        let route = (method, path.replace("mem_1", id), takes_body);
        assert_eq!(
            knock(&vault, &vault.host(), &route, &headers).status,
            401,
            "{route:?}"
        );
    }
    assert_eq!(
        vault.get(&format!("/api/memories/{id}")).expect(200)["status"],
        "proposed"
    );
}

#[test]
fn the_public_pages_hold_nothing_of_the_vault_or_its_owner() {
    // U-200
    let there = Deployed::start();
    let pages = |there: &Deployed| -> Vec<(String, String)> {
        PUBLIC
            .iter()
            .filter(|(method, _)| *method == "get")
            .map(|(_, path)| ((*path).to_owned(), there.get_as_nobody(path).body))
            .collect()
    };
    let before = pages(&there);
    let metadata = json!({ "client_name": "Zanzibar Client", "redirect_uris": ["https://zanzibar.example.test/cb"], "token_endpoint_auth_method": "none" });
    there
        .send(
            "POST",
            "/register",
            &[("Content-Type", "application/json")],
            Some(metadata.to_string().as_bytes()),
        )
        .expect(201);
    for number in 0..3 {
        let draft = json!({ "content": format!("Zanzibar secret {number}"), "tags": ["zanzibar"] });
        there
            .call(&owner(), "POST", "/api/memories", Some(draft))
            .expect(201);
    }
    there
        .call(
            &owner(),
            "PUT",
            "/api/guide",
            Some(json!({ "content": "Zanzibar guide" })),
        )
        .expect(200);
    let after = pages(&there);
    assert_eq!(after.len(), 8);
    assert_eq!(before, after, "what is in the vault changes no public page");
    for (path, body) in after {
        assert!(!body.is_empty(), "{path}");
        let body = body.to_lowercase();
        for private in [
            "zanzibar",
            "ada@",
            "bo@",
            "example.org",
            "butler",
            AUDIENCE,
            "cloudflareaccess.com\"",
        ] {
            assert!(!body.contains(private), "{path}: {private}");
        }
    }
    let keys: Value = there.get_as_nobody("/.well-known/jwks.json").json();
    assert!(
        keys["keys"]
            .as_array()
            .unwrap()
            .iter()
            .all(|key| key["d"].is_null()),
        "{keys}"
    );
}
