//! A memory before it is stored: what a caller may say about it, checked and made canonical.

use serde::Deserialize;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::flag::Flag;
use crate::model::memory::{MemoryType, Tier};
use crate::model::source_date::SourceDate;
use crate::text;

/// What a caller asks to store, unchecked. Absent and `null` mean the same; a field nobody knows is refused, since a
/// misspelt `supersedes` that is ignored loses a correction.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draft {
    /// The text.
    #[serde(default)]
    pub content: Option<String>,
    /// One of [`MemoryType::WORDS`].
    #[serde(default, rename = "type")]
    pub memory_type: Option<String>,
    /// One of [`Tier::WORDS`].
    #[serde(default)]
    pub tier: Option<String>,
    /// 0 to 1.
    #[serde(default)]
    pub importance: Option<f64>,
    /// Labels to filter by.
    #[serde(default)]
    pub tags: Option<Vec<String>>,
    /// The conversation or sitting.
    #[serde(default)]
    pub session: Option<String>,
    /// Who said it.
    #[serde(default)]
    pub author: Option<String>,
    /// Where it comes from.
    #[serde(default)]
    pub source: Option<String>,
    /// When the source said so.
    #[serde(default)]
    pub source_date: Option<String>,
    /// The memory it replaces.
    #[serde(default)]
    pub supersedes: Option<String>,
    /// What whoever read it could not take as it was given: which field, what was found, what was taken instead. No caller
    /// says this, and nothing of it is stored with the memory.
    #[serde(skip)]
    pub warnings: Vec<String>,
}

/// Importance of a memory nobody weighed.
pub const DEFAULT_IMPORTANCE: f64 = 0.5;

/// A checked draft.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedDraft {
    /// Cleaned, not blank, within [`limits::MEMORY_BYTES`].
    pub content: String,
    /// Its duplicate hash.
    pub content_hash: String,
    /// Defaults to note.
    pub memory_type: MemoryType,
    /// Defaults to long.
    pub tier: Tier,
    /// Defaults to [`DEFAULT_IMPORTANCE`].
    pub importance: f64,
    /// Canonical: lower-case, unique, in order.
    pub tags: Vec<String>,
    /// Trimmed, not empty.
    pub session: Option<String>,
    /// Trimmed, not empty.
    pub author: Option<String>,
    /// Trimmed, not empty.
    pub source: Option<String>,
    /// A real date in a plausible year.
    pub source_date: Option<SourceDate>,
    /// Trimmed, not empty; whether it exists is the operation's question.
    pub supersedes: Option<String>,
    /// What was noticed in any of it.
    pub flags: Vec<Flag>,
}

impl Draft {
    /// A draft that says nothing but its text.
    pub fn of(content: impl Into<String>) -> Self {
        Draft {
            content: Some(content.into()),
            ..Draft::default()
        }
    }

    /// Checks every field.
    ///
    /// # Errors
    /// `invalid_argument` or `too_large`, naming the field and what it takes.
    pub fn check(self) -> Result<CheckedDraft> {
        let hidden = self.content.as_deref().is_some_and(text::hidden::is_in);
        let content = check_content(self.content)?;
        let mut draft = CheckedDraft {
            content_hash: text::identity::content_hash(&content),
            content,
            memory_type: self
                .memory_type
                .map_or(Ok(MemoryType::Note), |word| MemoryType::parse(&word))?,
            tier: self
                .tier
                .map_or(Ok(Tier::Long), |word| Tier::parse(&word))?,
            importance: check_importance(self.importance)?,
            tags: check_tags(self.tags.unwrap_or_default())?,
            session: check_label("session", self.session)?,
            author: check_label("author", self.author)?,
            source: check_label("source", self.source)?,
            source_date: check_source_date(self.source_date)?,
            supersedes: check_label("supersedes", self.supersedes)?,
            flags: Vec::new(),
        };
        let labels = [&draft.session, &draft.author, &draft.source];
        draft.flags = flags(hidden, &draft.content, labels, &draft.tags);
        Ok(draft)
    }
}

/// What is noticed in a memory's text, which held hidden text when it came or did not, and in its labels: agents read
/// all of them.
pub fn flags(
    hidden: bool,
    content: &str,
    labels: [&Option<String>; 3],
    tags: &[String],
) -> Vec<Flag> {
    let labels = labels.into_iter().flatten().map(String::as_str);
    let mut texts = [content]
        .into_iter()
        .chain(labels)
        .chain(tags.iter().map(String::as_str));
    let mut flags = Vec::new();
    if texts.any(text::instructions::are_in) {
        flags.push(Flag::Instructions);
    }
    if hidden {
        flags.push(Flag::HiddenText);
    }
    flags
}

/// Cleans a text and checks that there is something in it and not too much.
pub fn check_content(content: Option<String>) -> Result<String> {
    let content = content.ok_or_else(|| {
        Error::invalid(
            "content",
            "is missing; give the text to remember, as a string",
        )
    })?;
    let too_large = |bytes: usize| {
        let message = format!(
            "is {bytes} bytes long; one memory takes at most {} bytes, so split it",
            limits::MEMORY_BYTES
        );
        Error::new(Kind::TooLarge, message).in_field("content")
    };
    // Cleaning only ever shortens by what is invisible, so a text far beyond the limit is refused before any work.
    if content.len() > limits::MEMORY_BYTES * 2 {
        return Err(too_large(content.len()));
    }
    let cleaned = text::clean::clean(&content).text;
    if text::clean::is_blank(&cleaned) {
        return Err(Error::invalid("content", "must not be blank"));
    }
    if cleaned.len() > limits::MEMORY_BYTES {
        return Err(too_large(cleaned.len()));
    }
    refuse_secret("content", &cleaned)?;
    Ok(cleaned)
}

/// Fails with `invalid_argument` on the field when the text holds something that looks like a secret. The error says what
/// it looks like and never what it is.
pub fn refuse_secret(field: &str, text: &str) -> Result<()> {
    match text::secrets::find(text) {
        None => Ok(()),
        Some(finding) => Err(Error::invalid(
            field,
            format!(
                "holds something that {}; secrets are not kept here: leave it out, and say where it is kept instead",
                finding.kind.sentence()
            ),
        )),
    }
}

/// 0 to 1, or the default.
pub fn check_importance(importance: Option<f64>) -> Result<f64> {
    match importance {
        None => Ok(DEFAULT_IMPORTANCE),
        Some(number) if (0.0..=1.0).contains(&number) => Ok(number),
        Some(_) => Err(Error::invalid("importance", "must be a number from 0 to 1")),
    }
}

/// Lower-cased, trimmed, unique, in the order given.
pub fn check_tags(tags: Vec<String>) -> Result<Vec<String>> {
    let mut checked: Vec<String> = Vec::new();
    for tag in tags {
        let cleaned = text::clean::clean(&tag).text;
        // Before it is lower-cased: most secrets are known by their capitals.
        refuse_secret("tags", &cleaned)?;
        let tag = cleaned.to_lowercase();
        let tag = tag.trim().trim_start_matches('#').to_owned();
        if tag.chars().count() > limits::TAG_CHARS {
            return Err(Error::invalid(
                "tags",
                format!("has a tag of more than {} characters", limits::TAG_CHARS),
            ));
        }
        if !tag.is_empty() && !checked.contains(&tag) {
            checked.push(tag);
        }
    }
    if checked.len() > limits::TAGS {
        return Err(Error::invalid(
            "tags",
            format!(
                "has {} tags; at most {} are kept",
                checked.len(),
                limits::TAGS
            ),
        ));
    }
    Ok(checked)
}

/// A short text on one line; blank counts as absent.
pub fn check_label(field: &str, label: Option<String>) -> Result<Option<String>> {
    let Some(label) = label else { return Ok(None) };
    let label = text::clean::clean(&label)
        .text
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    if label.chars().count() > limits::LABEL_CHARS {
        return Err(Error::invalid(
            field,
            format!("must be at most {} characters", limits::LABEL_CHARS),
        ));
    }
    refuse_secret(field, &label)?;
    Ok(Some(label).filter(|label| !label.is_empty()))
}

/// A date as [`SourceDate::parse`] reads it; blank counts as absent.
pub fn check_source_date(date: Option<String>) -> Result<Option<SourceDate>> {
    match date.as_deref().map(str::trim) {
        None | Some("") => Ok(None),
        Some(date) => SourceDate::parse(date)
            .map(Some)
            .map_err(|error| Error::invalid("source_date", error.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_refused_in_every_field_and_never_repeated() {
        let token = concat!("gh", "p_", "Zk3Qw9TtR8s7Lm2Vb6Nc5Xj4Hd1Fg0PaYuEi");
        let content = |content: &str| Draft {
            content: Some(content.into()),
            ..Draft::default()
        };
        let refused = [
            ("content", content(&format!("The deploy token is {token}"))),
            (
                "tags",
                Draft {
                    tags: Some(vec![token.into()]),
                    ..content("x")
                },
            ),
            (
                "source",
                Draft {
                    source: Some(token.into()),
                    ..content("x")
                },
            ),
            (
                "session",
                Draft {
                    session: Some(token.into()),
                    ..content("x")
                },
            ),
        ];
        for (field, draft) in refused {
            let error = draft.check().unwrap_err();
            assert_eq!(error.field.as_deref(), Some(field));
            assert!(error.message.contains("API token of GitHub"), "{error}");
            assert!(!error.message.contains("Zk3Q"), "{error}");
        }
        assert!(content("I moved my passwords to Bitwarden").check().is_ok());
    }

    fn field_of(draft: Draft) -> String {
        draft.check().unwrap_err().field.unwrap_or_default()
    }

    #[test]
    fn a_bare_text_becomes_a_long_lived_note() {
        let draft = Draft::of("  Milo is allergic to shellfish ")
            .check()
            .unwrap();
        assert_eq!(draft.content, "Milo is allergic to shellfish");
        assert_eq!(
            (draft.memory_type, draft.tier, draft.importance),
            (MemoryType::Note, Tier::Long, 0.5)
        );
    }

    #[test]
    fn empty_and_invisible_texts_are_refused() {
        for text in ["", "   ", "\n\u{200b}"] {
            assert_eq!(field_of(Draft::of(text)), "content", "{text:?}");
        }
        assert_eq!(field_of(Draft::default()), "content");
    }

    #[test]
    fn a_memory_takes_its_limit_and_not_a_byte_more() {
        let full = "a".repeat(limits::MEMORY_BYTES);
        assert!(Draft::of(full.clone()).check().is_ok());
        let error = Draft::of(full + "a").check().unwrap_err();
        assert_eq!(error.kind, Kind::TooLarge);
        assert!(error.to_string().contains("65536"), "{error}");
    }

    #[test]
    fn importance_stays_between_zero_and_one() {
        for (number, allowed) in [
            (0.0, true),
            (1.0, true),
            (-0.01, false),
            (1.01, false),
            (f64::NAN, false),
        ] {
            assert_eq!(check_importance(Some(number)).is_ok(), allowed, "{number}");
        }
    }

    #[test]
    fn tags_are_folded_and_counted() {
        let tags = ["Home", "home", " #Boat ", ""].map(str::to_owned).to_vec();
        assert_eq!(check_tags(tags).unwrap(), ["home", "boat"]);
        let many = |count: usize| {
            (0..count)
                .map(|number| format!("t{number}"))
                .collect::<Vec<_>>()
        };
        assert!(check_tags(many(limits::TAGS)).is_ok());
        assert!(check_tags(many(limits::TAGS + 1)).is_err());
        assert!(check_tags(vec!["x".repeat(limits::TAG_CHARS)]).is_ok());
        assert!(check_tags(vec!["x".repeat(limits::TAG_CHARS + 1)]).is_err());
    }

    #[test]
    fn labels_are_one_line_of_bounded_length() {
        assert_eq!(
            check_label("source", Some(" a\n b ".into()))
                .unwrap()
                .as_deref(),
            Some("a b")
        );
        assert_eq!(check_label("source", Some("  ".into())).unwrap(), None);
        assert!(check_label("source", Some("x".repeat(limits::LABEL_CHARS))).is_ok());
        assert!(check_label("source", Some("x".repeat(limits::LABEL_CHARS + 1))).is_err());
    }

    #[test]
    fn an_impossible_date_is_named() {
        let draft = Draft {
            source_date: Some("2026-02-30".into()),
            ..Draft::of("x")
        };
        assert_eq!(field_of(draft), "source_date");
    }
}
