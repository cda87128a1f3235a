//! A code becomes tokens (RFC 6749 section 4.1.3): what the token endpoint takes, and from whom.

use serde_json::json;

use crate::support::Vault;
use crate::support::oauth::{
    App, Consent, Tokens, VERIFIER, audited, exchange_body, forget_calls, part, query, rows,
    status_of, token, with,
};

/// Another verifier, and its challenge.
const OTHER_VERIFIER: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const OTHER_CHALLENGE: &str = "ZtNPunH49FD35FWYhT5Tv8I7vRKQJ8uxMaL0_9eHjNA";

#[test]
fn a_code_becomes_a_pair_of_tokens() {
    // RFC 6749 section 5.1
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let answer = app.exchange(&app.code(), &[]);
    assert_eq!(answer.header("Content-Type"), "application/json");
    assert_eq!(answer.header("Cache-Control"), "no-store");
    assert_eq!(answer.header("Pragma"), "no-cache");
    assert_eq!(answer.header("Access-Control-Allow-Origin"), "*");
    let mut body = answer.expect(200);
    let fields = body.as_object_mut().unwrap();
    let access = fields.remove("access_token").unwrap();
    let refresh = fields.remove("refresh_token").unwrap();
    assert_eq!(
        body,
        json!({ "token_type": "Bearer", "expires_in": 3_600, "scope": "memory.read memory.write" })
    );
    assert_eq!(refresh.as_str().unwrap().len(), 47);
    assert!(refresh.as_str().unwrap().starts_with("mvr_"));
    assert_eq!(status_of(&vault, access.as_str().unwrap()), 200);
    assert_eq!(
        status_of(&vault, refresh.as_str().unwrap()),
        401,
        "a refresh token opens nothing"
    );
}

#[test]
fn the_verifier_must_be_the_one_of_this_request() {
    // U-170, RFC 7636 section 4.6
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let code = app.code();
    let long = "a".repeat(129);
    for verifier in [
        OTHER_VERIFIER,
        &VERIFIER.to_lowercase(),
        &VERIFIER[..42],
        &format!("{VERIFIER}="),
        // "plain": the challenge itself.
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
        &long,
    ] {
        let answer = app.exchange(&code, &[("code_verifier", verifier)]);
        assert_eq!(answer.oauth_error(400), "invalid_grant", "{verifier}");
    }
    let answer = app.exchange(&code, &[("code_verifier", "")]);
    assert_eq!(answer.oauth_error(400), "invalid_request");
    // Refusals used nothing up.
    app.exchange(&code, &[]).expect(200);
    // The verifier of an earlier request does not serve for a new one with a challenge of its own.
    let other = app.code_for(&with(&app.request(), "code_challenge", OTHER_CHALLENGE));
    assert_eq!(app.exchange(&other, &[]).oauth_error(400), "invalid_grant");
    app.exchange(&other, &[("code_verifier", OTHER_VERIFIER)])
        .expect(200);
}

#[test]
fn a_code_that_comes_twice_ends_what_it_gave() {
    // OAuth 2.1 section 4.1.3, RFC 6749 section 4.1.2
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let other_device = app.sign_in();
    let code = app.code();
    let tokens = Tokens::of(&app.exchange(&code, &[]));
    let refreshed = Tokens::of(&app.refresh(&tokens.refresh, &[]));
    assert_eq!(app.exchange(&code, &[]).oauth_error(400), "invalid_grant");
    for dead in [&tokens, &refreshed] {
        assert_eq!(status_of(&vault, &dead.access), 401);
        let answer = app.refresh(&dead.refresh, &[]);
        assert_eq!(answer.oauth_error(400), "invalid_grant");
    }
    let rows = audited(&vault, "code_reuse");
    assert_eq!((rows.len(), &rows[0]["actor"]), (1, &json!("mcp:Claude")));
    assert_eq!(app.exchange(&code, &[]).oauth_error(400), "invalid_grant");
    // The same client's other grant lives.
    assert_eq!(status_of(&vault, &other_device.access), 200);
}

#[test]
fn another_clients_code_is_unknown_and_does_it_no_harm() {
    // RFC 6749 section 5.2; a stranger must not be able to end a grant by presenting its code
    let vault = Vault::start();
    let (app, thief) = (
        App::register(&vault, "Claude"),
        App::register(&vault, "Thief"),
    );
    let code = app.code();
    assert_eq!(thief.exchange(&code, &[]).oauth_error(400), "invalid_grant");
    let tokens = Tokens::of(&app.exchange(&code, &[]));
    assert_eq!(thief.exchange(&code, &[]).oauth_error(400), "invalid_grant");
    assert_eq!(status_of(&vault, &tokens.access), 200);
    app.refresh(&tokens.refresh, &[]).expect(200);
    assert_eq!(audited(&vault, "code_reuse").len(), 0);
    let made_up = thief.exchange("mvc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", &[]);
    assert_eq!(made_up.oauth_error(400), "invalid_grant");
}

#[test]
fn a_code_holds_five_minutes() {
    // RFC 6749 section 4.1.2
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let (early, late) = (app.code(), app.code());
    vault.shift_clock_seconds(290);
    app.exchange(&early, &[]).expect(200);
    vault.shift_clock_seconds(301);
    assert_eq!(app.exchange(&late, &[]).oauth_error(400), "invalid_grant");
}

#[test]
fn a_redirect_address_sent_along_must_be_the_one_of_the_code() {
    // RFC 6749 section 4.1.3; OAuth 2.1 does without
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let code = app.code();
    for uri in [
        "https://evil.test/cb",
        "http://127.0.0.1:33419/callback",
        "http://127.0.0.1:33418/callback/",
    ] {
        let answer = app.exchange(&code, &[("redirect_uri", uri)]);
        assert_eq!(answer.oauth_error(400), "invalid_grant", "{uri}");
    }
    app.exchange(&code, &[("redirect_uri", "")]).expect(200);
}

#[test]
fn every_spelling_of_the_resource_ends_in_a_token_that_works() {
    // U-172, RFC 8707 section 2.2
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let url = vault.url();
    let ours = format!("{url}/mcp");
    for resource in [
        "",
        &url,
        &format!("{url}/"),
        &ours,
        &format!("{ours}/"),
        &ours.replace("http", "HTTP"),
    ] {
        let code = app.code_for(&with(&app.request(), "resource", resource));
        let tokens = Tokens::of(&app.exchange(&code, &[("resource", resource)]));
        let more = [("resource", resource)];
        let refreshed = Tokens::of(&app.refresh(&tokens.refresh, &more));
        for access in [&tokens.access, &refreshed.access] {
            assert_eq!(part(access, 1)["aud"], json!(ours), "{resource}");
            assert_eq!(status_of(&vault, access), 200, "{resource}");
        }
    }
}

#[test]
fn another_resource_is_refused_and_uses_nothing_up() {
    // U-172, RFC 8707 section 2
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let url = vault.url();
    let wrong = [
        "https://evil.test",
        &format!("{url}/api"),
        &format!("{url}/mcp?x=1"),
        &format!("{url}/mcp#x"),
        &format!("{url}.evil.test/mcp"),
        "/mcp",
        "mcp",
        "http://[::1]/mcp",
    ];
    let code = app.code();
    for resource in wrong {
        let answer = app.exchange(&code, &[("resource", resource)]);
        assert_eq!(answer.oauth_error(400), "invalid_target", "{resource}");
    }
    assert_eq!(rows(&vault, "oauth_tokens"), 0);
    let tokens = Tokens::of(&app.exchange(&code, &[]));
    for resource in wrong {
        let answer = app.refresh(&tokens.refresh, &[("resource", resource)]);
        assert_eq!(answer.oauth_error(400), "invalid_target", "{resource}");
    }
    assert_eq!(rows(&vault, "oauth_tokens"), 1);
    app.refresh(&tokens.refresh, &[]).expect(200);
}

#[test]
fn only_forms_are_read() {
    // RFC 6749 section 4.1.3 and appendix B
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let code = app.code();
    let body = exchange_body(&app, &code, &[("client_id", &app.id)]);
    let send = |headers: &[(&str, &str)], path: &str, body: &[u8]| {
        vault.send("POST", path, headers, Some(body))
    };
    for media_type in [
        "application/json",
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/x-www-form-urlencodedx",
        "text/plain; application/x-www-form-urlencoded",
        "application/json, application/x-www-form-urlencoded",
    ] {
        let answer = send(&[("Content-Type", media_type)], "/token", body.as_bytes());
        assert_eq!(answer.oauth_error(400), "invalid_request", "{media_type}");
    }
    let answer = send(&[], "/token", body.as_bytes());
    assert_eq!(answer.oauth_error(400), "invalid_request", "none");
    let form_type = ("Content-Type", "application/x-www-form-urlencoded");
    // In the address parameters would end up in logs.
    let answer = send(&[form_type], &format!("/token?{body}"), b"");
    assert_eq!(answer.oauth_error(401), "invalid_client");
    let bytes = [body.as_bytes(), b"&x=\xff"].concat();
    let answer = send(&[form_type], "/token", &bytes);
    assert_eq!(answer.oauth_error(400), "invalid_request", "no UTF-8");
    let zipped = [form_type, ("Content-Encoding", "gzip")];
    assert_eq!(send(&zipped, "/token", body.as_bytes()).status, 415);
    let long = format!("{body}&x={}", "y".repeat(33_000));
    assert_eq!(send(&[form_type], "/token", long.as_bytes()).status, 413);
    assert_eq!(vault.get(&format!("/token?{body}")).status, 405);
    let spelt = (
        "Content-Type",
        "Application/X-WWW-Form-URLencoded; charset=UTF-8",
    );
    send(&[spelt], "/token", body.as_bytes()).expect(200);
}

#[test]
fn a_field_comes_once() {
    // RFC 6749 section 3.2; Codex sends one resource twice
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let code = app.code();
    let resource = format!("{}/mcp", vault.url());
    let more = [("client_id", app.id.as_str()), ("resource", &resource)];
    let body = exchange_body(&app, &code, &more);
    for name in [
        "grant_type",
        "code",
        "redirect_uri",
        "code_verifier",
        "client_id",
    ] {
        for value in ["x", "authorization_code"] {
            let answer = token(&vault, &[], &format!("{body}&{name}={value}"));
            assert_eq!(answer.oauth_error(400), "invalid_request", "{name}");
        }
    }
    let two = format!("{body}&resource=x");
    assert_eq!(token(&vault, &[], &two).oauth_error(400), "invalid_request");
    assert_eq!(rows(&vault, "oauth_tokens"), 0);
    let again = query(&[
        ("resource", resource.clone()),
        ("utm", "1".into()),
        ("utm", "2".into()),
    ]);
    token(&vault, &[], &format!("{body}&{again}")).expect(200);
}

#[test]
fn other_grant_types_are_refused() {
    // RFC 6749 section 5.2
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    for grant_type in [
        "password",
        "client_credentials",
        "implicit",
        "urn:ietf:params:oauth:grant-type:token-exchange",
        "urn:ietf:params:oauth:grant-type:jwt-bearer",
        "Authorization_Code",
    ] {
        let answer = app.exchange("x", &[("grant_type", grant_type)]);
        assert_eq!(
            answer.oauth_error(400),
            "unsupported_grant_type",
            "{grant_type}"
        );
    }
    let answer = app.exchange("x", &[("grant_type", "")]);
    assert_eq!(answer.oauth_error(400), "invalid_request");
    assert_eq!(app.exchange("", &[]).oauth_error(400), "invalid_request");
}

#[test]
fn a_client_that_takes_no_refresh_token_gets_none() {
    // RFC 7591 section 2, grant_types
    let vault = Vault::start();
    let app = App::register_with(
        &vault,
        json!({ "redirect_uris": ["https://client.test/cb"], "token_endpoint_auth_method": "none", "grant_types": ["authorization_code"] }),
    );
    let body = app.exchange(&app.code(), &[]).expect(200);
    assert!(body["refresh_token"].is_null());
    assert_eq!(
        status_of(&vault, body["access_token"].as_str().unwrap()),
        200
    );
    vault.shift_clock_seconds(7 * 3_600);
    vault.run_agenda();
    assert_eq!(rows(&vault, "oauth_grants"), 0, "nothing is left to use");
}

#[test]
fn token_calls_from_one_address_are_limited() {
    // Guessing is slowed down
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let tokens = app.sign_in();
    vault.sql("UPDATE rates SET calls = 119 WHERE what = 'token'");
    let tokens = Tokens::of(&app.refresh(&tokens.refresh, &[]));
    for answer in [
        app.refresh(&tokens.refresh, &[]),
        app.revoke(&tokens.refresh),
    ] {
        let wait: i64 = answer.header("Retry-After").parse().unwrap();
        assert!((1..=61).contains(&wait), "{wait}");
        assert_eq!(answer.oauth_error(429), "temporarily_unavailable");
    }
    assert_eq!(status_of(&vault, &tokens.access), 200);
    vault.shift_clock_seconds(61);
    let tokens = Tokens::of(&app.refresh(&tokens.refresh, &[]));
    forget_calls(&vault);
    app.refresh(&tokens.refresh, &[]).expect(200);
}

#[test]
fn codes_are_bound_to_the_page_that_was_approved() {
    // Two requests of one client: each code carries its own scopes
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let narrow = Consent::of(&app.open(&with(&app.request(), "scope", "memory.read")));
    let wide = Consent::of(&app.open(&with(&app.request(), "scope", "archive.write")));
    let code = |page: &Consent| {
        crate::support::oauth::parameter(&page.approve(&vault).location(), "code").unwrap()
    };
    let (wide, narrow) = (code(&wide), code(&narrow));
    // A scope parameter here means nothing (RFC 6749 section 4.1.3).
    let more = [("scope", "memory.read memory.write")];
    assert_eq!(
        Tokens::of(&app.exchange(&narrow, &more)).scope,
        "memory.read"
    );
    assert_eq!(
        Tokens::of(&app.exchange(&wide, &[])).scope,
        "archive.read archive.write"
    );
}
