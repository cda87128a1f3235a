//! JSON, whole or line by line: lists of texts and objects, and the memory exports of ChatGPT, Claude, mem0 and the MCP
//! reference memory server, each known by its shape.

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::intake::foreign::LeftOut;
use crate::intake::{FORMS, Intake, conversations, foreign, graph, text};
use crate::model::draft::Draft;
use crate::text::surrogates;

/// Names under which programs put their list.
const LISTS: [&str; 6] = ["results", "memories", "items", "data", "facts", "memory"];

/// A JSON value; where a program cut a character in half, a replacement character stands for it.
///
/// # Errors
/// For what is no JSON, and for JSON that is nested too deeply.
pub fn parse(text: &str) -> serde_json::Result<Value> {
    serde_json::from_slice(&surrogates::mend(text.as_bytes()))
}

/// Reads one JSON value.
///
/// # Errors
/// `invalid_argument` on field `text` for a shape that is none of the accepted ones, which the error names.
pub fn read(value: &Value) -> Result<Intake> {
    match value {
        Value::Array(list) => read_list(list),
        Value::Object(fields) => read_object(fields),
        _ => Err(unknown("is neither a list nor an object")),
    }
}

/// Whether an object is another program's export, by the list it holds.
pub fn is_export(fields: &Map<String, Value>) -> bool {
    let has_list = |name: &&str| fields.get(*name).is_some_and(Value::is_array);
    LISTS.iter().any(|name| *name != "items" && has_list(name))
        || has_list(&"entities")
        || fields.contains_key("conversations_memory")
        || fields.contains_key("project_memories")
        || conversations::refuse(&Value::Object(fields.clone())).is_err()
}

/// Reads one JSON value a line. A line that is none is an error in its place.
///
/// # Errors
/// As [`read`], for lines of conversations.
pub fn read_lines(text: &str) -> Result<Intake> {
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    let lines = lines.filter(|(_, line)| !line.trim().is_empty());
    let mut items = Vec::new();
    let mut is_graph = false;
    let mut left_out = LeftOut::default();
    for (place, line) in lines {
        match parse(line) {
            Ok(value) if graph::is_part(&value) => {
                is_graph = true;
                items.extend(graph::drafts(items.len(), &value));
            }
            Ok(value) => {
                conversations::refuse(&value)?;
                items.push(item(items.len(), &value, &mut left_out));
            }
            Err(_) => {
                let message = format!("is not JSON (line {})", place + 1);
                items.push(Err(Error::invalid(
                    &format!("items[{}]", items.len()),
                    message,
                )));
            }
        }
    }
    Ok(if is_graph {
        intake("mcp_memory", Some("MCP memory server"), items)
    } else {
        Intake {
            note: left_out.note("Fields"),
            ..intake("jsonl", None, items)
        }
    })
}

fn read_list(list: &[Value]) -> Result<Intake> {
    conversations::refuse_list(list)?;
    let any = |test: fn(&Value) -> bool| list.iter().any(test);
    if any(is_claude) {
        let objects = list.iter().filter_map(Value::as_object);
        return Ok(intake(
            "claude",
            Some("Claude"),
            objects.flat_map(claude).collect(),
        ));
    }
    if any(graph::is_part) {
        let parts = list.iter().enumerate();
        let items = parts
            .flat_map(|(index, part)| graph::drafts(index, part))
            .collect();
        return Ok(intake("mcp_memory", Some("MCP memory server"), items));
    }
    let (name, source) = named(list, false);
    let (items, note) = items(list);
    Ok(Intake {
        note,
        ..intake(name, source, items)
    })
}

fn read_object(fields: &Map<String, Value>) -> Result<Intake> {
    let whole = Value::Object(fields.clone());
    conversations::refuse(&whole)?;
    if is_claude(&whole) {
        return Ok(intake("claude", Some("Claude"), claude(fields)));
    }
    if fields.get("entities").is_some_and(Value::is_array) {
        return Ok(intake(
            "mcp_memory",
            Some("MCP memory server"),
            graph::whole(fields),
        ));
    }
    if graph::is_part(&whole) {
        return Ok(intake(
            "mcp_memory",
            Some("MCP memory server"),
            graph::drafts(0, &whole),
        ));
    }
    let list = LISTS
        .iter()
        .find_map(|name| Some((*name, fields.get(*name)?.as_array()?)));
    if let Some((key, list)) = list {
        let is_chatgpt = fields.keys().any(|name| name.starts_with("memory_"));
        let (name, source) = match named(list, is_chatgpt) {
            ("json", None) if key == "results" => ("mem0", Some("mem0")),
            known => known,
        };
        let (mut items, note) = items(list);
        if let Some(relations) = fields.get("relations").and_then(Value::as_array) {
            items.extend(graph::relations(relations).map(Ok));
        }
        return Ok(Intake {
            note,
            ..intake(name, source, items)
        });
    }
    let has_text = foreign::CONTENT
        .iter()
        .any(|name| fields.get(*name).is_some_and(Value::is_string));
    if has_text {
        let (items, note) = items(std::slice::from_ref(&whole));
        return Ok(Intake {
            note,
            ..intake("json", None, items)
        });
    }
    Err(unknown("is JSON of a shape that is not known here"))
}

/// Whose list it is, by what its objects hold.
fn named(list: &[Value], is_chatgpt: bool) -> (&'static str, Option<&'static str>) {
    let any = |name: &str| list.iter().any(|value| value.get(name).is_some());
    if is_chatgpt || any("created_timestamp") {
        ("chatgpt", Some("ChatGPT"))
    } else if any("memory") {
        ("mem0", Some("mem0"))
    } else {
        ("json", None)
    }
}

fn items(list: &[Value]) -> (Vec<Result<Draft>>, Option<String>) {
    let mut left_out = LeftOut::default();
    let items = list
        .iter()
        .enumerate()
        .map(|(index, value)| item(index, value, &mut left_out))
        .collect();
    (items, left_out.note("Fields"))
}

/// A text, or an object under whatever names its program uses.
fn item(index: usize, value: &Value, left_out: &mut LeftOut) -> Result<Draft> {
    match value {
        Value::String(text) => Ok(Draft::of(text.clone())),
        Value::Object(fields) => {
            left_out.look_at(fields);
            foreign::draft(index, fields)
        }
        _ => {
            let message = "is neither a text nor an object";
            Err(Error::invalid(&format!("items[{index}]"), message))
        }
    }
}

fn is_claude(value: &Value) -> bool {
    value.get("conversations_memory").is_some() || value.get("project_memories").is_some()
}

/// What Claude remembers: one text over all conversations, and one a project.
fn claude(fields: &Map<String, Value>) -> Vec<Result<Draft>> {
    let mut texts: Vec<&str> = Vec::new();
    texts.extend(fields.get("conversations_memory").and_then(Value::as_str));
    match fields.get("project_memories") {
        Some(Value::Object(projects)) => texts.extend(projects.values().filter_map(Value::as_str)),
        Some(Value::Array(projects)) => texts.extend(projects.iter().filter_map(|project| {
            project
                .as_str()
                .or_else(|| project.get("content")?.as_str())
                .or_else(|| project.get("memory")?.as_str())
        })),
        _ => {}
    }
    for name in ["memory_files", "controls"] {
        let list = fields.get(name).and_then(Value::as_array);
        let list = list.into_iter().flatten();
        texts.extend(
            list.filter_map(|file| file.as_str().or_else(|| file.get("content")?.as_str())),
        );
    }
    texts.into_iter().flat_map(text::split).map(Ok).collect()
}

fn intake(
    read_as: &'static str,
    source: Option<&'static str>,
    items: Vec<Result<Draft>>,
) -> Intake {
    Intake {
        items,
        read_as,
        source,
        note: None,
        in_steps: true,
    }
}

fn unknown(what: &str) -> Error {
    Error::invalid("text", format!("{what}; accepted are {FORMS}"))
}

#[cfg(test)]
mod tests;
