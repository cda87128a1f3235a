//! MCP on the wire: both eras, as bytes. Real clients and the official conformance suite are further steps of
//! `./scripts/test`.

use serde_json::{Value, json};

use crate::support::Vault;

const MODERN: &str = "2026-07-28";

#[test]
fn initialize_echoes_a_known_version_and_offers_the_newest_otherwise() {
    // U-189
    let vault = Vault::start();
    let asked = |version: &str| {
        let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let body = json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params })
            .to_string();
        vault.mcp().raw(&[], &body).expect(200)["result"]["protocolVersion"].clone()
    };
    for known in ["2025-03-26", "2025-06-18", "2025-11-25"] {
        assert_eq!(asked(known), known);
    }
    for other in ["2024-11-05", "1999-01-01"] {
        assert_eq!(asked(other), "2025-11-25");
    }
}

#[test]
fn an_unsupported_version_header_is_400_with_a_reason() {
    let vault = Vault::start();
    let answer = vault.mcp().legacy("1999-01-01", "tools/list", json!({}));
    assert_eq!(answer.status, 400);
    assert!(answer.json()["error"]["message"].as_str().unwrap().len() > 10);
}

#[test]
fn no_handshake_is_needed_and_a_second_one_does_no_harm() {
    // U-188
    let vault = Vault::start();
    let listed = vault
        .mcp()
        .legacy("2025-06-18", "tools/list", json!({}))
        .expect(200);
    assert!(listed["result"]["tools"].as_array().unwrap().len() >= 9);
    let called = vault
        .mcp()
        .legacy(
            "2025-06-18",
            "tools/call",
            json!({ "name": "recall", "arguments": { "query": "x" } }),
        )
        .expect(200);
    assert!(called["result"]["structuredContent"]["results"].is_array());
    for _ in 0..2 {
        let params = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        vault
            .mcp()
            .raw(
                &[],
                &json!({ "jsonrpc": "2.0", "id": "a", "method": "initialize", "params": params })
                    .to_string(),
            )
            .expect(200);
        let done = vault.mcp().raw(
            &[],
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        );
        assert_eq!((done.status, done.body.as_str()), (202, ""));
    }
}

#[test]
fn the_modern_envelope_is_checked() {
    let vault = Vault::start();
    let meta = json!({ "io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {} });
    let body = |meta: &Value, method: &str| {
        json!({ "jsonrpc": "2.0", "id": 7, "method": method, "params": { "_meta": meta } })
            .to_string()
    };
    let send = |headers: &[(&str, &str)], body: &str| {
        let answer = vault.mcp().raw(headers, body);
        (
            answer.status,
            answer.json()["error"]["code"].as_i64().unwrap_or(0),
        )
    };
    let version = ("MCP-Protocol-Version", MODERN);
    assert_eq!(
        send(
            &[version, ("Mcp-Method", "tools/list")],
            &body(&meta, "tools/list")
        ),
        (200, 0)
    );
    assert_eq!(send(&[version], &body(&meta, "tools/list")), (400, -32020));
    assert_eq!(
        send(
            &[version, ("Mcp-Method", "prompts/list")],
            &body(&meta, "tools/list")
        ),
        (400, -32020)
    );
    assert_eq!(
        send(&[("Mcp-Method", "tools/list")], &body(&meta, "tools/list")),
        (400, -32020)
    );
    let no_capabilities = json!({ "io.modelcontextprotocol/protocolVersion": MODERN });
    assert_eq!(
        send(
            &[version, ("Mcp-Method", "tools/list")],
            &body(&no_capabilities, "tools/list")
        ),
        (400, -32602)
    );
    let future = json!({ "io.modelcontextprotocol/protocolVersion": "2099-01-01", "io.modelcontextprotocol/clientCapabilities": {} });
    assert_eq!(
        send(
            &[
                ("MCP-Protocol-Version", "2099-01-01"),
                ("Mcp-Method", "tools/list")
            ],
            &body(&future, "tools/list")
        ),
        (400, -32022)
    );
    for removed in ["ping", "initialize", "resources/subscribe", "nonsense"] {
        assert_eq!(
            send(&[version, ("Mcp-Method", removed)], &body(&meta, removed)),
            (404, -32601),
            "{removed}"
        );
    }
}

#[test]
fn every_modern_result_is_complete_and_says_how_long_it_may_be_kept() {
    let vault = Vault::start();
    for method in [
        "server/discover",
        "tools/list",
        "prompts/list",
        "resources/list",
        "resources/templates/list",
    ] {
        let result = vault.mcp().request(method, json!({})).expect(200)["result"].clone();
        assert_eq!(result["resultType"], "complete", "{method}");
        assert!(
            result["ttlMs"].is_u64() && result["cacheScope"] == "private",
            "{method} {result}"
        );
        assert!(
            result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"].is_string(),
            "{method}"
        );
    }
    assert_eq!(
        vault
            .mcp()
            .request("server/discover", json!({}))
            .expect(200)["result"]["supportedVersions"],
        json!([MODERN])
    );
}

#[test]
fn what_is_not_json_rpc_is_refused_with_the_right_code() {
    let vault = Vault::start();
    let send = |body: &str| {
        let answer = vault.mcp().raw(&[], body);
        (
            answer.status,
            answer.json()["error"]["code"].as_i64().unwrap_or(0),
        )
    };
    assert_eq!(send("{"), (400, -32700));
    assert_eq!(send(r#"{"id":1,"method":"ping"}"#), (400, -32600));
    assert_eq!(
        send(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#),
        (400, -32600)
    );
    assert_eq!(send("[]"), (400, -32600));
    assert_eq!(send(&"[".repeat(5_000)), (400, -32700));
    let text = vault
        .mcp()
        .send("POST", &[("Content-Type", "text/plain")], Some(b"{}"));
    assert_eq!(text.status, 415);
}

#[test]
fn batches_belong_to_2025_03_26_only() {
    let vault = Vault::start();
    let batch = r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#;
    let ids = |answer: Value| {
        answer
            .as_array()
            .unwrap()
            .iter()
            .map(|one| one["id"].as_i64().unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        ids(vault
            .mcp()
            .raw(&[("MCP-Protocol-Version", "2025-03-26")], batch)
            .expect(200)),
        [1, 2]
    );
    assert_eq!(
        vault
            .mcp()
            .raw(&[("MCP-Protocol-Version", "2025-06-18")], batch)
            .status,
        400
    );
}

#[test]
fn any_accept_header_gets_a_usable_answer() {
    // U-190
    let vault = Vault::start();
    let body = br#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#;
    for accept in [
        "application/json",
        "text/event-stream",
        "application/json, text/event-stream",
        "*/*",
    ] {
        let answer = vault.mcp().send(
            "POST",
            &[("Content-Type", "application/json"), ("Accept", accept)],
            Some(body),
        );
        assert_eq!(
            (answer.status, answer.header("Content-Type")),
            (200, "application/json"),
            "{accept}"
        );
    }
    assert_eq!(
        vault
            .mcp()
            .send("POST", &[("Content-Type", "application/json")], Some(body))
            .status,
        200
    );
}

#[test]
fn unknown_tools_prompts_and_resources_have_the_codes_of_their_era() {
    let vault = Vault::start();
    let modern = |method: &str, params: Value| {
        vault.mcp().request(method, params).json()["error"]["code"].clone()
    };
    assert_eq!(
        modern("tools/call", json!({ "name": "rm_rf", "arguments": {} })),
        -32602
    );
    assert_eq!(modern("prompts/get", json!({ "name": "nope" })), -32602);
    assert_eq!(
        modern(
            "resources/read",
            json!({ "uri": "memory://mem_00000000000000000000000000" })
        ),
        -32602
    );
    let legacy = vault.mcp().legacy(
        "2025-06-18",
        "resources/read",
        json!({ "uri": "memory://mem_00000000000000000000000000" }),
    );
    assert_eq!(legacy.json()["error"]["code"], -32002);
}

#[test]
fn resources_prompts_and_completion_work() {
    let vault = Vault::start();
    let id = vault.remember("The lease ends on 15 October");
    let guide = vault
        .mcp()
        .request("resources/read", json!({ "uri": "vault://guide" }))
        .expect(200);
    assert!(
        guide["result"]["contents"][0]["text"]
            .as_str()
            .unwrap()
            .contains("When to recall")
    );
    let memory = vault
        .mcp()
        .request("resources/read", json!({ "uri": format!("memory://{id}") }))
        .expect(200);
    assert!(
        memory["result"]["contents"][0]["text"]
            .as_str()
            .unwrap()
            .contains("15 October")
    );
    let prompts =
        vault.mcp().request("prompts/list", json!({})).expect(200)["result"]["prompts"].clone();
    for prompt in prompts.as_array().unwrap() {
        let got = vault
            .mcp()
            .request(
                "prompts/get",
                json!({ "name": prompt["name"], "arguments": { "app": "chatgpt" } }),
            )
            .expect(200);
        assert!(
            got["result"]["messages"][0]["content"]["text"]
                .as_str()
                .unwrap()
                .len()
                > 40,
            "{prompt}"
        );
    }
    assert_eq!(prompts.as_array().unwrap().len(), 3);
    let params = json!({ "ref": { "type": "ref/resource", "uri": "memory://{id}" }, "argument": { "name": "id", "value": id.get(..8) } });
    assert_eq!(
        vault
            .mcp()
            .request("completion/complete", params)
            .expect(200)["result"]["completion"]["values"],
        json!([id])
    );
}

#[test]
fn half_an_emoji_and_a_nul_do_not_cost_the_rest_of_the_message() {
    // U-13
    let vault = Vault::start();
    vault.remember("The launch is on Friday");
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"recall","arguments":{"query":"\ud83d launch\u0000"}}}"#;
    let answer = vault.mcp().raw(&[], body).expect(200);
    assert_eq!(
        answer["result"]["structuredContent"]["results"][0]["content"],
        "The launch is on Friday"
    );
    let stored = vault.send(
        "POST",
        "/api/memories",
        &[("Content-Type", "application/json")],
        Some(br#"{"content":"half \ud83d an emoji"}"#),
    );
    assert_eq!(stored.expect(201)["content"], "half \u{fffd} an emoji");
}
