//! How much of a question each document covers, alone and with its neighbours.

use super::beside::Beside;
use super::{Document, Question, Vault, names, weights};
use crate::embed::embedding::Embedder;
use crate::embed::likeness::Likenesses;
use crate::embed::tokens::QueryWord;

/// The covers of some documents, by their place in the list.
pub(super) struct Covers {
    best: Best,
    shares: Shares,
    own: Vec<f32>,
    cover: Vec<f32>,
    certain: Vec<f32>,
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
        let width = words.len();
        let mut likenesses = Likenesses::new(embedder, &words, vault.dictionary);
        let mut values = Vec::with_capacity(documents.len() * words.len());
        for document in documents {
            likenesses.best(document.words, &mut values);
        }
        let mut covers = Covers {
            best: Best { values, width },
            shares,
            own: Vec::with_capacity(documents.len()),
            cover: Vec::with_capacity(documents.len()),
            certain: Vec::with_capacity(documents.len()),
            most_own: 0.0,
            most_cover: 0.0,
            beside: Beside::new(documents),
        };
        let mut with = Vec::new();
        for (place, document) in documents.iter().enumerate() {
            covers.own.push(covers.share(covers.best.of(place)));
            covers.with_neighbours(place, near(document), &mut with);
            covers.cover.push(covers.share(&with));
            // Those that only sat together make no answer of each other.
            let said = if document.is_loose {
                covers.best.of(place)
            } else {
                &with
            };
            covers.certain.push(sum(said, &covers.shares.asked));
        }
        covers.most_own = most(&covers.own, documents);
        covers.most_cover = most(&covers.cover, documents);
        covers
    }

    /// For each word the best of the document's own and, weakened, its neighbours'.
    fn with_neighbours(&self, place: usize, near: f32, with: &mut Vec<f32>) {
        with.clear();
        with.extend(self.best.of(place));
        for (distance, weight) in (1i64..).zip(weights::NEIGHBOURS) {
            for step in [-distance, distance] {
                let neighbour = self.neighbour(place, step).map(|place| self.best.of(place));
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

    /// For each word that counts, how well the document alone says it.
    pub(super) fn likenesses(&self, place: usize) -> &[f32] {
        self.best.of(place)
    }

    /// What part of the question such likenesses say, 0 to 1; words that the vault does not have count less.
    pub(super) fn share(&self, likenesses: &[f32]) -> f32 {
        sum(likenesses, &self.shares.found)
    }

    /// The part of the whole question that is covered, 0 to 1: with neighbours, unless they only sat together.
    pub(super) fn certain(&self, place: usize) -> f32 {
        self.certain.get(place).copied().unwrap_or_default()
    }

    /// The share covered by the document alone.
    pub(super) fn own(&self, place: usize) -> f32 {
        self.own.get(place).copied().unwrap_or_default()
    }

    /// The share covered with neighbours, relative to the best candidate.
    pub(super) fn relative_cover(&self, place: usize) -> f32 {
        relative(self.cover.get(place), self.most_cover)
    }

    /// The share covered by the document alone, relative to the best candidate.
    pub(super) fn relative_own(&self, place: usize) -> f32 {
        relative(self.own.get(place), self.most_own)
    }
}

/// How much of what neighbours lend counts.
fn near(document: &Document<'_>) -> f32 {
    if document.is_loose {
        weights::SITTING
    } else {
        1.0
    }
}

/// What each word that counts says of the question; both lists add up to 1.
struct Shares {
    /// Of the question as it is asked.
    asked: Vec<f32>,
    /// Of what can be found: a word that no memory has says less about which of them answers.
    found: Vec<f32>,
}

fn sum(values: &[f32], shares: &[f32]) -> f32 {
    let products = values.iter().zip(shares);
    products.map(|(value, share)| value * share).sum()
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
) -> (Vec<QueryWord>, Shares) {
    let containing = vault.containing.iter().copied().chain(std::iter::repeat(0));
    let all = || question.words.iter().zip(containing.clone());
    let is_name = |word: &QueryWord| named.iter().any(|author| names::is_of(&word.text, author));
    let mut counted: Vec<(&QueryWord, u64)> = all().filter(|(word, _)| !is_name(word)).collect();
    if counted.is_empty() {
        counted = all().collect();
    }
    let of = |weigh: &dyn Fn(u64) -> f32| {
        let weights = counted.iter().map(|(word, containing)| {
            word.weight * weights::rarity(*containing, vault.memories) * weigh(*containing)
        });
        let weights: Vec<f32> = weights.collect();
        let sum = weights.iter().sum::<f32>().max(f32::MIN_POSITIVE);
        weights.into_iter().map(|weight| weight / sum).collect()
    };
    let shares = Shares {
        asked: of(&|_| 1.0),
        found: of(&|containing| {
            if containing > 0 {
                1.0
            } else {
                weights::UNKNOWN
            }
        }),
    };
    let words = counted.into_iter().map(|(word, _)| word.clone());
    (words.collect(), shares)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::dictionary::Dictionary;
    use crate::embed::embedder;

    #[test]
    fn a_word_that_no_memory_has_counts_less_in_the_order_and_whole_in_the_certainty() {
        let dictionary = Dictionary::default();
        let question = Question::new(embedder(), "xqzvkw goats");
        let shares = |containing: [u64; 2]| {
            let vault = Vault {
                dictionary: &dictionary,
                memories: 100,
                containing: containing.to_vec(),
                authors: Vec::new(),
            };
            words_and_shares(&question, &vault, &[]).1
        };
        let unknown = shares([0, 7]);
        let ratio = |shares: &[f32]| shares[0] / shares[1];
        assert!(
            (ratio(&unknown.found) - weights::UNKNOWN * ratio(&unknown.asked)).abs() < 1e-4,
            "{:?} {:?}",
            unknown.found,
            unknown.asked
        );
        let known = shares([1, 7]);
        assert_eq!(known.found, known.asked);
        for list in [unknown.found, unknown.asked, known.found] {
            assert!((list.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
    }
}
