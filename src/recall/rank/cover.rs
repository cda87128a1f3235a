//! How much of a question each document covers, alone and with its neighbours.

use super::beside::Beside;
use super::{Document, Question, Vault, names, weights};
use crate::embed::embedding::Embedder;
use crate::embed::likeness::Likenesses;
use crate::embed::tokens::QueryWord;

/// The covers of some documents, by their place in the list.
pub(super) struct Covers {
    own: Vec<f32>,
    cover: Vec<f32>,
    most_own: f32,
    most_cover: f32,
    beside: Beside,
}

impl Covers {
    pub(super) fn new(
        embedder: &Embedder<'_>,
        question: &Question,
        vault: &Vault<'_>,
        named: &[&str],
        documents: &[Document<'_>],
    ) -> Covers {
        let (words, shares) = words_and_shares(question, vault, named);
        let mut likenesses = Likenesses::new(embedder, &words, vault.dictionary);
        let mut values = Vec::with_capacity(documents.len() * words.len());
        for document in documents {
            likenesses.best(document.words, &mut values);
        }
        let best = Best {
            values,
            width: words.len(),
        };
        let mut covers = Covers {
            own: Vec::with_capacity(documents.len()),
            cover: Vec::with_capacity(documents.len()),
            most_own: 0.0,
            most_cover: 0.0,
            beside: Beside::new(documents),
        };
        let share = |values: &[f32]| {
            values
                .iter()
                .zip(&shares)
                .map(|(value, share)| value * share)
                .sum::<f32>()
        };
        let mut with = Vec::new();
        for place in 0..documents.len() {
            covers.own.push(share(best.of(place)));
            covers.with_neighbours(place, near(documents, place), &best, &mut with);
            covers.cover.push(share(&with));
        }
        covers.most_own = most(&covers.own, documents);
        covers.most_cover = most(&covers.cover, documents);
        covers
    }

    /// For each word the best of the document's own and, weakened, its neighbours'.
    fn with_neighbours(&self, place: usize, near: f32, best: &Best, with: &mut Vec<f32>) {
        with.clear();
        with.extend(best.of(place));
        for (distance, weight) in (1i64..).zip(weights::NEIGHBOURS) {
            for step in [-distance, distance] {
                let neighbour = self
                    .beside
                    .neighbour(place, step)
                    .map(|place| best.of(place));
                for (value, lent) in with.iter_mut().zip(neighbour.into_iter().flatten()) {
                    *value = value.max(near * weight * lent);
                }
            }
        }
    }

    /// The place in the list of the document that many steps further in its session.
    pub(super) fn neighbour(&self, place: usize, step: i64) -> Option<usize> {
        self.beside.neighbour(place, step)
    }

    /// The share of the question covered, 0 to 1: with neighbours, unless they only sat together.
    pub(super) fn certain(&self, place: usize, is_loose: bool) -> f32 {
        let covers = if is_loose { &self.own } else { &self.cover };
        covers.get(place).copied().unwrap_or_default()
    }

    /// The same relative to the best candidate.
    pub(super) fn relative_cover(&self, place: usize) -> f32 {
        relative(self.cover.get(place), self.most_cover)
    }

    /// The share covered by the document alone, relative to the best candidate.
    pub(super) fn relative_own(&self, place: usize) -> f32 {
        relative(self.own.get(place), self.most_own)
    }
}

/// How much of what neighbours lend counts.
fn near(documents: &[Document<'_>], place: usize) -> f32 {
    match documents.get(place) {
        Some(document) if document.is_loose => weights::SITTING,
        _ => 1.0,
    }
}

/// For each document the best likeness to each word of the question.
struct Best {
    values: Vec<f32>,
    width: usize,
}

impl Best {
    fn of(&self, place: usize) -> &[f32] {
        let start = place * self.width;
        self.values
            .get(start..start + self.width)
            .unwrap_or_default()
    }
}

fn relative(value: Option<&f32>, most: f32) -> f32 {
    value.map_or(0.0, |value| if most > 0.0 { value / most } else { 0.0 })
}

fn most(values: &[f32], documents: &[Document<'_>]) -> f32 {
    let candidates = values
        .iter()
        .zip(documents)
        .filter(|(_, document)| document.is_candidate);
    candidates.fold(0.0, |most, (value, _)| most.max(*value))
}

/// The words that count, each with its share of the question: rare words and words that say something count more. Names of
/// people named are left to `author`, unless nothing else is asked.
fn words_and_shares(
    question: &Question,
    vault: &Vault<'_>,
    named: &[&str],
) -> (Vec<QueryWord>, Vec<f32>) {
    let containing = vault.containing.iter().copied().chain(std::iter::repeat(0));
    let all: Vec<(&QueryWord, f32)> = question
        .words
        .iter()
        .zip(containing)
        .map(|(word, containing)| {
            (
                word,
                word.weight * weights::rarity(containing, vault.memories),
            )
        })
        .collect();
    let is_name = |word: &QueryWord| named.iter().any(|author| names::is_of(&word.text, author));
    let mut counted: Vec<(&QueryWord, f32)> = all
        .iter()
        .filter(|(word, _)| !is_name(word))
        .copied()
        .collect();
    if counted.is_empty() {
        counted = all;
    }
    let sum: f32 = counted.iter().map(|(_, weight)| weight).sum();
    counted
        .into_iter()
        .map(|(word, weight)| (word.clone(), weight / sum.max(f32::MIN_POSITIVE)))
        .unzip()
}
