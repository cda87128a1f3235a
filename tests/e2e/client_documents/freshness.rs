//! How long a document is kept, and how often one is looked up.

use serde_json::json;

use super::{CALLBACK, ID, app, assert_refused, document, open, start};
use crate::support::oauth::Consent;

#[test]
fn a_document_is_kept_as_long_as_it_says_within_five_minutes_and_a_day() {
    // U-183
    const MINUTE: i64 = 60;
    const DAY: i64 = 24 * 60 * MINUTE;
    for (cache_control, seconds) in [
        ("", 60 * MINUTE),
        ("max-age=1", 5 * MINUTE),
        ("no-store", 5 * MINUTE),
        ("private, max-age=1800", 30 * MINUTE),
        ("public, max-age=31536000, immutable", DAY),
    ] {
        let (vault, internet) = start();
        let mut headers = json!({});
        if !cache_control.is_empty() {
            headers["Cache-Control"] = json!(cache_control);
        }
        let body = document(&json!({})).to_string();
        internet.plays(ID, json!({ "headers": headers, "body": body }));
        let fetches_after = |at: i64| {
            vault.shift_clock_seconds(at);
            assert_eq!(open(&vault, ID).status, 200, "{cache_control}");
            internet.asked().len()
        };
        assert_eq!(fetches_after(0), 1, "{cache_control}");
        assert_eq!(fetches_after(seconds - MINUTE), 1, "{cache_control}");
        assert_eq!(fetches_after(seconds + 1), 2, "{cache_control}");
    }
}

#[test]
fn a_failure_is_not_kept() {
    // U-183
    let (vault, internet) = start();
    let headers = json!({ "Cache-Control": "max-age=86400" });
    internet.plays(ID, json!({ "status": 404, "headers": headers }));
    assert_eq!(open(&vault, ID).status, 400);
    internet.serves(ID, &document(&json!({})));
    assert_eq!(open(&vault, ID).status, 200);
    assert_eq!(internet.asked().len(), 2);
}

#[test]
fn a_redirect_address_that_the_document_gave_up_is_refused_after_the_next_look() {
    // U-183
    let (vault, internet) = start();
    internet.serves(ID, &document(&json!({})));
    let old = app(&vault, ID, CALLBACK);
    old.sign_in();
    let moved = "https://new.client.example.test/callback";
    internet.serves(
        ID,
        &document(&json!({ "redirect_uris": [moved], "client_name": "Claude 2" })),
    );
    vault.shift_clock_seconds(3_601);
    assert_refused(&old.open(&old.request()), "cannot be used");
    let new = app(&vault, ID, moved);
    let page = Consent::of(&new.open(&new.request()));
    assert!(page.html.contains("Claude 2") && page.html.contains("new.client.example.test"));
    assert_eq!(internet.asked().len(), 2);
}

#[test]
fn a_document_that_is_gone_lets_nobody_new_in_and_disconnects_nobody() {
    // U-183
    let (vault, internet) = start();
    internet.serves(ID, &document(&json!({})));
    let claude = app(&vault, ID, CALLBACK);
    let tokens = claude.sign_in();
    internet.silences(ID);
    vault.shift_clock_seconds(3_601);
    assert_refused(&open(&vault, ID), "did not answer");
    let refreshed = claude.refresh(&tokens.refresh, &[]);
    assert_eq!(refreshed.status, 200, "{}", refreshed.body);
}

#[test]
fn so_many_documents_are_looked_up_in_an_hour_and_no_more() {
    let (vault, internet) = start();
    for number in 0..30 {
        let id = format!("https://client.example.test/{number}.json");
        assert_refused(&open(&vault, &id), "did not answer");
    }
    internet.serves(ID, &document(&json!({})));
    assert_refused(&open(&vault, ID), "Too many apps were looked up lately");
    assert_eq!(internet.asked().len(), 30);
    vault.shift_clock_seconds(3_601);
    assert_eq!(open(&vault, ID).status, 200);
}
