//! Prompts: what a person may want to start with.

use serde_json::{Map, Value, json};

use crate::mcp::jsonrpc::Fault;

/// Apps that `import_memories` knows by name.
pub(crate) const APPS: [&str; 5] = ["claude", "chatgpt", "cursor", "codex", "other"];

const START: &str = "Call get_operating_guide once and follow it. Then recall what you need to know about me for what I am about to ask, \
and tell me in two or three lines what you found that matters. If nothing fits, just say so and go on.";

const SAVE: &str = "Look back over our conversation. Pick what will still matter in a later conversation with another agent: lasting \
preferences, decisions with their reason, facts about me, my people and projects. Recall each one first, so that nothing is stored twice. \
Show me the list, one full sentence each, and after I agree store them with remember; use supersedes where one replaces an older memory.";

/// `prompts/list`
pub(crate) fn list() -> Vec<Value> {
    let app = json!({ "name": "app", "title": "App", "description": "The app whose memories to bring over: claude, chatgpt, cursor, codex, other", "required": false });
    vec![
        json!({ "name": "start_conversation", "title": "Start with what you know", "description": "Reads the guide and recalls what matters for the task at hand" }),
        json!({ "name": "save_what_matters", "title": "Save what matters", "description": "Goes back over the conversation and saves what will matter later, after you agree" }),
        json!({ "name": "import_memories", "title": "Bring over my memories", "description": "Moves what an app remembers about you into the vault, after you agree", "arguments": [app] }),
    ]
}

/// `prompts/get`
pub(crate) fn get(params: &Map<String, Value>) -> Result<Value, Fault> {
    let name = params
        .get("name")
        .and_then(Value::as_str)
        .ok_or_else(|| Fault::invalid_params("params.name must be a prompt's name"))?;
    let (description, text) = match name {
        "start_conversation" => ("Start with what the vault knows", START.to_owned()),
        "save_what_matters" => ("Save what matters", SAVE.to_owned()),
        "import_memories" => ("Bring over memories", import(app(params)?)),
        _ => {
            return Err(Fault::invalid_params(
                "there is no such prompt; prompts/list names them",
            ));
        }
    };
    Ok(
        json!({ "description": description, "messages": [{ "role": "user", "content": { "type": "text", "text": text } }] }),
    )
}

fn app(params: &Map<String, Value>) -> Result<&'static str, Fault> {
    let given = params
        .get("arguments")
        .and_then(|arguments| arguments.get("app"));
    let given = match given {
        None | Some(Value::Null) => Some("other"),
        Some(app) => app.as_str(),
    };
    let known = given.and_then(|given| {
        APPS.iter()
            .find(|known| given.trim().eq_ignore_ascii_case(known))
    });
    known
        .copied()
        .ok_or_else(|| Fault::invalid_params(format!("app must be one of: {}", APPS.join(", "))))
}

fn import(app: &str) -> String {
    let place = match app {
        "claude" => "your memory of me and the project files you were given",
        "chatgpt" => "your saved memories of me and your custom instructions",
        "cursor" => "your memories and the rules of this workspace",
        "codex" => "your memories and AGENTS.md",
        _ => "whatever this app keeps about me: memories, profile, standing instructions",
    };
    format!(
        "List what you keep about me in {place}, one fact a line, as full sentences with names and dates. Leave out passwords, keys and \
numbers that open a door. Show me the list; after I agree, send it with bulk_remember, with source set to the app's name, and tell me what \
was stored, what was known and what was skipped."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_prompt_can_be_had_and_no_other() {
        for prompt in list() {
            assert!(
                get(json!({ "name": prompt["name"] }).as_object().unwrap()).is_ok(),
                "{prompt}"
            );
        }
        assert!(get(json!({ "name": "nope" }).as_object().unwrap()).is_err());
        for app in [json!("fridge"), json!(7), json!(["claude"])] {
            let params = json!({ "name": "import_memories", "arguments": { "app": app } });
            assert!(get(params.as_object().unwrap()).is_err(), "{app}");
        }
    }
}
