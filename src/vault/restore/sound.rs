//! Whether a row of a backup is one that a vault could have written: words, numbers, times, sizes and pointers as a write takes
//! them. What only a newer version would refuse (a text cleaned otherwise, a secret in a form that was not known) is let in: a
//! vault's own backup has to come back.

use std::ops::RangeInclusive;

use serde_json::{Map, Value};

use crate::limits;
use crate::model::audit::Action;
use crate::model::batch::ItemOutcome;
use crate::model::draft;
use crate::model::memory::Status;
use crate::model::source_date::{SOURCE_DATE_YEARS, SourceDate};
use crate::model::time::{DAY_MILLIS, Utc};
use crate::text;
use crate::vault::restore::row::Refusal;

/// Keys beyond which SQLite would soon have none left to give.
const KEYS: RangeInclusive<i64> = 0..=1 << 52;
/// Bytes of an id: Vectorize takes no longer ones.
const ID_BYTES: usize = 64;
/// Bytes of who did something: a kind, and a name of up to [`limits::LABEL_CHARS`] characters.
const ACTOR_BYTES: usize = 4 * limits::LABEL_CHARS + 64;
/// Characters of a source: what a write takes, and the name of the app it came through.
const SOURCE_CHARS: usize = 2 * limits::LABEL_CHARS + 16;
/// Columns that hold ids.
const IDS: [&str; 9] = [
    "id",
    "memory_id",
    "batch_id",
    "supersedes",
    "superseded_by",
    "similar_to",
    "replaced",
    "replaced_id",
    "supersedes_before",
];

/// Why a vault could not have written this row of the table.
pub(super) fn fault(table: &str, row: &Map<String, Value>) -> Option<Refusal> {
    let row = Row(row);
    let found = general(&row).or_else(|| match table {
        "memories" => memory(&row),
        "memory_history" => text(&row),
        "memory_conflicts" => (row.whole("memory_seq") == row.whole("other_seq"))
            .then(|| "a memory that contradicts itself".to_owned()),
        "batches" => batch(&row),
        "batch_items" => batch_item(&row),
        "guide_versions" => guide(&row),
        "audit" => audit(&row),
        "exclusions" => exclusion(&row),
        _ => None,
    });
    found.map(|fault| format!("is a row of {table} with {fault}"))
}

struct Row<'a>(&'a Map<String, Value>);

impl Row<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name).and_then(Value::as_str)
    }

    fn whole(&self, name: &str) -> Option<i64> {
        self.0.get(name).and_then(Value::as_i64)
    }

    /// Whether a number is there and is outside of a range.
    fn is_outside(&self, name: &str, range: RangeInclusive<f64>) -> bool {
        match self.0.get(name) {
            None | Some(Value::Null) => false,
            Some(value) => value.as_f64().is_none_or(|number| !range.contains(&number)),
        }
    }

    fn is_longer(&self, name: &str, characters: usize) -> bool {
        self.text(name)
            .is_some_and(|text| text.chars().nth(characters).is_some())
    }
}

/// The times a memory may have: those of the sources.
fn times() -> RangeInclusive<i64> {
    let day = |year: &i32, month: u8, day: u8| {
        let year = *year;
        SourceDate::Day { year, month, day }.instant(&Utc).millis()
    };
    // A day is a day in any zone.
    day(SOURCE_DATE_YEARS.start(), 1, 1) - DAY_MILLIS
        ..=day(SOURCE_DATE_YEARS.end(), 12, 31) + 2 * DAY_MILLIS
}

/// What holds in every table: keys, ids, times and names of actors.
fn general(row: &Row<'_>) -> Option<String> {
    let times = times();
    for (name, value) in row.0 {
        let is_time = name.ends_with("_at")
            || matches!(
                name.as_str(),
                "at" | "valid_from" | "valid_until" | "replaced_valid_until"
            );
        let is_key = matches!(
            name.as_str(),
            "seq" | "memory_seq" | "other_seq" | "version" | "place"
        ) || name.starts_with("input_") && value.is_number()
            || matches!(name.as_str(), "undo_removed" | "undo_restored");
        let whole = value.as_i64();
        if is_time && !value.is_null() && !whole.is_some_and(|time| times.contains(&time)) {
            return Some(format!("a time that cannot be in {name}"));
        }
        if is_key && value.is_number() && !whole.is_some_and(|key| KEYS.contains(&key)) {
            return Some(format!("a number that cannot be in {name}"));
        }
        let Some(text) = value.as_str() else { continue };
        let is_id = |text: &str| {
            (1..=ID_BYTES).contains(&text.len())
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        };
        if IDS.contains(&name.as_str()) && !is_id(text) {
            return Some(format!("no id in {name}"));
        }
        let is_actor = name.ends_with("_by") && name != "superseded_by" || name == "actor";
        if is_actor && (text.is_empty() || text.len() > ACTOR_BYTES) {
            return Some(format!("nobody who could have done it in {name}"));
        }
    }
    None
}

fn text(row: &Row<'_>) -> Option<String> {
    let Some(content) = row.text("content") else {
        return Some("no text".to_owned());
    };
    if text::clean::is_blank(content) {
        return Some("a blank text".to_owned());
    }
    (content.len() > limits::MEMORY_BYTES).then(|| {
        let (bytes, most) = (content.len(), limits::MEMORY_BYTES);
        format!("a text of {bytes} bytes; one takes at most {most}")
    })
}

fn memory(row: &Row<'_>) -> Option<String> {
    if let Some(fault) = text(row) {
        return Some(fault);
    }
    if row.0.get("importance").is_none_or(Value::is_null) || row.is_outside("importance", 0.0..=1.0)
    {
        return Some("an importance that is no number from 0 to 1".to_owned());
    }
    if row.is_outside("similarity", 0.0..=1.0) {
        return Some("a similarity that is no number from 0 to 1".to_owned());
    }
    let id = row.text("id").unwrap_or_default();
    for pointer in ["supersedes", "superseded_by", "similar_to"] {
        if row.text(pointer) == Some(id) {
            return Some(format!("its own id in {pointer}"));
        }
    }
    if row.text("status_reason").is_some() && row.text("status") != Some("superseded") {
        return Some("a reason to be history although it is none".to_owned());
    }
    if (row.text("status_before")).is_some_and(|status| Status::parse(status).is_err()) {
        return Some("an unknown status in status_before".to_owned());
    }
    for label in ["session", "author"] {
        if row.is_longer(label, limits::LABEL_CHARS) {
            return Some(format!(
                "more than {} characters in {label}",
                limits::LABEL_CHARS
            ));
        }
    }
    if row.is_longer("source", SOURCE_CHARS) {
        return Some(format!("more than {SOURCE_CHARS} characters in source"));
    }
    if draft::check_source_date(row.text("source_date").map(str::to_owned)).is_err() {
        return Some("a source_date that is no date".to_owned());
    }
    let tags: Result<Vec<String>, _> = serde_json::from_str(row.text("tags").unwrap_or("[]"));
    let fits = |tags: &Vec<String>| {
        let fits =
            |tag: &String| !tag.trim().is_empty() && tag.chars().count() <= limits::TAG_CHARS;
        tags.len() <= limits::TAGS && tags.iter().all(fits)
    };
    (!tags.is_ok_and(|tags| fits(&tags))).then(|| {
        let (tags, characters) = (limits::TAGS, limits::TAG_CHARS);
        format!("tags that are no list of up to {tags} words of up to {characters} characters")
    })
}

fn object(json: Option<&str>) -> Option<Map<String, Value>> {
    json.and_then(|json| serde_json::from_str(json).ok())
}

fn batch(row: &Row<'_>) -> Option<String> {
    let Some(counts) = object(row.text("counts")) else {
        return Some("counts that are no JSON object".to_owned());
    };
    if counts.values().any(|count| count.as_u64().is_none()) {
        return Some("a count that is no number".to_owned());
    }
    let waits = |status| matches!(Status::parse(status), Ok(Status::Active | Status::Proposed));
    (!row.text("status").is_none_or(waits)).then(|| "a status that no import gives".to_owned())
}

fn batch_item(row: &Row<'_>) -> Option<String> {
    if (row.text("outcome")).is_none_or(|outcome| ItemOutcome::parse(outcome).is_err()) {
        return Some("an unknown outcome".to_owned());
    }
    if (row.text("status")).is_some_and(|status| Status::parse(status).is_err()) {
        return Some("an unknown status".to_owned());
    }
    row.is_outside("similarity", 0.0..=1.0)
        .then(|| "a similarity that is no number from 0 to 1".to_owned())
}

fn guide(row: &Row<'_>) -> Option<String> {
    let content = row.text("content").unwrap_or_default();
    if row.whole("version") == Some(0) {
        return Some("no version".to_owned());
    }
    (content.len() > limits::GUIDE_BYTES).then(|| {
        format!(
            "a guide that is too long: it takes {} bytes",
            limits::GUIDE_BYTES
        )
    })
}

fn audit(row: &Row<'_>) -> Option<String> {
    if Action::parse(row.text("action").unwrap_or_default()).is_err() {
        return Some("an action that this version does not know".to_owned());
    }
    let details = row.text("details").filter(|details| !details.is_empty());
    (details.is_some() && object(details).is_none())
        .then(|| "details that are no JSON object".to_owned())
}

fn exclusion(row: &Row<'_>) -> Option<String> {
    let is_hash = |hash: &str| {
        hash.len() == 64
            && hash
                .bytes()
                .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    let hashes = [row.text("content_hash").unwrap_or_default()];
    (!hashes.into_iter().chain(row.text("family")).all(is_hash)).then(|| "no hash".to_owned())
}

#[cfg(test)]
mod tests;
