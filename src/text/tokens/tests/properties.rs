//! What holds for any text.

use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization as _;

use super::asked;
use crate::text::stopwords;
use crate::text::tokens::{SIGNS, TERM_CHARS, index_terms, query_terms};

/// Text rich in what cutting looks at.
fn tricky() -> impl Strategy<Value = String> {
    proptest::string::string_regex(
        "(\\PC|[ -~]|[a-cA-C0-3.,:/@#+_'& -]{1,6}|[\u{300}-\u{310}\u{200b}-\u{200f}\u{ff01}-\u{ff9f}]|[ア-ン一-十は-を가-각ก-อ\u{e30}-\u{e4e}]{1,3}|[\u{5d0}-\u{5ea}\u{620}-\u{65f}\u{900}-\u{94f}]{1,3}|[\u{1f1e6}-\u{1f1ff}🚀]|ß|İ|½|™){0,24}",
    )
    .unwrap()
}

fn is_valid(term: &str) -> bool {
    let allowed = |character: char| {
        character.is_ascii_alphanumeric()
            || SIGNS.contains(&character)
            || (!character.is_ascii() && !character.is_whitespace() && !character.is_control())
    };
    !term.is_empty()
        && term.chars().all(allowed)
        && term.chars().any(|character| !SIGNS.contains(&character))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn terms_hold_only_what_the_tokenizer_takes_as_one_token(text in tricky()) {
        let terms = index_terms(&text);
        for column in [&terms.whole, &terms.parts] {
            prop_assert!(column.is_empty() || column.split(' ').all(is_valid), "{:?}", column);
        }
        for term in query_terms(&text) {
            prop_assert!(is_valid(&term.text), "{:?}", term.text);
            prop_assert!(term.text.chars().count() <= TERM_CHARS);
        }
    }

    #[test]
    fn a_text_is_found_by_asking_for_itself(text in tricky()) {
        let asked = asked(&text);
        for term in index_terms(&text).whole.split_whitespace() {
            let says_nothing = stopwords::is_stop_word(term) || term.chars().all(stopwords::is_function_character);
            prop_assert!(says_nothing || asked.iter().any(|asked| asked == term), "{term} of {text:?} is not in {asked:?}");
        }
    }

    #[test]
    fn the_normal_form_of_a_text_changes_no_term(text in tricky()) {
        let decomposed: String = text.nfd().collect();
        let composed: String = text.nfc().collect();
        prop_assert_eq!(index_terms(&composed), index_terms(&decomposed));
    }

    #[test]
    fn cleaning_a_text_changes_no_term(text in tricky()) {
        let cleaned = crate::text::clean::clean(&text).text;
        prop_assert_eq!(index_terms(&cleaned), index_terms(&text));
    }
}
