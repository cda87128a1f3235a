//! The tools: one table, one file per tool or pair. A tool reads its arguments, calls one operation, and shows its
//! result as structured content that its output schema describes.

mod bulk_remember;
mod fetch;
mod forget;
mod get_capabilities;
mod get_operating_guide;
mod list_memories;
mod recall;
mod remember;
mod search;
pub(crate) mod view;

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use serde_json::{Map, Value, json};

use crate::error::{Error, McpOutcome, Result};
use crate::mcp::Session;
use crate::mcp::arguments::Arguments;
use crate::mcp::jsonrpc::Fault;
pub(crate) use crate::model::scope::Scope;
use crate::vault;

/// What a client may expect of a call. All four hints are always given, since their defaults are pessimistic.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hints {
    read_only: bool,
    destructive: bool,
    idempotent: bool,
}

/// Reads only.
pub(crate) const READS: Hints = Hints {
    read_only: true,
    destructive: false,
    idempotent: true,
};
/// Adds something.
pub(crate) const ADDS: Hints = Hints {
    read_only: false,
    destructive: false,
    idempotent: false,
};
/// Takes something away; a second time changes nothing more.
pub(crate) const TAKES_AWAY: Hints = Hints {
    read_only: false,
    destructive: true,
    idempotent: true,
};

/// One row of the table.
pub(crate) struct Tool {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) description: &'static str,
    /// What the app's grant must allow.
    pub(crate) scope: Scope,
    pub(crate) hints: Hints,
    pub(crate) input: fn() -> Value,
    pub(crate) output: fn() -> Value,
    pub(crate) run: fn(&Session<'_>, &Arguments) -> Result<Value>,
}

/// Every tool, in the order clients see.
pub(crate) static TOOLS: &[&Tool] = &[
    &get_operating_guide::TOOL,
    &recall::TOOL,
    &list_memories::TOOL,
    &remember::REMEMBER,
    &remember::PROPOSE,
    &bulk_remember::TOOL,
    &forget::TOOL,
    &search::TOOL,
    &fetch::TOOL,
    &get_capabilities::TOOL,
];

/// The tools whose `query` recall answers.
pub(crate) const ANSWERED_BY_RECALL: [&str; 2] = ["recall", "search"];

/// `tools/list`: what the grant allows.
pub(crate) fn list(session: &Session<'_>) -> Vec<Value> {
    described(TOOLS.iter().filter(|tool| session.allows(tool.scope)))
}

fn described<'a>(tools: impl Iterator<Item = &'a &'static Tool>) -> Vec<Value> {
    let describe = |tool: &&'static Tool| {
        json!({
            "name": tool.name,
            "title": tool.title,
            "description": tool.description,
            "inputSchema": (tool.input)(),
            "outputSchema": (tool.output)(),
            "annotations": {
                "title": tool.title,
                "readOnlyHint": tool.hints.read_only,
                "destructiveHint": tool.hints.destructive,
                "idempotentHint": tool.hints.idempotent,
                "openWorldHint": false,
            },
        })
    };
    tools.map(describe).collect()
}

/// `tools/call`
pub(crate) fn call(
    session: &Session<'_>,
    mut params: Map<String, Value>,
) -> std::result::Result<Value, Fault> {
    let name = params
        .get("name")
        .and_then(Value::as_str)
        .ok_or_else(|| Fault::invalid_params("params.name must be a tool's name"))?;
    let tool = TOOLS.iter().find(|tool| tool.name == name);
    let tool =
        tool.ok_or_else(|| Fault::invalid_params("there is no such tool; tools/list names them"))?;
    session.need(tool.scope)?;
    let fields = match params.remove("arguments") {
        None | Some(Value::Null) => Map::new(),
        Some(Value::Object(fields)) => fields,
        Some(Value::String(text)) if text.trim().is_empty() => Map::new(),
        Some(Value::String(text)) => serde_json::from_str(&text)
            .map_err(|_| Fault::invalid_params("params.arguments must be an object"))?,
        Some(_) => return Err(Fault::invalid_params("params.arguments must be an object")),
    };
    match run(session, tool, fields) {
        Ok(content) => Ok(
            json!({ "content": [{ "type": "text", "text": text_copy(&content) }], "structuredContent": content }),
        ),
        Err(error) => match error.kind.row().mcp {
            McpOutcome::ToolError => Ok(
                json!({ "content": [{ "type": "text", "text": sentence(&error) }], "isError": true }),
            ),
            McpOutcome::ProtocolError(_) => Err(Fault::internal(error)),
        },
    }
}

/// The structured content as text, with the notice first: a model should read how to take the notes before the notes.
fn text_copy(content: &Value) -> String {
    let Some(fields) = content.as_object() else {
        return content.to_string();
    };
    let (notices, others): (Vec<_>, Vec<_>) =
        fields.iter().partition(|(name, _)| *name == "notice");
    let fields = notices.into_iter().chain(others);
    let fields: Vec<String> = fields
        .map(|(name, value)| format!("{}:{value}", Value::from(name.as_str())))
        .collect();
    format!("{{{}}}", fields.join(","))
}

fn run(session: &Session<'_>, tool: &Tool, fields: Map<String, Value>) -> Result<Value> {
    let arguments = Arguments::new(fields, &known_arguments(tool))?;
    if !tool.hints.read_only {
        vault::rates::count_write(session.vault, session.actor)?;
    }
    (tool.run)(session, &arguments)
}

thread_local! {
    static KNOWN_ARGUMENTS: RefCell<HashMap<&'static str, Rc<[String]>>> = RefCell::default();
}

/// The names of a tool's arguments. Its schema, from which they come, is made once: that takes longer than reading a call.
fn known_arguments(tool: &Tool) -> Rc<[String]> {
    let names = || {
        let input = (tool.input)();
        let properties = input.get("properties").and_then(Value::as_object);
        let names = properties.into_iter().flatten().map(|(name, _)| name);
        names.cloned().collect()
    };
    KNOWN_ARGUMENTS.with_borrow_mut(|known| Rc::clone(known.entry(tool.name).or_insert_with(names)))
}

/// A refusal as a model reads it: the code, what was wrong, and whether trying again helps.
fn sentence(error: &Error) -> String {
    let row = error.kind.row();
    let advice = if row.retryable {
        " Trying again in a moment may help."
    } else {
        ""
    };
    format!(
        "{} ({}).{advice}",
        error.to_string().trim_end_matches('.'),
        row.code
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every schema in a tree of schemas.
    fn walk(schema: &Value, visit: &mut impl FnMut(&Value)) {
        visit(schema);
        for property in schema["properties"].as_object().into_iter().flatten() {
            walk(property.1, visit);
        }
        if schema["items"].is_object() {
            walk(&schema["items"], visit);
        }
    }

    #[test]
    fn names_and_schemas_suit_every_client() {
        for tool in described(TOOLS.iter()) {
            let name = tool["name"].as_str().unwrap();
            assert!(
                (1..=48).contains(&name.len())
                    && name
                        .bytes()
                        .all(|byte| byte.is_ascii_lowercase() || byte == b'_'),
                "{name}"
            );
            assert!(tool["description"].as_str().unwrap().len() > 60, "{name}");
            for key in ["inputSchema", "outputSchema"] {
                let schema = &tool[key];
                assert_eq!(schema["type"], "object", "{name}");
                let text = schema.to_string();
                assert!(
                    !text.contains("$ref")
                        && schema.get("anyOf").is_none()
                        && schema.get("oneOf").is_none(),
                    "{name}"
                );
                walk(schema, &mut |schema| {
                    for (property, described) in
                        schema["properties"].as_object().into_iter().flatten()
                    {
                        assert!(
                            described["description"]
                                .as_str()
                                .is_some_and(|text| text.len() > 3),
                            "{name}.{property}"
                        );
                    }
                });
            }
        }
    }

    #[test]
    fn what_is_required_is_described_and_every_hint_is_given() {
        for tool in described(TOOLS.iter()) {
            for key in ["inputSchema", "outputSchema"] {
                walk(&tool[key], &mut |schema| {
                    for name in schema["required"].as_array().into_iter().flatten() {
                        let described = &schema["properties"][name.as_str().unwrap()];
                        assert!(described.is_object(), "{} {name}", tool["name"]);
                    }
                });
            }
            let hints = &tool["annotations"];
            for hint in ["readOnlyHint", "destructiveHint", "idempotentHint"] {
                assert!(hints[hint].is_boolean(), "{} {hint}", tool["name"]);
            }
            assert_eq!(hints["openWorldHint"], false, "{}", tool["name"]);
        }
    }

    #[test]
    fn a_text_copy_says_the_same_with_the_notice_first() {
        assert_eq!(
            text_copy(&json!({ "a": "\"", "notice": "read", "z": [1] })),
            r#"{"notice":"read","a":"\"","z":[1]}"#
        );
        assert_eq!(text_copy(&json!({})), "{}");
    }

    #[test]
    fn hints_tell_readers_from_writers() {
        for tool in TOOLS {
            assert_eq!(
                tool.hints.read_only,
                tool.scope == Scope::MemoryRead,
                "{}",
                tool.name
            );
            assert_eq!(
                tool.hints.destructive,
                tool.name == "forget",
                "{}",
                tool.name
            );
        }
    }

    #[test]
    fn no_tool_lets_an_agent_decide() {
        for tool in TOOLS {
            for word in [
                "approve",
                "reject",
                "setting",
                "mode",
                "put_guide",
                "restore",
            ] {
                assert!(!tool.name.contains(word), "{}", tool.name);
            }
        }
    }
}
