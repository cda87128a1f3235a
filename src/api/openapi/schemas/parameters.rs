//! Query parameters, for the OpenAPI document.

use serde_json::{Value, json};

use super::{review, words};
use crate::limits;
use crate::model::audit::Action;
use crate::model::batch::ItemOutcome;
use crate::model::memory::{MemoryType, Tier};
use crate::vault::export::ExportFormat;

/// A query parameter by its name.
pub fn query_parameter(name: &str) -> Value {
    let text = json!({ "type": "string" });
    let (description, schema) = match name {
        "q" => (
            "A question or some words. Data, never syntax: operators and quotes have no meaning.",
            json!({ "type": "string", "maxLength": limits::QUERY_CHARS }),
        ),
        "limit" => (
            "Rows at most; larger numbers are clamped",
            json!({ "type": "integer", "minimum": 1, "maximum": limits::PAGE_MAX }),
        ),
        "cursor" => (
            "next_cursor of the page before, with the same filters",
            text,
        ),
        "status" => (
            "One status or several, separated by commas; `all` for every one",
            text,
        ),
        "type" => ("Only this type", words(MemoryType::WORDS)),
        "tier" => ("Only this tier", words(Tier::WORDS)),
        "tag" => ("Only with this tag", text),
        "source" => ("Only from this source", text),
        "session" => ("Only of this session", text),
        "batch" => ("Only of this import", text),
        "after" => (
            "Dated then or later: an instant, a day, or words such as `yesterday`, `3 days ago`, `last week`",
            text,
        ),
        "before" => ("Dated earlier than that; the same forms as `after`", text),
        "forget_requested" => (
            "1 lists what agents asked to forget instead",
            json!({ "type": "string", "enum": ["0", "1"] }),
        ),
        "include_superseded" => (
            "1 lets history answer too",
            json!({ "type": "string", "enum": ["0", "1"] }),
        ),
        "as_of" => (
            "What held then: an instant, a day (to its end), or words as in `after`",
            text,
        ),
        "explain" => (
            "1 says what each part of the ranking gave to a score",
            json!({ "type": "string", "enum": ["0", "1"] }),
        ),
        "embeddings" => (
            "0 leaves them out; a restore makes them anew",
            json!({ "type": "string", "enum": ["0", "1"] }),
        ),
        "replace" => (
            "1 lets go of what the vault holds",
            json!({ "type": "string", "enum": ["0", "1"] }),
        ),
        "keep_forgotten" => (
            "0 brings back what was forgotten after the backup was made",
            json!({ "type": "string", "enum": ["0", "1"] }),
        ),
        "format" => (
            "The export's form; `md` unless given",
            words(ExportFormat::WORDS),
        ),
        "reembed" => (
            "1 also makes every memory's vector anew",
            json!({ "type": "string", "enum": ["0", "1"] }),
        ),
        "supersede_similar" => (
            "1 also replaces the memory this proposal resembles",
            json!({ "type": "string", "enum": ["0", "1"] }),
        ),
        "dry_run" => (
            "1 says what would happen and writes nothing",
            json!({ "type": "string", "enum": ["0", "1"] }),
        ),
        "more" => (
            "1 says that further calls of the same import follow",
            json!({ "type": "string", "enum": ["0", "1"] }),
        ),
        "batch_id" => ("The import to go on with", text),
        "file" => ("The name of the file", text),
        "outcome" => ("Only items with this outcome", words(ItemOutcome::WORDS)),
        "actor" => ("Only this actor, as the log names it", text),
        "action" => ("Only this action", words(Action::WORDS)),
        "subject" => ("Only about this id", text),
        _ => review::query_parameter(name).unwrap_or(("", text)),
    };
    json!({ "name": name, "in": "query", "required": name == "q", "description": description, "schema": schema })
}
