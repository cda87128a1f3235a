//! What people paste or import, cut into drafts: texts, tables, and the memory exports of other programs. Pure: text in,
//! items out; nothing is stored here.

pub mod conversations;
pub mod csv;
pub mod file;
pub mod foreign;
pub mod graph;
pub mod items;
pub mod json;
pub mod text;

use serde_json::Value;

use crate::error::{Error, Result};
use crate::model::draft::Draft;
use crate::model::memory::words;
use crate::text::secrets;

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
    /// What is to be said of the whole of it: what was left out, or what it seems to be. Sentences.
    pub note: Option<String>,
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
    file::refuse_binary(text)?;
    match format {
        Format::Text => Ok(read_prose(&file::with_lines(text))),
        Format::Csv => csv::read(&file::with_lines(text)),
        Format::Jsonl => json::read_lines(text),
        Format::Json => match json::parse(bare(text)) {
            Ok(value) => json::read(&value),
            Err(error) => Err(broken(&error)),
        },
        Format::Auto => recognise(text),
    }
}

fn read_prose(text: &str) -> Intake {
    let cut = text::cut(text);
    let mut notes = Vec::new();
    if cut.is_transcript {
        notes.push(
            "This reads like a transcript: each turn is a memory, with who spoke.".to_owned(),
        );
    }
    if cut.comments > 0 {
        notes.push(format!("Comments left out: {}.", cut.comments));
    }
    Intake {
        items: cut.drafts.into_iter().map(Ok).collect(),
        read_as: "text",
        source: None,
        note: (!notes.is_empty()).then(|| notes.join(" ")),
        in_steps: true,
    }
}

/// Characters of a value that a message repeats: enough to find it in a file by.
const QUOTED_CHARS: usize = 40;

/// A value somebody gave, short and without secrets, for messages about it.
pub fn quoted(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let masked = secrets::masked(&line);
    let mut short: String = masked.chars().take(QUOTED_CHARS).collect();
    if short.len() < masked.len() {
        short.push('…');
    }
    format!("\u{201c}{short}\u{201d}")
}

fn bare(text: &str) -> &str {
    text.trim_start_matches('\u{feff}').trim()
}

fn broken(error: &serde_json::Error) -> Error {
    // serde_json has no kind of its own for it.
    if error.to_string().starts_with("recursion limit") {
        let message = "is JSON nested deeper than 127 levels, as no list of memories is";
        return Error::invalid("text", message);
    }
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
    match json::parse(bare) {
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
    fn a_value_that_is_quoted_is_short_and_holds_no_secret() {
        assert_eq!(quoted(" a \n b "), "“a b”");
        assert_eq!(quoted(&"x".repeat(40)), format!("“{}”", "x".repeat(40)));
        assert_eq!(quoted(&"x".repeat(41)), format!("“{}…”", "x".repeat(40)));
        let token = concat!("gh", "p_", "Zk3Qw9TtR8s7Lm2Vb6Nc5Xj4Hd1Fg0PaYuEi");
        assert!(!quoted(&format!("{}{token}", "y ".repeat(15))).contains("Zk3Q"));
    }

    #[test]
    fn json_is_read_with_halves_of_characters_and_refused_when_it_is_too_deep() {
        let half = "[\"Likes \\ud83d tea\"]";
        let draft = read_text(half, Format::Auto).unwrap().items[0].clone();
        assert_eq!(
            draft.unwrap().content.as_deref(),
            Some("Likes \u{fffd} tea")
        );
        let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
        let deeper = format!("{{\"a\":{deep}}}");
        for (text, format) in [(&deep, Format::Json), (&deeper, Format::Auto)] {
            let error = read_text(text, format).unwrap_err();
            assert!(error.message.contains("nested"), "{error}");
        }
    }

    #[test]
    fn a_transcript_and_comments_are_noted() {
        let text = "<!-- x -->\n_**User (2026-01-16 16:46:41Z)**_\n\nHi\n\n_**Agent (2026-01-16 16:46:42Z)**_\n\nHello";
        let note = read_text(text, Format::Text).unwrap().note.unwrap();
        assert!(
            note.contains("transcript") && note.contains("Comments left out: 1."),
            "{note}"
        );
        assert_eq!(read_text("Likes tea", Format::Text).unwrap().note, None);
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
