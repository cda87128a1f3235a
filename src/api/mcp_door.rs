//! `POST /mcp`: hands the request to [`crate::mcp`].

use crate::api::call::Call;
use crate::api::response::Response;
use crate::error::Result;
use crate::mcp;
use crate::vault::Vault;

/// One JSON-RPC message in, one answer out.
pub fn mcp(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let exchange = mcp::Exchange {
        content_type: call.header("content-type"),
        protocol_version: call.header("mcp-protocol-version"),
        method: call.header("mcp-method"),
        name: call.header("mcp-name"),
        body: &call.request.body,
        base_url: &call.request.base_url,
    };
    let reply = mcp::handle(vault, call.actor()?, &exchange);
    let headers = if reply.body.is_some() {
        vec![("Content-Type", "application/json".to_owned())]
    } else {
        Vec::new()
    };
    Ok(Response {
        status: reply.status,
        headers,
        body: reply.body.unwrap_or_default(),
        failure: reply.failure,
    })
}
