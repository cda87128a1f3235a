//! Whether anything answers at all. How sure a memory seems ([`super::Ranked::certainty`]) is held against a floor, and which
//! floor depends on what can be expected of it: a memory in the question's language is expected to be in a vault that has the
//! question's words; one in another language has few of them whatever it says, and one in another writing none; and a larger
//! model needs no words.

use super::{Document, Question, Vault, weights};
use crate::text::writing::Writing;

/// How the candidates stand to the floors of one question in one vault.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Floors {
    writing: Writing,
    /// What the question's words that the vault has give.
    known: f32,
    memories: u64,
    /// The surest of those in the question's writing, that included.
    same_writing: f32,
    /// By how much the surest of the rest passes its floor.
    others: f32,
}

impl Default for Floors {
    fn default() -> Floors {
        Floors {
            writing: Writing::Unknown,
            known: 0.0,
            memories: 0,
            same_writing: f32::NEG_INFINITY,
            others: f32::NEG_INFINITY,
        }
    }
}

impl Floors {
    pub(super) fn new(question: &Question, vault: &Vault<'_>) -> Floors {
        let counts = vault.containing.iter().copied();
        let counts = counts.chain(std::iter::repeat(0));
        let (mut said, mut known) = (0f32, 0f32);
        for (word, containing) in question.words.iter().zip(counts) {
            said += word.weight;
            if containing > 0 {
                known += word.weight;
            }
        }
        let share = known / said.max(f32::MIN_POSITIVE);
        Floors {
            writing: question.writing,
            known: weights::KNOWN * share,
            memories: vault.memories,
            ..Floors::default()
        }
    }

    /// Holds a candidate against the floors.
    pub(super) fn hold(&mut self, document: &Document<'_>, certainty: f32) {
        if self.writing.differs_from(document.marks.writing()) {
            let floor = weights::NOTHING_BELOW_IN_OTHER_WRITING.among(self.memories);
            self.others = self.others.max(certainty - floor);
        } else {
            self.same_writing = self.same_writing.max(certainty + self.known);
        }
        if document.likeness.is_some() {
            let floor = weights::NOTHING_BELOW_BY_LIKENESS.among(self.memories);
            self.others = self.others.max(certainty - floor);
        }
    }

    /// By how much the surest passes its floor, if so many memories are in the question's language; below 0 none does.
    pub(super) fn margin(&self, in_its_language: Option<u64>) -> f32 {
        let in_its_language = in_its_language.unwrap_or(self.memories).min(self.memories);
        let own = weights::NOTHING_BELOW.among(in_its_language);
        let floor = own.max(weights::NOTHING_BELOW_IN_OTHER_LANGUAGE.among(self.memories));
        self.others.max(self.same_writing - floor)
    }
}
