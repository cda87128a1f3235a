//! The index in memory: every memory's vector, words and place, so that a question is answered by arithmetic alone. Filled
//! from what is stored, kept in step by whoever owns it, and lost with the process at no cost but the time to fill it again.
//!
//! It knows nothing of texts. What it takes is bounded: [`Index::bytes`] tells, and the owner stops filling at a budget.
//! `snapshot` is the newest key that belongs to a reading: what was stored later counts for nothing in it, so that the pages
//! of one answer fit together.

mod around;
mod entry;
mod matched;
mod postings;
mod sittings;

use std::collections::{HashMap, HashSet};

use crate::embed::dictionary::{Dictionary, WordNumber};
use crate::embed::tokens::stem_hash;
use crate::embed::vector::{Near, Vector, Vectors};
use crate::model::memory::Status;
use crate::text::writing::Writing;
pub use entry::{Allowed, Entry};
use entry::{ENTRY_BYTES, Kept, Names};
pub use matched::Matched;
use postings::Postings;
use sittings::Sittings;

/// The index.
#[derive(Debug, Default)]
pub struct Index {
    kept: Vec<Option<Kept>>,
    free: Vec<u32>,
    places: HashMap<i64, u32>,
    vectors: Vectors,
    dictionary: Dictionary,
    /// Stems of the words memories say.
    said: Postings,
    /// Stems of their tags and authors.
    labels: Postings,
    stems_of_labels: HashMap<String, Vec<u32>>,
    /// The keys of each session, ascending.
    sessions: HashMap<u32, Vec<i64>>,
    session_names: Names,
    sittings: Sittings,
    authors: Names,
    /// Keys of memories that exist and answer nothing.
    aside: HashSet<i64>,
    newest: i64,
    words: usize,
}

impl Index {
    /// Memories in it.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Bytes it takes, roughly.
    pub fn bytes(&self) -> usize {
        self.vectors.bytes()
            + self.kept.len() * ENTRY_BYTES
            + self.words * 4
            + self.dictionary.memory()
            + self.said.bytes()
            + self.labels.bytes()
    }

    /// Of some memories, those they replaced, and what those replaced, and so on.
    pub fn replaced(&self, seqs: &[i64]) -> Vec<i64> {
        let mut by: HashMap<i64, Vec<i64>> = HashMap::new();
        for kept in self.kept.iter().flatten() {
            if let Some(replacing) = kept.replaced_by {
                by.entry(replacing).or_default().push(kept.seq);
            }
        }
        let mut found: Vec<i64> = Vec::new();
        let mut next: Vec<i64> = seqs.to_vec();
        while let Some(seq) = next.pop() {
            for replaced in by.remove(&seq).unwrap_or_default() {
                found.push(replaced);
                next.push(replaced);
            }
        }
        found
    }

    /// Every distinct word in it.
    pub fn dictionary(&self) -> &Dictionary {
        &self.dictionary
    }

    /// Puts a memory in, over what it was.
    pub fn put(&mut self, entry: Entry) {
        // One that changes stays in its sitting.
        let before = self.get(entry.seq);
        let sitting = before
            .filter(|kept| kept.is_loose)
            .and_then(|kept| kept.session);
        self.remove(entry.seq);
        self.aside.remove(&entry.seq);
        let place = self.free.pop().unwrap_or(self.kept.len() as u32);
        let is_loose = entry.session.is_none();
        let session = match (&entry.session, &entry.sitting) {
            (Some(session), _) => Some(self.session_names.number(session)),
            (None, Some((by, at))) => sitting.or_else(|| Some(self.sittings.of(by, *at))),
            (None, None) => None,
        };
        if let Some(session) = session {
            let seqs = self.sessions.entry(session).or_default();
            let at = seqs.partition_point(|seq| *seq < entry.seq);
            seqs.insert(at, entry.seq);
        }
        let words = self.dictionary.take(&entry.words);
        for stem in stems(&self.dictionary, &words) {
            self.said.add(stem, place);
        }
        let labels = self.label_stems(&entry);
        for stem in &labels {
            self.labels.add(*stem, place);
        }
        self.words += words.len() + labels.len();
        self.vectors.put(place as usize, &entry.vector);
        self.places.insert(entry.seq, place);
        self.newest = self.newest.max(entry.seq);
        let kept = Kept {
            seq: entry.seq,
            replaced_by: entry.replaced_by,
            dated_at: entry.dated_at,
            session,
            is_loose,
            author: entry
                .author
                .as_deref()
                .map(|author| self.authors.number(author)),
            day: entry.day,
            status: entry.status,
            marks: entry.marks,
            words,
            labels,
        };
        match self.kept.get_mut(place as usize) {
            Some(free) => *free = Some(kept),
            None => self.kept.push(Some(kept)),
        }
    }

    fn label_stems(&mut self, entry: &Entry) -> Box<[u32]> {
        let mut stems = Vec::new();
        for label in entry.tags.iter().chain(&entry.author) {
            if !self.stems_of_labels.contains_key(label) {
                let words = label.split(|character: char| !character.is_alphanumeric());
                let words = words.filter(|word| !word.is_empty());
                self.stems_of_labels
                    .insert(label.clone(), words.map(stem_hash).collect());
            }
            stems.extend(self.stems_of_labels.get(label).into_iter().flatten());
        }
        stems.sort_unstable();
        stems.dedup();
        stems.into()
    }

    /// Takes a memory out.
    pub fn remove(&mut self, seq: i64) {
        self.aside.remove(&seq);
        let Some(place) = self.places.remove(&seq) else {
            return;
        };
        let Some(kept) = self.kept.get_mut(place as usize).and_then(Option::take) else {
            return;
        };
        self.free.push(place);
        self.vectors.remove(place as usize);
        self.words -= kept.words.len() + kept.labels.len();
        if let Some(session) = kept.session
            && let Some(seqs) = self.sessions.get_mut(&session)
            && let Ok(at) = seqs.binary_search(&seq)
        {
            seqs.remove(at);
        }
        for stem in stems(&self.dictionary, &kept.words) {
            self.said.remove(stem, place);
        }
        for stem in &kept.labels {
            self.labels.remove(*stem, place);
        }
    }

    /// Notes that a memory exists and answers nothing: it is hidden or turned down.
    pub fn set_aside(&mut self, seq: i64) {
        self.remove(seq);
        self.aside.insert(seq);
    }

    /// Whether the memory is in the index, or known to answer nothing.
    pub fn knows(&self, seq: i64) -> bool {
        self.places.contains_key(&seq) || self.aside.contains(&seq)
    }

    fn get(&self, seq: i64) -> Option<&Kept> {
        self.at(*self.places.get(&seq)?)
    }

    fn at(&self, place: u32) -> Option<&Kept> {
        self.kept.get(place as usize)?.as_ref()
    }

    /// A search by words that has found nothing yet.
    pub fn matched<'a>(&'a self, allowed: Allowed<'a>) -> Matched<'a> {
        Matched::new(self, allowed)
    }

    /// Whether the memory is in the index and stands so.
    pub fn stands(&self, seq: i64, statuses: &[Status]) -> bool {
        self.get(seq)
            .is_some_and(|kept| statuses.contains(&kept.status))
    }

    /// The distinct stems of its words, in ascending order.
    pub fn stems_of(&self, seq: i64) -> Option<Vec<u32>> {
        let kept = self.get(seq)?;
        Some(stems(&self.dictionary, &kept.words))
    }

    /// Its date in milliseconds.
    pub fn dated_at(&self, seq: i64) -> Option<i64> {
        self.get(seq).map(|kept| kept.dated_at)
    }

    /// How many memories there were at a snapshot.
    pub fn len_at(&self, snapshot: i64) -> usize {
        if snapshot >= self.newest {
            return self.len();
        }
        self.places.keys().filter(|seq| **seq <= snapshot).count()
    }

    /// How many of them say a word with this stem.
    pub fn containing(&self, stem: u32, snapshot: i64) -> u64 {
        self.count(self.said.of(stem), snapshot)
    }

    /// How many of them have a tag or an author with this stem.
    pub fn labelled(&self, stem: u32, snapshot: i64) -> u64 {
        self.count(self.labels.of(stem), snapshot)
    }

    fn count(&self, places: &[u32], snapshot: i64) -> u64 {
        if snapshot >= self.newest {
            return places.len() as u64;
        }
        let is_in = |place: &&u32| self.at(**place).is_some_and(|kept| kept.seq <= snapshot);
        places.iter().filter(is_in).count() as u64
    }

    /// How many of them are in a writing.
    pub fn in_writing(&self, writing: Writing, snapshot: i64) -> u64 {
        let kept = self.kept.iter().flatten();
        let is_in = |kept: &&Kept| kept.seq <= snapshot && kept.marks.writing() == writing;
        kept.filter(is_in).count() as u64
    }

    /// The authors known.
    pub fn authors(&self) -> Vec<&str> {
        self.authors.names.iter().map(String::as_str).collect()
    }

    /// The keys of all memories that may answer.
    pub fn keys(&self, allowed: &Allowed<'_>) -> Vec<i64> {
        let kept = self.kept.iter().flatten();
        kept.filter(|kept| allowed.lets(kept))
            .map(|kept| kept.seq)
            .collect()
    }

    /// Whether a memory may answer.
    pub fn may(&self, seq: i64, allowed: &Allowed<'_>) -> bool {
        self.get(seq).is_some_and(|kept| allowed.lets(kept))
    }

    /// The memories most like a vector, best first, under their keys.
    pub fn nearest(
        &self,
        asked: &Vector,
        count: usize,
        floor: f32,
        mut allowed: impl FnMut(i64) -> bool,
    ) -> Vec<Near> {
        let key = |place: i64| self.at(place as u32).map(|kept| kept.seq);
        let near = self.vectors.nearest(asked, count, floor, |place| {
            key(place).is_some_and(&mut allowed)
        });
        let named = near.into_iter().filter_map(|near| {
            Some(Near {
                key: key(near.key)?,
                ..near
            })
        });
        named.collect()
    }

    /// Every date up to a snapshot, oldest first.
    pub fn dates(&self, snapshot: i64) -> Vec<i64> {
        let kept = self.kept.iter().flatten();
        let mut dates: Vec<i64> = kept
            .filter(|kept| kept.seq <= snapshot)
            .map(|kept| kept.dated_at)
            .collect();
        dates.sort_unstable();
        dates
    }
}

/// The distinct stems of some words, in ascending order.
fn stems(dictionary: &Dictionary, words: &[WordNumber]) -> Vec<u32> {
    let stems = words.iter().filter_map(|word| dictionary.word(*word));
    let mut stems: Vec<u32> = stems.map(|word| word.stem).collect();
    stems.sort_unstable();
    stems.dedup();
    stems
}

#[cfg(test)]
mod tests;
