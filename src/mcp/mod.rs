//! The Model Context Protocol at one endpoint, stateless, in both of its eras: 2025-03-26 to 2025-11-25 ("legacy": a
//! handshake, JSON-RPC as it is) and 2026-07-28 ("modern": version and capabilities in every request).
//!
//! The HTTP layer hands over one POST body and gets one answer back. No sessions, no streams, no server-to-client
//! requests: what is not offered is not advertised.

mod arguments;
mod budget;
mod completion;
mod era;
mod jsonrpc;
mod methods;
mod prompts;
mod resources;
mod schema;
#[cfg(test)]
mod tests;
mod tools;

use serde_json::Value;

use crate::error::Error;
use crate::limits;
use crate::model::actor::Actor;
use crate::model::scope::Scope;
use crate::text::surrogates;
use crate::vault::Vault;
use era::Headers;
use jsonrpc::{Fault, Message, code};

/// One POST to `/mcp`, after host, origin, caller and size were checked.
#[derive(Debug, Clone, Copy)]
pub struct Exchange<'a> {
    /// `Content-Type`.
    pub content_type: Option<&'a str>,
    /// `MCP-Protocol-Version`.
    pub protocol_version: Option<&'a str>,
    /// `Mcp-Method`.
    pub method: Option<&'a str>,
    /// `Mcp-Name`.
    pub name: Option<&'a str>,
    /// The body.
    pub body: &'a [u8],
    /// Our own origin, for links.
    pub base_url: &'a str,
}

/// The answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// JSON; absent with 202.
    pub body: Option<Vec<u8>>,
    /// A fault of ours, for the log.
    pub failure: Option<Error>,
    /// The scope that the app lacked; the answer's status is 403 then.
    pub missing_scope: Option<Scope>,
}

/// Who asks what, on the way to a method.
pub(crate) struct Session<'a> {
    pub(crate) vault: &'a Vault<'a>,
    pub(crate) actor: &'a Actor,
    pub(crate) base_url: &'a str,
}

impl Session<'_> {
    /// Whether the app may use what the scope stands for.
    pub(crate) fn allows(&self, scope: Scope) -> bool {
        match self.actor {
            Actor::Agent { scopes, .. } => scopes.allow(scope),
            Actor::Owner { .. } | Actor::Service { .. } | Actor::Vault => false,
        }
    }

    /// Fails with a fault that becomes 403 unless the app may.
    pub(crate) fn need(&self, scope: Scope) -> Result<(), Fault> {
        if self.allows(scope) {
            Ok(())
        } else {
            Err(Fault::insufficient_scope(scope))
        }
    }
}

/// Answers a POST. Never fails: what goes wrong is in the answer.
pub fn handle(vault: &Vault<'_>, actor: &Actor, exchange: &Exchange<'_>) -> Reply {
    let media_type = exchange
        .content_type
        .and_then(|value| value.split(';').next())
        .unwrap_or_default()
        .trim();
    if !media_type.eq_ignore_ascii_case("application/json") {
        return Reply::fault(
            415,
            None,
            Fault::new(
                code::INVALID_REQUEST,
                "send JSON, with Content-Type: application/json",
            ),
        );
    }
    let Ok(value) = serde_json::from_slice::<Value>(&surrogates::mend(exchange.body)) else {
        return Reply::fault(
            400,
            None,
            Fault::new(code::PARSE_ERROR, "the body is not JSON"),
        );
    };
    let session = Session {
        vault,
        actor,
        base_url: exchange.base_url,
    };
    let headers = Headers {
        protocol_version: exchange.protocol_version,
        method: exchange.method,
        name: exchange.name,
    };
    match value {
        Value::Array(batch) => answer_batch(&session, &headers, batch),
        value => answer_one(&session, &headers, value),
    }
}

/// The questions that recall will be asked by a body, so that a larger model can be asked before; none in a body that is not
/// understood.
pub fn questions(body: &[u8]) -> Vec<String> {
    let Ok(value) = serde_json::from_slice::<Value>(&surrogates::mend(body)) else {
        return Vec::new();
    };
    let messages = match value {
        Value::Array(messages) => messages,
        single => vec![single],
    };
    let question = |message: &Value| {
        let params = message.get("params")?;
        let tool = params.get("name")?.as_str()?;
        let is_asked = message.get("method")?.as_str()? == "tools/call"
            && tools::ANSWERED_BY_RECALL.contains(&tool);
        let text = params.get("arguments")?.get("query")?.as_str()?;
        is_asked.then(|| text.to_owned())
    };
    messages
        .iter()
        .take(limits::MCP_BATCH)
        .filter_map(question)
        .collect()
}

fn answer_one(session: &Session<'_>, headers: &Headers<'_>, value: Value) -> Reply {
    match Message::read(value) {
        Err(unreadable) => Reply::fault(400, unreadable.id, unreadable.fault),
        Ok(Message::Notification | Message::Response) => Reply::accepted(None),
        Ok(Message::Request(request)) => match era::era(&request, headers) {
            Err(refusal) => Reply::fault(refusal.status, Some(request.id), refusal.fault),
            Ok(era) => {
                let id = request.id.clone();
                match methods::answer(session, era, request) {
                    Ok(result) => Reply::result(id, result),
                    Err(fault) => {
                        let missing_scope = fault.missing_scope;
                        Reply {
                            missing_scope,
                            ..Reply::fault(era.status_of(&fault), Some(id), fault)
                        }
                    }
                }
            }
        },
    }
}

/// Batches are part of 2025-03-26 only. They may not hold the handshake.
fn answer_batch(session: &Session<'_>, headers: &Headers<'_>, batch: Vec<Value>) -> Reply {
    let initializes =
        |value: &Value| value.get("method").and_then(Value::as_str) == Some("initialize");
    let allowed = headers
        .protocol_version
        .is_none_or(|version| version.trim() == era::BATCHING_VERSION);
    if !allowed
        || batch.is_empty()
        || batch.len() > limits::MCP_BATCH
        || batch.iter().any(initializes)
    {
        let message = format!(
            "a batch must have 1 to {} messages without initialize, in protocol version {} only",
            limits::MCP_BATCH,
            era::BATCHING_VERSION
        );
        return Reply::fault(400, None, Fault::new(code::INVALID_REQUEST, message));
    }
    let mut answers = Vec::new();
    let mut failure = None;
    for value in batch {
        let reply = answer_one(session, headers, value);
        answers.extend(reply.body);
        failure = failure.or(reply.failure);
    }
    if answers.is_empty() {
        return Reply::accepted(failure);
    }
    let mut body = vec![b'['];
    body.extend(answers.join(&b','));
    body.push(b']');
    Reply {
        status: 200,
        body: Some(body),
        failure,
        missing_scope: None,
    }
}

impl Reply {
    /// 202, for what wants no answer.
    fn accepted(failure: Option<Error>) -> Self {
        Reply {
            status: 202,
            body: None,
            failure,
            missing_scope: None,
        }
    }

    fn result(id: Value, result: Value) -> Self {
        Reply::of(
            200,
            &serde_json::json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            None,
        )
    }

    /// An error. The id is left out where it is not known; it is never null.
    fn fault(status: u16, id: Option<Value>, fault: Fault) -> Self {
        let mut error = serde_json::json!({ "code": fault.code, "message": fault.message });
        if let (Some(data), Some(error)) = (fault.data, error.as_object_mut()) {
            error.insert("data".to_owned(), data);
        }
        let mut body = serde_json::json!({ "jsonrpc": "2.0", "error": error });
        if let (Some(id), Some(body)) = (id, body.as_object_mut()) {
            body.insert("id".to_owned(), id);
        }
        Reply::of(status, &body, fault.cause.map(|cause| *cause))
    }

    fn of(status: u16, body: &Value, failure: Option<Error>) -> Self {
        Reply {
            status,
            body: serde_json::to_vec(body).ok(),
            failure,
            missing_scope: None,
        }
    }
}
