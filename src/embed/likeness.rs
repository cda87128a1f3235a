//! How alike the words of a question and of some memories are: 1 if their stems are equal, else the cosine of their vectors.
//! A few hundred memories have some two thousand distinct words; each is looked at once.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasherDefault, Hasher};

use super::embedding::Embedder;
use super::model::Piece;
use super::tokens::{QueryWord, Word, Words};

/// Likeness of every word of some memories to every word of a question, computed once for each distinct word.
pub struct Likenesses<'query, 'words> {
    embedder: &'query Embedder<'query>,
    query: &'query [QueryWord],
    places: HashMap<Word<'words>, usize, BuildHasherDefault<Quick>>,
    values: Vec<f32>,
}

/// A hash for words, whose stems are hashed already. Who could choose colliding words would only slow a ranking of their own.
#[derive(Default)]
struct Quick(u64);

impl Hasher for Quick {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(number)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u32(number as u32);
    }
}

impl<'query, 'words> Likenesses<'query, 'words> {
    /// For the words of a question.
    pub fn new(embedder: &'query Embedder<'query>, query: &'query [QueryWord]) -> Self {
        Likenesses {
            embedder,
            query,
            places: HashMap::default(),
            values: Vec::new(),
        }
    }

    /// For each word of the question the best likeness among a memory's words, in the question's order.
    pub fn best(&mut self, words: &'words Words) -> Vec<f32> {
        let mut best = vec![0f32; self.query.len()];
        for word in words.iter() {
            for (best, value) in best.iter_mut().zip(self.of(word)) {
                *best = best.max(*value);
            }
        }
        best
    }

    fn of(&mut self, word: Word<'words>) -> &[f32] {
        let width = self.query.len();
        let start = match self.places.entry(word) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let start = self.values.len();
                entry.insert(start);
                let vector = self.embedder.sum(&word.pieces().collect::<Vec<Piece>>());
                self.values.extend(self.query.iter().map(|asked| {
                    if asked.stem == word.stem {
                        1.0
                    } else {
                        asked.vector.cosine(&vector).max(0.0)
                    }
                }));
                start
            }
        };
        self.values.get(start..start + width).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::embedder;
    use crate::embed::tokens::query_words;

    #[test]
    fn equal_stems_are_the_same_and_meanings_are_near() {
        let query = query_words(embedder(), "hiking coffee xqzvkw");
        let words = Words::of(embedder(), "hikes tea xqzvkw firewall");
        let mut likenesses = Likenesses::new(embedder(), &query);
        let best = likenesses.best(&words);
        assert_eq!((best[0], best[2]), (1.0, 1.0));
        assert!(best[1] > 0.4 && best[1] < 0.9, "{}", best[1]);
        assert_eq!(best, likenesses.best(&words));
    }
}
