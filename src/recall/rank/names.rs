//! People a question names, among the authors a vault knows.

use std::collections::HashSet;

use crate::embed::tokenizer::normalise;
use crate::embed::tokens::stem_hash;
use crate::text::fold::folded_word;
use crate::text::stopwords::is_stop_word;

/// Authors that are roles, not people: a question that says "user" does not ask for somebody by that name.
const ROLES: [&str; 8] = [
    "user",
    "assistant",
    "human",
    "ai",
    "system",
    "me",
    "bot",
    "model",
];
/// Letters a short form needs: "Mel" for Melanie.
const SHORT_FORM: usize = 3;

/// The stems of all names and short forms of first names, as words of memories have them.
pub(super) fn stems(authors: &[&str]) -> HashSet<u32> {
    let mut stems = HashSet::new();
    for author in authors {
        stems.extend(words(author).iter().map(|word| stem_hash(word)));
        let first = first_name(author).unwrap_or_default();
        let ends = first
            .char_indices()
            .map(|(place, _)| place)
            .skip(SHORT_FORM);
        stems.extend(ends.filter_map(|end| first.get(..end)).map(stem_hash));
    }
    stems
}

/// Small letters; the words of a text.
pub(super) fn words(text: &str) -> Vec<String> {
    normalise(text)
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// The authors of a list that a question's words name: by their first name, or by its first three letters or more unless that
/// is a word here.
pub(super) fn named<'author>(
    question: &[String],
    authors: &[&'author str],
    is_word: impl Fn(&str) -> bool,
) -> Vec<&'author str> {
    let mut named: Vec<&str> = authors
        .iter()
        .copied()
        .filter(|author| !ROLES.contains(&author.to_lowercase().as_str()))
        .filter(|author| {
            first_name(author).is_some_and(|name| {
                let mut words = question.iter();
                words.any(|word| *word == name || (is_short_form(word, &name) && !is_word(word)))
            })
        })
        .collect();
    named.sort_unstable();
    named.dedup();
    named
}

/// Whether a word of a question is part of the name of somebody named, or a short form of it.
pub(super) fn is_of(word: &str, author: &str) -> bool {
    words(author).iter().any(|part| part == word)
        || first_name(author).is_some_and(|name| name.starts_with(word))
}

fn first_name(author: &str) -> Option<String> {
    words(author).into_iter().next()
}

fn is_short_form(word: &str, name: &str) -> bool {
    name.starts_with(word)
        && word.chars().nth(SHORT_FORM - 1).is_some()
        && !is_stop_word(&folded_word(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named_in(question: &str) -> Vec<&'static str> {
        named(
            &words(question),
            &["Melanie Park", "Caroline", "user", "Themis", "Caroline"],
            |word| word == "car",
        )
    }

    #[test]
    fn people_are_named_by_first_names_and_short_forms() {
        assert_eq!(named_in("What did Caroline's sister say?"), ["Caroline"]);
        assert_eq!(
            named_in("Does MEL or caroline know?"),
            ["Caroline", "Melanie Park"]
        );
    }

    #[test]
    fn a_word_is_no_short_form() {
        assert_eq!(named_in("Where is the car?"), [""; 0]);
        assert_eq!(named_in("Where is caro's car?"), ["Caroline"]);
    }

    #[test]
    fn roles_stop_words_and_last_names_name_nobody() {
        assert_eq!(
            named_in("What does the user think of them in the park?"),
            [""; 0]
        );
    }

    #[test]
    fn words_of_a_name_are_known() {
        assert!(
            is_of("mel", "Melanie Park")
                && is_of("park", "Melanie Park")
                && !is_of("par", "Melanie Park")
        );
    }
}
