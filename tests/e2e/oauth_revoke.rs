//! An app gives a token back (RFC 7009).

use serde_json::json;

use crate::support::Vault;
use crate::support::oauth::{App, Tokens, audited, basic, form, grants, query, status_of};

#[test]
fn giving_back_the_refresh_token_ends_the_grant() {
    // RFC 7009 section 2.1
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let other_device = app.sign_in();
    let tokens = app.sign_in();
    let refreshed = Tokens::of(&app.refresh(&tokens.refresh, &[]));
    let answer = app.revoke(&refreshed.refresh);
    assert_eq!((answer.status, answer.body.as_str()), (200, ""));
    assert_eq!(
        (answer.header("Cache-Control"), answer.header("Pragma")),
        ("no-store", "no-cache")
    );
    assert_eq!(answer.header("Access-Control-Allow-Origin"), "*");
    for dead in [&tokens, &refreshed] {
        assert_eq!(status_of(&vault, &dead.access), 401);
        let answer = app.refresh(&dead.refresh, &[]);
        assert_eq!(answer.oauth_error(400), "invalid_grant");
    }
    let rows = audited(&vault, "disconnect_app");
    assert_eq!((rows.len(), &rows[0]["actor"]), (1, &json!("mcp:Claude")));
    assert_eq!(status_of(&vault, &other_device.access), 200);
    assert_eq!(grants(&vault).len(), 1);
}

#[test]
fn a_replaced_refresh_token_ends_the_grant_too() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let first = app.sign_in();
    let second = Tokens::of(&app.refresh(&first.refresh, &[]));
    assert_eq!(app.revoke(&first.refresh).status, 200);
    assert_eq!(status_of(&vault, &second.access), 401);
    assert_eq!(grants(&vault).len(), 0);
}

#[test]
fn giving_back_an_access_token_ends_that_token_alone() {
    // RFC 7009 section 2.1
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let first = app.sign_in();
    let second = Tokens::of(&app.refresh(&first.refresh, &[]));
    assert_eq!(app.revoke(&second.access).status, 200);
    assert_eq!(status_of(&vault, &second.access), 401);
    assert_eq!(status_of(&vault, &first.access), 200);
    let third = Tokens::of(&app.refresh(&second.refresh, &[]));
    assert_eq!(status_of(&vault, &third.access), 200);
}

#[test]
fn an_unknown_token_counts_as_revoked_whatever_the_hint() {
    // RFC 7009 section 2.2
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let tokens = app.sign_in();
    let send = |token: &str, hint: &str| {
        let fields = [
            ("token", token.to_owned()),
            ("token_type_hint", hint.to_owned()),
            ("client_id", app.id.clone()),
        ];
        form(&vault, "/revoke", &[], &query(&fields)).status
    };
    for token in ["mvr_x", "x", "a.b.c", "\u{1f511}", "mvc_x"] {
        for hint in ["access_token", "refresh_token", "nonsense", ""] {
            assert_eq!(send(token, hint), 200, "{token} {hint}");
        }
    }
    assert_eq!(status_of(&vault, &tokens.access), 200);
    // A wrong hint hides nothing.
    assert_eq!(send(&tokens.access, "refresh_token"), 200);
    assert_eq!(status_of(&vault, &tokens.access), 401);
    assert_eq!(send(&tokens.refresh, "access_token"), 200);
    assert_eq!(grants(&vault).len(), 0);
    assert_eq!(send(&tokens.refresh, "refresh_token"), 200, "twice");
}

#[test]
fn only_its_own_client_may_revoke_a_token() {
    // RFC 7009 section 2.1
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let stranger = App::register(&vault, "Stranger");
    let tokens = app.sign_in();
    for token in [&tokens.access, &tokens.refresh] {
        let answer = stranger.revoke(token);
        assert_eq!(answer.oauth_error(400), "invalid_grant");
    }
    let nobody = form(
        &vault,
        "/revoke",
        &[],
        &query(&[("token", tokens.refresh.clone())]),
    );
    assert_eq!(nobody.oauth_error(401), "invalid_client");
    assert_eq!(status_of(&vault, &tokens.access), 200);
    app.refresh(&tokens.refresh, &[]).expect(200);
}

#[test]
fn a_client_proves_itself_as_at_the_token_endpoint() {
    // RFC 7009 section 2.1, RFC 6749 section 2.3
    let vault = Vault::start();
    let app = App::register_with(
        &vault,
        json!({ "client_name": "Server", "redirect_uris": ["https://client.test/cb"] }),
    );
    let secret = app.secret.clone().unwrap();
    let header = basic(&app.id, &secret);
    let exchange = query(&[
        ("grant_type", "authorization_code".into()),
        ("code", app.code()),
        ("code_verifier", crate::support::oauth::VERIFIER.into()),
    ]);
    let headers = [("Authorization", header.as_str())];
    let tokens = Tokens::of(&form(&vault, "/token", &headers, &exchange));
    let body = query(&[("token", tokens.refresh.clone())]);
    assert_eq!(
        app.revoke(&tokens.refresh).oauth_error(401),
        "invalid_client"
    );
    let wrong = basic(&app.id, "mvs_wrong");
    let answer = form(&vault, "/revoke", &[("Authorization", &wrong)], &body);
    assert_eq!(answer.oauth_error(401), "invalid_client");
    assert_eq!(status_of(&vault, &tokens.access), 200);
    assert_eq!(form(&vault, "/revoke", &headers, &body).status, 200);
    assert_eq!(status_of(&vault, &tokens.access), 401);
}

#[test]
fn a_malformed_request_revokes_nothing() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let tokens = app.sign_in();
    let own = query(&[
        ("client_id", app.id.clone()),
        ("token", tokens.refresh.clone()),
    ]);
    assert_eq!(app.revoke("").oauth_error(400), "invalid_request");
    let twice = form(&vault, "/revoke", &[], &format!("{own}&token=x"));
    assert_eq!(twice.oauth_error(400), "invalid_request");
    let json = vault.post(
        "/revoke",
        json!({ "token": tokens.refresh, "client_id": app.id }),
    );
    assert_eq!(json.oauth_error(400), "invalid_request");
    assert_eq!(vault.get(&format!("/revoke?{own}")).status, 405);
    assert_eq!(status_of(&vault, &tokens.access), 200);
}
