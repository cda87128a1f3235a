//! An item of somebody else's export: an object under whatever names its program uses, read for what a draft can hold.
//! What it does not know is left out; what the other program had deleted or replaced is refused, with the reason.

mod left_out;
mod reader;

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::model::draft::Draft;
use crate::model::time::Timestamp;
pub use left_out::LeftOut;
use reader::Reader;

/// Names of the text itself, the first that is there counts.
pub const CONTENT: [&str; 8] = [
    "content",
    "memory",
    "text",
    "fact",
    "observation",
    "note",
    "memory_text",
    "value",
];
const DATE: [&str; 8] = [
    "source_date",
    "date",
    "created_at",
    "created_timestamp",
    "created",
    "createdat",
    "timestamp",
    "updated_at",
];
const TAGS: [&str; 5] = ["tags", "labels", "categories", "category", "tag"];
const TYPE: [&str; 3] = ["type", "memory_type", "kind"];
const SOURCE: [&str; 2] = ["source", "origin"];
const SESSION: [&str; 5] = [
    "session",
    "session_id",
    "run_id",
    "conversation_id",
    "conversation",
];
const AUTHOR: [&str; 2] = ["author", "speaker"];
/// Words of `status` and `state` under which an item no longer holds.
const ENDED: [&str; 6] = [
    "superseded",
    "rejected",
    "deleted",
    "archived",
    "forgotten",
    "expired",
];
/// Types that only say that it is a memory.
const NO_TYPE: [&str; 4] = ["memory", "text", "semantic_memory", "entity"];

/// A name as the lists above spell it.
pub fn key(name: &str) -> String {
    name.trim().to_lowercase().replace([' ', '-'], "_")
}

/// Reads an item; `index` names it in errors. What is wrong about anything but the text costs the item that field, and it
/// says so in its warnings.
///
/// # Errors
/// `invalid_argument` on field `items[index]` for one without a text, or one that no longer held where it comes from.
pub fn draft(index: usize, fields: &Map<String, Value>) -> Result<Draft> {
    let field = format!("items[{index}]");
    let fields: Map<String, Value> = fields
        .iter()
        .map(|(name, value)| (key(name), value.clone()))
        .collect();
    let mut texts = CONTENT
        .iter()
        .filter_map(|name| Some((*name, fields.get(*name)?.as_str()?)));
    let Some((content_name, content)) = texts.next() else {
        let message = format!("has no text under any of: {}", CONTENT.join(", "));
        return Err(Error::invalid(&field, message));
    };
    let other = texts.find(|(_, text)| !text.trim().is_empty() && *text != content);
    let ended = ["status", "state"]
        .iter()
        .find_map(|name| fields.get(*name)?.as_str())
        .filter(|word| ENDED.contains(&word.to_lowercase().as_str()));
    if let Some(word) = ended {
        let message = format!(
            "is {} where it comes from, so it is left out",
            word.to_lowercase()
        );
        return Err(Error::invalid(&field, message));
    }
    let mut reader = Reader {
        metadata: fields.get("metadata").and_then(Value::as_object),
        fields: &fields,
        warnings: Vec::new(),
    };
    if let Some((name, _)) = other {
        reader.warn(format!(
            "{name} left out: the memory is the text under {content_name}"
        ));
    }
    let (memory_type, more_tag) = reader.memory_type();
    let draft = Draft {
        content: Some(content.to_owned()),
        memory_type,
        tier: reader.tier(),
        importance: reader.importance(),
        tags: reader.tags(more_tag.as_deref()),
        session: reader.label(&SESSION),
        author: reader.label(&AUTHOR),
        source: reader.label(&SOURCE),
        source_date: reader.date(),
        supersedes: reader.supersedes(),
        warnings: Vec::new(),
    };
    Ok(Draft {
        warnings: reader.warnings,
        ..draft
    })
}

/// A date as it was given; seconds or milliseconds since 1970 as the instant they are.
pub fn date(value: &Value) -> Option<String> {
    let number = match value {
        Value::String(text) => {
            let text = text.trim();
            if text.is_empty() {
                return None;
            }
            // A year has four digits, a count of seconds nine or more.
            let digits = text.bytes().filter(u8::is_ascii_digit).count();
            match text.parse::<f64>() {
                Ok(number) if digits >= EPOCH_DIGITS => number,
                _ => return Some(text.to_owned()),
            }
        }
        other => other.as_f64()?,
    };
    let millis = if number.abs() < MILLIS_FROM {
        number * 1_000.0
    } else {
        number
    };
    // 0 is what programs write that know no date; before 1970 counts are negative.
    (millis != 0.0 && millis.abs() <= MILLIS_MOST)
        .then(|| Timestamp::from_millis(millis as i64).rfc3339())
}

/// Digits from which a text is a count of seconds: 100,000,000 is 1973.
const EPOCH_DIGITS: usize = 9;
/// Longest count of milliseconds: a hundred thousand years.
const MILLIS_MOST: f64 = 3e15;
/// Counts from here on are milliseconds: as seconds this is the year 5138, as milliseconds 1973.
const MILLIS_FROM: f64 = 1e11;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits;
    use serde_json::json;

    fn read(value: Value) -> Result<Draft> {
        draft(4, value.as_object().unwrap())
    }

    #[test]
    fn text_date_tags_and_source_are_found_under_their_usual_names() {
        let item = read(json!({
            "id": "x1", "memory": "Likes tea", "user_id": "ada", "categories": ["food", "Food", "drink"], "hash": "ab",
            "metadata": { "source": "textbook", "tags": "hot|green" }, "created_at": "2024-03-15T10:30:00-07:00", "score": 0.3,
        }))
        .unwrap();
        assert_eq!(item.content.as_deref(), Some("Likes tea"));
        assert_eq!(item.source.as_deref(), Some("textbook"));
        assert_eq!(
            item.source_date.as_deref(),
            Some("2024-03-15T10:30:00-07:00")
        );
        assert_eq!(item.tags.unwrap(), ["food", "drink", "hot", "green"]);
    }

    #[test]
    fn counts_of_seconds_and_milliseconds_are_instants() {
        for (value, text) in [
            (json!(1742000000), "2025-03-15T00:53:20.000Z"),
            (json!(1742000000.5), "2025-03-15T00:53:20.500Z"),
            (json!(1742000000000_i64), "2025-03-15T00:53:20.000Z"),
            (json!("1742000000"), "2025-03-15T00:53:20.000Z"),
            (json!("2025"), "2025"),
            (json!(" 2025-03-15 "), "2025-03-15"),
            (json!(-86_400), "1969-12-31T00:00:00.000Z"),
            (json!("-200000000000"), "1963-08-31T04:26:40.000Z"),
        ] {
            assert_eq!(date(&value).as_deref(), Some(text), "{value}");
        }
        for value in [json!(null), json!(""), json!(0), json!([1]), json!(1e300)] {
            assert_eq!(date(&value), None, "{value}");
        }
    }

    #[test]
    fn an_unknown_type_becomes_a_tag_and_a_known_one_stays() {
        let item = read(json!({ "text": "x", "type": "Preference" })).unwrap();
        assert_eq!(
            (item.memory_type.as_deref(), item.tags),
            (Some("Preference"), None)
        );
        let item = read(json!({ "text": "x", "type": "hobby" })).unwrap();
        assert_eq!(
            (item.memory_type, item.tags),
            (None, Some(vec!["hobby".to_owned()]))
        );
        assert_eq!(
            read(json!({ "text": "x", "type": "memory" })).unwrap().tags,
            None
        );
    }

    #[test]
    fn what_no_longer_held_there_is_refused_and_so_is_what_has_no_text() {
        let error = read(json!({ "id": 1, "content": "x", "status": "Superseded" })).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("items[4]"));
        assert!(error.message.contains("superseded"), "{error}");
        assert!(read(json!({ "content": "x", "state": "active" })).is_ok());
        let error = read(json!({ "id": 1, "content": { "a": 1 } })).unwrap_err();
        assert!(error.message.contains("memory"), "{error}");
    }

    #[test]
    fn labels_and_tags_beyond_the_limits_do_not_cost_the_memory() {
        let long = "x".repeat(limits::LABEL_CHARS + 1);
        let many: Vec<String> = (0..30).map(|number| format!("t{number}")).collect();
        let item =
            read(json!({ "content": "x", "source": long, "tags": many, "importance": 7 })).unwrap();
        assert_eq!((item.source, item.importance), (None, None));
        assert_eq!(item.tags.unwrap().len(), limits::TAGS);
        let item =
            read(json!({ "content": "x", "tags": ["x".repeat(limits::TAG_CHARS + 1)] })).unwrap();
        assert_eq!(item.tags, None);
    }

    #[test]
    fn an_id_of_another_store_replaces_nothing_here() {
        let item = read(json!({ "id": "m1", "content": "x", "supersedes": "m0" })).unwrap();
        assert_eq!(item.supersedes, None);
        let item = read(json!({ "content": "x", "supersedes": "mem_1" })).unwrap();
        assert_eq!(item.supersedes.as_deref(), Some("mem_1"));
    }
}
