//! What keeps apps apart and within bounds: names, idempotency keys, the write rate, what is stored of their secrets, and
//! what only the owner may do.

use serde_json::{Value, json};

use crate::support::Vault;
use crate::support::oauth::{App, Consent, Tokens, basic, form, grants, parameter, part, query};

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

#[test]
fn an_apps_memory_says_which_app_brought_it() {
    let vault = Vault::start_in_auto_mode();
    let tokens = App::register(&vault, "Claude").sign_in();
    let mcp = vault.mcp_with(&tokens.access);
    let bring = |arguments: Value| {
        let id = mcp.tool("remember", arguments)["id"].clone();
        vault
            .get(&format!("/api/memories/{}", id.as_str().unwrap()))
            .expect(200)
    };
    let plain = bring(json!({ "content": "The boat is red" }));
    assert_eq!(
        (&plain["source"], &plain["created_by"]),
        (&json!("Claude"), &json!("mcp:Claude"))
    );
    let named = bring(json!({ "content": "The car is blue", "source": "diary" }));
    assert_eq!(named["source"], "diary (via Claude)");
    let posing = bring(json!({ "content": "The bike is green", "source": "owner:ada@localhost" }));
    assert_eq!(posing["source"], "owner:ada@localhost (via Claude)");
    mcp.tool(
        "bulk_remember",
        json!({ "items": [{ "content": "The sledge is white", "source": "diary" }] }),
    );
    let sources = vault.sql("SELECT source FROM memories WHERE content LIKE '%sledge%'");
    assert_eq!(sources[0][0], "diary (via Claude)");
}

#[test]
fn a_name_cannot_pass_for_the_owner() {
    let vault = Vault::start_in_auto_mode();
    let tokens = App::register(&vault, "owner:ada@localhost\u{202e}").sign_in();
    let mcp = vault.mcp_with(&tokens.access);
    let id = mcp.tool("remember", json!({ "content": "The boat is red" }))["id"].clone();
    let memory = vault
        .get(&format!("/api/memories/{}", id.as_str().unwrap()))
        .expect(200);
    assert_eq!(memory["created_by"], "mcp:owner:ada@localhost");
    let audit = vault.get("/api/audit?action=remember").expect(200);
    assert_eq!(audit["entries"][0]["actor"], "mcp:owner:ada@localhost");
}

#[test]
fn idempotency_keys_belong_to_the_grant() {
    let vault = Vault::start_in_auto_mode();
    let app = App::register(&vault, "Claude");
    let (one, two) = (app.sign_in(), app.sign_in());
    let twin = App::register(&vault, "Claude").sign_in();
    let remember = |tokens: &Tokens, content: &str| {
        let arguments = json!({ "content": content, "idempotency_key": "k-1" });
        vault.mcp_with(&tokens.access).tool("remember", arguments)["id"].clone()
    };
    let first = remember(&one, "The boat is red");
    assert_eq!(remember(&one, "The boat is red"), first);
    assert_ne!(remember(&two, "The car is blue"), first);
    assert_ne!(remember(&twin, "The bike is green"), first);
    let clash = json!({ "content": "Something else", "idempotency_key": "k-1" });
    let sentence = vault.mcp_with(&one.access).refusal("remember", clash);
    assert!(sentence.contains("idempotency_key"), "{sentence}");
    // A refreshed token is the same grant.
    let refreshed = Tokens::of(&app.refresh(&one.refresh, &[]));
    assert_eq!(remember(&refreshed, "The boat is red"), first);
}

#[test]
fn an_app_writes_600_times_in_ten_minutes_and_no_more() {
    let vault = Vault::start_in_auto_mode();
    let tokens = App::register(&vault, "Claude").sign_in();
    let other = App::register(&vault, "Codex").sign_in();
    let mcp = vault.mcp_with(&tokens.access);
    let remember = |number: i64| json!({ "content": format!("Boat number {number}") });
    mcp.tool("remember", remember(1));
    vault.sql("UPDATE rates SET calls = 598 WHERE what = 'write'");
    vault.sql("UPDATE oauth_grants SET writes = 598 WHERE writes = 1");
    mcp.tool("remember", remember(599));
    // A call that is refused for other reasons is a call too, but wrote nothing.
    mcp.refusal("forget", json!({ "id": "mem_none" }));
    for tool in ["remember", "propose_memory", "forget", "bulk_remember"] {
        let arguments = match tool {
            "forget" => json!({ "id": "mem_none" }),
            "bulk_remember" => json!({ "items": [{ "content": "Boat number 601" }] }),
            _ => remember(601),
        };
        let sentence = mcp.refusal(tool, arguments);
        assert!(
            sentence.starts_with(
                "this app wrote 600 times in 10 minutes, which is the limit; try again in "
            ) && sentence.contains("bulk_remember"),
            "{sentence}"
        );
    }
    assert_eq!(vault.recall("boat").len(), 2);
    let writes = |name: &str| {
        let grants = grants(&vault);
        let grant = grants.iter().find(|grant| grant["client"]["name"] == name);
        grant.unwrap()["writes"].clone()
    };
    assert_eq!(
        writes("Claude"),
        json!({ "recent": 600, "limit": 600, "window_minutes": 10, "total": 599 })
    );
    // Reading goes on, other apps write on, and so does this one when the window is over.
    mcp.tool("recall", json!({ "query": "boat" }));
    vault
        .mcp_with(&other.access)
        .tool("remember", json!({ "content": "The car is blue" }));
    assert_eq!(writes("Codex")["recent"], 1);
    vault.shift_clock_seconds(601);
    assert_eq!(writes("Claude")["recent"], 0);
    mcp.tool("remember", remember(602));
    assert_eq!(writes("Claude")["total"], 600);
}

/// Ever new addresses must not fill the database.
#[test]
fn windows_of_callers_are_kept_for_two_thousand_and_the_oldest_go_first() {
    let vault = Vault::start();
    vault.get("/api/status").expect(200);
    vault.sql(
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2100) \
         INSERT INTO rates (what, who, window_began_at, calls) SELECT 'register', 'caller' || i, i, 1 FROM n",
    );
    App::register(&vault, "Claude");
    let kept = vault.sql("SELECT count(*), max(who = 'caller2100'), max(who = 'caller100'), max(who NOT LIKE 'caller%') FROM rates WHERE what = 'register'");
    assert_eq!(kept[0], [json!(2000), json!(1), json!(0), json!(1)]);
}

#[test]
fn what_an_app_wrote_is_counted_and_not_how_often_it_called() {
    let vault = Vault::start_in_auto_mode();
    let tokens = App::register(&vault, "Claude").sign_in();
    let mcp = vault.mcp_with(&tokens.access);
    let stored = mcp.tool("remember", json!({ "content": "The boat is blue" }));
    mcp.tool("remember", json!({ "content": "The boat is blue" }));
    mcp.refusal("remember", json!({ "content": " " }));
    let items = json!([
        "The car is red",
        "The boat is blue",
        "",
        "The bike is black"
    ]);
    mcp.tool("bulk_remember", json!({ "items": items, "dry_run": true }));
    mcp.tool("bulk_remember", json!({ "items": items }));
    mcp.tool("forget", json!({ "id": stored["id"] }));
    let writes = grants(&vault)[0]["writes"].clone();
    assert_eq!(
        (&writes["recent"], &writes["total"]),
        (&json!(6), &json!(4))
    );
}

/// Every text of every table, one string.
fn everything_stored(vault: &Vault) -> String {
    let tables = vault.sql("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'");
    let mut all = String::new();
    for table in tables {
        let table = table[0].as_str().unwrap().to_owned();
        let columns = vault.sql(&format!("SELECT name FROM pragma_table_info('{table}')"));
        for column in columns {
            let column = column[0].as_str().unwrap();
            // Blobs as hexadecimal, texts as they are.
            let rows = vault.sql(&format!(
                "SELECT CASE typeof(\"{column}\") WHEN 'blob' THEN hex(\"{column}\") ELSE CAST(\"{column}\" AS TEXT) END FROM \"{table}\""
            ));
            for row in rows {
                all.push_str(row[0].as_str().unwrap_or_default());
                all.push('\n');
            }
        }
    }
    all
}

#[test]
fn no_secret_is_stored() {
    let vault = Vault::start();
    let app = App::register_with(
        &vault,
        json!({ "client_name": "Server", "redirect_uris": ["https://client.test/cb"] }),
    );
    let secret = app.secret.clone().unwrap();
    let page = Consent::of(&app.open(&app.request()));
    let unanswered = Consent::of(&app.open(&app.request()));
    let code = parameter(&page.approve(&vault).location(), "code").unwrap();
    let unused = app.code();
    let header = basic(&app.id, &secret);
    let post = |fields: &[(&str, String)]| {
        Tokens::of(&form(
            &vault,
            "/token",
            &[("Authorization", &header)],
            &query(fields),
        ))
    };
    let first = post(&[
        ("grant_type", "authorization_code".into()),
        ("code", code.clone()),
        ("code_verifier", crate::support::oauth::VERIFIER.into()),
    ]);
    let second = post(&[
        ("grant_type", "refresh_token".into()),
        ("refresh_token", first.refresh.clone()),
    ]);
    vault
        .mcp_with(&second.access)
        .tool("remember", json!({ "content": "The boat is red" }));
    let stored = everything_stored(&vault);
    assert!(stored.contains("The boat is red") && stored.contains(&app.id));
    let cookie = |page: &Consent| page.cookie.split_once('=').unwrap().1.to_owned();
    let signature = second.access.rsplit('.').next().unwrap().to_owned();
    for (what, secret) in [
        ("client secret", secret),
        ("used code", code),
        ("unused code", unused),
        ("verifier", crate::support::oauth::VERIFIER.to_owned()),
        ("refresh token", first.refresh),
        ("newest refresh token", second.refresh),
        ("access token's signature", signature),
        ("form token", unanswered.hidden[1].1.clone()),
        ("browser cookie", cookie(&unanswered)),
    ] {
        assert!(secret.len() > 40, "{what}");
        assert!(!stored.contains(&secret), "{what}");
        let hex: String = secret.bytes().map(|byte| format!("{byte:02X}")).collect();
        assert!(!stored.contains(&hex), "{what}");
    }
    // Not even an address that calls is kept.
    assert!(!stored.contains("127.0.0.1\n") && part(&second.access, 1)["grant"].is_string());
    // What is kept of a refresh token is its SHA-256.
    assert_eq!(
        vault.sql("SELECT DISTINCT length(refresh_hash) FROM oauth_tokens"),
        [[json!(64)]]
    );
}

#[test]
fn the_owners_pages_show_no_secret() {
    let vault = Vault::start();
    let tokens = App::register(&vault, "Claude").sign_in();
    for path in [
        "/api/oauth/grants",
        "/api/oauth/clients",
        "/api/audit",
        "/api/status",
    ] {
        let body = vault.get(path).body;
        for prefix in ["mvr_", "mvc_", "mvs_", "mvf_", "eyJ", "_hash"] {
            assert!(!body.contains(prefix), "{path}: {prefix}");
        }
        assert!(!body.contains(&tokens.refresh));
    }
}

#[test]
fn no_call_of_an_app_decides_for_the_owner() {
    // U-206: walks the table that clients see; no tool, argument or method changes status, mode or guide
    let vault = Vault::start();
    vault
        .put("/api/guide", json!({ "content": "Be brief" }))
        .expect(200);
    let mcp = vault.mcp();
    let proposed = mcp.tool("remember", json!({ "content": "The boat is red" }));
    let id = proposed["id"].as_str().unwrap().to_owned();
    let tools = mcp.request("tools/list", json!({})).expect(200)["result"]["tools"].clone();
    let state = || {
        (
            vault.sql("SELECT id, status, updated_at FROM memories ORDER BY id"),
            vault.get("/api/settings").expect(200),
            vault.get("/api/guide").expect(200),
        )
    };
    let before = state();
    let forbidden = [
        "status",
        "approve",
        "approved",
        "reject",
        "mode",
        "guide",
        "settings",
        "force",
        "actor",
        "created_by",
        "permanent",
        "purge",
        "supersede_similar",
        "include_forgotten",
    ];
    for tool in tools.as_array().unwrap() {
        let name = tool["name"].as_str().unwrap();
        for word in [
            "approve", "reject", "set", "update", "edit", "delete", "keep", "restore",
        ] {
            assert!(!name.contains(word), "{name}");
        }
        let writes = tool["annotations"]["readOnlyHint"] == json!(false);
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        for field in forbidden {
            assert!(
                !(writes && properties.contains_key(field)),
                "{name} takes {field}"
            );
            if properties.contains_key(field) {
                continue;
            }
            let mut arguments = json!({ "content": "The boat is red", "query": "boat", "id": id, "items": [{ "content": "x" }], "reason": "x" });
            arguments
                .as_object_mut()
                .unwrap()
                .retain(|argument, _| properties.contains_key(argument));
            arguments[field] = json!("active");
            let result = mcp.call(name, arguments);
            assert_eq!(result["isError"], json!(true), "{name} {field}: {result}");
        }
    }
    for method in [
        "memories/approve",
        "settings/set",
        "guide/set",
        "logging/setLevel",
        "resources/write",
        "resources/update",
        "prompts/set",
        "sampling/createMessage",
    ] {
        let answer = mcp.request(method, json!({ "id": id, "mode": "auto", "content": "x" }));
        assert_eq!(answer.status, 404, "{method}: {}", answer.body);
    }
    assert_eq!(state(), before);
    assert_eq!(before.1["mode"], "review");
}

#[test]
fn an_access_token_is_no_key_to_the_owners_doors() {
    // U-206; behind a proxy header the developer is not signed in, so only the token is left to count
    let vault = Vault::start();
    let id = vault.remember("The boat is white");
    let token = format!(
        "Bearer {}",
        App::register(&vault, "Claude").sign_in().access
    );
    let headers = [
        ("Authorization", token.as_str()),
        ("X-Forwarded-For", "192.0.2.1"),
        ("Content-Type", "application/json"),
    ];
    for (method, path, body) in [
        ("GET", "/api/memories".to_owned(), ""),
        ("GET", "/api/settings".into(), ""),
        ("GET", "/api/oauth/grants".into(), ""),
        ("GET", "/api/audit".into(), ""),
        ("POST", format!("/api/memories/{id}/approve"), "{}"),
        ("POST", format!("/api/memories/{id}/forget"), "{}"),
        (
            "PATCH",
            format!("/api/memories/{id}"),
            "{\"content\":\"x\"}",
        ),
        ("PUT", "/api/settings".into(), "{\"mode\":\"auto\"}"),
        ("PUT", "/api/guide".into(), "{\"content\":\"x\"}"),
        ("POST", "/authorize".into(), "{}"),
        ("GET", "/authorize".into(), ""),
    ] {
        let body = Some(body.as_bytes()).filter(|body| !body.is_empty());
        let answer = vault.send(method, &path, &headers, body);
        assert_eq!(answer.status, 401, "{method} {path}");
    }
    let there = vault.send("POST", "/mcp", &headers, Some(INITIALIZE.as_bytes()));
    assert_eq!(there.status, 200);
}
