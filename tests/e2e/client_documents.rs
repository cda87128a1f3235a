//! Apps whose client id is the address of their own description (OAuth Client ID Metadata Documents).

mod freshness;

use serde_json::{Value, json};

use crate::support::deployed::{self, Deployed};
use crate::support::oauth::{self, App, Consent};
use crate::support::{Answer, Internet, Vault, encode};

const ID: &str = "https://client.example.test/oauth/client.json";
const CALLBACK: &str = "https://client.example.test/callback";

fn start() -> (Vault, Internet) {
    Vault::start_on_internet(&[("DEV_OWNER_EMAIL", "ada@localhost")])
}

/// A good document at this address, changed by `members`; null takes one away.
fn document_at(id: &str, members: &Value) -> Value {
    let mut document = json!({
        "client_id": id,
        "client_name": "Claude",
        "redirect_uris": [CALLBACK],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
    });
    for (name, value) in members.as_object().unwrap() {
        if value.is_null() {
            document.as_object_mut().unwrap().remove(name);
        } else {
            document[name] = value.clone();
        }
    }
    document
}

fn document(members: &Value) -> Value {
    document_at(ID, members)
}

fn app<'a>(vault: &'a Vault, id: &str, redirect_uri: &str) -> App<'a> {
    App {
        vault,
        id: id.to_owned(),
        secret: None,
        redirect_uri: redirect_uri.to_owned(),
    }
}

/// Opens the consent page for the app of this address.
fn open(vault: &Vault, id: &str) -> Answer {
    let app = app(vault, id, CALLBACK);
    app.open(&app.request())
}

#[track_caller]
fn assert_refused(answer: &Answer, sentence: &str) {
    assert_eq!(
        (answer.status, answer.header("Location")),
        (400, ""),
        "{}",
        answer.body
    );
    assert!(
        answer.body.contains(sentence),
        "{sentence}: {}",
        answer.body
    );
    assert!(!answer.body.contains("name=\"decision\""));
}

#[test]
fn an_app_known_by_its_document_signs_in_and_works() {
    // U-183
    let (vault, internet) = start();
    internet.serves(ID, &document(&json!({})));
    let claude = app(&vault, ID, CALLBACK);
    let tokens = claude.sign_in();
    let proposed = vault
        .mcp_with(&tokens.access)
        .tool("remember", json!({ "content": "The ferry leaves at nine" }));
    assert_eq!(proposed["status"], "proposed");
    let refreshed = oauth::Tokens::of(&claude.refresh(&tokens.refresh, &[]));
    assert_ne!(refreshed.access, tokens.access);
    let log = vault.get("/api/audit?action=propose").expect(200);
    assert_eq!(log["entries"][0]["actor"], "mcp:Claude");
    let asked = internet.asked();
    assert_eq!(asked.len(), 1, "one fetch for the whole sign-in");
    assert_eq!(
        (asked[0].method.as_str(), asked[0].url.as_str()),
        ("GET", ID)
    );
    for secret in ["cookie", "authorization", "referer"] {
        assert_eq!(asked[0].headers[secret], Value::Null, "{secret}");
    }
}

#[test]
fn the_consent_page_shows_the_host_that_is_verified() {
    // U-179
    let (vault, internet) = start();
    let elsewhere = "https://evil.example.test/cb";
    internet.serves(ID, &document(&json!({ "redirect_uris": [elsewhere] })));
    let app = app(&vault, ID, elsewhere);
    let page = app.open(&app.request());
    let html = Consent::of(&page).html;
    assert!(
        html.contains("verified: <bdi dir=\"ltr\">client.example.test</bdi>"),
        "{html}"
    );
    assert!(
        html.contains("<bdi dir=\"ltr\">evil.example.test</bdi>"),
        "{html}"
    );
    assert!(html.contains(ID) && !html.contains("not verified"));
}

#[test]
fn a_document_that_prefers_to_sign_and_can_do_without_is_taken() {
    // U-183, as ChatGPT's
    let (vault, internet) = start();
    let id = "https://chatgpt.example.test/oauth/plugin_1/client.json";
    let redirect = "https://chatgpt.example.test/connector/oauth/plugin_1";
    let members = json!({
        "client_name": "ChatGPT",
        "redirect_uris": [redirect],
        "token_endpoint_auth_method": "private_key_jwt",
        "token_endpoint_auth_methods_supported": ["private_key_jwt", "none"],
        "jwks_uri": "https://chatgpt.example.test/oauth/jwks.json",
        "logo_uri": "https://chatgpt.example.test/logo.png",
    });
    internet.serves(id, &document_at(id, &members));
    let tokens = app(&vault, id, redirect).sign_in();
    assert_eq!(tokens.scope, "memory.read memory.write");
    assert_eq!(
        internet.addresses(),
        [id],
        "neither keys nor logo are fetched"
    );
    let only = "https://chatgpt.example.test/oauth/plugin_2/client.json";
    let members = json!({ "token_endpoint_auth_method": "private_key_jwt" });
    internet.serves(only, &document_at(only, &members));
    assert_refused(&open(&vault, only), "token_endpoint_auth_method none");
}

#[test]
fn a_document_that_cannot_be_read_is_refused() {
    // U-183
    let (vault, internet) = start();
    let good = document(&json!({})).to_string();
    let long = |length: usize| format!("{good}{}", " ".repeat(length - good.len()));
    assert_refused(&open(&vault, ID), "did not answer");
    for (answer, sentence) in [
        (json!({ "status": 404, "body": good }), "status 404"),
        (json!({ "status": 201, "body": good }), "status 201"),
        (json!({ "status": 500 }), "status 500"),
        (json!({ "body": long(5 * 1024 + 1) }), "larger than 5 KB"),
        (
            json!({ "parts": [good, " ".repeat(3_000), " ".repeat(3_000)] }),
            "larger than 5 KB",
        ),
        (
            json!({ "parts": [good], "endless": true }),
            "larger than 5 KB",
        ),
        (json!({ "body": "<html>hello</html>" }), "one JSON object"),
        (json!({ "body": "" }), "one JSON object"),
        (json!({ "body": format!("[{good}]") }), "one JSON object"),
    ] {
        internet.plays(ID, answer);
        assert_refused(&open(&vault, ID), sentence);
    }
    assert_eq!(
        vault.get("/api/oauth/clients").expect(200)["clients"],
        json!([])
    );
    internet.plays(ID, json!({ "body": long(5 * 1024) }));
    assert_eq!(
        open(&vault, ID).status,
        200,
        "5 KB are allowed, and no failure was kept"
    );
}

#[test]
fn a_redirect_is_not_followed() {
    // U-183
    let (vault, internet) = start();
    let target = "https://other.example.test/client.json";
    internet.serves(target, &document(&json!({})));
    for status in [301, 302, 303, 307, 308] {
        internet.plays(
            ID,
            json!({ "status": status, "headers": { "Location": target } }),
        );
        assert_refused(&open(&vault, ID), &format!("status {status}"));
    }
    assert_eq!(internet.addresses(), [ID; 5]);
}

#[test]
fn a_slow_document_is_not_waited_for() {
    // U-183. What comes in the end would be good.
    let late = "https://late.example.test/client.json";
    let slow = "https://slow.example.test/client.json";
    let (vault, internet) = start();
    let text = |id: &str| document_at(id, &json!({})).to_string();
    internet.plays(late, json!({ "late_ms": 12_000, "body": text(late) }));
    let body = text(slow);
    let (first, rest) = body.split_at(20);
    internet.plays(slow, json!({ "stall_ms": 12_000, "parts": [first, rest] }));
    std::thread::scope(|scope| {
        for id in [late, slow] {
            let vault = &vault;
            scope.spawn(move || assert_refused(&open(vault, id), "took too long"));
        }
        // Others are served meanwhile.
        assert_eq!(vault.get("/api/status").status, 200);
    });
}

#[test]
fn a_document_that_says_the_wrong_thing_is_refused() {
    // U-183
    let (vault, internet) = start();
    for (members, sentence) in [
        (
            json!({ "client_id": "https://client.example.test/oauth/other.json" }),
            "exactly the document",
        ),
        (
            json!({ "client_id": "https://CLIENT.example.test/oauth/client.json" }),
            "exactly the document",
        ),
        (json!({ "client_id": null }), "exactly the document"),
        (json!({ "client_name": null }), "client_name"),
        (json!({ "redirect_uris": null }), "redirect_uris"),
        (json!({ "redirect_uris": [] }), "redirect_uris"),
        (
            json!({ "redirect_uris": [CALLBACK, "javascript:alert(1)"] }),
            "dangerous",
        ),
        (json!({ "client_secret": "hush" }), "no client secret"),
        (
            json!({ "jwks": { "keys": [{ "kty": "EC", "d": "AA" }] } }),
            "no private keys",
        ),
        (
            json!({ "token_endpoint_auth_method": "client_secret_post" }),
            "token_endpoint_auth_method none",
        ),
        (json!({ "response_types": ["token"] }), "response type code"),
    ] {
        internet.serves(ID, &document(&members));
        let answer = open(&vault, ID);
        assert_refused(&answer, sentence);
        assert!(!answer.body.contains("hush"));
    }
}

#[test]
fn an_address_that_is_not_public_is_refused_and_not_asked() {
    // U-183
    let (vault, internet) = start();
    let own = format!("https://{}/client.json", vault.host());
    for id in [
        own.as_str(),
        "https://127.0.0.1/client.json",
        "https://127.1/client.json",
        "https://2130706433/client.json",
        "https://0x7f.1/client.json",
        "https://10.0.0.8/client.json",
        "https://169.254.169.254/latest/meta-data",
        "https://[::1]/client.json",
        "https://[::ffff:10.0.0.8]/client.json",
        "https://localhost/client.json",
        "https://localhost.:8443/client.json",
        "https://router/client.json",
        "https://nas.local/client.json",
        "https://vault.internal/client.json",
        "https://client.example.test./client.json",
        "https://user@client.example.test/client.json",
        "https://client.example.test/a/../client.json",
        "https://client.example.test/a/%2e%2e/client.json",
        "https://client.example.test",
        "https://client.example.test/",
        "https://client.example.test/client.json#part",
        "https://client.example.test\\@10.0.0.8/client.json",
        "https://cli\u{0435}nt.example.test/client.json",
    ] {
        let answer = open(&vault, id);
        assert_refused(&answer, "The client_id");
    }
    for id in [
        "http://client.example.test/client.json",
        "ftp://client.example.test/x",
        "HTTPS://client.example.test/x",
    ] {
        assert_refused(&open(&vault, id), "not registered here");
    }
    assert_eq!(internet.addresses(), [""; 0]);
}

#[test]
fn the_vaults_own_host_is_refused_and_not_asked() {
    // U-183
    let there = Deployed::start();
    for id in [
        "https://vault.example.test/client.json",
        "https://VAULT.example.test/client.json",
        "https://vault.example.test:8443/client.json",
        "https://vault.example.test./client.json",
    ] {
        let parameters = [
            ("response_type", "code".to_owned()),
            ("client_id", id.to_owned()),
            ("redirect_uri", CALLBACK.to_owned()),
            ("code_challenge", oauth::challenge()),
            ("code_challenge_method", "S256".to_owned()),
        ];
        let path = format!("/authorize?{}", oauth::query(&parameters));
        assert_refused(&there.get(&deployed::owner(), &path), "The client_id");
    }
    assert_eq!(there.internet.addresses(), [deployed::CERTS]);
}

#[test]
fn a_client_that_never_asked_is_not_looked_up_for_a_token() {
    // U-183: invalid_client
    let (vault, internet) = start();
    internet.serves(ID, &document(&json!({})));
    let app = app(&vault, ID, CALLBACK);
    assert_eq!(
        app.exchange("code_x", &[]).oauth_error(401),
        "invalid_client"
    );
    assert_eq!(app.refresh("ref_x", &[]).oauth_error(401), "invalid_client");
    assert_eq!(app.revoke("ref_x").oauth_error(401), "invalid_client");
    assert_eq!(internet.addresses(), [""; 0]);
}

#[test]
fn the_owner_removes_a_client_by_its_address() {
    let (vault, internet) = start();
    internet.serves(ID, &document(&json!({})));
    let claude = app(&vault, ID, CALLBACK);
    let tokens = claude.sign_in();
    let path = format!("/api/oauth/clients/{}", encode(ID));
    let listed = vault.get(&path).expect(200);
    assert_eq!(listed["id"], ID);
    assert_eq!(listed["verified_host"], "client.example.test");
    let ping = json!({ "query": "ferry" });
    vault.mcp_with(&tokens.access).tool("recall", ping);
    vault.delete(&path).expect(204);
    assert_eq!(vault.get(&path).refused(404), "not_found");
    assert_eq!(
        vault
            .mcp_with(&tokens.access)
            .request("tools/list", json!({}))
            .status,
        401
    );
    assert_eq!(
        claude.refresh(&tokens.refresh, &[]).oauth_error(401),
        "invalid_client"
    );
    assert_eq!(
        vault.get("/api/oauth/clients").expect(200)["clients"],
        json!([])
    );
}
