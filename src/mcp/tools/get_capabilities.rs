//! The tool `get_capabilities`: limits and tools, as a client may want to know them.

use serde_json::{Map, Value, json};

use crate::error::Result;
use crate::limits;
use crate::mcp::Session;
use crate::mcp::arguments::Arguments;
use crate::mcp::schema::{described, list, object, text};
use crate::mcp::tools::{READS, Scope, TOOLS, Tool};
use crate::vault;

pub(crate) const TOOL: Tool = Tool {
    name: "get_capabilities",
    title: "Read the vault's limits",
    description: "Reads the limits in force (sizes, counts), the tools there are and how recall searches. Use it before a large import, or \
when a call was refused as too large.",
    scope: Scope::MemoryRead,
    hints: READS,
    input: || object(Vec::new(), &[]),
    output,
    run,
};

fn output() -> Value {
    let numbers = json!({ "type": "object", "additionalProperties": { "type": "integer" } });
    object(
        vec![
            ("version", text("The vault's version")),
            ("recall_mode", text("How recall searches")),
            (
                "tools",
                list(
                    json!({ "type": "string" }),
                    "Names of the tools that this app may use",
                ),
            ),
            (
                "limits",
                described(numbers, "Each limit by name; names end in their unit"),
            ),
        ],
        &["version", "recall_mode", "tools", "limits"],
    )
}

fn run(session: &Session<'_>, _arguments: &Arguments) -> Result<Value> {
    let limits: Map<String, Value> = limits::published()
        .into_iter()
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    let tools: Vec<&str> = TOOLS
        .iter()
        .filter(|tool| session.allows(tool.scope))
        .map(|tool| tool.name)
        .collect();
    Ok(
        json!({ "version": env!("CARGO_PKG_VERSION"), "recall_mode": vault::meaning::mode(session.vault)?, "tools": tools, "limits": limits }),
    )
}
