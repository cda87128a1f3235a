//! The MCP endpoint as a protected resource: challenges (RFC 6750, RFC 9728), scopes, CORS, and what an app's token is
//! no good for.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use crate::support::oauth::{App, part, status_of};
use crate::support::{Answer, Vault};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
const READING: [&str; 6] = [
    "get_operating_guide",
    "recall",
    "list_memories",
    "search",
    "fetch",
    "get_capabilities",
];
const WRITING: [&str; 4] = ["remember", "propose_memory", "bulk_remember", "forget"];

/// The tail of every challenge.
fn pointer(vault: &Vault, scope: &str) -> String {
    format!(
        "resource_metadata=\"{}/.well-known/oauth-protected-resource/mcp\", scope=\"{scope}\"",
        vault.url()
    )
}

#[track_caller]
fn is_invalid_token(vault: &Vault, answer: &Answer) {
    assert_eq!(answer.status, 401, "{}", answer.body);
    let header = answer.header("WWW-Authenticate");
    let expected = pointer(vault, "memory.read memory.write");
    assert!(
        header.starts_with("Bearer error=\"invalid_token\", error_description=\"")
            && header.ends_with(&expected),
        "{header}"
    );
}

/// A token with another header, claims or signature.
fn forged(token: &str, header: &Value, claims: &Value, signature: Option<&str>) -> String {
    let signature = signature.unwrap_or_else(|| token.rsplit('.').next().unwrap());
    let encode = |part: &Value| URL_SAFE_NO_PAD.encode(part.to_string());
    format!("{}.{}.{signature}", encode(header), encode(claims))
}

#[test]
fn the_first_contact_learns_where_to_sign_in() {
    // U-162, RFC 6750 section 3.1 (no error without credentials), RFC 9728 section 5.1
    let vault = Vault::start();
    let challenge = format!("Bearer {}", pointer(&vault, "memory.read memory.write"));
    let stranger = vault.stranger();
    for answer in [
        stranger.raw(&[], INITIALIZE),
        stranger.request("tools/list", json!({})),
        stranger.raw(&[], "not json"),
        stranger.send("GET", &[("Accept", "text/event-stream")], None),
        stranger.send("DELETE", &[], None),
        stranger.send("PUT", &[], Some(b"x")),
    ] {
        assert_eq!(answer.header("WWW-Authenticate"), challenge);
        assert_eq!(answer.header("Content-Type"), "application/json");
        assert_eq!(answer.refused(401), "unauthenticated");
    }
}

#[test]
fn a_token_goes_into_the_header_and_nowhere_else() {
    // RFC 6750 section 2.3, OAuth 2.1 section 5.1.1
    let vault = Vault::start();
    let tokens = App::register(&vault, "Claude").sign_in();
    let path = format!("/mcp?access_token={}", tokens.access);
    let json = ("Content-Type", "application/json");
    let answer = vault.send("POST", &path, &[json], Some(INITIALIZE.as_bytes()));
    assert_eq!(answer.status, 401);
    assert!(!answer.header("WWW-Authenticate").contains("error"));
    let cookie = format!("access_token={}", tokens.access);
    let headers = [json, ("Cookie", cookie.as_str())];
    let answer = vault.send("POST", "/mcp", &headers, Some(INITIALIZE.as_bytes()));
    assert_eq!(answer.status, 401);
}

#[test]
fn a_malformed_authorization_is_400() {
    // RFC 6750 section 3.1
    let vault = Vault::start();
    for header in [
        "Bearer",
        "Basic YTpi",
        "Bearer a b",
        "Bearer a,b",
        "token abc",
        "Bearer \"x\"",
    ] {
        let answer = vault.send(
            "POST",
            "/mcp",
            &[
                ("Authorization", header),
                ("Content-Type", "application/json"),
            ],
            Some(INITIALIZE.as_bytes()),
        );
        let challenge = answer.header("WWW-Authenticate");
        assert!(
            challenge.starts_with("Bearer error=\"invalid_request\""),
            "{challenge}"
        );
        assert_eq!(answer.status, 400, "{header}");
    }
}

#[test]
fn made_up_and_changed_tokens_are_refused() {
    // RFC 8725 sections 2.1 and 3.1, RFC 9068 section 4
    let vault = Vault::start();
    let good = App::register(&vault, "Claude").sign_in().access;
    let (header, claims) = (part(&good, 0), part(&good, 1));
    let changed = |name: &str, value: Value| {
        let mut claims = claims.clone();
        claims[name] = value;
        forged(&good, &header, &claims, None)
    };
    let headed = |name: &str, value: Value| {
        let mut header = header.clone();
        header[name] = value;
        forged(&good, &header, &claims, None)
    };
    let none = forged(
        &good,
        &json!({ "alg": "none", "typ": "at+jwt", "kid": header["kid"] }),
        &claims,
        Some(""),
    );
    // HS256 with the public key as its secret.
    let symmetric = {
        use jsonwebtoken::{Algorithm, EncodingKey, Header};
        let key = vault.get("/.well-known/jwks.json").expect(200)["keys"][0].clone();
        let mut head = Header::new(Algorithm::HS256);
        (head.typ, head.kid) = (
            Some("at+jwt".into()),
            header["kid"].as_str().map(str::to_owned),
        );
        // The library refuses secrets that are too short; 43 bytes are not.
        let secret = EncodingKey::from_secret(key["x"].as_str().unwrap().as_bytes()).unwrap();
        jsonwebtoken::encode(&head, &claims, &secret).unwrap()
    };
    // ES256 with a key of the forger's own, embedded in the header.
    let embedded = headed(
        "jwk",
        json!({ "kty": "EC", "crv": "P-256", "x": "AA", "y": "AA" }),
    );
    let (body, signature) = good.rsplit_once('.').unwrap();
    let flipped = if signature.starts_with('A') { "B" } else { "A" };
    for token in [
        "x".to_owned(),
        "a.b.c".into(),
        "..".into(),
        none,
        symmetric,
        embedded,
        changed("scope", json!("memory.read memory.write archive.write")),
        changed("exp", json!(99_999_999_999_i64)),
        changed("aud", json!("https://evil.test/mcp")),
        changed("grant", json!("gra_other")),
        headed("kid", json!("another")),
        headed("typ", json!("JWT")),
        headed("alg", json!("RS256")),
        headed("crit", json!(["x"])),
        body.to_owned(),
        format!("{body}."),
        format!("{good}A"),
        format!("{body}.{flipped}{}", &signature[1..]),
        format!("{good}.{good}"),
        "A".repeat(9_000),
    ] {
        let answer = vault.mcp_with(&token).raw(&[], INITIALIZE);
        is_invalid_token(&vault, &answer);
    }
    assert_eq!(status_of(&vault, &good), 200);
}

#[test]
fn another_vaults_token_opens_nothing_here() {
    // U-185, RFC 8707 section 2, RFC 9068 section 4
    let (ours, theirs) = (Vault::start(), Vault::start());
    let token = App::register(&theirs, "Claude").sign_in().access;
    let own = App::register(&ours, "Claude").sign_in().access;
    is_invalid_token(&ours, &ours.mcp_with(&token).raw(&[], INITIALIZE));
    assert_eq!(
        (status_of(&ours, &own), status_of(&theirs, &token)),
        (200, 200)
    );
    // Nor under another name of the same machine: that is another audience.
    let host = ours.host().replace("127.0.0.1", "localhost");
    let answer = ours.send(
        "POST",
        "/mcp",
        &[
            ("Host", &host),
            ("Authorization", &format!("Bearer {own}")),
            ("Content-Type", "application/json"),
        ],
        Some(INITIALIZE.as_bytes()),
    );
    assert_eq!(answer.status, 401);
}

#[test]
fn a_token_whose_grant_is_gone_is_refused_on_the_next_call() {
    // U-178
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let tokens = app.sign_in();
    assert_eq!(status_of(&vault, &tokens.access), 200);
    assert_eq!(app.revoke(&tokens.refresh).status, 200);
    let answer = vault.mcp_with(&tokens.access).raw(&[], INITIALIZE);
    is_invalid_token(&vault, &answer);
    assert_eq!(answer.header("Access-Control-Allow-Origin"), "*");
}

#[test]
fn the_tool_list_is_what_the_grant_allows() {
    // U-193
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let listed = |scope: &str| -> Vec<String> {
        let tokens = app.sign_in_for(scope);
        let answer = vault
            .mcp_with(&tokens.access)
            .request("tools/list", json!({}))
            .expect(200);
        let tools = answer["result"]["tools"].as_array().unwrap().clone();
        for tool in &tools {
            assert!(tool["inputSchema"]["type"] == "object" && tool["description"].is_string());
            for hint in [
                "readOnlyHint",
                "destructiveHint",
                "idempotentHint",
                "openWorldHint",
            ] {
                assert!(tool["annotations"][hint].is_boolean(), "{tool}");
            }
        }
        let mut names: Vec<String> = tools
            .iter()
            .map(|tool| tool["name"].as_str().unwrap().to_owned())
            .collect();
        names.sort();
        names
    };
    let sorted = |names: &[&str]| {
        let mut names: Vec<String> = names.iter().map(ToString::to_string).collect();
        names.sort();
        names
    };
    let all: Vec<&str> = READING.iter().chain(&WRITING).copied().collect();
    assert_eq!(listed("memory.read"), sorted(&READING));
    assert_eq!(listed("memory.write"), sorted(&all));
    assert_eq!(listed(""), sorted(&all));
    assert_eq!(listed("archive.read"), Vec::<String>::new());
}

#[test]
fn writing_without_reading_ticked_still_reads() {
    // Wider scopes imply narrower ones
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let page = crate::support::oauth::Consent::of(&app.open(&app.request()));
    let location = page.answer(&vault, "approve", &["memory.write"]).location();
    let code = crate::support::oauth::parameter(&location, "code").unwrap();
    let body = app.exchange(&code, &[]).expect(200);
    assert_eq!(body["scope"], "memory.write");
    let mcp = vault.mcp_with(body["access_token"].as_str().unwrap());
    mcp.tool("recall", json!({ "query": "x" }));
    mcp.tool("remember", json!({ "content": "The boat is blue" }));
}

/// What the owner allowed bounds every token, also one that says more.
#[test]
fn a_token_reaches_no_further_than_its_grant() {
    let vault = Vault::start_in_auto_mode();
    let tokens = App::register(&vault, "Claude").sign_in();
    let mcp = vault.mcp_with(&tokens.access);
    mcp.tool("remember", json!({ "content": "The boat is green" }));
    vault.sql("UPDATE oauth_grants SET scopes = 'memory.read'");
    let params = json!({ "name": "remember", "arguments": { "content": "The boat is red" } });
    assert_eq!(mcp.request("tools/call", params).status, 403);
    assert_eq!(vault.recall("boat"), ["The boat is green"]);
}

#[test]
fn a_token_holds_only_together_with_a_grant_of_its_own_that_holds() {
    let vault = Vault::start_in_auto_mode();
    let tokens = App::register(&vault, "Claude").sign_in();
    App::register(&vault, "Cursor").sign_in();
    let mcp = vault.mcp_with(&tokens.access);
    let turned = "UPDATE oauth_grants SET expires_at = -expires_at";
    let aged = "UPDATE oauth_tokens SET access_expires_at = -access_expires_at";
    let swapped =
        "UPDATE oauth_tokens SET grant_id = (SELECT id FROM oauth_grants WHERE id <> grant_id)";
    let revoked = "UPDATE oauth_tokens SET revoked_at = 1";
    let not_revoked = "UPDATE oauth_tokens SET revoked_at = NULL";
    for (spoilt, mended) in [
        (turned, turned),
        (aged, aged),
        (swapped, swapped),
        (revoked, not_revoked),
    ] {
        assert_eq!(
            mcp.request("tools/list", json!({})).status,
            200,
            "before {spoilt}"
        );
        vault.sql(spoilt);
        assert_eq!(mcp.request("tools/list", json!({})).status, 401, "{spoilt}");
        vault.sql(mended);
    }
    assert_eq!(mcp.request("tools/list", json!({})).status, 200);
}

#[test]
fn a_tool_beyond_the_grant_is_403_with_the_scope_it_needs() {
    // RFC 6750 section 3.1, MCP authorization "scope challenge handling"; both eras
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let reader = app.sign_in_for("memory.read").access;
    let archivist = app.sign_in_for("archive.read").access;
    let id = vault.remember("The boat is green");
    let calls = |token: &str, tool: &str, arguments: &Value| {
        let params = json!({ "name": tool, "arguments": arguments });
        let mcp = vault.mcp_with(token);
        [
            mcp.request("tools/call", params.clone()),
            mcp.legacy("2025-11-25", "tools/call", params.clone()),
            mcp.legacy("2025-06-18", "tools/call", params.clone()),
            mcp.legacy("2025-03-26", "tools/call", params),
        ]
    };
    let refused = |answers: [Answer; 4], scope: &str, tool: &str| {
        for answer in answers {
            let header = answer.header("WWW-Authenticate");
            assert!(
                header.starts_with("Bearer error=\"insufficient_scope\", ")
                    && header.ends_with(&pointer(&vault, scope)),
                "{tool}: {header}"
            );
            let body = answer.expect(403);
            assert!(body["error"]["message"].as_str().unwrap().contains(scope));
            assert_eq!(body["id"], 1);
        }
    };
    for tool in WRITING {
        let arguments =
            json!({ "content": "x", "id": id, "items": [{ "content": "x" }], "reason": "x" });
        refused(calls(&reader, tool, &arguments), "memory.write", tool);
        refused(calls(&archivist, tool, &arguments), "memory.write", tool);
    }
    for tool in READING {
        let arguments = json!({ "query": "x", "id": id });
        refused(calls(&archivist, tool, &arguments), "memory.read", tool);
    }
    let read = json!({ "uri": "vault://guide" });
    let resource = vault.mcp_with(&archivist).request("resources/read", read);
    assert!(resource.status != 200, "{}", resource.body);
    assert_eq!(vault.recall("boat").len(), 1);
    assert_eq!(vault.sql("SELECT count(*) FROM memories")[0][0], 1);
}

#[test]
fn a_batch_is_no_way_around_the_grant() {
    // Batches are part of 2025-03-26 only; the answer of one call has no status of its own
    let vault = Vault::start();
    let reader = App::register(&vault, "Claude")
        .sign_in_for("memory.read")
        .access;
    let call = |id: i64, tool: &str, arguments: Value| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": tool, "arguments": arguments } });
    let batch = json!([
        call(1, "remember", json!({ "content": "The boat is black" })),
        call(2, "recall", json!({ "query": "boat" })),
    ]);
    let answers = vault
        .mcp_with(&reader)
        .raw(
            &[("MCP-Protocol-Version", "2025-03-26")],
            &batch.to_string(),
        )
        .expect(200);
    assert!(
        answers[0]["error"]["message"]
            .as_str()
            .unwrap()
            .contains("memory.write")
    );
    assert_eq!(
        answers[1]["result"]["structuredContent"]["results"],
        json!([])
    );
    assert_eq!(vault.sql("SELECT count(*) FROM memories")[0][0], 0);
}
