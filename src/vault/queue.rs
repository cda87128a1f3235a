//! New memories on their way into the tables: an import's wait here for a while, since many are written together in a fraction of
//! the time that one by one takes. Whoever reads tables that they belong in has to [`Queue::flush`] first.

use std::collections::HashSet;

use crate::error::Result;
use crate::model::memory::Memory;
use crate::model::sense::Sense;
use crate::store;
use crate::store::look_alikes::Known;
use crate::store::many::New;
use crate::vault::Vault;

/// Memories that wait at most. Beyond a hundred a statement costs little against its rows.
const WAITING: usize = 200;
/// Bytes of text that wait at most: the values of one statement have to stay under SQLite's 2 MB, and Chinese text more than
/// doubles when it is cut for the full text.
const WAITING_BYTES: usize = 200_000;

/// Memories that wait, and what is known of those to come.
#[derive(Default)]
pub(crate) struct Queue {
    waiting: Vec<New>,
    bytes: usize,
    /// The key of the next one, once it was asked.
    next: Option<i64>,
    /// Texts to come, by their hashes, that no table knows.
    fresh: HashSet<String>,
    /// Whether [`store::look_alikes::any_unwanted`], once it was asked.
    unwanted: Option<bool>,
}

impl Queue {
    /// Looks up in one go which of the texts to come are new.
    pub(crate) fn look_ahead(&mut self, vault: &Vault<'_>, hashes: &[&str]) -> Result<()> {
        self.fresh = store::look_alikes::unknown(vault.sql, hashes)?
            .into_iter()
            .collect();
        Ok(())
    }

    /// Whether it is certain that no memory and no exclusion has this hash.
    pub(crate) fn is_fresh(&self, content_hash: &str) -> bool {
        self.fresh.contains(content_hash)
    }

    /// Takes over what was read along with a text, so that it need not be asked again.
    pub(crate) fn note(&mut self, known: Known) {
        self.unwanted.get_or_insert(known.any_unwanted);
        self.next.get_or_insert(known.next_seq);
    }

    /// Whether texts have to be looked for in every spelling, lest one comes back that must not. Nothing that waits here is one.
    pub(crate) fn has_unwanted(&mut self, vault: &Vault<'_>) -> Result<bool> {
        if let Some(known) = self.unwanted {
            return Ok(known);
        }
        let found = store::look_alikes::any_unwanted(vault.sql)?;
        self.unwanted = Some(found);
        Ok(found)
    }

    /// Whether this one of the memories waits.
    pub(crate) fn holds(&self, seq: i64) -> bool {
        self.waiting
            .first()
            .is_some_and(|first| first.memory.seq <= seq)
    }

    /// Takes a memory in and gives it its key.
    pub(crate) fn push(
        &mut self,
        vault: &Vault<'_>,
        memory: &mut Memory,
        sense: Sense,
        conflicts: Vec<i64>,
    ) -> Result<()> {
        let seq = match self.next {
            Some(next) => next,
            None => store::many::next_seq(vault.sql)?,
        };
        self.next = Some(seq + 1);
        memory.seq = seq;
        self.fresh.remove(&memory.content_hash);
        self.bytes += memory.content.len();
        self.waiting.push(New {
            memory: memory.clone(),
            sense,
            conflicts,
        });
        if self.waiting.len() >= WAITING || self.bytes >= WAITING_BYTES {
            self.flush(vault)?;
        }
        Ok(())
    }

    /// Writes those that wait.
    pub(crate) fn flush(&mut self, vault: &Vault<'_>) -> Result<()> {
        if !self.waiting.is_empty() {
            store::many::insert(vault.sql, &self.waiting)?;
            self.waiting.clear();
            self.bytes = 0;
        }
        Ok(())
    }
}
