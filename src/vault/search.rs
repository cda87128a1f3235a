//! Finding and ordering what answers a question. Words find memories (the full text, and the index in memory for words that
//! many have), meaning finds more, and those beside them in their sessions come along; [`crate::recall::rank`] puts all of them
//! in order. Few memories are all ranked. What only shares a common word with the question follows behind.

mod overfull;
mod placed;
mod reading;

use std::cell::RefCell;
use std::collections::HashSet;

use crate::error::Result;
use crate::model::memory::Filter;
use crate::recall::{Mode, query};
use crate::store;
use crate::store::memory_text::Look;
use crate::vault::meaning::Likeness;
use crate::vault::{Vault, sense};
pub(crate) use placed::Placed;
use reading::Reading;

/// One search.
pub(crate) struct Search<'a> {
    /// The question.
    pub text: &'a str,
    /// The question as a full-text expression.
    pub expression: &'a str,
    /// Which memories may answer.
    pub filter: &'a Filter,
    /// The newest key that belongs to this reading.
    pub snapshot: i64,
    /// What a larger model says of the question.
    pub likeness: &'a RefCell<Option<Likeness>>,
}

/// A page of what was found.
#[derive(Debug)]
pub(crate) struct Found {
    /// Best first.
    pub placed: Vec<Placed>,
    /// All that match.
    pub total: i64,
    /// How it was found.
    pub mode: Mode,
    /// What could not be used.
    pub unavailable: Vec<String>,
}

impl Search<'_> {
    /// A page, `offset` results into the whole.
    pub fn run(&self, vault: &Vault<'_>, offset: i64, limit: usize) -> Result<Found> {
        let among = self.among(vault)?;
        let found = sense::with_index(vault, |index| {
            Reading::new(self, vault, index, among.as_ref()).page(offset, limit)
        })?;
        match found {
            Some(found) => found,
            None => self.over_full_index(vault, among.as_ref(), offset, limit),
        }
    }

    fn by_words_only(&self, vault: &Vault<'_>, offset: i64, limit: usize) -> Result<Found> {
        let look = self.look(self.expression, None);
        let page = store::memory_text::search(vault.sql, look, offset, limit)?;
        let placed = page.best.into_iter();
        Ok(Found {
            placed: placed
                .map(|(seq, strength)| Placed::by_strength(seq, strength))
                .collect(),
            total: page.total,
            mode: Mode::KeywordOnly,
            unavailable: vec![
                "recall by meaning: there are more memories than the index in memory may hold"
                    .to_owned(),
            ],
        })
    }

    fn look<'s>(&'s self, expression: &'s str, among: Option<&'s [i64]>) -> Look<'s> {
        Look {
            expression,
            filter: self.filter,
            snapshot: self.snapshot,
            among,
        }
    }

    /// Keys that pass a filter which the index in memory cannot judge; `None` for the usual one.
    fn among(&self, vault: &Vault<'_>) -> Result<Option<HashSet<i64>>> {
        if self.filter.is_only_by_status() {
            return Ok(None);
        }
        let keys = store::memories::keys(vault.sql, self.filter)?;
        Ok(Some(keys.into_iter().collect()))
    }

    /// Whether some memory has every word that was asked for; then it answers, whatever the ranking thinks.
    fn every_word_is_somewhere(&self, vault: &Vault<'_>) -> Result<bool> {
        let Some(expression) = query::every_word(self.text) else {
            return Ok(false);
        };
        let look = self.look(&expression, None);
        let found = store::memory_text::search(vault.sql, look, 0, 1)?;
        Ok(!found.best.is_empty())
    }
}
