//! How a client proves itself at the token endpoint (RFC 6749 section 2.3).

use serde_json::json;

use crate::support::oauth::{App, Tokens, basic, exchange_body, query, rows, token};
use crate::support::{Answer, Vault};

fn confidential<'a>(vault: &'a Vault, method: &str) -> App<'a> {
    App::register_with(
        vault,
        json!({ "client_name": method, "redirect_uris": ["https://client.test/cb"], "token_endpoint_auth_method": method }),
    )
}

#[test]
fn an_unknown_client_is_401_so_that_it_registers_anew() {
    // RFC 6749 section 5.2
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let tokens = app.sign_in();
    let removed = vault.delete(&format!("/api/oauth/clients/{}", app.id));
    assert_eq!(removed.status, 204);
    let answer = app.refresh(&tokens.refresh, &[]);
    assert_eq!(answer.header("WWW-Authenticate"), "");
    assert_eq!(answer.header("Access-Control-Allow-Origin"), "*");
    assert_eq!(answer.oauth_error(401), "invalid_client");
    let nobody = app.exchange("x", &[("client_id", "")]);
    assert_eq!(nobody.oauth_error(401), "invalid_client");
}

#[test]
fn a_client_proves_itself_the_way_it_registered() {
    // RFC 6749 section 2.3, RFC 7591 section 2
    let vault = Vault::start();
    let public = App::register(&vault, "Public");
    let post = confidential(&vault, "client_secret_post");
    let header = confidential(&vault, "client_secret_basic");
    let (post_secret, basic_secret) =
        (post.secret.clone().unwrap(), header.secret.clone().unwrap());
    let in_body =
        |app: &App<'_>, code: &str, secret: &str| app.exchange(code, &[("client_secret", secret)]);
    let in_header = |app: &App<'_>, code: &str, secret: &str| {
        let headers = [("Authorization", &*basic(&app.id, secret))];
        token(&vault, &headers, &exchange_body(app, code, &[]))
    };
    let refused = |answer: Answer| assert_eq!(answer.oauth_error(401), "invalid_client");

    let code = post.code();
    refused(in_body(&post, &code, ""));
    refused(in_body(&post, &code, "mvs_wrong"));
    refused(in_body(&post, &code, &basic_secret));
    refused(in_header(&post, &code, &post_secret));
    in_body(&post, &code, &post_secret).expect(200);

    let code = header.code();
    refused(in_header(&header, &code, ""));
    let wrong = in_header(&header, &code, "mvs_wrong");
    assert_eq!(
        wrong.header("WWW-Authenticate"),
        "Basic realm=\"memory-vault\""
    );
    refused(wrong);
    refused(in_body(&header, &code, &basic_secret));
    refused(header.exchange(&code, &[]));
    let tokens = Tokens::of(&in_header(&header, &code, &basic_secret));

    let code = public.code();
    refused(in_body(&public, &code, "mvs_any"));
    refused(in_header(&public, &code, "mvs_any"));
    public.exchange(&code, &[]).expect(200);

    // The refresh token alone is not enough for a client with a secret.
    refused(header.refresh(&tokens.refresh, &[]));
    let fields = [
        ("grant_type", "refresh_token".to_owned()),
        ("refresh_token", tokens.refresh.clone()),
    ];
    let headers = [("Authorization", &*basic(&header.id, &basic_secret))];
    token(&vault, &headers, &query(&fields)).expect(200);
}

#[test]
fn a_basic_header_is_read_as_the_rfc_says() {
    // RFC 6749 section 2.3.1, RFC 7617 section 2
    let vault = Vault::start();
    let app = confidential(&vault, "client_secret_basic");
    let secret = app.secret.clone().unwrap();
    let code = app.code();
    let good = basic(&app.id, &secret);
    let raw = |text: &str| basic(text, "").trim_end_matches('=').to_owned();
    for header in [
        "Basic",
        "Basic ",
        "Basic !!!",
        "Basic YQ",
        &raw("no-colon-here").replace("Og", ""),
        &basic(&app.id, &format!("{secret}%")),
        &basic(&app.id, &format!("{secret}%zz")),
        &basic(&format!("{}%ff", app.id), &secret),
        &basic(&app.id.to_uppercase(), &secret),
        &good.replace("Basic", "Bearer"),
        &good.replace("Basic ", "Basic,"),
        &format!("{good} x"),
    ] {
        let answer = token(
            &vault,
            &[("Authorization", header)],
            &exchange_body(&app, &code, &[]),
        );
        assert_eq!(answer.oauth_error(401), "invalid_client", "{header}");
    }
    for (name, value) in [
        ("client_secret", secret.as_str()),
        ("client_id", "app_other"),
    ] {
        let body = exchange_body(&app, &code, &[(name, value)]);
        let answer = token(&vault, &[("Authorization", &good)], &body);
        assert_eq!(answer.oauth_error(400), "invalid_request", "{name}");
    }
    assert_eq!(rows(&vault, "oauth_tokens"), 0);
    // Parts are form-encoded before base64, the scheme's case does not matter, the id may be repeated in the body.
    let encoded = format!("%{:02X}{}", app.id.as_bytes()[0], &app.id[1..]);
    let spelt = basic(&encoded, &secret.replace('_', "%5f")).replace("Basic", "bAsIc");
    let body = exchange_body(&app, &code, &[("client_id", &app.id)]);
    token(&vault, &[("Authorization", &spelt)], &body).expect(200);
}
