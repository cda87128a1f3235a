//! Items of an import: plain texts, or objects with the fields of a draft.

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::intake::{self, Intake, foreign};
use crate::model::draft::Draft;

/// How items look, for errors that refuse something else.
pub const FORM: &str = "[\"a fact\", {\"content\": \"another fact\", \"type\": \"fact\"}]";

/// The drafts of items; one that is none is its own error.
pub fn read(items: Vec<Value>) -> Intake {
    Intake {
        items: items
            .into_iter()
            .enumerate()
            .map(|(index, item)| draft(index, item))
            .collect(),
        read_as: "items",
        source: None,
        note: None,
        in_steps: false,
    }
}

/// Reads one item. `index` names it in the error.
///
/// # Errors
/// `invalid_argument` on field `items[index]` for anything that is neither a text nor an object with `content`.
fn draft(index: usize, item: Value) -> Result<Draft> {
    let field = format!("items[{index}]");
    match item {
        Value::String(content) => Ok(Draft::of(content)),
        Value::Object(fields) => {
            // An item of mem0's, whose word for the text cannot be a slip of the pen for anything else.
            if fields.get("memory").is_some_and(Value::is_string) && !fields.contains_key("content")
            {
                return foreign::draft(index, &fields);
            }
            if !fields.contains_key("content") {
                return Err(Error::invalid(
                    &field,
                    "has no `content`; give {\"content\": \"the text\"} or the bare text",
                ));
            }
            let wrong = wrong_field(&fields);
            serde_json::from_value(Value::Object(fields)).map_err(|_| {
                let message = wrong.unwrap_or_else(|| "has a field of the wrong type".to_owned());
                Error::invalid(&field, message)
            })
        }
        other => Err(Error::invalid(
            &field,
            format!(
                "is {}; an item is a text or an object with `content`",
                kind(&other)
            ),
        )),
    }
}

/// What each field of an item has to be.
const FIELDS: [(&str, &str); 10] = [
    ("content", "a text"),
    ("type", "a text"),
    ("tier", "a text"),
    ("importance", "a number"),
    ("tags", "a list"),
    ("session", "a text"),
    ("author", "a text"),
    ("source", "a text"),
    ("source_date", "a text"),
    ("supersedes", "a text"),
];

/// Which field of an item is wrong, and what it should be.
fn wrong_field(fields: &Map<String, Value>) -> Option<String> {
    let known = |name: &str| FIELDS.iter().find(|(field, _)| *field == name);
    let names = || FIELDS.map(|(field, _)| field).join(", ");
    fields.iter().find_map(|(name, value)| match known(name) {
        None => Some(format!(
            "has the field {}, which no item has; its fields are {}",
            intake::quoted(name),
            names()
        )),
        Some((_, wanted)) if !value.is_null() && kind(value) != *wanted => Some(format!(
            "has {} as its {name}, which has to be {wanted}",
            kind(value)
        )),
        Some(("tags", _)) => {
            let tags = value.as_array()?;
            let wrong = tags.iter().find(|tag| !tag.is_string())?;
            Some(format!(
                "has {} among its tags, which are texts",
                kind(wrong)
            ))
        }
        Some(_) => None,
    })
}

/// What a value is, in words.
pub(super) fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_text_and_an_object_are_items() {
        assert_eq!(
            draft(0, json!("a fact")).unwrap().content.as_deref(),
            Some("a fact")
        );
        let item = draft(
            0,
            json!({"content": "a fact", "type": "fact", "tags": ["x"]}),
        )
        .unwrap();
        assert_eq!(
            (item.memory_type.as_deref(), item.tags.unwrap().len()),
            (Some("fact"), 1)
        );
    }

    #[test]
    fn anything_else_is_refused_by_its_place() {
        assert!(
            draft(
                0,
                json!({"memory": "x", "created_at": "2025-01-02", "id": "1"})
            )
            .is_ok()
        );
        for (item, word) in [
            (json!(5), "a number"),
            (json!(null), "null"),
            (json!(["x"]), "a list"),
            (json!({"text": "x"}), "content"),
            (json!({"content": "x", "superseds": "mem_1"}), "“superseds”"),
            (
                json!({"content": "x", "importance": "high"}),
                "a text as its importance, which has to be a number",
            ),
            (
                json!({"content": "x", "tags": "home"}),
                "a text as its tags, which has to be a list",
            ),
            (
                json!({"content": "x", "tags": ["a", 3]}),
                "a number among its tags",
            ),
            (json!({"content": 5}), "a number as its content"),
        ] {
            let error = draft(3, item).unwrap_err();
            assert_eq!(error.field.as_deref(), Some("items[3]"));
            assert!(error.message.contains(word), "{error}");
        }
    }
}
