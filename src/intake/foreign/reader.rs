//! The fields of an item beside its text: what of them a memory can have is taken, of the rest the owner is told.

use serde_json::{Map, Value};

use super::{DATE, NO_TYPE, TAGS, TYPE, date};
use crate::intake::items::kind;
use crate::intake::quoted;
use crate::limits;
use crate::model::draft::DEFAULT_IMPORTANCE;
use crate::model::memory::{MemoryType, Tier};
use crate::model::source_date::SourceDate;

/// Reads an item's fields and notes what of them could not be taken.
pub(super) struct Reader<'a> {
    pub fields: &'a Map<String, Value>,
    pub metadata: Option<&'a Map<String, Value>>,
    /// Which field, what was found, what was taken.
    pub warnings: Vec<String>,
}

impl<'a> Reader<'a> {
    pub fn warn(&mut self, warning: String) {
        self.warnings.push(warning);
    }

    /// The values there are under some names, in the item and then in its metadata, without blank ones.
    fn values(&self, names: &[&'static str]) -> Vec<(&'static str, &'a Value)> {
        let maps = std::iter::once(self.fields).chain(self.metadata);
        let all = maps
            .flat_map(|map| (names.iter()).filter_map(move |name| Some((*name, map.get(*name)?))));
        all.filter(|(_, value)| !is_blank(value)).collect()
    }

    /// The first value under some names that can be taken; where none can, the first there is, in a warning. Of values
    /// that can be taken later, those before are passed over without one: they are another program's words for other
    /// things.
    fn first<T>(
        &mut self,
        names: &[&'static str],
        take: impl Fn(&Value) -> Option<T>,
        wrong: impl Fn(&Value) -> String,
    ) -> Option<T> {
        let values = self.values(names);
        let taken = values.iter().find_map(|(_, value)| take(value));
        if let (None, Some((name, value))) = (&taken, values.first()) {
            self.warn(format!("{name} {}", wrong(value)));
        }
        taken
    }

    /// The type, and the word for a tag where it is none of ours.
    pub fn memory_type(&mut self) -> (Option<String>, Option<String>) {
        let values: Vec<_> = TYPE
            .iter()
            .filter_map(|name| Some((*name, self.fields.get(*name)?)))
            .filter(|(_, value)| !is_blank(value))
            .collect();
        let words =
            || (values.iter()).filter_map(|(name, value)| Some((*name, value.as_str()?.trim())));
        let known = words().find(|(_, word)| MemoryType::parse(word).is_ok());
        if let Some((_, word)) = known {
            return (Some(word.to_owned()), None);
        }
        let says_nothing = |word: &str| NO_TYPE.contains(&word.to_lowercase().as_str());
        if let Some((name, word)) = words().next() {
            if says_nothing(word) {
                return (None, None);
            }
            let types = MemoryType::WORDS.join(", ");
            self.warn(format!(
                "{name} {} is none of {types}: it is a tag, and the type is note",
                quoted(word)
            ));
            return (None, Some(word.to_owned()));
        }
        if let Some((name, value)) = values.first() {
            self.warn(format!(
                "{name} is {}, not a word: the type is note",
                kind(value)
            ));
        }
        (None, None)
    }

    pub fn tier(&mut self) -> Option<String> {
        let word = |value: &Value| text_of(value).filter(|word| Tier::parse(word).is_ok());
        let wrong = |value: &Value| {
            format!(
                "{} is none of {}: it is long",
                found(value),
                Tier::WORDS.join(", ")
            )
        };
        self.first(&["tier"], word, wrong)
    }

    pub fn importance(&mut self) -> Option<f64> {
        let wrong = |value: &Value| {
            format!(
                "{} is no number from 0 to 1: it is {DEFAULT_IMPORTANCE}",
                found(value)
            )
        };
        self.first(&["importance"], importance, wrong)
    }

    pub fn label(&mut self, names: &[&'static str]) -> Option<String> {
        let wrong = |value: &Value| match text_of(value) {
            Some(text) => format!(
                "left out: it has {} characters, and {} are taken",
                text.chars().count(),
                limits::LABEL_CHARS
            ),
            None => format!("left out: it is {}, not a text", kind(value)),
        };
        let fits = |text: &String| text.chars().count() <= limits::LABEL_CHARS;
        self.first(names, |value| text_of(value).filter(fits), wrong)
    }

    pub fn date(&mut self) -> Option<String> {
        let is_date = |date: &String| SourceDate::parse(date).is_ok();
        let wrong = |value: &Value| format!("{} is no date: it has none", found(value));
        let fields = std::mem::take(&mut self.metadata);
        let date = self.first(&DATE, |value| date(value).filter(is_date), wrong);
        self.metadata = fields;
        date
    }

    pub fn supersedes(&mut self) -> Option<String> {
        // An id of another store names nothing here.
        let is_of_another_store = self.fields.contains_key("id");
        let wrong = |value: &Value| {
            if is_of_another_store {
                "left out: it names a memory of another program".to_owned()
            } else {
                format!("left out: it is {}, not an id", kind(value))
            }
        };
        let id = |value: &Value| text_of(value).filter(|_| !is_of_another_store);
        self.first(&["supersedes"], id, wrong)
    }

    /// Tags under any of their names: a list, or a text with commas, semicolons or bars. Those that no memory may have
    /// are left out: they are not worth losing the memory for.
    pub fn tags(&mut self, more: Option<&str>) -> Option<Vec<String>> {
        let mut tags: Vec<String> = Vec::new();
        for (name, value) in self.values(&TAGS) {
            match value {
                Value::Array(list) => {
                    let texts: Vec<String> = list.iter().filter_map(text_of).collect();
                    let wrong = list.iter().filter(|tag| !is_blank(tag)).count() - texts.len();
                    if wrong > 0 {
                        self.warn(format!("{name}: {wrong} left out that are no texts"));
                    }
                    tags.extend(texts);
                }
                Value::String(text) => match serde_json::from_str::<Vec<String>>(text) {
                    Ok(list) => tags.extend(list),
                    Err(_) => {
                        tags.extend(text.split([',', ';', '|']).map(|tag| tag.trim().to_owned()));
                    }
                },
                other => self.warn(format!(
                    "{name} left out: it is {}, not a list",
                    kind(other)
                )),
            }
        }
        tags.extend(more.map(str::to_owned));
        tags.retain(|tag| !tag.trim().is_empty());
        let mut seen = std::collections::HashSet::new();
        tags.retain(|tag| seen.insert(tag.to_lowercase()));
        let all = tags.len();
        tags.retain(|tag| tag.chars().count() <= limits::TAG_CHARS);
        if tags.len() < all {
            let (long, most) = (all - tags.len(), limits::TAG_CHARS);
            self.warn(format!(
                "tags: {long} left out with more than {most} characters"
            ));
        }
        if tags.len() > limits::TAGS {
            let (more, most) = (tags.len() - limits::TAGS, limits::TAGS);
            self.warn(format!(
                "tags: {more} left out beyond the {most} a memory has"
            ));
        }
        tags.truncate(limits::TAGS);
        (!tags.is_empty()).then_some(tags)
    }
}

/// Nothing was said.
pub(super) fn is_blank(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.trim().is_empty(),
        Value::Array(list) => list.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        // What programs write that know no date.
        Value::Number(number) => number.as_f64() == Some(0.0) && number.is_i64(),
        Value::Bool(_) => false,
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// A value for a warning.
fn found(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text),
        Value::Number(number) => quoted(&number.to_string()),
        other => format!("({})", kind(other)),
    }
}

fn importance(value: &Value) -> Option<f64> {
    let number = match value {
        Value::String(text) => text.trim().parse().ok(),
        other => other.as_f64(),
    };
    number.filter(|number| (0.0..=1.0).contains(number))
}

#[cfg(test)]
mod tests;
