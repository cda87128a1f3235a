//! How alike the words of a question and of some memories are: 1 if their stems are equal, else the cosine of their vectors.
//! A few hundred memories have some two thousand distinct words; each is looked at once.

use super::dictionary::{Dictionary, WordNumber};
use super::embedding::Embedder;
use super::model::Piece;
use super::tokens::QueryWord;

/// Likeness of every word of some memories to every word of a question, computed once for each distinct word.
pub struct Likenesses<'asked> {
    embedder: &'asked Embedder<'asked>,
    query: &'asked [QueryWord],
    dictionary: &'asked Dictionary,
    /// For each word of the dictionary, where its values end; 0 while they are not known.
    ends: Vec<u32>,
    values: Vec<f32>,
    pieces: Vec<Piece>,
}

impl<'asked> Likenesses<'asked> {
    /// For the words of a question, against memories whose words are in `dictionary`.
    pub fn new(
        embedder: &'asked Embedder<'asked>,
        query: &'asked [QueryWord],
        dictionary: &'asked Dictionary,
    ) -> Self {
        Likenesses {
            embedder,
            query,
            dictionary,
            ends: vec![0; dictionary.len()],
            values: Vec::new(),
            pieces: Vec::new(),
        }
    }

    /// For each word of the question the best likeness among a memory's words, in the question's order: as many values are
    /// added to `all`.
    pub fn best(&mut self, words: &[WordNumber], all: &mut Vec<f32>) {
        let start = all.len();
        all.resize(start + self.query.len(), 0.0);
        for word in words {
            let best = all.iter_mut().skip(start);
            for (best, value) in best.zip(self.of(*word)) {
                *best = best.max(*value);
            }
        }
    }

    fn of(&mut self, word: WordNumber) -> &[f32] {
        let width = self.query.len();
        let known = self.ends.get(word.place()).copied().unwrap_or_default() as usize;
        let end = if known > 0 { known } else { self.compare(word) };
        self.values
            .get(end.saturating_sub(width)..end)
            .unwrap_or_default()
    }

    fn compare(&mut self, number: WordNumber) -> usize {
        let Some(word) = self.dictionary.word(number) else {
            return 0;
        };
        self.pieces.clear();
        self.pieces.extend(word.pieces());
        if self.pieces.is_empty() {
            let exact = |asked: &QueryWord| f32::from(u8::from(asked.stem == word.stem));
            self.values.extend(self.query.iter().map(exact));
        } else {
            let vector = self.embedder.sum(&self.pieces);
            self.values.extend(self.query.iter().map(|asked| {
                if asked.stem == word.stem {
                    1.0
                } else {
                    asked.vector.cosine(&vector).max(0.0)
                }
            }));
        }
        let end = self.values.len();
        if let Some(known) = self.ends.get_mut(number.place()) {
            *known = end as u32;
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::embedder;
    use crate::embed::tokens::{Words, query_words};

    #[test]
    fn equal_stems_are_the_same_and_meanings_are_near() {
        let query = query_words(embedder(), "hiking coffee xqzvkw");
        let mut dictionary = Dictionary::default();
        let words = dictionary.take(&Words::of(embedder(), "hikes tea xqzvkw firewall"));
        let mut likenesses = Likenesses::new(embedder(), &query, &dictionary);
        let mut best = Vec::new();
        likenesses.best(&words, &mut best);
        assert_eq!((best[0], best[2]), (1.0, 1.0));
        assert!(best[1] > 0.4 && best[1] < 0.9, "{}", best[1]);
        likenesses.best(&words, &mut best);
        assert_eq!(best[..3], best[3..]);
    }

    #[test]
    fn codes_are_the_same_or_not_alike_and_versions_are_near() {
        let likeness = |asked: &str, memory: &str| {
            let query = query_words(embedder(), asked);
            let mut dictionary = Dictionary::default();
            let words = dictionary.take(&Words::of(embedder(), memory));
            let mut best = Vec::new();
            Likenesses::new(embedder(), &query, &dictionary).best(&words, &mut best);
            best[0]
        };
        // Of a word the table knows well, so that its pieces would speak.
        assert_eq!(likeness("flight415", "flight416"), 0.0);
        assert_eq!(likeness("flight415", "Flight415"), 1.0);
        assert!(likeness("windows11", "windows10") > 0.5);
    }

    #[test]
    fn a_question_without_words_has_no_values() {
        let mut dictionary = Dictionary::default();
        let words = dictionary.take(&Words::of(embedder(), "tea"));
        let mut best = Vec::new();
        Likenesses::new(embedder(), &[], &dictionary).best(&words, &mut best);
        assert!(best.is_empty());
    }
}
