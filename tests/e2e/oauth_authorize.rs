//! The authorization endpoint as an app uses it: which requests reach the owner, which errors reach the app, and what the
//! answer carries. What the owner sees and decides is in `oauth_consent`.

use serde_json::json;

use crate::support::oauth::{
    App, Consent, audited, challenge, parameter, parameters, query, rows, with,
};
use crate::support::{Answer, Vault};

fn app_at<'a>(vault: &'a Vault, uris: &[&str]) -> App<'a> {
    App::register_with(
        vault,
        json!({ "client_name": "Claude", "redirect_uris": uris, "token_endpoint_auth_method": "none" }),
    )
}

/// A page that says no, and sends the browser nowhere.
#[track_caller]
fn is_a_page(answer: &Answer, why: &str) {
    assert_eq!(answer.status, 400, "{why}: {}", answer.body);
    assert_eq!(answer.header("Location"), "", "{why}");
    assert!(
        answer.header("Content-Type").starts_with("text/html"),
        "{why}"
    );
    assert!(answer.body.contains("This app cannot be let in"), "{why}");
}

#[test]
fn nothing_is_redirected_before_client_and_address_are_known() {
    // RFC 6749 section 4.1.2.1; every request here has other faults too, which must not matter
    let vault = Vault::start();
    let app = app_at(&vault, &["https://client.test/cb", "https://client.test/2"]);
    let good = app.request();
    let faulty = with(&good, "response_type", "token");
    for (why, parameters) in [
        ("no client", with(&faulty, "client_id", "")),
        ("unknown client", with(&faulty, "client_id", "app_nobody")),
        (
            "another address",
            with(&faulty, "redirect_uri", "https://evil.test/cb"),
        ),
        (
            "script",
            with(&faulty, "redirect_uri", "javascript:alert(1)"),
        ),
        ("which of two", with(&faulty, "redirect_uri", "")),
        ("nothing at all", Vec::new()),
    ] {
        is_a_page(&app.open(&parameters), why);
    }
    assert_eq!(rows(&vault, "oauth_requests"), 0);
}

#[test]
fn the_only_registered_address_may_be_left_out() {
    // RFC 6749 section 3.1.2.3
    let vault = Vault::start();
    let app = app_at(&vault, &["https://client.test/cb"]);
    let page = Consent::of(&app.open(&with(&app.request(), "redirect_uri", "")));
    assert!(
        page.approve(&vault)
            .location()
            .starts_with("https://client.test/cb?code=mvc_")
    );
}

#[test]
fn an_address_matches_letter_for_letter() {
    // RFC 9700 section 4.1.3, OAuth 2.1 section 2.3.1
    let vault = Vault::start();
    let app = app_at(&vault, &["https://client.test/cb?tenant=1"]);
    for uri in [
        "https://client.test/cb",
        "https://client.test/cb?tenant=1&",
        "https://client.test/cb?tenant=1&x=2",
        "https://client.test/cb?tenant=%31",
        "https://client.test/CB?tenant=1",
        "https://Client.test/cb?tenant=1",
        "HTTPS://client.test/cb?tenant=1",
        "http://client.test/cb?tenant=1",
        "https://client.test:443/cb?tenant=1",
        "https://client.test./cb?tenant=1",
        "https://client.test/x/../cb?tenant=1",
        "https://client.test/cb?tenant=1#",
        "https://client.test\\@evil.test/cb?tenant=1",
        "https://client.test@evil.test/cb?tenant=1",
        "https://evil.test/https://client.test/cb?tenant=1",
        "https://client.test.evil.test/cb?tenant=1",
        " https://client.test/cb?tenant=1",
        "https://client.test/cb?tenant=1\n",
    ] {
        is_a_page(&app.open(&with(&app.request(), "redirect_uri", uri)), uri);
    }
    let location = Consent::of(&app.open(&app.request()))
        .approve(&vault)
        .location();
    assert!(
        location.starts_with("https://client.test/cb?tenant=1&code=mvc_"),
        "{location}"
    );
}

#[test]
fn a_loopback_address_may_have_any_port() {
    // U-167, RFC 8252 section 7.3
    let vault = Vault::start();
    let app = app_at(
        &vault,
        &[
            "http://localhost/callback",
            "http://127.0.0.1:33418/",
            "http://[::1]/callback",
        ],
    );
    let open = |uri: &str| app.open(&with(&app.request(), "redirect_uri", uri));
    for uri in [
        "http://localhost:49567/callback",
        "http://localhost/callback",
        "http://127.0.0.1:49567/",
        "http://127.0.0.1/",
        "http://[::1]:49567/callback",
    ] {
        let location = Consent::of(&open(uri)).approve(&vault).location();
        assert!(location.starts_with(&format!("{uri}?code=")), "{location}");
    }
    for uri in [
        "http://localhost:49567/other",
        "http://localhost:49567/callback/",
        "http://localhost:49567/callback?x=1",
        "https://localhost:49567/callback",
        "http://127.0.0.1:49567/callback",
        "http://127.0.0.2:49567/",
        "http://[::1]:49567/",
        "http://localhost.evil.test:49567/callback",
        "http://evil.test:49567/callback",
        "http://localhost:49567@evil.test/callback",
        "http://localhost:99999/callback",
        "http://0.0.0.0:33418/",
        "http://127.1:33418/",
        "http://[::ffff:127.0.0.1]:33418/",
    ] {
        is_a_page(&open(uri), uri);
    }
}

#[test]
fn the_port_of_another_host_is_not_free() {
    // U-167
    let vault = Vault::start();
    let app = app_at(&vault, &["https://client.test/cb"]);
    let uri = "https://client.test:8443/cb";
    is_a_page(&app.open(&with(&app.request(), "redirect_uri", uri)), uri);
}

#[test]
fn the_app_hears_of_its_other_faults_with_state_and_issuer() {
    // RFC 6749 section 4.1.2.1, RFC 9207 section 2, RFC 7636 section 4.4.1, RFC 8707 section 2; U-170
    let vault = Vault::start();
    let app = app_at(&vault, &["https://client.test/cb"]);
    let good = app.request();
    let short = &challenge()[..42];
    for (parameters, code) in [
        (
            with(&good, "response_type", ""),
            "unsupported_response_type",
        ),
        (
            with(&good, "response_type", "token"),
            "unsupported_response_type",
        ),
        (
            with(&good, "response_type", "code token"),
            "unsupported_response_type",
        ),
        (with(&good, "response_mode", "fragment"), "invalid_request"),
        (with(&good, "code_challenge", ""), "invalid_request"),
        (with(&good, "code_challenge_method", ""), "invalid_request"),
        (
            with(&good, "code_challenge_method", "plain"),
            "invalid_request",
        ),
        (
            with(&good, "code_challenge_method", "s256"),
            "invalid_request",
        ),
        (
            with(&good, "code_challenge_method", "S512"),
            "invalid_request",
        ),
        (with(&good, "code_challenge", short), "invalid_request"),
        (
            with(&good, "code_challenge", &format!("{short}=")),
            "invalid_request",
        ),
        (
            with(&good, "resource", "https://evil.test"),
            "invalid_target",
        ),
        (with(&good, "scope", "openid email"), "invalid_scope"),
    ] {
        let answer = app.open(&parameters);
        assert_eq!(answer.status, 302, "{parameters:?}");
        let location = answer.location();
        assert!(
            location.starts_with("https://client.test/cb?error="),
            "{location}"
        );
        let named: Vec<(String, String)> = super::support::oauth::parameters(&location);
        let names: Vec<&str> = named.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["error", "error_description", "state", "iss"]);
        assert_eq!(named[0].1, code, "{parameters:?}");
        assert_eq!((named[2].1.as_str(), &named[3].1), ("st-1", &vault.url()));
        assert_eq!(answer.header("Cache-Control"), "no-store");
    }
    assert_eq!(rows(&vault, "oauth_requests"), 0);
}

#[test]
fn a_good_answer_carries_code_state_and_issuer_once_each() {
    // U-181, RFC 9207 section 2
    let vault = Vault::start();
    let app = app_at(&vault, &["https://client.test/cb"]);
    let state = format!(
        "{}&code=x&iss=https://evil.test#€ \u{1f511}+%26%00\"<>",
        "ä/?".repeat(600)
    );
    assert!(state.len() > 2_048);
    let issuer = vault
        .get("/.well-known/oauth-authorization-server")
        .expect(200)["issuer"]
        .clone();
    let request = with(&app.request(), "state", &state);
    let back = |location: &str, first: &str| {
        let named = parameters(location);
        assert_eq!(named[0].0, first);
        let of = |name: &str| -> Vec<String> {
            let found = named.iter().filter(|(known, _)| known == name);
            found.map(|(_, value)| value.clone()).collect()
        };
        assert_eq!(of(first).len(), 1);
        assert_eq!(of("state"), std::slice::from_ref(&state));
        assert_eq!(of("iss"), [issuer.as_str().unwrap()]);
    };
    let approved = Consent::of(&app.open(&request)).approve(&vault).location();
    back(&approved, "code");
    assert_eq!(parameters(&approved).len(), 3);
    let denied = Consent::of(&app.open(&request))
        .answer(&vault, "deny", &[])
        .location();
    back(&denied, "error");
    let faulty = app
        .open(&with(&request, "code_challenge_method", "plain"))
        .location();
    back(&faulty, "error");
}

#[test]
fn state_is_optional_and_bounded() {
    let vault = Vault::start();
    let app = app_at(&vault, &["https://client.test/cb"]);
    let none = Consent::of(&app.open(&with(&app.request(), "state", "")))
        .approve(&vault)
        .location();
    assert_eq!(parameter(&none, "state"), None);
    let longest = "s".repeat(4_096);
    let kept = Consent::of(&app.open(&with(&app.request(), "state", &longest)))
        .approve(&vault)
        .location();
    assert_eq!(parameter(&kept, "state"), Some(longest.clone()));
    let longer = with(&app.request(), "state", &format!("{longest}s"));
    is_a_page(&app.open(&longer), "state");
}

#[test]
fn a_parameter_comes_once() {
    // RFC 6749 section 3.1; some clients send one resource twice
    let vault = Vault::start();
    let app = app_at(&vault, &["https://client.test/cb"]);
    let resource = format!("{}/mcp", vault.url());
    let request = with(&app.request(), "resource", &resource);
    let request = with(&request, "scope", "memory.read");
    for (name, value) in &request {
        let mut twice = request.clone();
        twice.push((name, value.clone()));
        match *name {
            "resource" => drop(Consent::of(&app.open(&twice))),
            _ => is_a_page(&app.open(&twice), name),
        }
    }
    let mut two_resources = request.clone();
    two_resources.push(("resource", vault.url()));
    is_a_page(&app.open(&two_resources), "two resources");
    let mut unknown = request.clone();
    unknown.extend([("prompt", "consent".into()), ("prompt", "login".into())]);
    Consent::of(&app.open(&unknown));
}

#[test]
fn a_response_mode_of_query_and_unknown_parameters_are_fine() {
    // The SDKs send prompt=consent
    let vault = Vault::start();
    let app = app_at(&vault, &["https://client.test/cb"]);
    let request = with(&app.request(), "response_mode", "query");
    let request = with(&request, "prompt", "none");
    let answer = app.open(&with(&request, "nonce", "n"));
    assert!(Consent::of(&answer).ticked.len() == 2);
}

#[test]
fn what_an_app_asks_for_is_what_is_ticked() {
    let vault = Vault::start();
    let app = app_at(&vault, &["https://client.test/cb"]);
    let ticked = |scope: &str| Consent::of(&app.open(&with(&app.request(), "scope", scope))).ticked;
    assert_eq!(ticked(""), ["memory.read", "memory.write"]);
    assert_eq!(ticked("memory.read"), ["memory.read"]);
    assert_eq!(ticked("memory.write"), ["memory.read", "memory.write"]);
    assert_eq!(ticked("archive.write"), ["archive.read", "archive.write"]);
    // Unknown words are dropped (RFC 6749 section 3.3); offline_access is no box of its own.
    assert_eq!(
        ticked("offline_access memory.read openid admin"),
        ["memory.read"]
    );
    assert_eq!(ticked("offline_access"), ["memory.read", "memory.write"]);
    let page = app.open(&with(&app.request(), "scope", "offline_access"));
    assert!(!page.body.contains("offline_access"));
}

#[test]
fn without_a_sign_in_there_is_no_page_and_no_redirect() {
    // U-182: Access keeps the address it sends to its sign-in; the vault itself redirects nowhere, so nothing loops
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let path = format!("/authorize?{}", query(&app.request()));
    for headers in [
        &[("X-Forwarded-For", "192.0.2.1")][..],
        &[("X-Forwarded-For", "192.0.2.1"), ("Accept", "text/html")],
    ] {
        let answer = vault.send("GET", &path, headers, None);
        assert_eq!((answer.status, answer.header("Location")), (401, ""));
        assert!(!answer.body.contains("<form"));
    }
    assert_eq!(rows(&vault, "oauth_requests"), 0);
    // Signed in, the same address shows the same question.
    assert_eq!(vault.get(&path).status, 200);
}

#[test]
fn a_question_waits_ten_minutes_and_only_so_many_wait() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let early = Consent::of(&app.open(&app.request()));
    let late = Consent::of(&app.open(&app.request()));
    vault.shift_clock_seconds(590);
    assert_eq!(early.approve(&vault).status, 303);
    vault.shift_clock_seconds(601);
    assert_eq!(late.approve(&vault).status, 409);
    for _ in 0..105 {
        app.open(&app.request());
    }
    assert_eq!(rows(&vault, "oauth_requests"), 100);
    assert_eq!(audited(&vault, "connect_app").len(), 1);
}
