//! What people paste or import, cut into drafts: texts, tables, and the memory exports of other programs. Pure: text in,
//! items out; nothing is stored here.

pub mod csv;
pub mod foreign;
pub mod graph;
pub mod items;
pub mod json;
pub mod text;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::model::draft::Draft;
use crate::model::memory::words;

/// The accepted forms, for errors.
pub const FORMS: &str = "text (cut at --- lines, blank lines and bullets), CSV with a column for the text, a JSON list of texts or \
objects with content, and the memory exports of ChatGPT, Claude, mem0 and the MCP memory server";

words! {
    /// How a text is to be read.
    Format("format") {
        /// As what it looks like (the default).
        Auto = "auto",
        /// Paragraphs and bullets.
        Text = "text",
        /// A table.
        Csv = "csv",
        /// One JSON value.
        Json = "json",
        /// One JSON value a line.
        Jsonl = "jsonl",
    }
}

/// An input as it was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Intake {
    /// Its items, in order; one that is none is its own error.
    pub items: Vec<Result<Draft>>,
    /// The form it was read as.
    pub read_as: &'static str,
    /// Where such a form comes from, unless the caller says otherwise.
    pub source: Option<&'static str>,
    /// Whether it may have more items than one call takes: the caller cannot count what is cut here.
    pub in_steps: bool,
}

/// Reads an import that gives either items or a text.
///
/// # Errors
/// `invalid_argument` on field `items` for both and for neither, on `format` for items in another form than they are,
/// on `text` for a text that cannot be read as the form it has or is said to have.
pub fn read(items: Option<Vec<Value>>, text: Option<&str>, format: Format) -> Result<Intake> {
    match (items, text) {
        (Some(_), None) if format != Format::Auto => Err(Error::invalid(
            "format",
            "is about text; leave it out with items",
        )),
        (Some(items), None) => Ok(items::read(items)),
        (None, Some(text)) => read_text(text, format),
        _ => Err(Error::invalid(
            "items",
            format!("give either items, such as {}, or text", items::FORM),
        )),
    }
}

/// Reads a text in a form.
///
/// # Errors
/// As [`read`].
pub fn read_text(text: &str, format: Format) -> Result<Intake> {
    match format {
        Format::Text => Ok(of("text", text::split(text).into_iter().map(Ok).collect())),
        Format::Csv => csv::read(text).map(|items| of("csv", items)),
        Format::Jsonl => json::read_lines(text),
        Format::Json => match serde_json::from_str(bare(text)) {
            Ok(value) => json::read(&value),
            Err(error) => Err(broken(&error)),
        },
        Format::Auto => recognise(text),
    }
}

fn of(read_as: &'static str, items: Vec<Result<Draft>>) -> Intake {
    Intake {
        items,
        read_as,
        source: None,
        in_steps: true,
    }
}

fn bare(text: &str) -> &str {
    text.trim_start_matches('\u{feff}').trim()
}

fn broken(error: &serde_json::Error) -> Error {
    let message = format!(
        "is not JSON: it stops at line {} column {}; accepted are {FORMS}",
        error.line(),
        error.column()
    );
    Error::invalid("text", message)
}

/// Reads a text as what it looks like.
fn recognise(text: &str) -> Result<Intake> {
    let bare = bare(text);
    if !bare.starts_with(['{', '[']) {
        let format = if csv::is_table(bare) {
            Format::Csv
        } else {
            Format::Text
        };
        return read_text(text, format);
    }
    match serde_json::from_str(bare) {
        Ok(value) => json::read(&value),
        Err(_) if is_lines(bare) => json::read_lines(bare),
        // "[2025-03-01] - Likes tea" is a text.
        Err(error) if looks_like_json(bare) => Err(broken(&error)),
        Err(_) => read_text(text, Format::Text),
    }
}

/// Whether the first of several lines is a JSON object.
fn is_lines(text: &str) -> bool {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    lines
        .next()
        .is_some_and(|line| line.trim_start().starts_with('{'))
        && serde_json::from_str::<serde_json::Map<String, Value>>(first).is_ok()
}

/// Whether a text begins as JSON does and prose does not.
fn looks_like_json(text: &str) -> bool {
    let mut characters = text.chars().filter(|character| !character.is_whitespace());
    matches!(
        (characters.next(), characters.next()),
        (Some('{'), Some('"' | '}')) | (Some('['), Some('{' | '"'))
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read_as(text: &str) -> &'static str {
        read_text(text, Format::Auto).unwrap().read_as
    }

    #[test]
    fn a_form_is_recognised_by_what_it_looks_like() {
        for (text, form) in [
            ("Likes tea\n\nLives in Ghent", "text"),
            ("[2025-03-01] - Likes tea", "text"),
            ("{curly} things, {odd} things", "text"),
            ("content,type\nLikes tea,fact", "csv"),
            ("\u{feff}[\"Likes tea\"]", "json"),
            ("{\"results\":[]}", "mem0"),
            ("{\"text\":\"a\"}\n{\"text\":\"b\"}", "jsonl"),
            ("{\"text\":\"a\"}\n{\"text\":", "jsonl"),
        ] {
            assert_eq!(read_as(text), form, "{text}");
        }
    }

    #[test]
    fn broken_json_is_refused_with_its_place_and_the_accepted_forms() {
        // U-93
        for format in [Format::Auto, Format::Json] {
            let error = read_text("[{\"memory\": \"hunter2\",]", format).unwrap_err();
            assert_eq!(error.field.as_deref(), Some("text"));
            assert!(
                error.message.contains("line 1") && error.message.contains("mem0"),
                "{error}"
            );
            assert!(!error.message.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn a_form_that_is_named_is_not_guessed() {
        let text = "{\"content\": \"x\"}";
        assert_eq!(read_text(text, Format::Text).unwrap().read_as, "text");
        let items = Some(vec![Value::from("x")]);
        let error = read(items, None, Format::Csv).unwrap_err();
        assert_eq!(error.field.as_deref(), Some("format"));
        assert!(read(None, None, Format::Auto).is_err());
        assert!(read(Some(Vec::new()), Some("x"), Format::Auto).is_err());
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange_for_any_form(text in "(.|\n|[{}\\[\\]\":,;#|`-]){0,60}") {
            for format in [Format::Auto, Format::Text, Format::Csv, Format::Json, Format::Jsonl] {
                let _ = read_text(&text, format);
            }
        }
    }
}
