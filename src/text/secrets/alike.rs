//! Letters of other alphabets that look like Latin ones inside a word of Latin letters: an `А` from the Cyrillic alphabet in the
//! prefix of a token hides it from a pattern and from nobody else. Words of one alphabet stay as they are.

use unicode_normalization::UnicodeNormalization as _;

use super::folded::is_left_out;
use crate::text::instructions::look_alike;

/// Letters up to which the first part of a word with hyphens may be all of another alphabet: `sk-…`, `xoxb-…`.
const PREFIX: usize = 4;

/// The Latin letter that a letter looks like in its own case.
pub(super) fn latin(letter: char) -> Option<char> {
    Some(match letter {
        'А' | 'Α' | 'Ꭺ' => 'A',
        'В' | 'Β' | 'Ᏼ' => 'B',
        'Ь' => 'b',
        'С' | 'Ϲ' | 'Ꮯ' => 'C',
        'Ꭰ' => 'D',
        'Е' | 'Ε' | 'Ꭼ' => 'E',
        'Ԍ' | 'Ꮐ' => 'G',
        'Н' | 'Η' | 'Ꮋ' => 'H',
        'І' | 'Ι' | 'Ӏ' => 'I',
        'Ј' | 'Ꭻ' => 'J',
        'К' | 'Κ' | 'Ꮶ' => 'K',
        'Ꮮ' => 'L',
        'М' | 'Μ' | 'Ꮇ' => 'M',
        'Ν' => 'N',
        'О' | 'Ο' | 'Օ' => 'O',
        'Р' | 'Ρ' | 'Ꮲ' => 'P',
        'Ԛ' => 'Q',
        'Ꭱ' | 'Ꮢ' => 'R',
        'Ѕ' | 'Ꮪ' => 'S',
        'Т' | 'Τ' | 'Ꭲ' => 'T',
        'Ս' => 'U',
        'Ѵ' | 'Ꮩ' => 'V',
        'Ԝ' | 'Ꮃ' => 'W',
        'Х' | 'Χ' => 'X',
        'У' | 'Υ' | 'Ү' => 'Y',
        'Ζ' | 'Ꮓ' => 'Z',
        'ı' => 'i',
        'ȷ' => 'j',
        'ʀ' => 'r',
        'ᴀ' => 'a',
        'ᴋ' => 'k',
        'ᴛ' => 't',
        other if other.is_lowercase() => look_alike(other)?,
        _ => return None,
    })
}

/// How far the word goes that begins here, in bytes, and whether it is a Latin one whose other letters only look so.
pub(super) fn word(rest: &str) -> (usize, bool) {
    let mut length = 0;
    let (mut letters, mut ascii, mut others, mut foreign) = (0, 0, 0, false);
    for character in rest.chars() {
        if !(character.is_alphanumeric() || character == '_' || is_left_out(character)) {
            break;
        }
        length += character.len_utf8();
        if !character.is_alphabetic() || is_left_out(character) {
            continue;
        }
        letters += 1;
        let plain = std::iter::once(character).nfkd().next();
        if plain.is_some_and(|plain| plain.is_ascii()) {
            ascii += 1;
        } else {
            others += 1;
            foreign |= latin(character).is_none();
        }
    }
    if foreign || others == 0 {
        return (length, false);
    }
    // `sk-` may be all of another alphabet, if what follows is not.
    let after = rest.get(length..).unwrap_or_default();
    let leads = || {
        letters <= PREFIX
            && after
                .strip_prefix('-')
                .is_some_and(|token| token.starts_with(|first: char| first.is_ascii_alphanumeric()))
    };
    (length, ascii > 0 || leads())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_taken_for_latin_when_it_is_but_for_letters_that_look_so() {
        for (text, expected) in [
            ("АKIA3X", true),
            ("ghр_x1", true),
            ("ѕк-x9Kq", true),
            ("хохЬ-12", true),
            ("pаsswоrd", true),
            ("пароль", false),
            ("секрет", false),
            ("токенAPI", false),
            ("секрет-токен", false),
            ("секрет-key", false),
            ("AKIA", false),
            ("éclair", false),
        ] {
            assert_eq!(word(text).1, expected, "{text}");
        }
    }
}
