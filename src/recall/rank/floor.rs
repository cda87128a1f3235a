//! Whether anything answers at all. How sure a memory seems ([`super::Ranked::certainty`]) is held against a floor, and which
//! floor depends on what can be expected of it: a memory in the question's writing is expected to be in a vault that has the
//! question's words; one in another writing has none of them whatever it says; and a larger model needs no words.

use super::{Document, Question, Vault, weights};
use crate::text::writing::Writing;

/// The floors of one question in one vault.
pub(super) struct Floors {
    writing: Writing,
    /// What the question's words that the vault has give.
    known: f32,
    same_writing: f32,
    other_writing: f32,
    by_likeness: f32,
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
            same_writing: weights::NOTHING_BELOW.among(vault.memories),
            other_writing: weights::NOTHING_BELOW_IN_OTHER_WRITING.among(vault.memories),
            by_likeness: weights::NOTHING_BELOW_BY_LIKENESS.among(vault.memories),
        }
    }

    /// By how much a memory passes the floor that is its own; below 0 it does not answer.
    pub(super) fn margin(&self, document: &Document<'_>, certainty: f32) -> f32 {
        let in_words = if self.writing.differs_from(document.marks.writing()) {
            certainty - self.other_writing
        } else {
            certainty + self.known - self.same_writing
        };
        match document.likeness {
            Some(_) => in_words.max(certainty - self.by_likeness),
            None => in_words,
        }
    }
}
