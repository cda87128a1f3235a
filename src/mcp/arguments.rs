//! A tool's arguments, read as they were meant. Models and bridges send numbers as text, lists as JSON text, and null for
//! what they leave out; all of that is unmistakable. A name nobody knows is refused, with the known ones: a filter that is
//! silently ignored looks like an answer.

use std::borrow::Borrow;

use serde_json::{Map, Value};

use crate::error::{Error, Result};
use crate::mcp::budget;
use crate::model::date_filter::{self, Edge};
use crate::model::memory::{Filter, MemoryType, Status, Tier};
use crate::model::time::Timestamp;
use crate::vault::Vault;

/// The arguments of one call.
#[derive(Debug)]
pub(crate) struct Arguments(Map<String, Value>);

impl Arguments {
    /// Takes the arguments, without those that are null.
    ///
    /// # Errors
    /// `invalid_argument` naming the first unknown argument.
    pub(crate) fn new(mut fields: Map<String, Value>, known: &[impl Borrow<str>]) -> Result<Self> {
        fields.retain(|_, value| !value.is_null());
        let is_known = |name: &str| known.iter().any(|known| known.borrow() == name);
        match fields.keys().find(|name| !is_known(name)) {
            None => Ok(Arguments(fields)),
            Some(_) if known.is_empty() => {
                Err(Error::invalid("arguments", "this tool takes no arguments"))
            }
            Some(name) => Err(Error::invalid(
                &budget::echo(name),
                format!(
                    "is not an argument of this tool; it takes {}",
                    known.join(", ")
                ),
            )),
        }
    }

    /// A value as it is.
    pub(crate) fn value(&self, name: &str) -> Option<&Value> {
        self.0.get(name)
    }

    /// A text; numbers and booleans count as their text.
    pub(crate) fn text(&self, name: &str) -> Result<Option<String>> {
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(value @ (Value::Number(_) | Value::Bool(_))) => Ok(Some(value.to_string())),
            Some(_) => Err(Error::invalid(name, "must be a text")),
        }
    }

    /// A text that must be there.
    pub(crate) fn required_text(&self, name: &str, what: &str) -> Result<String> {
        self.text(name)?
            .ok_or_else(|| Error::invalid(name, format!("is missing; give {what}")))
    }

    /// A number, also as text.
    pub(crate) fn real(&self, name: &str) -> Result<Option<f64>> {
        let number = match self.0.get(name) {
            None => return Ok(None),
            Some(Value::Number(number)) => number.as_f64(),
            Some(Value::String(text)) => text.trim().parse().ok(),
            Some(_) => None,
        };
        number
            .map(Some)
            .ok_or_else(|| Error::invalid(name, "must be a number"))
    }

    /// A whole number, also as text.
    pub(crate) fn integer(&self, name: &str) -> Result<Option<i64>> {
        match self.real(name)? {
            None => Ok(None),
            Some(number) if number.fract() == 0.0 && number.abs() < 9e15 => Ok(Some(number as i64)),
            Some(_) => Err(Error::invalid(name, "must be a whole number")),
        }
    }

    /// A yes or no, also as text.
    pub(crate) fn flag(&self, name: &str) -> Result<bool> {
        match self.0.get(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(*flag),
            Some(Value::String(text)) if text.eq_ignore_ascii_case("true") => Ok(true),
            Some(Value::String(text)) if text.eq_ignore_ascii_case("false") => Ok(false),
            Some(_) => Err(Error::invalid(name, "must be true or false")),
        }
    }

    /// A list, also as JSON text.
    pub(crate) fn list(&self, name: &str, form: &str) -> Result<Option<Vec<Value>>> {
        let refused = || Error::invalid(name, format!("must be a list, such as {form}"));
        match self.0.get(name) {
            None => Ok(None),
            Some(Value::Array(items)) => Ok(Some(items.clone())),
            Some(Value::String(text)) => {
                serde_json::from_str(text).map(Some).map_err(|_| refused())
            }
            Some(_) => Err(refused()),
        }
    }

    /// A list of texts, also as JSON text or separated by commas.
    pub(crate) fn texts(&self, name: &str) -> Result<Option<Vec<String>>> {
        if let Some(Value::String(text)) = self.0.get(name)
            && !text.trim_start().starts_with('[')
        {
            return Ok(Some(
                text.split(',')
                    .map(|part| part.trim().to_owned())
                    .filter(|part| !part.is_empty())
                    .collect(),
            ));
        }
        let Some(items) = self.list(name, "[\"one\", \"two\"]")? else {
            return Ok(None);
        };
        let text = |item: Value| match item {
            Value::String(text) => Ok(text),
            Value::Number(_) | Value::Bool(_) => Ok(item.to_string()),
            _ => Err(Error::invalid(name, "must be a list of texts")),
        };
        items.into_iter().map(text).collect::<Result<_>>().map(Some)
    }

    /// The filter of `recall` and `list_memories`.
    pub(crate) fn filter(&self, vault: &Vault<'_>) -> Result<Filter> {
        let statuses = self.texts("status")?.unwrap_or_default();
        Ok(Filter {
            statuses: statuses
                .iter()
                .map(|word| Status::parse(word))
                .collect::<Result<_>>()?,
            memory_type: self
                .text("type")?
                .map(|word| MemoryType::parse(&word))
                .transpose()?,
            tier: self
                .text("tier")?
                .map(|word| Tier::parse(&word))
                .transpose()?,
            tag: self
                .text("tag")?
                .map(|tag| tag.trim().trim_start_matches('#').to_lowercase())
                .filter(|tag| !tag.is_empty()),
            source: self.text("source")?.filter(|source| !source.is_empty()),
            session: self.text("session")?.filter(|session| !session.is_empty()),
            after: self.edge(vault, "after", Edge::After)?,
            before: self.edge(vault, "before", Edge::Before)?,
            ..Filter::default()
        })
    }

    /// The instant that `as_of` names.
    pub(crate) fn moment(&self, vault: &Vault<'_>, name: &str) -> Result<Option<Timestamp>> {
        let Some(text) = self.text(name)?.filter(|text| !text.trim().is_empty()) else {
            return Ok(None);
        };
        let moment = date_filter::moment(&text, vault.now(), &vault.zone()?);
        moment
            .map(Some)
            .map_err(|error| Error::invalid(name, error.to_string()))
    }

    fn edge(&self, vault: &Vault<'_>, name: &str, edge: Edge) -> Result<Option<Timestamp>> {
        let Some(text) = self.text(name)?.filter(|text| !text.trim().is_empty()) else {
            return Ok(None);
        };
        let parsed = date_filter::parse_edge(&text, edge, vault.now(), &vault.zone()?);
        parsed
            .map(Some)
            .map_err(|error| Error::invalid(name, error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn arguments(value: Value) -> Arguments {
        Arguments::new(value.as_object().unwrap().clone(), &["a", "b"]).unwrap()
    }

    #[test]
    fn values_are_read_as_they_were_meant() {
        assert_eq!(
            arguments(json!({ "a": "5" })).integer("a").unwrap(),
            Some(5)
        );
        assert_eq!(arguments(json!({ "a": 0.8 })).real("a").unwrap(), Some(0.8));
        assert!(arguments(json!({ "a": "true" })).flag("a").unwrap());
        assert_eq!(arguments(json!({ "a": null })).text("a").unwrap(), None);
        assert_eq!(
            arguments(json!({ "a": "[\"x\",\"y\"]" }))
                .texts("a")
                .unwrap()
                .unwrap(),
            ["x", "y"]
        );
        assert_eq!(
            arguments(json!({ "a": "x, y" }))
                .texts("a")
                .unwrap()
                .unwrap(),
            ["x", "y"]
        );
        assert_eq!(
            arguments(json!({ "a": ["boat", 2026] }))
                .texts("a")
                .unwrap()
                .unwrap(),
            ["boat", "2026"]
        );
        assert!(arguments(json!({ "a": [["boat"]] })).texts("a").is_err());
        assert_eq!(
            arguments(json!({ "a": "[1]" }))
                .list("a", "[]")
                .unwrap()
                .unwrap(),
            [json!(1)]
        );
    }

    #[test]
    fn what_cannot_be_meant_names_its_field() {
        assert_eq!(
            arguments(json!({ "a": "a fact" }))
                .list("a", "[\"a fact\"]")
                .unwrap_err()
                .to_string(),
            "a: must be a list, such as [\"a fact\"]"
        );
        assert!(arguments(json!({ "a": 1.5 })).integer("a").is_err());
        assert!(arguments(json!({ "a": "maybe" })).flag("a").is_err());
        assert!(arguments(json!({ "a": {} })).text("a").is_err());
        let error = Arguments::new(json!({ "c": 1 }).as_object().unwrap().clone(), &["a", "b"])
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "c: is not an argument of this tool; it takes a, b"
        );
    }
}
