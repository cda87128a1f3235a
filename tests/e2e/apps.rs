//! Connected apps and clients as the owner sees and ends them.

use serde_json::{Value, json};

use crate::support::Vault;
use crate::support::oauth::{App, Tokens, audited, grants, rows, status_of};

#[test]
fn a_connected_app_is_listed_with_what_it_may_do_and_how_much_it_writes() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let tokens = app.sign_in_for("memory.write");
    let mcp = vault.mcp_with(&tokens.access);
    mcp.tool("remember", json!({ "content": "The boat is red" }));
    mcp.tool("recall", json!({ "query": "boat" }));
    let mut grant = grants(&vault)[0].clone();
    let fields = grant.as_object_mut().unwrap();
    let id = fields.remove("id").unwrap();
    let connected = fields.remove("connected_at").unwrap();
    let used = fields.remove("last_used_at").unwrap();
    let expires = fields.remove("expires_at").unwrap();
    for time in [&connected, &used, &expires] {
        assert!(time.as_str().unwrap().ends_with('Z'), "{time}");
    }
    assert!(expires.as_str() > connected.as_str());
    assert_eq!(
        grant,
        json!({
            "client": { "id": app.id, "name": "Claude", "kind": "registered", "verified_host": null },
            "redirect_uri": "http://127.0.0.1:33418/callback",
            "scopes": ["memory.read", "memory.write"],
            "approved_by": "owner:ada@localhost",
            "writes": { "recent": 1, "limit": 600, "window_minutes": 10, "total": 1 },
        })
    );
    let one = vault.get(&format!("/api/oauth/grants/{}", id.as_str().unwrap()));
    assert_eq!(one.expect(200)["writes"]["total"], 1);
}

#[test]
fn an_app_that_never_fetched_its_token_is_not_connected() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let code = app.code();
    assert_eq!(grants(&vault), Vec::<Value>::new());
    let id = vault.sql("SELECT id FROM oauth_grants")[0][0].clone();
    let path = format!("/api/oauth/grants/{}", id.as_str().unwrap());
    assert_eq!(vault.get(&path).refused(404), "not_found");
    assert_eq!(vault.delete(&path).refused(404), "not_found");
    app.exchange(&code, &[]).expect(200);
    assert_eq!(grants(&vault).len(), 1);
}

#[test]
fn disconnecting_bites_at_once_and_spares_the_others() {
    // U-178
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let tokens = app.sign_in();
    let refreshed = Tokens::of(&app.refresh(&tokens.refresh, &[]));
    let codex = App::register(&vault, "Codex");
    let other = codex.sign_in();
    let id = grants(&vault)
        .iter()
        .find(|grant| grant["client"]["name"] == "Claude")
        .unwrap()["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(status_of(&vault, &tokens.access), 200);
    let path = format!("/api/oauth/grants/{id}");
    assert_eq!(vault.delete(&path).status, 204);
    for dead in [&tokens, &refreshed] {
        assert_eq!(status_of(&vault, &dead.access), 401);
        let answer = app.refresh(&dead.refresh, &[]);
        assert_eq!(answer.oauth_error(400), "invalid_grant");
    }
    assert_eq!(vault.delete(&path).refused(404), "not_found");
    let row = &audited(&vault, "disconnect_app")[0];
    assert_eq!(
        (&row["actor"], &row["subject"], &row["details"]),
        (
            &json!("owner:ada@localhost"),
            &json!(id),
            &json!({ "client": "Claude", "client_id": app.id })
        )
    );
    assert_eq!(status_of(&vault, &other.access), 200);
    codex.refresh(&other.refresh, &[]).expect(200);
    assert_eq!(grants(&vault).len(), 1);
    // The app may ask again; nothing of its old grant comes back.
    assert_eq!(status_of(&vault, &app.sign_in().access), 200);
    assert_eq!(status_of(&vault, &tokens.access), 401);
}

#[test]
fn two_devices_of_one_client_are_two_grants() {
    // One must not sign out the other
    let vault = Vault::start();
    let app = App::register(&vault, "Claude Code");
    let (laptop, desktop) = (app.sign_in(), app.sign_in());
    let ids: Vec<Value> = grants(&vault)
        .iter()
        .map(|grant| grant["id"].clone())
        .collect();
    assert_eq!(ids.len(), 2);
    let ended = crate::support::oauth::part(&laptop.access, 1)["grant"].clone();
    assert!(ids.contains(&ended));
    vault.delete(&format!("/api/oauth/grants/{}", ended.as_str().unwrap()));
    assert_eq!(
        (
            status_of(&vault, &laptop.access),
            status_of(&vault, &desktop.access)
        ),
        (401, 200)
    );
}

#[test]
fn the_app_used_last_comes_first() {
    let vault = Vault::start();
    let names = |listed: Value, list: &str, name: fn(&Value) -> &Value| -> Vec<String> {
        let rows = listed[list].as_array().unwrap().clone();
        rows.iter()
            .map(|row| name(row).as_str().unwrap().to_owned())
            .collect()
    };
    let first = App::register(&vault, "First").sign_in();
    vault.shift_clock_seconds(120);
    App::register(&vault, "Second").sign_in();
    vault.shift_clock_seconds(240);
    let apps = || {
        names(
            vault.get("/api/oauth/grants").expect(200),
            "grants",
            |row| &row["client"]["name"],
        )
    };
    assert_eq!(apps(), ["Second", "First"]);
    assert_eq!(status_of(&vault, &first.access), 200);
    assert_eq!(apps(), ["First", "Second"]);
    App::register(&vault, "Third");
    let clients = names(
        vault.get("/api/oauth/clients").expect(200),
        "clients",
        |row| &row["name"],
    );
    // Clients that were never let in cannot push the others off the list.
    assert_eq!(clients, ["Second", "First", "Third"]);
}

#[test]
fn a_client_is_listed_with_its_addresses_and_grants_but_no_secret() {
    let vault = Vault::start();
    let app = App::register_with(
        &vault,
        json!({ "client_name": "Server", "redirect_uris": ["https://client.test/cb"] }),
    );
    let mut client = vault
        .get(&format!("/api/oauth/clients/{}", app.id))
        .expect(200);
    let fields = client.as_object_mut().unwrap();
    assert!(fields.remove("created_at").unwrap().is_string());
    assert!(fields.remove("last_used_at").unwrap().is_string());
    assert_eq!(
        client,
        json!({
            "id": app.id, "name": "Server", "kind": "registered", "verified_host": null,
            "redirect_uris": ["https://client.test/cb"], "auth_method": "client_secret_basic", "grants": 0,
        })
    );
    let nobody = vault.get("/api/oauth/clients/app_nobody");
    assert_eq!(nobody.refused(404), "not_found");
}

#[test]
fn removing_a_client_ends_every_grant_it_holds() {
    let vault = Vault::start();
    let app = App::register(&vault, "Claude");
    let (one, two) = (app.sign_in(), app.sign_in());
    let waiting = app.code();
    let other = App::register(&vault, "Codex").sign_in();
    let path = format!("/api/oauth/clients/{}", app.id);
    assert_eq!(vault.get(&path).expect(200)["grants"], 2);
    assert_eq!(vault.delete(&path).status, 204);
    for dead in [&one, &two] {
        assert_eq!(status_of(&vault, &dead.access), 401);
        let answer = app.refresh(&dead.refresh, &[]);
        assert_eq!(answer.oauth_error(401), "invalid_client");
    }
    assert_eq!(
        app.exchange(&waiting, &[]).oauth_error(401),
        "invalid_client"
    );
    assert_eq!(status_of(&vault, &other.access), 200);
    for (table, left) in [
        ("oauth_clients", 1),
        ("oauth_grants", 1),
        ("oauth_tokens", 1),
        ("oauth_codes", 1),
    ] {
        assert_eq!(rows(&vault, table), left, "{table}");
    }
    let row = &audited(&vault, "remove_client")[0];
    assert_eq!(
        (&row["subject"], &row["details"]["client"]),
        (&json!(app.id), &json!("Claude"))
    );
    assert_eq!(row["details"]["grants"].as_array().unwrap().len(), 3);
    assert_eq!(vault.delete(&path).refused(404), "not_found");
}

#[test]
fn these_doors_are_the_owners_own() {
    let vault = Vault::start();
    App::register(&vault, "Claude").sign_in();
    let id = grants(&vault)[0]["id"].as_str().unwrap().to_owned();
    let path = format!("/api/oauth/grants/{id}");
    let foreign = vault.send("DELETE", &path, &[("Origin", "https://evil.test")], None);
    assert_eq!(foreign.refused(403), "forbidden");
    let proxied = vault.send("DELETE", &path, &[("X-Forwarded-For", "192.0.2.1")], None);
    assert_eq!(proxied.refused(401), "unauthenticated");
    assert_eq!(
        vault.post(&path, json!({})).refused(405),
        "method_not_allowed"
    );
    assert_eq!(
        vault.delete("/api/oauth/grants").refused(405),
        "method_not_allowed"
    );
    assert_eq!(grants(&vault).len(), 1);
}
