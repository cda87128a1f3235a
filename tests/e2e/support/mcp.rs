//! An agent's client: bare JSON-RPC, so that tests see what goes over the wire. Real clients are tried in
//! `scripts/clients`.

use serde_json::{Value, json};

use super::answer::Answer;
use super::vault::Vault;

/// Speaks the modern protocol unless told otherwise.
pub struct Mcp<'a> {
    vault: &'a Vault,
    token: Option<String>,
}

/// The modern revision.
pub const MODERN: &str = "2026-07-28";

impl<'a> Mcp<'a> {
    /// A client with an access token, or with none.
    pub fn new(vault: &'a Vault, token: Option<&str>) -> Self {
        let token = token.map(|token| format!("Bearer {token}"));
        Mcp { vault, token }
    }

    /// A modern request, complete with its envelope and headers.
    pub fn request(&self, method: &str, mut params: Value) -> Answer {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": MODERN,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": { "name": "e2e", "version": "1" },
        });
        let named = params["name"]
            .as_str()
            .or(params["uri"].as_str())
            .unwrap_or_default()
            .to_owned();
        let body =
            json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        let mut headers = vec![("MCP-Protocol-Version", MODERN), ("Mcp-Method", method)];
        if !named.is_empty() {
            headers.push(("Mcp-Name", &named));
        }
        self.raw(&headers, &body)
    }

    /// Any request with the client's token and these headers.
    pub fn send(&self, method: &str, headers: &[(&str, &str)], body: Option<&[u8]>) -> Answer {
        let own = self
            .token
            .iter()
            .map(|token| ("Authorization", token.as_str()));
        let headers: Vec<(&str, &str)> = own.chain(headers.iter().copied()).collect();
        self.vault.send(method, "/mcp", &headers, body)
    }

    /// A body as it is, with these headers beside the content type and Accept.
    pub fn raw(&self, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut all = vec![
            ("Content-Type", "application/json"),
            ("Accept", "application/json, text/event-stream"),
        ];
        all.extend(
            self.token
                .iter()
                .map(|token| ("Authorization", token.as_str())),
        );
        all.extend_from_slice(headers);
        self.vault.send("POST", "/mcp", &all, Some(body.as_bytes()))
    }

    /// A legacy request.
    pub fn legacy(&self, version: &str, method: &str, params: Value) -> Answer {
        let body =
            json!({ "jsonrpc": "2.0", "id": 1, "method": method, "params": params }).to_string();
        self.raw(&[("MCP-Protocol-Version", version)], &body)
    }

    /// Calls a tool; its result.
    #[track_caller]
    pub fn call(&self, tool: &str, arguments: Value) -> Value {
        let answer = self
            .request(
                "tools/call",
                json!({ "name": tool, "arguments": arguments }),
            )
            .expect(200);
        assert!(answer["error"].is_null(), "{answer}");
        answer["result"].clone()
    }

    /// Calls a tool that must succeed; its structured content.
    #[track_caller]
    pub fn tool(&self, tool: &str, arguments: Value) -> Value {
        let result = self.call(tool, arguments);
        assert!(result["isError"] != json!(true), "{result}");
        result["structuredContent"].clone()
    }

    /// Calls a tool that must refuse; its sentence.
    #[track_caller]
    pub fn refusal(&self, tool: &str, arguments: Value) -> String {
        let result = self.call(tool, arguments);
        assert_eq!(result["isError"], json!(true), "{result}");
        result["content"][0]["text"].as_str().unwrap().to_owned()
    }
}
