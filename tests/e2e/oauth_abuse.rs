//! What a stranger, another site's page or a rogue app could do to the sign-in, and cannot.

use serde_json::json;

use crate::support::Vault;
use crate::support::oauth::{App, Consent, form, query};

#[test]
fn made_up_clients_leave_no_trace() {
    let vault = Vault::start();
    for number in 0..20 {
        let body = format!("client_id=app_{number}&grant_type=refresh_token&refresh_token=x");
        assert_eq!(
            form(&vault, "/token", &[], &body).oauth_error(401),
            "invalid_client"
        );
    }
    assert_eq!(vault.sql("SELECT count(*) FROM rates")[0][0], 0);
}

#[test]
fn one_app_cannot_use_up_the_token_calls_of_another() {
    let vault = Vault::start();
    let (rogue, app) = (
        App::register(&vault, "Rogue"),
        App::register(&vault, "Claude"),
    );
    let tokens = app.sign_in();
    let mut refused = 0;
    for _ in 0..125 {
        refused += usize::from(rogue.refresh("mvr_nothing", &[]).status == 429);
    }
    assert_eq!(refused, 5);
    app.refresh(&tokens.refresh, &[]).expect(200);
}

#[test]
fn a_page_that_registers_uses_up_its_own_registrations_only() {
    let vault = Vault::start();
    let register = |origin: &[(&str, &str)]| {
        let mut headers = vec![("Content-Type", "application/json")];
        headers.extend_from_slice(origin);
        let body = json!({ "redirect_uris": ["https://app.test/cb"] }).to_string();
        vault
            .send("POST", "/register", &headers, Some(body.as_bytes()))
            .status
    };
    let page = [("Origin", "https://evil.test")];
    let answers: Vec<u16> = (0..51).map(|_| register(&page)).collect();
    assert_eq!((answers[49], answers[50]), (201, 429));
    assert_eq!(register(&[]), 201);
}

#[test]
fn a_flood_of_registrations_does_not_close_an_open_question() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let page = Consent::of(&app.open(&app.request()));
    // As many younger clients as are kept, from elsewhere.
    vault.sql(
        "INSERT INTO oauth_clients (client_id, kind, name, auth_method, redirect_uris, refreshes, created_at, last_used_at) \
         WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600) \
         SELECT 'app_flood_' || i, 'registered', 'Flood', 'none', '[]', 1, 9e15, 9e15 FROM n",
    );
    App::register(&vault, "One more");
    assert!(
        vault.sql("SELECT count(*) FROM oauth_clients")[0][0]
            .as_i64()
            .unwrap()
            <= 502
    );
    assert!(page.approve(&vault).location().contains("code="));
}

#[test]
fn only_a_visit_opens_a_question() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let path = format!("/authorize?{}", query(&app.request()));
    for destination in ["image", "iframe", "empty", "script"] {
        let answer = vault.send("GET", &path, &[("Sec-Fetch-Dest", destination)], None);
        assert_eq!(
            (answer.status, answer.header("Set-Cookie")),
            (400, ""),
            "{destination}"
        );
    }
    assert_eq!(vault.send("HEAD", &path, &[], None).status, 400);
    assert_eq!(vault.sql("SELECT count(*) FROM oauth_requests")[0][0], 0);
    assert_eq!(
        vault
            .send("GET", &path, &[("Sec-Fetch-Dest", "document")], None)
            .status,
        200
    );
}

#[test]
fn two_apps_of_one_name_are_told_apart_in_the_log() {
    let vault = Vault::start();
    let apps = [
        App::register(&vault, "Claude"),
        App::register(&vault, "Claude"),
    ];
    for (number, app) in apps.iter().enumerate() {
        let tokens = app.sign_in();
        let fact = json!({ "content": format!("Fact number {number}") });
        vault.mcp_with(&tokens.access).tool("remember", fact);
    }
    let log = vault.get("/api/audit?action=propose").expect(200);
    let grants: Vec<&str> = log["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["details"]["grant"].as_str().unwrap())
        .collect();
    assert_eq!(grants.len(), 2);
    assert_ne!(grants[0], grants[1]);
}

#[test]
fn what_the_owner_rejected_does_not_exist_for_apps() {
    let vault = Vault::start();
    let mcp = vault.mcp();
    let id = mcp.tool("remember", json!({ "content": "The owner is a teapot" }))["id"].clone();
    vault
        .post_empty(&format!("/api/memories/{}/reject", id.as_str().unwrap()))
        .expect(200);
    let forgotten = mcp.refusal("forget", json!({ "id": id }));
    assert!(forgotten.contains("not_found"), "{forgotten}");
    let replaced = mcp.refusal(
        "remember",
        json!({ "content": "No teapot", "supersedes": id }),
    );
    assert!(replaced.contains("no such memory"), "{replaced}");
}
