//! How a text is stored: one normal form (NFC), one kind of line end, and nothing a reader cannot see. What was hidden is
//! counted, because it may have been hidden on purpose: a text that reads "buy milk" to a person and something else to
//! an agent.
//!
//! Nothing visible is changed beyond NFC: no case, no width, no punctuation.

use std::borrow::Cow;

use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

use crate::text::scripts::{
    ZWJ, ZWNJ, is_emoji, is_invisible, is_shaped_by_joiners, is_variation_selector,
};

/// A cleaned text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cleaned {
    /// NFC; no controls but `\n` and `\t`; no blank at either end; nothing invisible, except joiners and variation
    /// selectors where an emoji or a script needs them. Never longer than the input by more than NFC makes it.
    pub text: String,
    /// Characters removed that a reader could not see, wherever they stood. Line ends and a byte-order mark at the
    /// beginning, which programs leave without intent, are not counted.
    pub hidden_removed: usize,
}

/// The byte-order mark (also the zero-width no-break space).
const BOM: char = '\u{feff}';
/// Asks for the emoji form of the character before it.
const EMOJI_FORM: char = '\u{fe0f}';
/// Asks for the text form of the character before it.
const TEXT_FORM: char = '\u{fe0e}';
/// The frame of keycap emoji.
const KEYCAP: char = '\u{20e3}';
/// The three flags that Unicode recommends as tag sequences (emoji-sequences.txt), without the black flag in front:
/// England, Scotland, Wales. Any other tag is hidden text.
const TAGGED_FLAGS: [&str; 3] = ["gbeng", "gbsct", "gbwls"];
/// The black flag that a tagged flag begins with.
const BLACK_FLAG: char = '\u{1f3f4}';

/// Cleans a text. Cleaning a cleaned text changes and counts nothing.
pub fn clean(text: &str) -> Cleaned {
    let text = text.strip_prefix(BOM).unwrap_or(text);
    if text
        .bytes()
        .all(|byte| matches!(byte, b' '..=b'~' | b'\n' | b'\t'))
    {
        return Cleaned {
            text: text.trim().to_owned(),
            hidden_removed: 0,
        };
    }
    // Before: whether a joiner has a meaning is decided on composed letters. After: a removal brings marks together.
    let composed = nfc(text);
    let mut kept = Kept::with_capacity(composed.len());
    let visible: Vec<char> = visible(&composed, &mut kept.hidden_removed);
    let mut rest = visible.as_slice();
    while let Some((character, following)) = rest.split_first() {
        kept.push(*character, following.first().copied());
        rest = following;
    }
    Cleaned {
        text: nfc(&kept.text).trim().to_owned(),
        hidden_removed: kept.hidden_removed,
    }
}

fn nfc(text: &str) -> Cow<'_, str> {
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => Cow::Borrowed(text),
        _ => Cow::Owned(text.nfc().collect()),
    }
}

/// The characters without what is invisible wherever it stands; line ends as `\n`.
fn visible(text: &str, hidden_removed: &mut usize) -> Vec<char> {
    let mut visible = Vec::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        match character {
            '\n' | '\t' => visible.push(character),
            '\r' if rest.as_str().starts_with('\n') => {}
            // A form feed, a vertical tab and the rarer line ends part words, so they leave a line end behind.
            '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}' => visible.push('\n'),
            BLACK_FLAG => {
                visible.push(character);
                for tag in flag_tags(rest.as_str()) {
                    visible.push(tag);
                    rest.next();
                }
            }
            _ if character.is_control() || is_invisible(character) => *hidden_removed += 1,
            _ => visible.push(character),
        }
    }
    visible
}

/// The tags after a black flag that make it one of [`TAGGED_FLAGS`].
fn flag_tags(text: &str) -> Vec<char> {
    let tag = |letter: char| char::from_u32(0xe0000 + u32::from(letter)).unwrap_or(letter);
    let mut sequences = TAGGED_FLAGS.iter().map(|name| {
        name.chars()
            .chain(['\u{7f}'])
            .map(tag)
            .collect::<Vec<char>>()
    });
    sequences
        .find(|sequence| {
            text.chars()
                .zip(sequence)
                .filter(|(found, expected)| found == *expected)
                .count()
                == sequence.len()
        })
        .unwrap_or_default()
}

/// What has been kept so far.
struct Kept {
    text: String,
    hidden_removed: usize,
    last: Option<char>,
    /// The last character that is no mark: what a joiner shapes.
    base: Option<char>,
}

impl Kept {
    fn with_capacity(bytes: usize) -> Kept {
        Kept {
            text: String::with_capacity(bytes),
            hidden_removed: 0,
            last: None,
            base: None,
        }
    }

    fn push(&mut self, character: char, next: Option<char>) {
        let has_meaning = match character {
            ZWJ => self.joins_emoji(next) || self.base.is_some_and(is_shaped_by_joiners),
            ZWNJ => {
                // A selector that follows may itself mean nothing here, and go.
                self.base.is_some_and(is_shaped_by_joiners)
                    && next.is_some_and(|next| {
                        is_shaped_by_joiners(next) && !is_variation_selector(next)
                    })
            }
            EMOJI_FORM | TEXT_FORM => {
                self.last.is_some_and(has_emoji_form) || self.begins_keycap(next)
            }
            _ if is_variation_selector(character) => self.last.is_some_and(is_mongolian),
            _ => true,
        };
        if !has_meaning {
            self.hidden_removed += 1;
            return;
        }
        self.text.push(character);
        self.last = Some(character);
        if character.general_category_group() != GeneralCategoryGroup::Mark {
            self.base = Some(character);
        }
    }

    fn joins_emoji(&self, next: Option<char>) -> bool {
        let after_emoji = self
            .last
            .is_some_and(|last| has_emoji_form(last) || is_skin_tone(last) || last == EMOJI_FORM);
        after_emoji && next.is_some_and(has_emoji_form)
    }

    fn begins_keycap(&self, next: Option<char>) -> bool {
        next == Some(KEYCAP)
            && self
                .last
                .is_some_and(|last| matches!(last, '0'..='9' | '#' | '*'))
    }
}

fn is_skin_tone(character: char) -> bool {
    matches!(character, '\u{1f3fb}'..='\u{1f3ff}')
}

fn is_mongolian(character: char) -> bool {
    matches!(character, '\u{1820}'..='\u{18aa}')
}

/// Whether a character is an emoji or has an emoji form beside its text form (emoji-variation-sequences.txt, coarsely).
fn has_emoji_form(character: char) -> bool {
    is_emoji(character)
        || matches!(u32::from(character),
            0xa9 | 0xae | 0x203c | 0x2049 | 0x2122 | 0x2139 | 0x2190..=0x21ff | 0x2300..=0x2328 | 0x232b..=0x23ff | 0x24c2
            | 0x25a0..=0x27bf | 0x2900..=0x297f | 0x2b00..=0x2bff | 0x3030 | 0x303d | 0x3297 | 0x3299 | 0x1f000..=0x1faff)
}

/// Whether there is nothing to see in a text: blanks, controls and invisible characters only.
pub fn is_blank(text: &str) -> bool {
    text.chars().all(|character| {
        character.is_whitespace()
            || character.is_control()
            || is_invisible(character)
            || is_variation_selector(character)
            || matches!(character, ZWJ | ZWNJ | '\u{2800}')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cleaned(text: &str) -> (String, usize) {
        let cleaned = clean(text);
        (cleaned.text, cleaned.hidden_removed)
    }

    #[test]
    fn what_a_reader_cannot_see_is_removed_and_counted() {
        for (hidden, visible, count) in [
            ("mo\u{202e}ve it", "move it", 1),
            ("va\u{200b}l\u{ad}ve\u{2060}", "valve", 3),
            ("buy milk\u{e0041}\u{e0042}\u{e007f}", "buy milk", 3),
            ("a\u{2066}b\u{2069}c\u{200e}\u{200f}\u{61c}", "abc", 5),
            ("x\u{fe01}\u{fe0f}\u{e0100}", "x", 3),
            ("\u{3164}x\u{ffa0}", "x", 2),
            ("a\0b\u{1b}[8mc\u{9b}", "ab[8mc", 3),
            ("\u{feff}a\u{feff}", "a", 1),
        ] {
            assert_eq!(cleaned(hidden), (visible.to_owned(), count), "{hidden:?}");
        }
    }

    #[test]
    fn line_ends_become_one_kind_and_edges_are_trimmed() {
        assert_eq!(
            cleaned(" a\r\nb\rc\u{2028}d\u{c}e\n\t\u{3000}"),
            ("a\nb\nc\nd\ne".to_owned(), 0)
        );
        assert_eq!(cleaned("a\tb\n\n  c"), ("a\tb\n\n  c".to_owned(), 0));
    }

    #[test]
    fn accents_are_composed_and_nothing_visible_changes() {
        assert_eq!(
            cleaned("cafe\u{301} ＡＰＩ 10² “x” ½"),
            ("café ＡＰＩ 10² “x” ½".to_owned(), 0)
        );
        assert_eq!(cleaned("e\u{200b}\u{301}"), ("é".to_owned(), 1));
    }

    #[test]
    fn joiners_and_selectors_stay_where_they_mean_something() {
        for text in [
            "👩\u{200d}💻",
            "👩🏽\u{200d}💻",
            "🏳\u{fe0f}\u{200d}🌈",
            "❤\u{fe0f}",
            "❤\u{fe0e}",
            "1\u{fe0f}\u{20e3}",
            "©\u{fe0f}",
            "می\u{200c}خواهم",
            "ক্\u{200d}ষ",
            "١٤٤٧ ه\u{200d}",
            "क्\u{200c}ष",
            "🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
            "ᠪᠠ\u{180b}",
        ] {
            assert_eq!(cleaned(text), (text.to_owned(), 0), "{text}");
        }
    }

    #[test]
    fn joiners_and_selectors_go_where_they_mean_nothing() {
        for (text, visible, count) in [
            ("pass\u{200d}word", "password", 1),
            ("pass\u{200c}word", "password", 1),
            ("می\u{200c} ", "می", 1),
            ("ऄ\u{200c}\u{180b}", "ऄ", 2),
            ("👩\u{200d}\u{200d}💻", "👩\u{200d}💻", 1),
            ("👩\u{200d}", "👩", 1),
            ("🏴\u{e0067}\u{e0062}", "🏴", 2),
            ("1\u{fe0f}", "1", 1),
        ] {
            assert_eq!(cleaned(text), (visible.to_owned(), count), "{text:?}");
        }
    }

    #[test]
    fn texts_with_nothing_to_see_are_blank() {
        for text in [
            "",
            " ",
            "\n\u{200b}",
            "\u{2060}\u{feff}",
            "\u{3164}",
            "\u{3000}",
            "\0\u{1b}",
            "\u{2800}",
            "\u{200d}\u{fe0f}",
        ] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in [".", "a", "\u{301}", "🚀"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }

    /// Text rich in what cleaning looks at.
    fn tricky() -> impl Strategy<Value = String> {
        proptest::string::string_regex(
            "(\\PC|[\u{0}-\u{20}\u{7f}-\u{a0}\u{ad}\u{300}-\u{330}\u{200b}-\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{fe00}-\u{fe0f}]|[\u{600}-\u{6ff}\u{900}-\u{97f}\u{1820}-\u{1830}\u{180b}-\u{180f}\u{1100}-\u{1200}]|👩|🏴|🏽|❤|[\u{e0060}-\u{e007f}]|1\u{fe0f}?\u{20e3}){0,24}",
        )
        .unwrap()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn cleaning_twice_changes_nothing_more(text in tricky()) {
            let once = clean(&text).text;
            let twice = clean(&once);
            prop_assert_eq!(&twice.text, &once);
            prop_assert_eq!(twice.hidden_removed, 0);
        }

        #[test]
        fn a_blank_text_is_stored_as_nothing_and_a_visible_one_is_not(text in tricky()) {
            if !is_blank(&text) {
                prop_assert!(!clean(&text).text.is_empty());
            }
        }
    }
}
