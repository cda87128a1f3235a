//! The tool `forget`: hides one memory and asks the owner.

use serde_json::{Value, json};

use crate::error::{Error, Result};
use crate::mcp::Session;
use crate::mcp::arguments::Arguments;
use crate::mcp::schema::{object, one_of, text};
use crate::mcp::tools::{Scope, TAKES_AWAY, Tool};
use crate::model::ids::IdKind;
use crate::vault;
use crate::vault::forget::Forgotten;

pub(crate) const TOOL: Tool = Tool {
    name: "forget",
    title: "Forget a memory",
    description: "Hides one memory at once and asks the person to have it destroyed. Use it only when the person asks for it: find the \
memory with recall, name it to them, then give its id. One id a call. To correct something, use remember with supersedes instead.",
    scope: Scope::MemoryWrite,
    hints: TAKES_AWAY,
    input,
    output,
    run,
};

fn input() -> Value {
    object(
        vec![(
            "id",
            text("The id of one memory, as recall or list_memories gives it"),
        )],
        &["id"],
    )
}

fn output() -> Value {
    object(
        vec![
            (
                "outcome",
                one_of(&["requested", "destroyed"], "What happened"),
            ),
            ("id", text("The memory's id")),
            (
                "destroyed_after",
                text(
                    "When it will be destroyed, if the person does not keep it; absent when they have to confirm",
                ),
            ),
            ("message", text("The same as a sentence")),
        ],
        &["outcome", "id", "message"],
    )
}

fn run(session: &Session<'_>, arguments: &Arguments) -> Result<Value> {
    let one = || {
        Error::invalid(
            "id",
            "must be the id of one memory, such as mem_01kkbc5300000g40r40m30e209; recall gives it",
        )
    };
    let id = match arguments.value("id") {
        Some(Value::String(id)) if IdKind::Memory.matches(id.trim()) => id.trim(),
        _ => return Err(one()),
    };
    Ok(
        match vault::forget::forget(session.vault, session.actor, id)? {
            Forgotten::Requested {
                id,
                destroyed_after: Some(at),
            } => json!({
                "outcome": "requested", "id": id, "destroyed_after": at,
                "message": "Hidden now; it will be destroyed unless the person keeps it.",
            }),
            Forgotten::Requested {
                id,
                destroyed_after: None,
            } => json!({
                "outcome": "requested", "id": id, "message": "Hidden now; the person confirms in the dashboard before it is destroyed.",
            }),
            Forgotten::Destroyed { .. } => {
                json!({ "outcome": "destroyed", "id": id, "message": "Gone." })
            }
        },
    )
}
