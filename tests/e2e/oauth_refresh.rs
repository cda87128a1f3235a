//! Refresh tokens (OAuth 2.1 section 4.3): rotation that survives parallel processes and lost answers, and still notices
//! a thief.

use std::sync::Barrier;

use serde_json::{Value, json};

use crate::support::Vault;
use crate::support::oauth::{App, Tokens, audited, grants, rows, status_of};

/// An app named Claude that has just signed in.
fn signed_in(vault: &Vault) -> (App<'_>, Tokens) {
    let app = App::register(vault, "Claude");
    let tokens = app.sign_in();
    (app, tokens)
}

#[track_caller]
fn refresh(app: &App<'_>, tokens: &Tokens) -> Tokens {
    Tokens::of(&app.refresh(&tokens.refresh, &[]))
}

/// Neither half of the pair is good for anything.
#[track_caller]
fn is_dead(app: &App<'_>, tokens: &Tokens) {
    let answer = app.refresh(&tokens.refresh, &[]);
    assert_eq!(answer.oauth_error(400), "invalid_grant");
    assert_eq!(status_of(app.vault, &tokens.access), 401);
}

#[test]
fn a_refresh_gives_a_new_pair_and_the_old_access_token_lives_out_its_hour() {
    // RFC 6749 section 6, OAuth 2.1 section 4.3.1
    let vault = Vault::start();
    let (app, first) = signed_in(&vault);
    let answer = app.refresh(&first.refresh, &[]);
    assert_eq!(
        (answer.header("Cache-Control"), answer.header("Pragma")),
        ("no-store", "no-cache")
    );
    let second = Tokens::of(&answer);
    assert!(second.access != first.access && second.refresh != first.refresh);
    assert_eq!(
        (second.scope.as_str(), &answer.json()["expires_in"]),
        ("memory.read memory.write", &json!(3_600))
    );
    assert_eq!(status_of(&vault, &first.access), 200);
    assert_eq!(status_of(&vault, &second.access), 200);
}

#[test]
fn an_outlived_access_token_is_refused_and_a_refresh_helps() {
    // U-173
    let vault = Vault::start();
    let (app, tokens) = signed_in(&vault);
    vault.shift_clock_seconds(3_590);
    assert_eq!(status_of(&vault, &tokens.access), 200);
    vault.shift_clock_seconds(3_601);
    let late = vault
        .mcp_with(&tokens.access)
        .request("tools/list", json!({}));
    assert!(
        late.header("WWW-Authenticate")
            .starts_with("Bearer error=\"invalid_token\"")
    );
    assert_eq!(late.refused(401), "unauthenticated");
    assert_eq!(status_of(&vault, &refresh(&app, &tokens).access), 200);
}

#[test]
fn two_refreshes_at_once_both_give_usable_tokens() {
    // U-174: claude.ai refreshes from two addresses
    let vault = Vault::start();
    let (app, first) = signed_in(&vault);
    let one = refresh(&app, &first);
    vault.shift_clock_seconds(30);
    let two = refresh(&app, &first);
    for child in [&one, &two] {
        assert_eq!(status_of(&vault, &child.access), 200);
        assert_eq!(status_of(&vault, &refresh(&app, child).access), 200);
    }
    // The late replay, after a child was used, is the documented end.
    vault.shift_clock_seconds(120);
    is_dead(&app, &first);
    is_dead(&app, &one);
    assert_eq!(grants(&vault).len(), 0);
}

#[test]
fn ten_parallel_refreshes_leave_ten_working_chains() {
    // Parallel processes share one refresh token
    let vault = Vault::start();
    let (app, first) = signed_in(&vault);
    let gate = Barrier::new(10);
    let children: Vec<Tokens> = std::thread::scope(|scope| {
        let runs: Vec<_> = (0..10)
            .map(|_| {
                scope.spawn(|| {
                    gate.wait();
                    refresh(&app, &first)
                })
            })
            .collect();
        runs.into_iter().map(|run| run.join().unwrap()).collect()
    });
    assert_eq!(rows(&vault, "oauth_tokens"), 11);
    vault.shift_clock_seconds(300);
    for child in &children {
        assert_eq!(status_of(&vault, &child.access), 200);
        assert_eq!(status_of(&vault, &refresh(&app, child).access), 200);
    }
    assert_eq!(audited(&vault, "refresh_reuse").len(), 0);
}

#[test]
fn a_replay_an_hour_later_ends_the_grant() {
    // OAuth 2.1 section 4.3.1, RFC 9700 section 4.14.2
    let vault = Vault::start();
    let (app, first) = signed_in(&vault);
    let other = App::register(&vault, "Codex").sign_in();
    let second = refresh(&app, &first);
    let third = refresh(&app, &second);
    vault.shift_clock_seconds(3_000);
    assert_eq!(status_of(&vault, &third.access), 200);
    for tokens in [&first, &third, &second] {
        is_dead(&app, tokens);
    }
    let rows = audited(&vault, "refresh_reuse");
    assert_eq!((rows.len(), &rows[0]["actor"]), (1, &json!("mcp:Claude")));
    assert!(rows[0]["subject"].as_str().unwrap().starts_with("gra_"));
    // Nobody else is touched, and the owner may let the app in again.
    assert_eq!(status_of(&vault, &other.access), 200);
    assert_eq!(status_of(&vault, &app.sign_in().access), 200);
}

#[test]
fn using_the_new_access_token_alone_makes_a_replay_a_theft() {
    let vault = Vault::start();
    let (app, first) = signed_in(&vault);
    let second = refresh(&app, &first);
    assert_eq!(status_of(&vault, &second.access), 200);
    vault.shift_clock_seconds(70);
    is_dead(&app, &first);
    is_dead(&app, &second);
}

#[test]
fn a_lost_answer_heals_again_and_again() {
    // U-174: nobody used what was given out, so the client comes again with what it has
    let vault = Vault::start();
    let (app, first) = signed_in(&vault);
    assert_eq!(status_of(&vault, &first.access), 200);
    let mut lost = Vec::new();
    for minutes in [0, 2, 60, 1_440] {
        vault.shift_clock_seconds(minutes * 60);
        lost.push(refresh(&app, &first));
    }
    let arrived = lost.pop().unwrap();
    assert_eq!(status_of(&vault, &arrived.access), 200);
    for child in &lost {
        is_dead(&app, child);
    }
    // The dropped ones ended nothing.
    assert_eq!(status_of(&vault, &arrived.access), 200);
    refresh(&app, &arrived);
    assert_eq!(audited(&vault, "refresh_reuse").len(), 0);
}

#[test]
fn a_late_retry_within_the_grace_of_a_healed_token_is_a_retry() {
    let vault = Vault::start();
    let (app, first) = signed_in(&vault);
    refresh(&app, &first);
    vault.shift_clock_seconds(600);
    let healed = refresh(&app, &first);
    vault.shift_clock_seconds(630);
    let retried = refresh(&app, &first);
    for child in [healed, retried] {
        assert_eq!(status_of(&vault, &child.access), 200);
    }
}

#[test]
fn a_refused_refresh_uses_nothing_up() {
    // U-176
    let vault = Vault::start();
    let (app, first) = signed_in(&vault);
    let stranger = App::register(&vault, "Stranger");
    let untouched = || {
        vault.sql("SELECT count(*), count(exchanged_at), count(revoked_at) FROM oauth_tokens")[0]
            .clone()
    };
    for (more, code) in [
        (("resource", "https://evil.test"), "invalid_target"),
        (("scope", "archive.read"), "invalid_scope"),
        (("scope", "admin"), "invalid_scope"),
        (("refresh_token", ""), "invalid_request"),
        (("refresh_token", "mvr_x"), "invalid_grant"),
        (("grant_type", "password"), "unsupported_grant_type"),
    ] {
        let answer = app.refresh(&first.refresh, &[more]);
        assert_eq!(answer.oauth_error(400), code, "{more:?}");
    }
    let answer = app.refresh(&first.refresh, &[("client_id", "app_nobody")]);
    assert_eq!(answer.oauth_error(401), "invalid_client");
    let answer = stranger.refresh(&first.refresh, &[]);
    assert_eq!(answer.oauth_error(400), "invalid_grant");
    let answer = app.refresh(&first.access, &[]);
    assert_eq!(answer.oauth_error(400), "invalid_grant");
    assert_eq!(untouched(), [json!(1), json!(0), json!(0)]);
    vault.shift_clock_seconds(600);
    refresh(&app, &first);
    // Nor does a stranger with a replaced token end anything.
    refresh(&app, &refresh(&app, &first));
    vault.shift_clock_seconds(6_000);
    let answer = stranger.refresh(&first.refresh, &[]);
    assert_eq!(answer.oauth_error(400), "invalid_grant");
    assert_eq!(grants(&vault).len(), 1);
}

#[test]
fn a_refresh_may_ask_for_less_but_never_for_more() {
    // RFC 6749 section 6: without a scope, the same
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let first = app.sign_in_for("memory.write");
    let asking = |tokens: &Tokens, scope: &str| {
        Tokens::of(&app.refresh(&tokens.refresh, &[("scope", scope)]))
    };
    let narrow = asking(&first, "memory.read");
    assert_eq!(narrow.scope, "memory.read");
    let refused = vault.mcp_with(&narrow.access).request(
        "tools/call",
        json!({ "name": "remember", "arguments": { "content": "x" } }),
    );
    assert_eq!(refused.status, 403);
    // The grant is what the owner allowed, whatever one token carries (RFC 6749 section 6, last paragraph).
    let whole = asking(&narrow, "");
    assert_eq!(whole.scope, "memory.read memory.write");
    let wider = asking(
        &whole,
        "memory.read memory.write archive.read archive.write offline_access",
    );
    assert_eq!(wider.scope, "memory.read memory.write");
    assert_eq!(
        grants(&vault)[0]["scopes"],
        json!(["memory.read", "memory.write"])
    );
}

#[test]
fn a_scope_that_was_enough_to_sign_in_is_enough_to_refresh() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    for scope in [
        "offline_access",
        "memory.read offline_access",
        "openid memory.read",
    ] {
        let first = app.sign_in_for(scope);
        let second = Tokens::of(&app.refresh(&first.refresh, &[("scope", scope)]));
        assert_eq!(second.scope, first.scope, "{scope}");
    }
}

#[test]
fn what_an_app_holds_survives_a_crash() {
    let mut vault = Vault::start();
    let (id, first) = {
        let (app, first) = signed_in(&vault);
        refresh(&app, &first);
        (app.id, first)
    };
    vault.kill_and_restart();
    // The vault has another address now, which is another audience; the grant and its refresh token hold.
    assert_eq!(status_of(&vault, &first.access), 401);
    let app = App {
        vault: &vault,
        id,
        secret: None,
        redirect_uri: String::new(),
    };
    assert_eq!(status_of(&vault, &refresh(&app, &first).access), 200);
}

#[test]
fn only_the_hash_of_the_presented_token_decides() {
    let vault = Vault::start();
    let (app, first) = signed_in(&vault);
    for token in [
        first.refresh.to_uppercase(),
        format!("{} ", first.refresh),
        format!("{}=", first.refresh),
        first.refresh[..46].to_owned(),
        "%".into(),
        "' OR 1=1 --".into(),
    ] {
        let answer = app.refresh(&token, &[]);
        assert_eq!(answer.oauth_error(400), "invalid_grant", "{token}");
    }
    let hash: Value = vault.sql("SELECT refresh_hash FROM oauth_tokens")[0][0].clone();
    let answer = app.refresh(hash.as_str().unwrap(), &[]);
    assert_eq!(answer.oauth_error(400), "invalid_grant");
}
