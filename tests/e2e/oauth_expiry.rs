//! Time: when what an app holds runs out, what the alarm sweeps away, and how the signing key is replaced.

use serde_json::{Value, json};

use crate::support::Vault;
use crate::support::oauth::{
    App, Tokens, audited, grants, keep_signing_key, part, rows, status_of,
};

#[track_caller]
fn refresh(app: &App<'_>, tokens: &Tokens) -> Tokens {
    Tokens::of(&app.refresh(&tokens.refresh, &[]))
}

#[track_caller]
fn is_refused(app: &App<'_>, tokens: &Tokens) {
    let answer = app.refresh(&tokens.refresh, &[]);
    assert_eq!(answer.oauth_error(400), "invalid_grant");
}

#[test]
fn an_idle_app_is_out_after_90_days() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let idle = app.sign_in();
    let busy = app.sign_in();
    vault.shift_clock_days(89);
    let busy = refresh(&app, &busy);
    vault.shift_clock_seconds(90 * 86_400 + 60);
    is_refused(&app, &idle);
    vault.shift_clock_days(178);
    refresh(&app, &busy);
}

#[test]
fn after_a_year_the_owner_is_asked_again_whatever_the_app_did() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let mut tokens = app.sign_in();
    keep_signing_key(&vault);
    for days in [80, 160, 240, 320, 364] {
        vault.shift_clock_days(days);
        tokens = refresh(&app, &tokens);
        assert_eq!(status_of(&vault, &tokens.access), 200);
    }
    // The last access token does not outlive the grant either.
    vault.shift_clock_seconds(365 * 86_400 - 600);
    tokens = refresh(&app, &tokens);
    vault.shift_clock_seconds(365 * 86_400 + 60);
    assert_eq!(status_of(&vault, &tokens.access), 401);
    is_refused(&app, &tokens);
}

#[test]
fn the_sweep_never_ends_a_live_grant() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let idle = app.sign_in();
    let mut busy = app.sign_in();
    for hours in [1, 7, 13, 24, 24 * 8, 24 * 30, 24 * 60, 24 * 89] {
        vault.shift_clock_seconds(hours * 3_600 + 60);
        assert_eq!(vault.run_agenda(), 0);
        assert_eq!(grants(&vault).len(), 2, "after {hours} hours");
        busy = refresh(&app, &busy);
        assert_eq!(status_of(&vault, &busy.access), 200, "after {hours} hours");
    }
    refresh(&app, &idle);
    assert_eq!(vault.run_agenda(), 0);
    assert_eq!(grants(&vault).len(), 2);
}

#[test]
fn the_sweep_removes_what_has_run_out_and_then_stops() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    app.open(&app.request());
    let unfetched = app.code();
    app.refresh(&app.sign_in().refresh, &[]).expect(200);
    let counts = || -> Vec<i64> {
        [
            "oauth_requests",
            "oauth_codes",
            "oauth_tokens",
            "oauth_grants",
            "oauth_clients",
            "rates",
        ]
        .map(|table| rows(&vault, table))
        .to_vec()
    };
    assert_eq!(counts(), [1, 2, 2, 2, 1, 2]);
    // Seven hours on: the question, the codes, and the grant whose code nobody fetched.
    vault.shift_clock_seconds(7 * 3_600);
    vault.run_agenda();
    assert_eq!(counts(), [0, 0, 2, 1, 1, 0]);
    let answer = app.exchange(&unfetched, &[]);
    assert_eq!(answer.oauth_error(400), "invalid_grant");
    // After the idle time the tokens and with them the grant; the client when it has been unused for a week.
    vault.shift_clock_days(91);
    vault.run_agenda();
    assert_eq!(counts()[..5], [0, 0, 0, 0, 0]);
    vault.shift_clock_days(92);
    vault.run_agenda();
    assert_eq!(counts(), [0, 0, 0, 0, 0, 0]);
    assert_eq!(
        vault.sql("SELECT count(*) FROM jobs WHERE kind = 'sweep_apps'")[0][0],
        0
    );
}

#[test]
fn a_client_that_was_never_let_in_is_gone_after_a_week() {
    // U-166
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    vault.shift_clock_seconds(7 * 86_400 - 3_600);
    vault.run_agenda();
    assert_eq!(rows(&vault, "oauth_clients"), 1);
    // Asking the owner counts as use.
    app.open(&app.request());
    vault.shift_clock_days(8);
    vault.run_agenda();
    assert_eq!(rows(&vault, "oauth_clients"), 1);
    vault.shift_clock_days(15);
    vault.run_agenda();
    assert_eq!(rows(&vault, "oauth_clients"), 0);
    assert_eq!(app.open(&app.request()).status, 400);
}

#[test]
fn a_used_code_is_remembered_until_it_expires_anyway() {
    // OAuth 2.1 section 4.1.3: a sweep must not make a replay harmless while the code could still be good
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let code = app.code();
    let tokens = Tokens::of(&app.exchange(&code, &[]));
    vault.sql("UPDATE jobs SET due_at = 0 WHERE kind = 'sweep_apps'");
    vault.shift_clock_seconds(200);
    vault.run_agenda();
    assert_eq!(app.exchange(&code, &[]).oauth_error(400), "invalid_grant");
    assert_eq!(status_of(&vault, &tokens.access), 401);
}

#[test]
fn a_token_seen_before_still_ends_with_its_hour_and_still_needs_its_own_signature() {
    // The edge remembers that a signature was good, and nothing else
    let vault = Vault::start();
    let access = App::register(&vault, "Claude").sign_in().access;
    assert_eq!(status_of(&vault, &access), 200);
    let (signed, signature) = access.rsplit_once('.').unwrap();
    let turned: String = signature.chars().rev().collect();
    assert_eq!(status_of(&vault, &format!("{signed}.{turned}")), 401);
    vault.shift_clock_seconds(3_540);
    assert_eq!(status_of(&vault, &access), 200);
    vault.shift_clock_seconds(3_660);
    assert_eq!(status_of(&vault, &access), 401);
}

#[test]
fn a_new_signing_key_is_shown_before_it_signs_and_the_old_one_afterwards() {
    // Published ahead of use, so that no one meets a token whose key is not in the set
    let mut vault = Vault::start();
    let published = |vault: &Vault| -> Vec<Value> {
        let set = vault.get("/.well-known/jwks.json").expect(200);
        let keys = set["keys"].as_array().unwrap().clone();
        keys.iter().map(|key| key["kid"].clone()).collect()
    };
    let (hour, rotation) = (3_600, 90 * 86_400 + 60);
    let signer = |tokens: &Tokens| part(&tokens.access, 0)["kid"].clone();
    let app = App::register(&vault, "Claude");
    let first = app.sign_in();
    let old = signer(&first);
    assert_eq!(published(&vault), std::slice::from_ref(&old));
    // One sign-in a stage, since each of them outlives its idle time.
    vault.shift_clock_seconds(rotation - 120);
    vault.run_agenda();
    assert_eq!(published(&vault), std::slice::from_ref(&old));
    vault.shift_clock_seconds(rotation);
    assert_eq!(vault.run_agenda(), 0);
    let keys = published(&vault);
    assert_eq!((keys.len(), &keys[1]), (2, &old));
    let new = keys[0].clone();
    assert_eq!(audited(&vault, "rotate_key")[0]["subject"], new);
    vault.shift_clock_seconds(rotation + 2 * hour - 60);
    let app = App::register(&vault, "Claude");
    let before = app.sign_in();
    assert_eq!(signer(&before), old);
    assert_eq!(status_of(&vault, &before.access), 200);
    vault.shift_clock_seconds(rotation + 2 * hour + 60);
    let after = refresh(&app, &before);
    assert_eq!(signer(&after), new);
    assert_eq!(
        status_of(&vault, &before.access),
        200,
        "the old key still verifies"
    );
    vault.run_agenda();
    assert_eq!(published(&vault).len(), 2);
    vault.shift_clock_seconds(rotation + 4 * hour + 60);
    vault.run_agenda();
    assert_eq!(published(&vault), std::slice::from_ref(&new));
    // A fresh edge, as in another place, knows the new key at once. The restart moves the port, so sign in again.
    vault.kill_and_restart();
    vault.shift_clock_seconds(rotation + 4 * hour + 120);
    let tokens = App::register(&vault, "Codex").sign_in();
    assert_eq!(
        (signer(&tokens), status_of(&vault, &tokens.access)),
        (new, 200)
    );
    assert_eq!(
        vault.sql("SELECT count(*) FROM jobs WHERE kind = 'rotate_signing_key'")[0][0],
        json!(1)
    );
}
