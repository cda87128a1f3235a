//! One form for letters that search treats alike. [`compatible`] runs over a whole text (NFKC and its exceptions),
//! [`fold_into`] over one letter (case, accents, spelling variants). Folding is for terms only; stored text keeps its
//! letters.
//!
//! | written | folded | because |
//! | --- | --- | --- |
//! | `ＡＰＩ`, `ｶﾞ`, `ﬁ`, `㎏` | `api`, `ガ`, `fi`, `kg` | compatibility forms (NFKC, UAX #15) |
//! | `10²`, `1½` | `10 2`, `1 1/2` | NFKC alone would make other numbers of them |
//! | `Straße`, `ΟΔΟΣ`, `İzmir`, `ısı` | `strasse`, `οδοσ`, `izmir`, `isi` | case, whatever the language |
//! | `café`, `bệnh`, `Łódź`, `Ø` | `cafe`, `benh`, `lodz`, `o` | people leave accents out |
//! | `ё` but not `й`, `ї`, `ў` | `е` | printed Russian leaves the dots out; the others are letters |
//! | `أحمد`, `مدرسة`, `على` | `احمد`, `مدرسه`, `علي` | usual in Arabic search; vowel signs and tatweel go too |

use std::borrow::Cow;

use unicode_normalization::char::decompose_canonical;
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfkc_quick};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

use crate::text::scripts::{
    ZWJ, ZWNJ, decimal_digit, is_arabic, is_decoration, is_invisible, is_variation_selector,
};

/// The text in compatibility form, case and accents kept, without what is invisible. Apostrophes, hyphens and slashes of
/// all sorts become the ASCII ones.
pub fn compatible(text: &str) -> Vec<char> {
    if text.is_ascii() {
        return text
            .bytes()
            .map(|byte| if byte == b'\\' { '/' } else { char::from(byte) })
            .collect();
    }
    let prepared = prepare(text);
    let normal: Cow<'_, str> = match is_nfkc_quick(prepared.chars()) {
        IsNormalized::Yes => Cow::Borrowed(&prepared),
        _ => Cow::Owned(prepared.nfkc().collect()),
    };
    normal.chars().map(sign).collect()
}

/// The ASCII sign that stands for a typographic one.
fn sign(character: char) -> char {
    match character {
        '\\' | '\u{2044}' | '\u{2215}' => '/',
        '\u{2018}'
        | '\u{2019}'
        | '\u{201b}'
        | '\u{02b9}'..='\u{02bc}'
        | '\u{2032}'
        | '\u{05f3}'
        | '\u{55a}' => '\'',
        '\u{2010}' | '\u{2011}' | '\u{2212}' | '\u{05be}' => '-',
        other => other,
    }
}

/// What has to be settled before NFKC, which would lose it.
fn prepare(text: &str) -> String {
    let mut prepared = String::with_capacity(text.len());
    let mut previous = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let kept = match character {
            _ if character.is_ascii() => character,
            // Persian writes some suffixes unjoined; search treats them like a hyphen ("کتاب‌ها").
            ZWNJ if is_arabic(previous)
                && characters.peek().is_some_and(|next| is_arabic(*next)) =>
            {
                '-'
            }
            ZWJ | ZWNJ => continue,
            _ if is_invisible(character) || is_variation_selector(character) => continue,
            // NFKC makes a blank and a mark of the free-standing accents, letters of the trade marks.
            '´' | '\u{1ffd}' => '\'',
            '™' | '℠' | '¨' | '¯' | '¸' => ' ',
            // Gershayim mark a Hebrew abbreviation from inside.
            '\u{05f4}' => continue,
            _ if character.general_category() == GeneralCategory::OtherNumber => {
                if ends_number(previous) {
                    prepared.push(' ');
                }
                character
            }
            _ => character,
        };
        prepared.push(kept);
        previous = character;
    }
    prepared
}

fn ends_number(character: char) -> bool {
    decimal_digit(character).is_some()
        || character.general_category() == GeneralCategory::OtherNumber
        || matches!(character, '\u{ff10}'..='\u{ff19}')
}

/// Appends a letter, digit or mark of a text from [`compatible`] in its folded form: nothing for a decoration, several
/// characters for letters such as ß.
pub fn fold_into(character: char, folded: &mut String) {
    if character.is_ascii() {
        folded.push(character.to_ascii_lowercase());
    } else {
        for lower in character.to_lowercase() {
            fold_lower(lower, folded);
        }
    }
}

fn fold_lower(character: char, folded: &mut String) {
    let code = u32::from(character);
    match character {
        'ß' => folded.push_str("ss"),
        'æ' => folded.push_str("ae"),
        'œ' => folded.push_str("oe"),
        'þ' => folded.push_str("th"),
        'ø' => folded.push('o'),
        'ł' => folded.push('l'),
        'đ' | 'ð' => folded.push('d'),
        'ħ' => folded.push('h'),
        'ŧ' => folded.push('t'),
        'ı' => folded.push('i'),
        'ŋ' => folded.push('n'),
        'ς' => folded.push('σ'),
        'ё' | 'ѐ' => folded.push('е'),
        'ѝ' => folded.push('и'),
        'أ' | 'إ' | 'آ' | 'ٱ' => folded.push('ا'),
        'ى' | 'ی' | 'ئ' => folded.push('ي'),
        'ؤ' => folded.push('و'),
        'ة' | 'ۀ' | 'ە' => folded.push('ه'),
        'ک' => folded.push('ك'),
        // Tatweel only stretches a word.
        'ـ' => {}
        // Candrabindu and anusvara are often written for each other.
        'ँ' => folded.push('ं'),
        _ if is_decoration(character) => {}
        _ if matches!(code, 0x00c0..=0x024f | 0x0370..=0x03ff | 0x1e00..=0x1fff) => {
            decompose_canonical(character, |piece| {
                if !is_decoration(piece) {
                    folded.push(if piece == 'ς' { 'σ' } else { piece });
                }
            });
        }
        _ => folded.push(decimal_digit(character).unwrap_or(character)),
    }
}

/// A single word folded as [`fold_into`] does it, without its apostrophes; for word lists.
pub fn folded_word(word: &str) -> String {
    let mut folded = String::with_capacity(word.len());
    for character in compatible(word)
        .into_iter()
        .filter(|character| *character != '\'')
    {
        fold_into(character, &mut folded);
    }
    folded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fold(text: &str) -> String {
        let mut folded = String::new();
        compatible(text)
            .into_iter()
            .for_each(|character| fold_into(character, &mut folded));
        folded
    }

    #[test]
    fn case_width_and_accents_fold() {
        for (written, folded) in [
            ("ＡＰＩ", "api"),
            ("ｶﾞｽ ﾊﾟﾝ", "ガス パン"),
            ("Straße STRASSE", "strasse strasse"),
            ("ΟΔΟΣ οδός", "οδοσ οδοσ"),
            ("İzmir ISPARTA ısı", "izmir isparta isi"),
            ("cafe\u{301} Zürich", "cafe zurich"),
            ("bệnh viện Huế đường", "benh vien hue duong"),
            ("Łódź Ørsted Þór", "lodz orsted thor"),
            ("Ёлка мой Київ", "елка мой київ"),
            ("за\u{301}мок", "замок"),
            ("مُحَمَّد أحمد ـــ مدرسة", "محمد احمد  مدرسه"),
            ("שָׁלוֹם צה״ל", "שלום צהל"),
            ("हिन्दी ज़रूर हूँ", "हिन्दी जरूर हूं"),
            ("ที่ น้ำ", "ที่ น้ํา"),
            ("٤٢ ४२", "42 42"),
            ("5㎏ ﬁn", "5kg fin"),
        ] {
            assert_eq!(fold(written), folded, "{written}");
        }
    }

    #[test]
    fn kana_keep_their_voicing() {
        assert_ne!(fold("カ"), fold("ガ"));
        assert_eq!(fold("か\u{3099}"), "が");
    }

    #[test]
    fn raised_digits_do_not_join_the_number_before_them() {
        assert_eq!(fold("10² m² 1½ CO₂"), "10 2 m2 1 1/2 co2");
    }

    #[test]
    fn typographic_signs_become_plain_ones() {
        assert_eq!(
            fold("l’e\u{301}cole l´un post\u{2011}mortem C:\\a"),
            "l'ecole l'un post-mortem c:/a"
        );
        assert_eq!(fold("کتاب\u{200c}ها"), "كتاب-ها");
        assert_eq!(
            fold("Acme™ soft\u{ad}ware va\u{200b}lve"),
            "acme  software valve"
        );
    }
}
