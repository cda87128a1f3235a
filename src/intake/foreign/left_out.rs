//! Fields of another program's items that have no place here.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::reader::is_blank;
use super::{AUTHOR, CONTENT, DATE, SESSION, SOURCE, TAGS, TYPE, key};
use crate::intake::quoted;

/// Names of fields that nobody here knows, over all items.
#[derive(Default)]
pub struct LeftOut(BTreeSet<String>);

/// Names that a note lists; of more it says how many.
const LISTED_NAMES: usize = 12;

impl LeftOut {
    /// Notes the unknown fields of an item that say something.
    pub fn look_at(&mut self, fields: &Map<String, Value>) {
        let known = [
            &CONTENT[..],
            &DATE,
            &TAGS,
            &TYPE,
            &SOURCE,
            &SESSION,
            &AUTHOR,
            &[
                "tier",
                "importance",
                "supersedes",
                "status",
                "state",
                "metadata",
                "id",
            ],
        ];
        for (name, value) in fields {
            let name = key(name);
            let is_known = known.iter().any(|names| names.contains(&name.as_str()));
            if !is_known && !is_blank(value) && !self.0.contains(&name) {
                self.0.insert(name);
            }
        }
    }

    /// What to say of them; `what` they are called.
    pub fn note(&self, what: &str) -> Option<String> {
        let names: Vec<String> = self
            .0
            .iter()
            .take(LISTED_NAMES)
            .map(|name| quoted(name))
            .collect();
        let more = self.0.len() - names.len();
        let more = if more == 0 {
            String::new()
        } else {
            format!(" and {more} more")
        };
        (!names.is_empty()).then(|| format!("{what} left out: {}{more}.", names.join(", ")))
    }
}
