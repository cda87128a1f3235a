//! A question on its way to a ranking.

use super::cues::{self, Cues};
use super::dates::Dates;
use super::names;
use crate::embed::embedding::Embedder;
use crate::embed::tokens::{QueryWord, query_words, stem_hash, without_codes};
use crate::embed::vector::Vector;
use crate::text::respell::respellings;
use crate::text::writing::Writing;

/// A question, prepared.
#[derive(Debug, Clone)]
pub struct Question {
    pub(super) words: Vec<QueryWord>,
    pub(super) all_words: Vec<String>,
    pub(super) vector: Vector,
    pub(super) cues: Cues,
    pub(super) dates: Dates,
    pub(super) writing: Writing,
}

impl Question {
    /// Prepares a question.
    pub fn new(embedder: &Embedder<'_>, text: &str) -> Question {
        let cues = Cues::of(text);
        Question {
            words: words(embedder, text, &cues),
            all_words: names::words(text),
            vector: embedder.embed(&without_codes(text)),
            cues,
            dates: Dates::named_in(text),
            writing: Writing::of(text),
        }
    }

    /// Takes words that no memory says in another spelling that some do: "Wuesthof" for "Wüsthof", "Andrey" for "Андрей".
    pub fn respell(&mut self, is_said: impl Fn(u32) -> bool) {
        for word in self.words.iter_mut().filter(|word| !is_said(word.stem)) {
            let spellings = respellings(&word.text);
            let mut stems = spellings.iter().map(|spelling| stem_hash(spelling));
            if let Some(said) = stems.find(|stem| is_said(*stem)) {
                word.stem = said;
            }
        }
    }

    /// Its words without stop words, small letters: those whose frequency [`Vault::containing`] gives, in this order.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.words.iter().map(|word| word.text.as_str())
    }

    /// The hashes of their stems, in that order.
    pub fn stems(&self) -> impl Iterator<Item = u32> {
        self.words.iter().map(|word| word.stem)
    }

    /// Whether it asks for how things are now, or were; only then does [`Document::age_rank`] matter.
    pub fn asks_for_a_time_state(&self) -> bool {
        self.cues.now != 0.0
    }

    /// Whether it asks for how things were.
    pub fn asks_for_what_was(&self) -> bool {
        self.cues.now < 0.0
    }

    /// Its writing.
    pub fn writing(&self) -> Writing {
        self.writing
    }

    /// Its vector, for the search by vectors.
    pub fn vector(&self) -> &Vector {
        &self.vector
    }
}

/// Its words, without those that only say which time is meant ("antes", "vorher"): memories of that time do not say them.
fn words(embedder: &Embedder<'_>, text: &str, cues: &Cues) -> Vec<QueryWord> {
    let all = query_words(embedder, text);
    if cues.now == 0.0 {
        return all;
    }
    let says_more = |word: &&QueryWord| !cues::tells_a_state(&word.text);
    let rest: Vec<QueryWord> = all.iter().filter(says_more).cloned().collect();
    if rest.is_empty() { all } else { rest }
}
