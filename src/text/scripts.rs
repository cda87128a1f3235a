//! Which kind of character stands where, as far as storing and searching care: letters by how their script is written,
//! digits, marks, signs that join, emoji, and what no reader can see. Ranges are those of Unicode 16 (Blocks.txt); they
//! are cut coarsely where a finer cut would change no term.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// How a character takes part in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A letter of a script that writes blanks between words: Latin, Cyrillic, Arabic, Devanagari …
    Letter,
    /// A decimal digit of any script.
    Digit,
    /// Han and other ideographs, bopomofo, hiragana or katakana: written without blanks.
    East(East),
    /// Thai, Lao, Burmese, Khmer and their neighbours: written without blanks, in clusters of a base and its marks.
    SouthEast,
    /// Hangul: written with blanks, but nouns carry particles.
    Hangul,
    /// A mark that belongs to the letter before it.
    Mark,
    /// A sign that may stand inside a name (see `tokens::SIGNS`), an apostrophe, or a comma or ampersand.
    Joiner,
    /// An emoji or a pictograph like one: a term of its own.
    Emoji,
    /// Anything else; it ends a word.
    Break,
}

/// The scripts that East Asian text mixes without blanks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum East {
    /// Chinese characters and other ideographs.
    Han,
    /// Japanese syllables of native words and endings.
    Hiragana,
    /// Japanese syllables of foreign words, with their length mark.
    Katakana,
}

/// Classifies a character of a text in compatibility form (see `fold::compatible`).
pub fn class(character: char) -> Class {
    match character {
        'a'..='z' | 'A'..='Z' => Class::Letter,
        '0'..='9' => Class::Digit,
        '+' | '#' | '.' | '@' | '/' | ':' | '_' | '-' | '\'' | ',' | '&' => Class::Joiner,
        '\0'..='\u{a9}' => Class::Break,
        _ => class_beyond_ascii(character),
    }
}

fn class_beyond_ascii(character: char) -> Class {
    if is_emoji(character) {
        return Class::Emoji;
    }
    match character.general_category_group() {
        GeneralCategoryGroup::Mark => Class::Mark,
        GeneralCategoryGroup::Letter => letter(character),
        GeneralCategoryGroup::Number => {
            if decimal_digit(character).is_some() {
                Class::Digit
            } else {
                letter(character)
            }
        }
        _ => Class::Break,
    }
}

fn letter(character: char) -> Class {
    match u32::from(character) {
        0x3041..=0x309f => Class::East(East::Hiragana),
        // The prolonged sound mark continues katakana words.
        0x30a1..=0x30ff | 0x31f0..=0x31ff | 0x1b000..=0x1b16f => Class::East(East::Katakana),
        // Ideographs with iteration mark and zero, bopomofo, Yi, Tangut, Khitan, Nüshu.
        0x3005..=0x3007
        | 0x3021..=0x3029
        | 0x3038..=0x303b
        | 0x3105..=0x312f
        | 0x31a0..=0x31bf
        | 0x3400..=0x4dbf
        | 0x4e00..=0x9fff
        | 0xa000..=0xa48c
        | 0xf900..=0xfaff
        | 0x17000..=0x18d08
        | 0x1b170..=0x1b2fb
        | 0x20000..=0x3ffff => Class::East(East::Han),
        0x1100..=0x11ff | 0x3131..=0x318e | 0xa960..=0xa97c | 0xac00..=0xd7fb => Class::Hangul,
        // Thai, Lao; Burmese; Khmer; Tai Le, New Tai Lue; Tai Tham; Balinese; Javanese, Burmese extensions, Tai Viet.
        0x0e01..=0x0eff
        | 0x1000..=0x109f
        | 0x1780..=0x17d7
        | 0x1950..=0x19df
        | 0x1a20..=0x1aad
        | 0x1b05..=0x1b4c
        | 0xa980..=0xa9fe
        | 0xaa60..=0xaadf => Class::SouthEast,
        _ => Class::Letter,
    }
}

/// Whether a character is an emoji or a pictograph like one. Arrows, box drawing and mathematical signs are not: text
/// uses them as ornaments.
pub fn is_emoji(character: char) -> bool {
    matches!(u32::from(character),
        0x231a..=0x231b | 0x23e9..=0x23fa | 0x2600..=0x27bf | 0x2b1b..=0x2b1c | 0x2b50..=0x2b55 | 0x1f000..=0x1faff)
        && !matches!(character, '\u{2768}'..='\u{2793}' | '\u{1f100}'..='\u{1f16b}' | '\u{1f3fb}'..='\u{1f3ff}')
}

/// Whether a character is one of the two halves of a flag.
pub fn is_regional_indicator(character: char) -> bool {
    matches!(character, '\u{1f1e6}'..='\u{1f1ff}')
}

/// The value of a decimal digit of any script in use. Unicode keeps each script's digits in one run of ten.
pub fn decimal_digit(character: char) -> Option<char> {
    const ZEROS: [u32; 24] = [
        0x0030, 0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66,
        0x0ce6, 0x0d66, 0x0e50, 0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80,
        0xa9d0, 0xabf0,
    ];
    let code = u32::from(character);
    let value = ZEROS
        .iter()
        .find_map(|zero| code.checked_sub(*zero).filter(|value| *value < 10))?;
    char::from_digit(value, 10)
}

/// Whether a combining mark only decorates the letter before it, so that a question may leave it out: accents of Latin,
/// Greek and Cyrillic letters, Arabic and Hebrew vowel signs and chant marks, the Indic dot, enclosing marks. Marks that
/// tell words apart elsewhere (Indic and Thai vowels and tones, the voicing of kana) are kept.
pub fn is_decoration(mark: char) -> bool {
    matches!(u32::from(mark),
        0x0300..=0x036f | 0x0483..=0x0489 | 0x1ab0..=0x1aff | 0x1dc0..=0x1dff | 0x20d0..=0x20ff | 0xfe20..=0xfe2f
        | 0x0591..=0x05c7
        | 0x0610..=0x061a | 0x064b..=0x065f | 0x0670 | 0x06d6..=0x06ed | 0x0711 | 0x0730..=0x074a | 0x08ca..=0x08ff
        | 0x093c)
}

/// Whether a character leaves no trace on the page wherever it stands: soft hyphens, zero-width blanks, direction
/// controls, fillers, invisible operators, annotation anchors, tags. Joiners and variation selectors, which some scripts
/// and emoji need, are judged by their neighbours in `clean`.
pub fn is_invisible(character: char) -> bool {
    matches!(u32::from(character),
        0x00ad | 0x034f | 0x061c | 0x115f..=0x1160 | 0x17b4..=0x17b5 | 0x180e | 0x200b | 0x200e..=0x200f
        | 0x202a..=0x202e | 0x2060..=0x206f | 0x3164 | 0xfeff | 0xffa0 | 0xfff0..=0xfffb | 0x1bca0..=0x1bca3
        | 0x1d173..=0x1d17a | 0xe0000..=0xe0fff)
}

/// Zero-width joiner: holds emoji sequences together and shapes letters of some scripts.
pub const ZWJ: char = '\u{200d}';
/// Zero-width non-joiner: keeps letters of some scripts apart, as in Persian plurals.
pub const ZWNJ: char = '\u{200c}';

/// Whether a character picks a glyph of the one before it. U+E0100 to U+E01EF do so too, but count as invisible.
pub fn is_variation_selector(character: char) -> bool {
    matches!(character, '\u{fe00}'..='\u{fe0f}' | '\u{180b}'..='\u{180d}' | '\u{180f}')
}

/// Whether the joiners [`ZWJ`] and [`ZWNJ`] change how a letter's neighbours are drawn: Arabic, Syriac, N'Ko, the Indic
/// scripts, Burmese, Khmer and Mongolian.
pub fn is_shaped_by_joiners(letter: char) -> bool {
    matches!(u32::from(letter), 0x0600..=0x08ff | 0x0900..=0x0dff | 0x1000..=0x109f | 0x1780..=0x18af | 0xa840..=0xa87f
        | 0xa8e0..=0xa8ff | 0x11000..=0x114df)
}

/// Whether a letter is Arabic (or one of the languages that share the script).
pub fn is_arabic(character: char) -> bool {
    matches!(u32::from(character), 0x0620..=0x06ff | 0x0750..=0x077f | 0x08a0..=0x08c9)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_sorted_by_how_their_script_is_written() {
        for (letters, expected) in [
            ("aZéжλبאकაԱ", Class::Letter),
            ("漢々〇𠮷ㄅꀀ", Class::East(East::Han)),
            ("あゝ", Class::East(East::Hiragana)),
            ("アーヴ", Class::East(East::Katakana)),
            ("กຂကកꦏ", Class::SouthEast),
            ("한ㄱ", Class::Hangul),
            ("0٣३๕៥", Class::Digit),
            ("\u{301}\u{64e}\u{94d}\u{e48}\u{3099}", Class::Mark),
            ("🚀✅⭐🇪⏰", Class::Emoji),
            ("+#.@/:_-',&", Class::Joiner),
            ("!?()\"*→│°€。、？ \u{3000}\u{a0}\0", Class::Break),
        ] {
            for letter in letters.chars() {
                assert_eq!(class(letter), expected, "{letter:?}");
            }
        }
    }

    #[test]
    fn digits_of_every_script_have_a_value() {
        assert_eq!(
            "٣۷५๙".chars().filter_map(decimal_digit).collect::<String>(),
            "3759"
        );
        assert_eq!(decimal_digit('三'), None);
        assert_eq!(decimal_digit('²'), None);
    }

    #[test]
    fn marks_that_tell_words_apart_are_no_decoration() {
        assert!(
            "\u{301}\u{323}\u{64e}\u{5b8}\u{93c}"
                .chars()
                .all(is_decoration)
        );
        assert!(
            !"\u{93f}\u{94d}\u{e48}\u{3099}\u{103a}"
                .chars()
                .any(is_decoration)
        );
    }
}
