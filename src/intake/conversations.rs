//! Exports of whole conversations, recognised so that they are refused: they are no memories, and cutting them into turns
//! would fill the vault with talk.

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::intake::FORMS;

/// How far down a conversation is looked for: a list of conversations under a name, such as `{"history": [{…}]}`.
const DEPTH: usize = 2;
/// Entries of a list that are looked at: an export is of one kind throughout.
const LOOKED_AT: usize = 50;
/// Who speaks in a list of messages.
const ROLES: [&str; 6] = ["user", "assistant", "system", "human", "tool", "model"];

/// Fails for an export of conversations.
///
/// # Errors
/// `invalid_argument` on field `text`, with whose export it is and what can be brought in instead.
pub fn refuse(value: &Value) -> Result<()> {
    refuse_of(whose(value, DEPTH))
}

/// The same for a list.
///
/// # Errors
/// As [`refuse`].
pub fn refuse_list(list: &[Value]) -> Result<()> {
    refuse_of(whose_list(list))
}

fn refuse_of(whose: Option<&'static str>) -> Result<()> {
    let Some(whose) = whose else { return Ok(()) };
    let message = format!(
        "is an export of whole conversations ({whose}), not of memories. This vault keeps single facts and has no place for \
whole conversations: ask that app to list what it remembers of you, as the page /connect says, or write down the facts you \
want to keep, and bring in that list. Accepted are {FORMS}"
    );
    Err(Error::invalid("text", message))
}

fn whose(value: &Value, depth: usize) -> Option<&'static str> {
    match value {
        Value::Object(fields) => of_object(fields).or_else(|| {
            let inner = fields.values().take(LOOKED_AT);
            (depth > 0)
                .then(|| {
                    inner
                        .filter(|value| !value.is_string())
                        .find_map(|value| whose(value, depth - 1))
                })
                .flatten()
        }),
        Value::Array(list) => whose_list(list),
        _ => None,
    }
}

fn whose_list(list: &[Value]) -> Option<&'static str> {
    let objects = list.iter().take(LOOKED_AT).filter_map(Value::as_object);
    objects.into_iter().find_map(of_object)
}

fn of_object(fields: &Map<String, Value>) -> Option<&'static str> {
    let is_nested = |name: &str| {
        fields
            .get(name)
            .is_some_and(|value| value.is_object() || value.is_array())
    };
    let is_turn = |fields: &Map<String, Value>| {
        let role = fields.get("role").and_then(Value::as_str);
        role.is_some_and(|role| ROLES.contains(&role))
    };
    let holds_turn = |name: &str| {
        let inner = fields.get(name).and_then(Value::as_object);
        inner.is_some_and(is_turn)
    };
    if fields.get("mapping").is_some_and(Value::is_object) {
        Some("ChatGPT's conversations.json")
    } else if is_nested("chat_messages") {
        Some("Claude's conversations.json")
    } else if is_nested("messages") {
        Some("a list of messages")
    } else if is_turn(fields) || holds_turn("message") || holds_turn("payload") {
        Some("messages with a role")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn conversations_are_told_from_memories_and_by_whose_they_are() {
        // U-93
        for (value, whose) in [
            (json!([{ "title": "x", "mapping": {} }]), "ChatGPT's"),
            (json!({ "title": "x", "mapping": {} }), "ChatGPT's"),
            (
                json!({ "one": { "title": "x", "mapping": {} }, "two": 1 }),
                "ChatGPT's",
            ),
            (json!([{ "uuid": "x", "chat_messages": [] }]), "Claude's"),
            (
                json!({ "version": 4, "history": [{ "id": "1", "messages": [] }] }),
                "a list of messages",
            ),
            (
                json!({ "messages": [{ "role": "user" }] }),
                "a list of messages",
            ),
            (
                json!([{ "role": "user", "content": "hello" }]),
                "with a role",
            ),
            (
                json!([{ "type": "user", "message": { "role": "user", "content": "hello" } }]),
                "with a role",
            ),
        ] {
            let error = refuse(&value).unwrap_err();
            assert_eq!(error.field.as_deref(), Some("text"));
            for word in [whose, "/connect", "list what it remembers", "mem0"] {
                assert!(error.message.contains(word), "{error}");
            }
        }
        for value in [
            json!([{ "memory": "x", "metadata": { "role": "admin" } }]),
            json!([{ "content": "x", "role": "gardener" }]),
            json!({ "results": [{ "memory": "x", "messages": "none" }] }),
            json!("messages"),
        ] {
            assert!(refuse(&value).is_ok(), "{value}");
        }
    }
}
