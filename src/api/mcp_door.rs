//! `POST /mcp`: hands the request to [`crate::mcp`].

use crate::api::call::Call;
use crate::api::challenge::{self, Refusal};
use crate::api::response::Response;
use crate::error::Result;
use crate::mcp;
use crate::oauth::challenge::Reason;
use crate::ports::Later;
use crate::vault::oauth::admit;
use crate::vault::{self, Vault};

/// One JSON-RPC message in, one answer out.
pub fn mcp<'a>(vault: &'a Vault<'a>, call: &'a Call<'a>) -> Later<'a, Result<Response>> {
    Box::pin(answer(vault, call))
}

async fn answer(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let exchange = mcp::Exchange {
        content_type: call.header("content-type"),
        protocol_version: call.header("mcp-protocol-version"),
        method: call.header("mcp-method"),
        name: call.header("mcp-name"),
        body: &call.request.body,
        base_url: &call.request.base_url,
    };
    let base_url = &call.request.base_url;
    let Some(actor) = admit::admit(vault, call.actor()?)? else {
        return Ok(challenge::refuse(
            base_url,
            Refusal::Because(Reason::InvalidToken),
        ));
    };
    // What is asked of others is asked first; the answer itself is made in one go.
    vault::meaning::ask(vault, &mcp::questions(&call.request.body)).await;
    let reply = mcp::handle(vault, &actor, &exchange);
    let headers = if reply.body.is_some() {
        vec![("Content-Type", "application/json".to_owned())]
    } else {
        Vec::new()
    };
    let response = Response {
        status: reply.status,
        headers,
        body: reply.body.unwrap_or_default(),
        failure: reply.failure,
    };
    Ok(match reply.missing_scope {
        Some(scope) => {
            let reason = Some(Reason::InsufficientScope);
            challenge::with_header(response, base_url, scope.as_str(), reason)
        }
        None => response,
    })
}
