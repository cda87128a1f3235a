//! The graph of the MCP reference memory server: entities with observations, and relations between them. Each observation
//! is a memory that names its entity; each relation is one sentence.

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::intake::foreign;
use crate::model::draft::Draft;
use crate::model::memory::MemoryType;

/// Whether an object is an entity or a relation.
pub fn is_part(value: &Value) -> bool {
    let is_text = |name: &str| value.get(name).is_some_and(Value::is_string);
    value.get("observations").is_some_and(Value::is_array) && is_text("name")
        || is_text("from") && is_text("to") && is_text("relationType")
}

/// The memories of an entity or a relation; `index` names it in errors.
pub fn drafts(index: usize, value: &Value) -> Vec<Result<Draft>> {
    let text = |name: &str| value.get(name).and_then(Value::as_str);
    if let (Some(from), Some(to), Some(relation)) = (text("from"), text("to"), text("relationType"))
    {
        return vec![Ok(related(from, relation, to))];
    }
    let (Some(name), Some(observations)) = (
        text("name"),
        value.get("observations").and_then(Value::as_array),
    ) else {
        let message = "is neither an entity with a name and observations nor a relation with from, to and relationType";
        return vec![Err(Error::invalid(&format!("items[{index}]"), message))];
    };
    let kind = text("entityType")
        .map(str::trim)
        .filter(|kind| !kind.is_empty());
    let known = kind.filter(|kind| MemoryType::parse(kind).is_ok());
    observations
        .iter()
        .map(|observation| {
            let mut draft = match observation {
                Value::String(text) => Draft::of(text.clone()),
                Value::Object(fields) => foreign::draft(index, fields)?,
                _ => {
                    let message = "has an observation that is no text";
                    return Err(Error::invalid(&format!("items[{index}]"), message));
                }
            };
            let said = draft.content.take().unwrap_or_default();
            // An observation without anything to read stays blank, and is reported as such.
            draft.content = Some(if said.trim().is_empty() {
                said
            } else {
                format!("{name}: {said}")
            });
            draft.memory_type = draft.memory_type.or(known.map(str::to_owned));
            if known.is_none() && draft.tags.is_none() {
                draft.tags = kind.map(|kind| vec![kind.to_owned()]);
            }
            Ok(draft)
        })
        .collect()
}

/// A relation as a sentence.
pub fn related(from: &str, relation: &str, to: &str) -> Draft {
    Draft::of(format!("{from} {} {to}", relation.replace('_', " ")))
}

/// The relations of a mem0 export.
pub fn relations(list: &[Value]) -> impl Iterator<Item = Draft> {
    list.iter().filter_map(|relation| {
        let text = |names: [&str; 2]| {
            let found = names.iter().find_map(|name| relation.get(*name));
            found.and_then(Value::as_str)
        };
        let (from, to) = (text(["source", "from"])?, text(["destination", "target"])?);
        Some(related(from, text(["relationship", "relation"])?, to))
    })
}

/// The drafts of a whole graph in one object.
pub fn whole(graph: &Map<String, Value>) -> Vec<Result<Draft>> {
    let parts = ["entities", "relations"]
        .iter()
        .filter_map(|name| graph.get(*name)?.as_array());
    parts
        .flatten()
        .enumerate()
        .flat_map(|(index, part)| drafts(index, part))
        .collect()
}
