//! An app introduces itself (RFC 7591).

use serde_json::{Value, json};

use crate::support::deployed::Deployed;
use crate::support::oauth::{App, forget_calls, rows, sql_of, status_of};
use crate::support::{Answer, Vault};

fn refusal(answer: Answer) -> String {
    answer.oauth_error(400)
}

#[test]
fn a_public_client_is_answered_with_what_holds() {
    // U-164, RFC 7591 section 3.2.1
    let vault = Vault::start();
    let answer = vault.post(
        "/register",
        json!({
            "client_name": "Claude",
            "redirect_uris": ["https://claude.ai/api/mcp/auth_callback"],
            "token_endpoint_auth_method": "none",
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "scope": "memory.read  offline_access",
        }),
    );
    assert_eq!(answer.header("Content-Type"), "application/json");
    assert_eq!(answer.header("Cache-Control"), "no-store");
    let mut body = answer.expect(201);
    let id = body["client_id"].as_str().unwrap().to_owned();
    assert!(
        id.starts_with("app_") && id.len() > 20,
        "no client id may look like an address: {id}"
    );
    assert!(body["client_id_issued_at"].as_i64().unwrap() > 1_700_000_000);
    body.as_object_mut().unwrap().remove("client_id");
    body.as_object_mut().unwrap().remove("client_id_issued_at");
    assert_eq!(
        body,
        json!({
            "client_name": "Claude",
            "redirect_uris": ["https://claude.ai/api/mcp/auth_callback"],
            "token_endpoint_auth_method": "none",
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "scope": "memory.read offline_access",
        })
    );
}

#[test]
fn what_is_left_out_or_null_gets_its_default() {
    // RFC 7591 section 2
    let vault = Vault::start();
    for metadata in [
        json!({ "redirect_uris": ["https://client.test/cb"] }),
        json!({ "redirect_uris": ["https://client.test/cb"], "client_name": null, "scope": null,
                "token_endpoint_auth_method": null, "grant_types": null, "response_types": null }),
    ] {
        let body = vault.post("/register", metadata).expect(201);
        assert_eq!(body["token_endpoint_auth_method"], "client_secret_basic");
        assert!(body["client_secret"].as_str().unwrap().starts_with("mvs_"));
        assert_eq!(body["client_secret_expires_at"], 0);
        assert_eq!(
            body["grant_types"],
            json!(["authorization_code", "refresh_token"])
        );
        assert_eq!(body["response_types"], json!(["code"]));
        assert_eq!(body["client_name"], "Unnamed app");
        assert_eq!(body["scope"], Value::Null);
    }
}

#[test]
fn unknown_members_are_ignored_and_not_echoed() {
    // RFC 7591 section 2; clients send application_type and software_id
    let vault = Vault::start();
    let body = vault
        .post(
            "/register",
            json!({
                "redirect_uris": ["http://localhost/callback"], "token_endpoint_auth_method": "none",
                "application_type": "native", "software_id": "x", "logo_uri": "https://evil.test/pixel",
                "jwks_uri": "https://evil.test/keys", "client_id": "https://evil.test/me", "client_secret": "chosen",
                "client_name#de": "Anders",
            }),
        )
        .expect(201);
    assert!(!body.to_string().contains("evil") && !body.to_string().contains("chosen"));
    assert!(body["client_id"].as_str().unwrap().starts_with("app_"));
    assert_eq!(
        (&body["application_type"], &body["client_secret"]),
        (&Value::Null, &Value::Null)
    );
}

#[test]
fn what_we_do_not_serve_is_refused_or_left_out() {
    let vault = Vault::start();
    let register = |more: Value| {
        let mut metadata = json!({ "redirect_uris": ["https://client.test/cb"], "token_endpoint_auth_method": "none" });
        for (name, value) in more.as_object().unwrap() {
            metadata[name] = value.clone();
        }
        vault.post("/register", metadata)
    };
    let kept = register(
        json!({ "grant_types": ["authorization_code", "implicit", "urn:ietf:params:oauth:grant-type:jwt-bearer"] }),
    );
    assert_eq!(
        kept.expect(201)["grant_types"],
        json!(["authorization_code"])
    );
    for refused in [
        json!({ "grant_types": ["refresh_token"] }),
        json!({ "grant_types": ["client_credentials"] }),
        json!({ "grant_types": "authorization_code" }),
        json!({ "grant_types": [] }),
        json!({ "response_types": ["token"] }),
        json!({ "response_types": [] }),
        json!({ "token_endpoint_auth_method": "private_key_jwt" }),
        json!({ "token_endpoint_auth_method": "NONE" }),
        json!({ "token_endpoint_auth_method": 1 }),
        json!({ "client_name": ["Claude"] }),
        json!({ "scope": "memory.read\nmemory.write" }),
        json!({ "scope": "x".repeat(1_001) }),
    ] {
        assert_eq!(
            refusal(register(refused.clone())),
            "invalid_client_metadata",
            "{refused}"
        );
    }
    assert_eq!(register(json!({ "scope": "x".repeat(1_000) })).status, 201);
    assert_eq!(rows(&vault, "oauth_clients"), 2);
}

#[test]
fn a_body_that_is_not_one_json_object_is_refused_without_quoting_it() {
    let vault = Vault::start();
    for body in [
        &b""[..],
        b"[]",
        b"\"secret-word\"",
        b"null",
        b"{\"client_name\": \"secret-word",
        b"redirect_uris=https://secret-word.test/cb",
        b"{\"client_name\": \"\xff\"}",
    ] {
        let answer = vault.send(
            "POST",
            "/register",
            &[("Content-Type", "application/json")],
            Some(body),
        );
        assert!(!answer.body.contains("secret-word"));
        assert_eq!(refusal(answer), "invalid_client_metadata");
    }
    let large = json!({ "redirect_uris": ["https://client.test/cb"], "x": "y".repeat(33_000) });
    assert_eq!(vault.post("/register", large).status, 413);
}

#[test]
fn an_apps_own_scheme_is_taken_beside_its_other_addresses() {
    // U-168: Cursor registers three at once
    let vault = Vault::start();
    let uris = json!([
        "cursor://anysphere.cursor-mcp/oauth/callback",
        "https://www.cursor.com/agents/mcp/oauth/callback",
        "http://localhost:8787/callback"
    ]);
    let body = vault
        .post("/register", json!({ "redirect_uris": uris }))
        .expect(201);
    assert_eq!(body["redirect_uris"], uris);
    let page = App::register_with(
        &vault,
        json!({ "client_name": "Cursor", "redirect_uris": ["cursor://anysphere.cursor-retrieval/oauth/cb"], "token_endpoint_auth_method": "none" }),
    );
    assert!(page.sign_in().access.len() > 100);
}

#[test]
fn addresses_that_run_or_hide_something_are_refused_with_all_their_company() {
    // U-168; past a look at the first letters: case, white space, control characters
    let vault = Vault::start();
    for uri in [
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "java\tscript:alert(1)",
        "javascript\u{0}:alert(1)",
        "\u{1}javascript:alert(1)",
        "javascript://client.test/%0aalert(1)",
        "data:text/html,<script>alert(1)</script>",
        "DATA:text/html,x",
        "vbscript:x",
        "file:///etc/passwd",
        "blob:https://client.test/1",
        "mailto:ada@client.test",
        "view-source:https://client.test/",
        "intent://client.test#Intent;end",
        "ms-msdt:/id",
        "chrome-extension://abc/cb",
        "https://client.test/cb#fragment",
        "https://user@client.test/cb",
        "https://client.test@evil.test/cb",
        "https:\\\\client.test\\cb",
        "https://client.test/c b",
        "https://client.test/cb\r\nSet-Cookie: a=b",
        "https:evil.test@client.test",
    ] {
        let answer = vault.post(
            "/register",
            json!({ "redirect_uris": ["https://client.test/cb", uri] }),
        );
        assert_eq!(refusal(answer), "invalid_redirect_uri", "{uri:?}");
    }
    assert_eq!(rows(&vault, "oauth_clients"), 0);
}

#[test]
fn unusable_company_is_left_out_and_nothing_usable_is_refused() {
    // Clients register all their variants at once
    let vault = Vault::start();
    let unusable = [
        "http://client.test/cb",
        "/cb",
        "client.test/cb",
        "ws://localhost/cb",
        "urn:ietf:wg:oauth:2.0:oob",
        "http://127.1/cb",
        "http://2130706433/cb",
        "https://client.test/cb?code=1",
        "https://client.test/cb?x=1&state=2",
        "https://client.test/\u{e9}",
        "http://localhost.evil.test/cb",
        "",
    ];
    let mut uris: Vec<&str> = unusable.to_vec();
    uris.push("https://client.test/cb");
    uris.push("https://client.test/cb");
    let body = vault
        .post("/register", json!({ "redirect_uris": uris }))
        .expect(201);
    assert_eq!(body["redirect_uris"], json!(["https://client.test/cb"]));
    for uri in unusable {
        let answer = vault.post("/register", json!({ "redirect_uris": [uri] }));
        assert_eq!(refusal(answer), "invalid_redirect_uri", "{uri:?}");
    }
    for uris in [
        json!(null),
        json!([]),
        json!("https://client.test/cb"),
        json!([1]),
    ] {
        let answer = vault.post("/register", json!({ "redirect_uris": uris }));
        assert_eq!(refusal(answer), "invalid_redirect_uri", "{uris}");
    }
}

#[test]
fn addresses_are_limited_in_number_and_length() {
    let vault = Vault::start();
    let many = |count: usize| -> Vec<String> {
        (0..count)
            .map(|number| format!("https://client.test/{number}"))
            .collect()
    };
    let register = |uris: Vec<String>| vault.post("/register", json!({ "redirect_uris": uris }));
    assert_eq!(register(many(20)).status, 201);
    assert_eq!(refusal(register(many(21))), "invalid_redirect_uri");
    let long = |bytes: usize| format!("https://client.test/{}", "a".repeat(bytes - 20));
    assert_eq!(register(vec![long(2_048)]).status, 201);
    assert_eq!(refusal(register(vec![long(2_049)])), "invalid_redirect_uri");
}

#[test]
fn a_flood_of_registrations_is_stopped_and_hurts_no_connected_app() {
    // U-166
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let tokens = app.sign_in();
    forget_calls(&vault);
    let metadata = || json!({ "client_name": "Flood", "redirect_uris": ["https://evil.test/cb"] });
    for _ in 0..50 {
        vault.post("/register", metadata()).expect(201);
    }
    for _ in 0..10 {
        let answer = vault.post("/register", metadata());
        let wait: i64 = answer.header("Retry-After").parse().unwrap();
        assert!((3_500..=3_601).contains(&wait), "{wait}");
        assert_eq!(answer.header("Access-Control-Allow-Origin"), "*");
        assert_eq!(answer.oauth_error(429), "temporarily_unavailable");
    }
    assert_eq!(rows(&vault, "oauth_clients"), 51);
    assert_eq!(status_of(&vault, &tokens.access), 200);
    vault.shift_clock_seconds(3_610);
    assert_eq!(vault.post("/register", metadata()).status, 201);
    vault.shift_clock_days(6);
    vault.run_agenda();
    assert_eq!(rows(&vault, "oauth_clients"), 52);
    vault.shift_clock_days(8);
    vault.run_agenda();
    assert_eq!(rows(&vault, "rates"), 0);
    assert_eq!(rows(&vault, "oauth_clients"), 1);
    app.refresh(&tokens.refresh, &[]).expect(200);
}

#[test]
fn only_so_many_unused_clients_are_kept_and_connected_ones_always() {
    // U-166: a flood from many addresses
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let tokens = app.sign_in();
    vault.sql("UPDATE oauth_clients SET last_used_at = 0");
    vault.sql(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) \
         INSERT INTO oauth_clients (client_id, kind, name, auth_method, redirect_uris, refreshes, created_at, last_used_at) \
         SELECT 'app_' || i, 'registered', 'Flood', 'none', '[\"https://evil.test/cb\"]', 1, i, i FROM n",
    );
    let newest = App::register(&vault, "Newest");
    assert_eq!(rows(&vault, "oauth_clients"), 501);
    let left = |id: &str| {
        vault.sql(&format!(
            "SELECT count(*) FROM oauth_clients WHERE client_id = '{id}'"
        ))[0][0]
            .clone()
    };
    assert_eq!(
        (left("app_101"), left("app_102"), left(&newest.id)),
        (json!(0), json!(1), json!(1))
    );
    assert_eq!(status_of(&vault, &tokens.access), 200);
}

#[test]
fn every_client_gets_an_id_and_a_secret_of_its_own() {
    let vault = Vault::start();
    let metadata = json!({ "client_name": "Twin", "redirect_uris": ["https://client.test/cb"] });
    let one = App::register_with(&vault, metadata.clone());
    let two = App::register_with(&vault, metadata);
    assert!(one.id != two.id && one.secret.is_some() && one.secret != two.secret);
}

#[test]
fn each_address_has_its_own_count_and_a_household_has_one() {
    // U-166: of IPv6 the first 64 bits count
    let there = Deployed::start();
    let body = json!({ "redirect_uris": ["https://client.test/cb"] }).to_string();
    let from = |address: &str| {
        let headers = [
            ("CF-Connecting-IP", address),
            ("Content-Type", "application/json"),
        ];
        there
            .send("POST", "/register", &headers, Some(body.as_bytes()))
            .status
    };
    assert_eq!(from("192.0.2.1"), 201);
    assert_eq!(from("2001:db8:0:1::1"), 201);
    sql_of(
        &there,
        "UPDATE rates SET calls = 50 WHERE what = 'register'",
    );
    assert_eq!(from("192.0.2.1"), 429);
    assert_eq!(from("2001:db8:0:1:ffff::2"), 429);
    assert_eq!(from("192.0.2.2"), 201);
    assert_eq!(from("2001:db8:0:2::1"), 201);
    let kept = sql_of(&there, "SELECT who FROM rates");
    for row in kept {
        let who = row[0].as_str().unwrap();
        assert!(who.len() == 32 && !who.contains(['.', ':']), "{who}");
    }
}
