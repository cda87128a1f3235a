//! JSON-RPC 2.0 messages as MCP narrows them: ids are strings or whole numbers, parameters are objects.

use serde_json::{Map, Value};

use crate::error::{Error, Kind};
use crate::model::scope::Scope;

/// Error codes: JSON-RPC's own, and MCP's.
pub(crate) mod code {
    /// Not JSON.
    pub(crate) const PARSE_ERROR: i64 = -32700;
    /// Not a JSON-RPC message.
    pub(crate) const INVALID_REQUEST: i64 = -32600;
    /// No such method.
    pub(crate) const METHOD_NOT_FOUND: i64 = -32601;
    /// Parameters of the wrong shape, or naming something unknown.
    pub(crate) const INVALID_PARAMS: i64 = -32602;
    /// A fault of ours.
    pub(crate) const INTERNAL_ERROR: i64 = -32603;
    /// MCP until 2025-11-25: no such resource.
    pub(crate) const RESOURCE_NOT_FOUND: i64 = -32002;
    /// Ours: the grant lacks a scope.
    pub(crate) const INSUFFICIENT_SCOPE: i64 = -31003;
    /// MCP 2026-07-28: headers and body disagree.
    pub(crate) const HEADER_MISMATCH: i64 = -32020;
    /// MCP 2026-07-28: a version that is not served.
    pub(crate) const UNSUPPORTED_VERSION: i64 = -32022;
}

/// Longest string id that is echoed.
const ID_CHARS: usize = 256;

/// A JSON-RPC error on its way out.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Fault {
    pub(crate) code: i64,
    pub(crate) message: String,
    pub(crate) data: Option<Value>,
    /// For the log.
    pub(crate) cause: Option<Box<Error>>,
    /// The scope that the app's grant lacks; answered with 403 and a challenge.
    pub(crate) missing_scope: Option<Scope>,
}

impl Fault {
    pub(crate) fn new(code: i64, message: impl Into<String>) -> Self {
        Fault {
            code,
            message: message.into(),
            data: None,
            cause: None,
            missing_scope: None,
        }
    }

    /// The app may not do this. The code is outside of JSON-RPC's reserved range.
    pub(crate) fn insufficient_scope(scope: Scope) -> Self {
        let message = format!(
            "the person has not allowed this app the scope {}; ask them to connect it again with that box ticked",
            scope.as_str()
        );
        Fault {
            missing_scope: Some(scope),
            ..Fault::new(code::INSUFFICIENT_SCOPE, message)
        }
    }

    pub(crate) fn invalid_params(message: impl Into<String>) -> Self {
        Fault::new(code::INVALID_PARAMS, message)
    }

    pub(crate) fn internal(cause: Error) -> Self {
        let message = cause.message.clone();
        Fault {
            cause: Some(Box::new(cause)),
            ..Fault::new(code::INTERNAL_ERROR, message)
        }
    }

    /// What an operation failed with, outside of a tool call: our fault, or the parameters'.
    pub(crate) fn of(error: Error) -> Self {
        match error.kind {
            Kind::Internal | Kind::Unavailable => Fault::internal(error),
            _ => Fault::invalid_params(error.to_string()),
        }
    }

    pub(crate) fn with_data(mut self, data: Value) -> Self {
        self.data = Some(data);
        self
    }
}

/// A request: it has an id and wants an answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    pub(crate) id: Value,
    pub(crate) method: String,
    pub(crate) params: Map<String, Value>,
}

/// What a client may send.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Message {
    Request(Request),
    Notification,
    Response,
}

/// A message that is none, and the id to say so under, if it had one.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unreadable {
    pub(crate) id: Option<Value>,
    pub(crate) fault: Fault,
}

impl Message {
    /// Reads one message.
    pub(crate) fn read(value: Value) -> Result<Message, Unreadable> {
        let known = value.get("id").filter(|id| is_id(id)).cloned();
        Message::read_fields(value).map_err(|fault| Unreadable { id: known, fault })
    }

    fn read_fields(value: Value) -> Result<Message, Fault> {
        let refused = |message: &str| Err(Fault::new(code::INVALID_REQUEST, message));
        let Value::Object(mut fields) = value else {
            return refused("a message must be an object");
        };
        if fields.get("jsonrpc").and_then(Value::as_str) != Some("2.0") {
            return refused("a message must have \"jsonrpc\": \"2.0\"");
        }
        let id = fields.remove("id");
        let method = match fields.remove("method") {
            Some(Value::String(method)) => method,
            Some(_) => return refused("method must be a string"),
            None if fields.contains_key("result") || fields.contains_key("error") => {
                return Ok(Message::Response);
            }
            None => return refused("a message must have a method"),
        };
        let Some(id) = id else {
            return Ok(Message::Notification);
        };
        if !is_id(&id) {
            return refused("id must be a whole number or a string of at most 256 characters");
        }
        match fields.remove("params") {
            None | Some(Value::Null) => Ok(Message::Request(Request {
                id,
                method,
                params: Map::new(),
            })),
            Some(Value::Object(params)) => Ok(Message::Request(Request { id, method, params })),
            Some(_) => Err(Fault::invalid_params("params must be an object")),
        }
    }
}

fn is_id(id: &Value) -> bool {
    match id {
        Value::String(text) => text.chars().count() <= ID_CHARS,
        Value::Number(number) => number.is_i64() || number.is_u64(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn messages_are_told_apart() {
        assert!(matches!(
            Message::read(json!({"jsonrpc":"2.0","id":1,"method":"ping"})),
            Ok(Message::Request(_))
        ));
        assert_eq!(
            Message::read(json!({"jsonrpc":"2.0","method":"notifications/initialized"})),
            Ok(Message::Notification)
        );
        assert_eq!(
            Message::read(json!({"jsonrpc":"2.0","id":1,"result":{}})),
            Ok(Message::Response)
        );
    }

    #[test]
    fn what_is_none_is_refused() {
        for value in [
            json!(1),
            json!({}),
            json!({"jsonrpc":"1.0","id":1,"method":"ping"}),
            json!({"jsonrpc":"2.0","id":null,"method":"ping"}),
            json!({"jsonrpc":"2.0","id":1.5,"method":"ping"}),
            json!({"jsonrpc":"2.0","id":{},"method":"ping"}),
            json!({"jsonrpc":"2.0","id":1,"method":7}),
            json!({"jsonrpc":"2.0","id":"x".repeat(257),"method":"ping"}),
        ] {
            assert_eq!(
                Message::read(value.clone()).unwrap_err().fault.code,
                code::INVALID_REQUEST,
                "{value}"
            );
        }
        let listed = json!({"jsonrpc":"2.0","id":1,"method":"ping","params":[]});
        assert_eq!(
            Message::read(listed).unwrap_err().fault.code,
            code::INVALID_PARAMS
        );
    }
}
