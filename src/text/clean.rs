//! How a text is stored: one normal form, nothing a reader cannot see.

use unicode_normalization::UnicodeNormalization as _;

use crate::text::scripts::{Class, class, is_hidden};

/// A cleaned text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaned {
    /// NFC, without control and hidden characters, trimmed, lines ending in `\n`.
    pub text: String,
    /// Characters removed that a reader could not have seen.
    pub hidden_removed: usize,
}

/// Zero-width joiner: holds emoji sequences and some scripts' letters together.
const ZWJ: char = '\u{200d}';
/// Zero-width non-joiner: keeps letters of some scripts apart.
const ZWNJ: char = '\u{200c}';

/// Cleans a text. Doing it twice changes nothing more.
pub fn clean(text: &str) -> Cleaned {
    let mut kept = String::with_capacity(text.len());
    let mut hidden_removed = 0;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\r' => {
                if characters.peek() != Some(&'\n') {
                    kept.push('\n');
                }
            }
            '\n' | '\t' => kept.push(character),
            '\u{2028}' | '\u{2029}' => kept.push('\n'),
            ZWJ | ZWNJ if joins(kept.chars().next_back(), characters.peek().copied()) => {
                kept.push(character)
            }
            '\u{fe0e}' | '\u{fe0f}' if kept.chars().next_back().is_some_and(is_pictorial) => {
                kept.push(character)
            }
            ZWJ | ZWNJ | '\u{fe00}'..='\u{fe0f}' => hidden_removed += 1,
            _ if character.is_control() => {}
            _ if is_hidden(character) => hidden_removed += 1,
            _ => kept.push(character),
        }
    }
    let text = kept.nfc().collect::<String>().trim().to_owned();
    Cleaned {
        text,
        hidden_removed,
    }
}

/// Whether there is nothing to read in a text.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|character| {
        character.is_whitespace()
            || character.is_control()
            || is_hidden(character)
            || matches!(character, ZWJ | ZWNJ | '\u{2800}' | '\u{fe00}'..='\u{fe0f}')
    })
}

/// Whether a joiner between these two has a meaning: between pictographs, or inside a word of a script beyond Latin,
/// Greek and Cyrillic.
fn joins(before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else {
        return false;
    };
    let shaped = |character: char| {
        character >= '\u{0590}' && matches!(class(character), Class::Letter | Class::Mark)
    };
    let pictorial_before =
        is_pictorial(before) || matches!(before, '\u{fe0f}' | '\u{1f3fb}'..='\u{1f3ff}');
    (pictorial_before && is_pictorial(after)) || (shaped(before) && shaped(after))
}

fn is_pictorial(character: char) -> bool {
    class(character) == Class::Pictograph
        || matches!(
            character,
            '#' | '*' | '0'..='9' | '\u{00a9}' | '\u{00ae}' | '\u{2122}' | '\u{203c}' | '\u{2049}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_a_reader_cannot_see_is_removed_and_counted() {
        let cleaned = clean("mo\u{202e}ve\u{200b} it\u{e0041}\u{feff}\0");
        assert_eq!(
            (cleaned.text.as_str(), cleaned.hidden_removed),
            ("move it", 4)
        );
    }

    #[test]
    fn line_ends_become_one_kind_and_edges_are_trimmed() {
        assert_eq!(clean(" a\r\nb\rc\u{2028}d\n\t").text, "a\nb\nc\nd");
    }

    #[test]
    fn joiners_stay_where_they_mean_something() {
        for text in [
            "👩\u{200d}💻",
            "👩🏽\u{200d}💻",
            "❤\u{fe0f}",
            "می\u{200c}خواهم",
            "क्\u{200d}ष",
        ] {
            assert_eq!(clean(text).text, text.nfc().collect::<String>(), "{text}");
        }
        assert_eq!(clean("pass\u{200d}word").text, "password");
    }

    #[test]
    fn texts_with_nothing_to_read_are_blank() {
        for text in [
            "",
            " ",
            "\n\u{200b}",
            "\u{2060}\u{feff}",
            "\u{3164}",
            "\u{3000}",
            "\0\u{1b}",
        ] {
            assert!(is_blank(text), "{text:?}");
        }
        assert!(!is_blank("."));
    }

    proptest! {
        #[test]
        fn cleaning_twice_changes_nothing_more(text in "\\PC*|(.|\n){0,40}") {
            let once = clean(&text).text;
            prop_assert_eq!(&clean(&once).text, &once);
        }
    }
}
