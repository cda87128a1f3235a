//! When two texts count as the same memory. Wide enough that a retyped sentence is recognised, narrow enough that no two
//! different facts ever are: numbers, the units after them and mixed-case identifiers count as written.

use sha2::{Digest as _, Sha256};
use unicode_normalization::UnicodeNormalization as _;

/// SHA-256 of the [`duplicate_key`], lower-case hex.
pub fn content_hash(text: &str) -> String {
    use std::fmt::Write as _;
    let digest = Sha256::digest(duplicate_key(text).as_bytes());
    let mut hash = String::with_capacity(64);
    for byte in digest {
        let _ = write!(hash, "{byte:02x}");
    }
    hash
}

/// The text after NFC, width folding, blank folding, and case folding of ordinary words. Not NFKC: "10²" is not "102".
pub fn duplicate_key(text: &str) -> String {
    let widths: String = fold_widths(&text.nfc().collect::<String>()).nfc().collect();
    let mut key = String::with_capacity(widths.len());
    let mut after_number = false;
    for word in widths.split_whitespace() {
        if !key.is_empty() {
            key.push(' ');
        }
        // A word right after a bare number may be its unit ("5 mW"), and one with a digit carries it inside ("5mW").
        let has_digit = word.chars().any(char::is_numeric);
        if has_digit || after_number || is_mixed_case(word) {
            key.push_str(word);
        } else {
            key.extend(word.chars().flat_map(char::to_lowercase));
        }
        after_number = has_digit && word.chars().all(|character| !character.is_alphabetic());
    }
    key
}

/// A capital after a small letter, as in `getUser` or `iPhone`. (`Rent` and `API` fold.)
fn is_mixed_case(word: &str) -> bool {
    let mut seen_small = false;
    word.chars().any(|character| {
        let inner_capital = seen_small && character.is_uppercase();
        seen_small |= character.is_lowercase();
        inner_capital
    })
}

/// Full-width ASCII to ASCII, half-width kana to full-width kana, the ideographic blank to a blank.
fn fold_widths(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\u{ff01}'..='\u{ff5e}' => folded
                .push(char::from_u32(u32::from(character) - FULL_WIDTH_SHIFT).unwrap_or(character)),
            '\u{3000}' => folded.push(' '),
            // In this block the compatibility decomposition changes the width and nothing else.
            '\u{ff61}'..='\u{ffdc}' | '\u{ffe0}'..='\u{ffee}' => {
                folded.extend(std::iter::once(character).nfkd())
            }
            other => folded.push(other),
        }
    }
    folded
}

/// How far full-width ASCII lies above ASCII.
const FULL_WIDTH_SHIFT: u32 = 0xfee0;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn same(first: &str, second: &str) -> bool {
        content_hash(first) == content_hash(second)
    }

    #[test]
    fn retyped_texts_are_the_same() {
        for (first, second) in [
            ("Rent is due on the 3rd", "rent  IS due\non the 3rd "),
            ("ＡＰＩキー", "APIキー"),
            ("ｶﾞｽ", "ガス"),
            ("café", "cafe\u{301}"),
            ("THE API KEY", "the api key"),
        ] {
            assert!(same(first, second), "{first} / {second}");
        }
    }

    #[test]
    fn different_facts_are_not() {
        for (first, second) in [
            ("10² people", "102 people"),
            ("5 mW", "5 MW"),
            ("5mW", "5MW"),
            ("call getUser", "call getuser"),
            ("15 October", "16 October"),
            ("v2.3.1", "v2.3.10"),
            ("€1,200", "€12,00"),
            ("café", "cafe"),
            ("1.5 kg", "15 kg"),
        ] {
            assert!(!same(first, second), "{first} / {second}");
        }
    }

    proptest! {
        #[test]
        fn the_key_does_not_depend_on_the_normal_form(text in "\\PC*") {
            prop_assert_eq!(duplicate_key(&text.nfd().collect::<String>()), duplicate_key(&text.nfc().collect::<String>()));
        }
    }
}
