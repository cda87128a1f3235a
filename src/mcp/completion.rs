//! `completion/complete`: the app of `import_memories`, and ids of memories.

use serde_json::{Map, Value, json};

use crate::limits;
use crate::mcp::Session;
use crate::mcp::jsonrpc::Fault;
use crate::mcp::{prompts, resources};
use crate::model::scope::Scope;
use crate::vault;

/// Completes an argument. Names that have nothing to complete give an empty list; names that do not exist are refused.
pub(crate) fn complete(session: &Session<'_>, params: &Map<String, Value>) -> Result<Value, Fault> {
    let at = |path: &[&str]| {
        let mut value = params.get(*path.first()?)?;
        for name in path.iter().skip(1) {
            value = value.get(name)?;
        }
        value.as_str()
    };
    let argument = at(&["argument", "name"])
        .ok_or_else(|| Fault::invalid_params("params.argument.name must be a text"))?;
    let begun = at(&["argument", "value"]).unwrap_or_default();
    let values: Vec<String> = match (
        at(&["ref", "type"]),
        at(&["ref", "name"]),
        at(&["ref", "uri"]),
    ) {
        (Some("ref/prompt"), Some(name), _) => {
            if !prompts::list()
                .iter()
                .any(|prompt| prompt.get("name").and_then(Value::as_str) == Some(name))
            {
                return Err(Fault::invalid_params("params.ref names no prompt"));
            }
            let apps = prompts::APPS
                .iter()
                .filter(|app| argument == "app" && app.starts_with(&begun.to_lowercase()));
            apps.map(|app| (*app).to_owned()).collect()
        }
        (Some("ref/resource"), _, Some(resources::MEMORY_TEMPLATE)) if argument == "id" => {
            session.need(Scope::MemoryRead)?;
            vault::get::complete(session.vault, session.actor, begun, limits::COMPLETIONS + 1)
                .map_err(Fault::of)?
        }
        (Some("ref/resource"), _, Some(resources::MEMORY_TEMPLATE)) => Vec::new(),
        _ => {
            return Err(Fault::invalid_params(
                "params.ref must name a prompt or the template memory://{id}",
            ));
        }
    };
    let more = values.len() > limits::COMPLETIONS;
    let values: Vec<String> = values.into_iter().take(limits::COMPLETIONS).collect();
    let mut completion = json!({ "values": values, "hasMore": more });
    if !more && let Some(fields) = completion.as_object_mut() {
        fields.insert("total".to_owned(), json!(values.len()));
    }
    Ok(json!({ "completion": completion }))
}
