//! When two texts count as the same memory. Wide enough that a sentence typed again is recognised, narrow enough that two
//! different facts never are: a wrong "no" only leaves a near-duplicate for other rules to judge, a wrong "yes" loses what
//! someone wanted kept. So numbers are never touched, and letters whose case may carry meaning stay as written:
//!
//! - units: a word of up to [`UNIT_LETTERS`] letters right after a number (5 mW is not 5 MW);
//! - identifiers: words with a digit, an underscore or a capital inside (`getUser`, `iPhone`, `B12`);
//! - addresses and paths (`https://example.org/Qx`, `/srv/App`).
//!
//! What this key brings together is looked at a second time (see [`exact`]), since a capital may say something there as well.
//!
//! Everything else folds: accents in one or two code points, full and half width, runs of blanks, and the case of words
//! written small, Capitalised or IN CAPITALS. Not folded: accents themselves ("café", "cafe"), punctuation, raised digits
//! ("10²" is not "102").

use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

use crate::text::clean::clean;

mod exact;

pub use exact::{as_written, exact_hash, exact_key, is_as_written, is_typed_again};

/// Letters up to which a word after a number may be its unit: "Mbps" has four.
pub const UNIT_LETTERS: usize = 4;

/// SHA-256 of the [`duplicate_key`], 64 lower-case hexadecimal digits. Stored, and compared with the hashes of forgotten
/// texts: changing the key makes old hashes useless.
pub fn content_hash(text: &str) -> String {
    key_hash(&duplicate_key(text))
}

/// SHA-256 of a [`duplicate_key`], in that form.
pub fn key_hash(key: &str) -> String {
    sha256(key)
}

fn sha256(key: &str) -> String {
    const DIGITS: [char; 16] = [
        '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f',
    ];
    let digest = Sha256::digest(key.as_bytes());
    let nibbles = digest.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    nibbles
        .filter_map(|nibble| DIGITS.get(usize::from(nibble)))
        .collect()
}

/// The key under which two texts count as the same memory. The key of a key is that key.
pub fn duplicate_key(text: &str) -> String {
    let cleaned = clean(text).text;
    let text = fold_widths(cleaned);
    let mut key = Key {
        text: String::with_capacity(text.len()),
        after_number: false,
    };
    for piece in text.split_whitespace() {
        if !key.text.is_empty() {
            key.text.push(' ');
        }
        if is_address(piece) {
            key.text.push_str(piece);
            key.after_number = false;
        } else {
            key.push_piece(piece);
        }
    }
    // The small letter of a capital may compose with a mark where the capital does not.
    if key.text.is_ascii() {
        key.text
    } else {
        key.text.nfc().collect()
    }
}

struct Key {
    text: String,
    /// Whether the next word may be a unit.
    after_number: bool,
}

impl Key {
    fn push_piece(&mut self, piece: &str) {
        let mut rest = piece;
        while let Some(first) = rest.chars().next() {
            let in_word = is_word(first);
            let end = rest
                .find(|character| is_word(character) != in_word)
                .unwrap_or(rest.len());
            let (run, following) = rest.split_at_checked(end).unwrap_or((rest, ""));
            if in_word {
                self.push_word(run)
            } else {
                self.push_signs(run)
            }
            rest = following;
        }
    }

    fn push_word(&mut self, word: &str) {
        let is_unit = self.after_number && word.chars().nth(UNIT_LETTERS).is_none();
        if is_unit || is_identifier(word) {
            self.text.push_str(word);
        } else {
            self.text.push_str(&word.to_lowercase());
        }
        // A unit may go on after a sign: "5 MB/s".
        self.after_number = is_unit || word.chars().next_back().is_some_and(char::is_numeric);
    }

    fn push_signs(&mut self, signs: &str) {
        self.text.push_str(signs);
        if signs.contains(ends_clause) {
            self.after_number = false;
        }
    }
}

/// Whether a sign ends a clause, so that no unit follows.
fn ends_clause(sign: char) -> bool {
    matches!(
        sign,
        '.' | ',' | ';' | ':' | '!' | '?' | '。' | '、' | '，' | '；' | '：'
    )
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric()
        || character == '_'
        || character.general_category_group() == GeneralCategoryGroup::Mark
}

/// Whether the case of a word may carry meaning: it has a digit, an underscore, or capitals other than its first letter
/// beside small letters.
fn is_identifier(word: &str) -> bool {
    let has_small = word.chars().any(char::is_lowercase);
    let inner_capital = word.chars().skip(1).any(char::is_uppercase);
    (has_small && inner_capital)
        || word
            .chars()
            .any(|character| character.is_numeric() || character == '_')
}

/// Whether a piece between blanks is an address or a path, where case often counts.
fn is_address(piece: &str) -> bool {
    piece.contains("://")
        || ["/", "./", "../", "~/"]
            .iter()
            .any(|start| piece.starts_with(start))
}

/// Full-width ASCII and signs, half-width kana and Hangul in the width they have elsewhere; composed.
fn fold_widths(text: String) -> String {
    if text.is_ascii() {
        return text;
    }
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{3000}' => folded.push(' '),
            // NFKC would make a blank and a mark of it.
            '\u{ffe3}' => folded.push('\u{af}'),
            // In this block NFKC changes the width and nothing else.
            '\u{ff01}'..='\u{ff5e}' | '\u{ff61}'..='\u{ffee}' => folded.extend(character.nfkc()),
            other => folded.push(other),
        }
    }
    folded.nfc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn same(first: &str, second: &str) -> bool {
        content_hash(first) == content_hash(second)
    }

    #[test]
    fn texts_typed_again_are_the_same() {
        for (first, second) in [
            ("Rent is due on the 3rd", "rent  IS due\n on the 3rd "),
            ("Rent is due", "RENT IS DUE"),
            ("ＡＰＩキー", "APIキー"),
            ("api key", "API KEY"),
            ("ｶﾞｽ ﾊﾟﾝ｡", "ガス　パン。"),
            (
                "Le café de Zürich, bệnh viện",
                "Le cafe\u{301} de Zu\u{308}rich, be\u{323}\u{302}nh vie\u{323}\u{302}n",
            ),
            ("va\u{200b}lve", "valve"),
            ("Милая Ада", "милая ада"),
            ("ΣΟΦΟΣ", "σοφος"),
            ("５ｋｇ", "5kg"),
            ("Ada's 12 apples", "ada's 12 Apples"),
        ] {
            assert!(same(first, second), "{first} / {second}");
        }
    }

    #[test]
    fn different_facts_are_not_the_same() {
        for (first, second) in [
            ("10² people", "102 people"),
            ("x²", "x2"),
            ("½ cup", "1/2 cup"),
            ("5 mW", "5 MW"),
            ("5mW", "5MW"),
            ("5 M", "5 m"),
            ("10 MB/s", "10 mb/s"),
            ("10 Mb/S", "10 Mb/s"),
            ("5-M cable", "5-m cable"),
            ("call getUser", "call getuser"),
            ("iPhone", "iphone"),
            ("GitHub", "github"),
            ("vitamin B12", "vitamin b12"),
            ("set MAX_SIZE", "set max_size"),
            ("see https://example.org/Q", "see https://example.org/q"),
            ("in /srv/App", "in /srv/app"),
            ("15 October", "16 October"),
            ("v2.3.1", "v2.3.10"),
            ("10.0.0.4", "10.0.0.40"),
            ("port 8080", "port 8081"),
            ("€1,200", "€12,00"),
            ("1.5 kg", "15 kg"),
            ("café", "cafe"),
            ("Rent is due", "Rent is due."),
            ("カ", "ガ"),
            ("ミロは貝を食べる", "ミロは貝を食べない"),
        ] {
            assert!(!same(first, second), "{first} / {second}");
        }
    }

    #[test]
    fn a_word_after_a_number_is_a_unit_up_to_four_letters() {
        assert_eq!(duplicate_key("5 Mbps"), "5 Mbps");
        assert_eq!(duplicate_key("5 Litre Tank"), "5 litre tank");
        assert_eq!(duplicate_key("In 2026. The end"), "in 2026. the end");
    }

    #[test]
    fn the_hash_is_the_sha_256_of_the_key() {
        assert_eq!(duplicate_key("ABC"), "abc");
        assert_eq!(
            content_hash("ABC"),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn the_key_does_not_depend_on_the_normal_form(text in "(\\PC|[a-zA-Z0-9 ._/]|[\u{300}-\u{330}\u{ff01}-\u{ffee}]){0,24}") {
            prop_assert_eq!(duplicate_key(&text.nfd().collect::<String>()), duplicate_key(&text.nfc().collect::<String>()));
        }

        #[test]
        fn the_key_of_a_key_is_that_key(text in "(\\PC|[a-zA-Z0-9 ._/]|[\u{300}-\u{330}\u{ff01}-\u{ffee}]){0,24}") {
            let key = duplicate_key(&text);
            prop_assert_eq!(duplicate_key(&key), key);
        }

        #[test]
        fn texts_that_differ_in_a_digit_differ(before in "[a-zA-Z .,]{0,8}", first in 0u8..10, second in 0u8..10, after in "[a-zA-Z .,]{0,8}") {
            let same = duplicate_key(&format!("{before}{first}{after}")) == duplicate_key(&format!("{before}{second}{after}"));
            prop_assert_eq!(same, first == second);
        }
    }
}
