//! In which language a text in Latin letters is, by its function words, and by which of them its memories are counted. A text without
//! any, or with as many of two languages, is in none: whoever asks has to do without.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::text::fold::folded_word;
use crate::text::stopwords::LATIN;

/// A language that is known by its function words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Language(usize);

/// For each function word, without accents, the languages that have it, one bit each.
static LANGUAGES: LazyLock<HashMap<String, u16>> = LazyLock::new(|| {
    let mut all: HashMap<String, u16> = HashMap::new();
    for (number, list) in LATIN.into_iter().enumerate() {
        for word in list.split_whitespace() {
            *all.entry(folded_word(word)).or_default() |= 1 << number;
        }
    }
    all
});

impl Language {
    /// The one with the most of a text's words.
    pub fn of(text: &str) -> Option<Language> {
        let mut counts = [0usize; LATIN.len()];
        let words = text.split(|character: char| !character.is_alphanumeric() && character != '\'');
        for word in words.filter(|word| !word.is_empty()) {
            let languages = LANGUAGES.get(&folded_word(word)).copied();
            for (number, count) in counts.iter_mut().enumerate() {
                *count += usize::from(languages.unwrap_or_default() >> number & 1);
            }
        }
        let most = counts.iter().copied().max().filter(|most| *most > 0)?;
        let mut best = (0..).zip(counts).filter(|(_, count)| *count == most);
        let (number, _) = best.next()?;
        best.next().is_none().then_some(Language(number))
    }

    /// Its function words that no other language has, without accents, in order. Hardly a sentence is without one.
    pub fn own_words(self) -> Vec<&'static str> {
        let own = LANGUAGES
            .iter()
            .filter(|(_, languages)| **languages == 1 << self.0);
        let mut words: Vec<&str> = own.map(|(word, _)| word.as_str()).collect();
        words.sort_unstable();
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_in_the_language_of_its_function_words() {
        let language = |word: &str| {
            LATIN
                .iter()
                .position(|list| list.split_whitespace().any(|own| own == word))
        };
        for (text, own) in [
            ("What medicine must I avoid?", "what"),
            ("Was muss ich vermeiden?", "ich"),
            ("Où habite ma sœur ?", "où"),
            ("¿Dónde vive mi hermana?", "dónde"),
            ("Dov'è la chiave della cantina?", "della"),
            ("Waar woont mijn zus?", "mijn"),
        ] {
            let found = Language::of(text).map(|language| language.0);
            assert_eq!(found, language(own), "{text}");
        }
    }

    #[test]
    fn names_numbers_and_words_of_two_languages_tell_nothing() {
        for text in ["", "Zahnarzt", "Aurora 2.0", "como", "我住在哪里"] {
            assert_eq!(Language::of(text), None, "{text}");
        }
    }

    #[test]
    fn its_own_words_are_no_other_languages() {
        let german = Language::of("wann kommt der Techniker").map(Language::own_words);
        let german = german.unwrap_or_default();
        assert!(german.contains(&"nicht") && german.contains(&"konnen"));
        assert!(!german.contains(&"was") && !german.contains(&"in") && !german.contains(&"des"));
        for number in 0..LATIN.len() {
            assert!(Language(number).own_words().len() > 2, "{number}");
        }
    }
}
