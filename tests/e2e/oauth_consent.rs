//! The owner lets an app in, or not: what the page shows, whose answer counts, and what it gives.

use serde_json::{Value, json};

use crate::support::deployed::{Deployed, owner, person, rs256};
use crate::support::oauth::{
    App, Consent, Tokens, audited, form, grants, parameter, query, rows, sql_of, with,
};
use crate::support::{Answer, Vault};

fn app_at<'a>(vault: &'a Vault, name: &str, uri: &str) -> App<'a> {
    App::register_with(
        vault,
        json!({ "client_name": name, "redirect_uris": [uri], "token_endpoint_auth_method": "none" }),
    )
}

/// The owner's answer with these headers beside the content type.
fn post(vault: &Vault, headers: &[(&str, &str)], body: &str) -> Answer {
    form(vault, "/authorize", headers, body)
}

#[test]
fn the_page_shows_where_the_key_goes_and_who_vouches() {
    // U-179
    let vault = Vault::start();
    let app = app_at(&vault, "Claude", "https://evil.test/cb");
    let html = app.open(&app.request()).body;
    assert!(
        html.contains("<p class=\"host\"><bdi dir=\"ltr\">evil.test</bdi></p>"),
        "{html}"
    );
    assert!(html.contains("not verified") && html.contains(&app.id));
    assert!(html.contains("https://evil.test/cb") && html.contains("ada@localhost"));
    let local = App::register(&vault, "Claude");
    let html = local.open(&local.request()).body;
    assert!(html.contains("this computer") && html.contains("127.0.0.1:33418"));
    let opens = app_at(
        &vault,
        "Cursor",
        "cursor://anysphere.cursor-mcp/oauth/callback",
    );
    let html = opens.open(&opens.request()).body;
    assert!(html.contains("An app on this device gets the key") && html.contains("cursor:"));
}

#[test]
fn a_hostile_name_is_only_a_name() {
    // U-179
    let vault = Vault::start();
    let names = [
        "<script>alert(1)</script><img src=x onerror=alert(2)>",
        "\"><form action=//evil.test><input name=decision value=approve>",
        "</h1><p>verified: claude.ai</p>",
        "{{scopes}}{{token}}",
        "Claude\u{202e}\u{2066}\u{200b}\u{0}\r\n<b>verified</b>",
        &"W".repeat(5_000),
        &"e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}".repeat(300),
    ];
    let plain_app = app_at(&vault, "Claude", "https://client.test/cb");
    let plain = plain_app.open(&plain_app.request()).body;
    let tags = |html: &str| html.matches('<').count();
    for name in names {
        let app = app_at(&vault, name, "https://client.test/cb");
        let answer = app.open(&app.request());
        let html = &answer.body;
        assert_eq!(tags(html), tags(&plain), "{name}");
        for hidden in [
            "<script",
            "<img",
            "//evil.test>",
            "\u{202e}",
            "\u{2066}",
            "\u{200b}",
        ] {
            assert!(!html.contains(hidden), "{hidden:?} in {name}");
        }
        assert!(html.len() < plain.len() + 2_000, "{name}");
        assert_eq!(
            Consent::of(&answer).hidden.len(),
            2,
            "the form holds its own fields only"
        );
        assert!(
            answer
                .header("Content-Security-Policy")
                .starts_with("default-src 'none'; style-src 'sha256-")
        );
    }
}

#[test]
fn looking_at_the_page_lets_nobody_in() {
    // U-180: FastMCP fetches the address itself before it opens the browser
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let (one, two) = (app.open(&app.request()), app.open(&app.request()));
    for answer in [&one, &two] {
        assert_eq!((answer.status, answer.header("Location")), (200, ""));
        assert!(!answer.body.contains("mvc_") && !answer.body.contains("st-1"));
        let policy = answer.header("Content-Security-Policy");
        assert!(
            policy.contains("frame-ancestors 'none'") && !policy.contains("form-action"),
            "{policy}"
        );
        assert_eq!(answer.header("X-Frame-Options"), "DENY");
        assert_eq!(answer.header("Cache-Control"), "no-store");
        let cookie = answer.header("Set-Cookie");
        assert!(cookie.starts_with("vault-consent=mvf_"), "{cookie}");
        assert!(cookie.contains("; HttpOnly; SameSite=Lax"), "{cookie}");
        assert!(cookie.contains("; Path=/;"), "{cookie}");
    }
    assert_eq!(
        (rows(&vault, "oauth_grants"), rows(&vault, "oauth_codes")),
        (0, 0)
    );
    // Both pages can still be answered: looking again used nothing up.
    for answer in [one, two] {
        assert_eq!(Consent::of(&answer).approve(&vault).status, 303);
    }
}

#[test]
fn the_form_holds_a_handle_and_a_token_and_nothing_to_tamper_with() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let page = Consent::of(&app.open(&app.request()));
    let names: Vec<&str> = page.hidden.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["request", "token"]);
    // What a page adds to the form changes nothing.
    let more = [
        ("redirect_uri", "https://evil.test/cb".to_owned()),
        ("client_id", "app_other".to_owned()),
        ("state", "other".to_owned()),
    ];
    let body = format!(
        "{}&{}",
        page.body("approve", &["memory.read"]),
        query(&more)
    );
    let location = post(&vault, &[("Cookie", &page.cookie)], &body).location();
    assert!(location.starts_with("http://127.0.0.1:33418/callback?code="));
    assert_eq!(parameter(&location, "state").as_deref(), Some("st-1"));
}

#[test]
fn only_the_form_from_the_browser_that_was_asked_counts() {
    // U-180, RFC 9700 section 4.7.1
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let page = Consent::of(&app.open(&app.request()));
    let other = Consent::of(&app.open(&app.request()));
    assert_ne!(page.cookie, other.cookie);
    let ours = [("Cookie", page.cookie.as_str())];
    let good = page.body("approve", &["memory.read"]);
    let replaced = |place: usize, value: &str| {
        let mut page = page.clone();
        page.hidden[place].1 = value.to_owned();
        page.body("approve", &["memory.read"])
    };
    for (why, headers, body) in [
        ("no token", &ours[..], replaced(1, "")),
        ("another token", &ours, replaced(1, &other.hidden[1].1)),
        ("another question", &ours, replaced(0, &other.hidden[0].1)),
        ("no question", &ours, replaced(0, "ask_nothing")),
        ("no cookie", &[], good.clone()),
        (
            "another browser",
            &[("Cookie", other.cookie.as_str())],
            good.clone(),
        ),
        (
            "a made-up cookie",
            &[("Cookie", "vault-consent=mvf_x")],
            good.clone(),
        ),
    ] {
        let answer = post(&vault, headers, &body);
        assert_eq!(
            (answer.status, answer.header("Location")),
            (409, ""),
            "{why}"
        );
    }
    for (name, value) in [
        ("Origin", "https://evil.test"),
        ("Origin", "null"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ] {
        let answer = post(&vault, &[ours[0], (name, value)], &good);
        assert_eq!(answer.refused(403), "forbidden", "{name}: {value}");
    }
    assert_eq!(rows(&vault, "oauth_grants"), 0);
    // None of these used the question up.
    assert_eq!(post(&vault, &ours, &good).status, 303);
    let replayed = post(&vault, &ours, &good);
    assert_eq!((replayed.status, replayed.header("Location")), (409, ""));
    assert_eq!(rows(&vault, "oauth_grants"), 1);
}

#[test]
fn the_answer_is_a_form_with_a_decision() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let page = Consent::of(&app.open(&app.request()));
    let cookie = [("Cookie", page.cookie.as_str())];
    for decision in ["", "yes", "Approve"] {
        let answer = post(&vault, &cookie, &page.body(decision, &["memory.read"]));
        assert_eq!(answer.refused(400), "invalid_argument", "{decision}");
    }
    let json = vault.send(
        "POST",
        "/authorize",
        &[cookie[0], ("Content-Type", "application/json")],
        Some(br#"{"decision":"approve"}"#),
    );
    assert_eq!(json.status, 415);
    assert_eq!(rows(&vault, "oauth_grants"), 0);
}

#[test]
fn a_refusal_reaches_the_app_and_the_log() {
    // U-180, RFC 6749 section 4.1.2.1
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let page = Consent::of(&app.open(&app.request()));
    let answer = page.answer(&vault, "deny", &["memory.read"]);
    assert_eq!(answer.status, 303);
    let location = answer.location();
    let value = |name| parameter(&location, name).unwrap_or_default();
    assert_eq!(
        (value("error"), value("state"), value("iss"), value("code")),
        (
            "access_denied".into(),
            "st-1".into(),
            vault.url(),
            "".into()
        )
    );
    let row = &audited(&vault, "deny_app")[0];
    assert_eq!(
        (&row["actor"], &row["subject"], &row["details"]["client"]),
        (
            &json!("owner:ada@localhost"),
            &json!(app.id),
            &json!("Claude")
        )
    );
    assert_eq!(row["details"]["redirect_host"], "127.0.0.1:33418");
    assert_eq!(page.approve(&vault).status, 409);
    assert_eq!(rows(&vault, "oauth_grants"), 0);
    // Denied once is not denied for good.
    app.sign_in();
}

#[test]
fn approving_is_audited_with_what_was_allowed() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let page = Consent::of(&app.open(&app.request()));
    page.answer(&vault, "approve", &["memory.read"]);
    let row = &audited(&vault, "connect_app")[0];
    assert_eq!(row["actor"], "owner:ada@localhost");
    assert_eq!(
        row["details"],
        json!({ "client": "Claude", "client_id": app.id, "redirect_host": "127.0.0.1:33418", "scopes": ["memory.read"] })
    );
    assert!(row["subject"].as_str().unwrap().starts_with("gra_"));
}

#[test]
fn the_owner_may_allow_less_or_more_than_was_asked() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let granted = |asked: &str, ticked: &[&str]| {
        let page = Consent::of(&app.open(&with(&app.request(), "scope", asked)));
        let location = page.answer(&vault, "approve", ticked).location();
        let code = parameter(&location, "code").unwrap();
        Tokens::of(&app.exchange(&code, &[])).scope
    };
    assert_eq!(granted("memory.write", &["memory.read"]), "memory.read");
    assert_eq!(
        granted("memory.read", &["memory.read", "archive.read"]),
        "memory.read archive.read"
    );
    assert_eq!(
        granted("memory.read", &["memory.read", "admin", "*"]),
        "memory.read"
    );
    let scopes: Vec<Value> = grants(&vault)
        .iter()
        .map(|grant| grant["scopes"].clone())
        .collect();
    assert!(scopes.contains(&json!(["memory.read", "archive.read"])));
}

#[test]
fn nothing_ticked_asks_again_and_the_old_form_is_dead() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let first = Consent::of(&app.open(&app.request()));
    for ticked in [&[][..], &["admin"]] {
        let page = Consent::of(&app.open(&app.request()));
        let again = page.answer(&vault, "approve", ticked);
        assert_eq!((again.status, again.header("Location")), (400, ""));
        assert!(again.body.contains("Nothing is ticked"));
        assert_eq!(page.approve(&vault).status, 409);
        let again = Consent::of(&Answer {
            status: 200,
            ..again
        });
        assert_eq!(again.ticked, ["memory.read", "memory.write"]);
        assert_eq!(again.cookie, page.cookie);
        let location = again.answer(&vault, "approve", &["memory.read"]).location();
        assert_eq!(parameter(&location, "state").as_deref(), Some("st-1"));
    }
    // Denying needs no tick.
    assert_eq!(first.answer(&vault, "deny", &[]).status, 303);
}

#[test]
fn a_question_asked_again_says_how_long_it_still_waits() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let page = app.open(&app.request());
    assert!(page.body.contains("This page waits for 10 minutes"));
    vault.shift_clock_seconds(8 * 60 + 30);
    let again = Consent::of(&page).answer(&vault, "approve", &[]);
    assert!(again.body.contains("This page waits for 1 minute."));
    vault.shift_clock_seconds(10 * 60 + 1);
    let again = Consent::of(&Answer {
        status: 200,
        ..again
    });
    assert_eq!(again.approve(&vault).status, 409);
}

#[test]
fn two_tabs_of_one_browser_can_both_be_answered() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let first = Consent::of(&app.open(&app.request()));
    let path = format!("/authorize?{}", query(&app.request()));
    let second = vault.send("GET", &path, &[("Cookie", &first.cookie)], None);
    let second = Consent::of(&second);
    assert_eq!(first.cookie, second.cookie);
    for page in [first, second] {
        assert_eq!(page.approve(&vault).status, 303);
    }
}

#[test]
fn a_client_that_was_removed_meanwhile_is_not_let_in() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let page = Consent::of(&app.open(&app.request()));
    let removed = vault.delete(&format!("/api/oauth/clients/{}", app.id));
    assert_eq!(removed.status, 204);
    assert_eq!(page.approve(&vault).status, 409);
    assert_eq!(rows(&vault, "oauth_grants"), 0);
}

#[test]
fn a_question_is_answered_by_the_owner_who_was_asked() {
    // The waiting request is bound to the subject of the sign-in, on GET and on POST
    let there = Deployed::start();
    let (ada, bo) = (owner(), rs256(&person("bo@example.org")));
    let metadata = json!({ "redirect_uris": ["https://client.test/cb"], "token_endpoint_auth_method": "none" });
    let app = there
        .call(&ada, "POST", "/register", Some(metadata))
        .expect(201);
    let asked = query(&[
        ("response_type", "code".into()),
        ("client_id", app["client_id"].as_str().unwrap().into()),
        ("code_challenge", crate::support::oauth::challenge()),
        ("code_challenge_method", "S256".into()),
    ]);
    let page = Consent::of(&there.get(&ada, &format!("/authorize?{asked}")));
    let body = page.body("approve", &["memory.read"]);
    let answer = |assertion: Option<&str>| {
        let mut headers = vec![
            ("Cookie", page.cookie.as_str()),
            ("Content-Type", "application/x-www-form-urlencoded"),
            ("Origin", "https://vault.example.test"),
        ];
        headers.extend(assertion.map(|assertion| ("Cf-Access-Jwt-Assertion", assertion)));
        there.send("POST", "/authorize", &headers, Some(body.as_bytes()))
    };
    assert!(matches!(answer(None).status, 401 | 403));
    assert_eq!(answer(Some(&bo)).status, 409);
    assert_eq!(sql_of(&there, "SELECT count(*) FROM oauth_grants")[0][0], 0);
    let location = answer(Some(&ada)).location();
    assert_eq!(
        parameter(&location, "iss").as_deref(),
        Some("https://vault.example.test")
    );
}
