//! Every distinct word of many memories, kept once and called by a number: a memory is then a list of numbers, and what a
//! ranking finds out about a word it finds out once, whatever memories have it.

use std::collections::HashMap;

use super::tokens::{Word, Words};

/// A word of one memory: its number in the dictionary, and whether that memory writes it like a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WordNumber(u32);

/// Set if the word was written like a name.
const NAME: u32 = 1 << 31;

impl WordNumber {
    /// Whether the memory writes it like a name.
    pub const fn is_name(self) -> bool {
        self.0 & NAME != 0
    }

    /// Its place among all words, from 0.
    pub const fn place(self) -> usize {
        (self.0 & !NAME) as usize
    }
}

/// Distinct words. They are never taken out: a word that is in no memory any more costs its few bytes until the process ends.
#[derive(Debug, Default)]
pub struct Dictionary {
    /// From the hash of a word's bytes to its number.
    numbers: HashMap<u64, u32>,
    /// All words in the form they are stored, one after the other.
    bytes: Vec<u8>,
    /// Where each begins.
    starts: Vec<u32>,
}

impl Dictionary {
    /// How many words there are.
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.starts.is_empty()
    }

    /// Bytes of memory taken, roughly.
    pub fn memory(&self) -> usize {
        self.bytes.capacity() + self.starts.capacity() * 4 + self.numbers.capacity() * 18
    }

    /// The numbers of a memory's words, new words included, in its order.
    pub fn take(&mut self, words: &Words) -> Box<[WordNumber]> {
        words.iter().map(|word| self.number(word)).collect()
    }

    /// The word with a number from this dictionary.
    pub fn word(&self, number: WordNumber) -> Option<Word<'_>> {
        self.at(number.place())
    }

    fn at(&self, place: usize) -> Option<Word<'_>> {
        let start = *self.starts.get(place)?;
        Word::stored(self.bytes.get(start as usize..)?)
    }

    fn number(&mut self, word: Word<'_>) -> WordNumber {
        let name = if word.is_name { NAME } else { 0 };
        let plain = word.plain();
        let mut hash = plain.hash();
        // Words whose hashes meet take the next free one.
        while let Some(number) = self.numbers.get(&hash).copied() {
            if self.at(number as usize) == Some(plain) {
                return WordNumber(number | name);
            }
            hash = hash.wrapping_add(1);
        }
        let number = self.starts.len() as u32;
        self.starts.push(self.bytes.len() as u32);
        plain.store(&mut self.bytes);
        self.numbers.insert(hash, number);
        WordNumber(number | name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::embedder;

    fn words(text: &str) -> Words {
        Words::of(embedder(), text)
    }

    #[test]
    fn a_word_has_one_number_in_every_memory_and_names_are_marked() {
        let mut dictionary = Dictionary::default();
        let first = dictionary.take(&words("the boat of Olga"));
        let second = dictionary.take(&words("olga has a boat, a blue boat"));
        assert_eq!((first.len(), second.len()), (2, 3));
        assert_eq!(first[0], second[1]);
        assert_eq!(first[1].place(), second[0].place());
        assert!(first[1].is_name() && !second[0].is_name());
        assert_eq!(dictionary.len(), 3);
    }

    #[test]
    fn a_number_gives_its_word_back() {
        let mut dictionary = Dictionary::default();
        let stored = words("boat xqzvkw harbour");
        let numbers = dictionary.take(&stored);
        let back: Vec<Word> = numbers
            .iter()
            .filter_map(|number| dictionary.word(*number))
            .collect();
        assert_eq!(back, stored.iter().collect::<Vec<_>>());
        assert_eq!(Dictionary::default().word(numbers[0]), None);
    }
}
