//! The text as the scanners read it, with the way back. Nothing that hides a secret from a pattern but not from a person
//! or a program survives: characters of no width are left out, full-width and mathematical letters become plain ones
//! (NFKC), accents fall off Latin letters, `%5F` becomes `_`. Every place in the result leads back to the bytes of the
//! original.

use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

use super::alike;
use crate::text::scripts::{ZWJ, ZWNJ, is_invisible, is_variation_selector};

/// Where the folded text stops running in parallel with the original.
struct Turn {
    folded: usize,
    original: usize,
    /// Set when one character stands for others: the length of what it replaces, in bytes.
    replaced: Option<usize>,
}

/// A folded text.
pub(super) struct Folded {
    text: String,
    turns: Vec<Turn>,
    original_length: usize,
}

impl Folded {
    pub(super) fn new(original: &str) -> Folded {
        let plain = |byte: u8| matches!(byte, b' '..=b'$' | b'&'..=b'~' | b'\n' | b'\t' | b'\r');
        let mut folded = Folded {
            text: String::with_capacity(original.len()),
            turns: Vec::new(),
            original_length: original.len(),
        };
        if original.bytes().all(plain) {
            folded.text.push_str(original);
        } else {
            folded.fold(original);
        }
        folded
    }

    fn fold(&mut self, original: &str) {
        let mut rest = original.char_indices();
        let (mut word_end, mut is_latin) = (0, false);
        while let Some((at, character)) = rest.next() {
            let length = character.len_utf8();
            if at >= word_end {
                let word = alike::word(original.get(at..).unwrap_or_default());
                (word_end, is_latin) = (at + word.0.max(length), word.1);
            }
            if is_latin && let Some(letter) = alike::latin(character) {
                self.replace(at, length, [letter]);
                continue;
            }
            match character {
                '%' => match escaped(rest.as_str()) {
                    Some(plain) => {
                        rest.nth(1);
                        self.replace(at, length + 2, [plain]);
                    }
                    None => self.text.push('%'),
                },
                ' '..='~' | '\n' | '\t' | '\r' => self.text.push(character),
                _ if is_left_out(character) => self.replace(at, length, []),
                // Latin letters lose their accents; elsewhere marks are part of the letter.
                '\u{a0}'..='\u{36f}' | '\u{1e00}'..='\u{1eff}' => self.replace(
                    at,
                    length,
                    std::iter::once(character)
                        .nfkd()
                        .filter(|piece| !is_accent(*piece)),
                ),
                // No compatibility forms here, so no need to look.
                '\u{400}'..='\u{1cff}'
                | '\u{3041}'..='\u{3096}'
                | '\u{30a1}'..='\u{30fa}'
                | '\u{4e00}'..='\u{9fff}'
                | '\u{ac00}'..='\u{d7a3}' => self.text.push(character),
                _ if std::iter::once(character).nfkc().eq([character]) => self.text.push(character),
                _ => self.replace(at, length, std::iter::once(character).nfkc()),
            }
        }
    }

    fn replace(&mut self, original: usize, length: usize, by: impl IntoIterator<Item = char>) {
        let folded = self.text.len();
        self.text.extend(by);
        if self.text.len() > folded {
            self.turns.push(Turn {
                folded,
                original,
                replaced: Some(length),
            });
        }
        self.turns.push(Turn {
            folded: self.text.len(),
            original: original + length,
            replaced: None,
        });
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The bytes of the original that a range of the folded text was made from, with whatever was left out between them.
    pub(super) fn original(&self, range: Range<usize>) -> Range<usize> {
        let mut from = range.start.min(self.text.len());
        while !self.text.is_char_boundary(from) {
            from = from.saturating_sub(1);
        }
        let mut to = range.end.min(self.text.len());
        while !self.text.is_char_boundary(to) {
            to += 1;
        }
        let start = self.place(from, |original, _| original);
        let end = match to.checked_sub(1) {
            Some(last) => self.place(last, |original, length| original + length),
            None => 0,
        };
        start..end.clamp(start, self.original_length)
    }

    fn place(&self, folded: usize, side: impl Fn(usize, usize) -> usize) -> usize {
        // Of several turns at one place the last counts; those before it left something out.
        let after = self.turns.partition_point(|turn| turn.folded <= folded);
        match after.checked_sub(1).and_then(|index| self.turns.get(index)) {
            Some(Turn {
                original,
                replaced: Some(length),
                ..
            }) => side(*original, *length),
            Some(turn) => side(turn.original + (folded - turn.folded), 1),
            None => side(folded, 1),
        }
    }
}

/// Marks that can stand on a Latin letter.
fn is_accent(character: char) -> bool {
    matches!(
        character,
        '\u{300}'..='\u{36f}'
            | '\u{1ab0}'..='\u{1aff}'
            | '\u{1dc0}'..='\u{1dff}'
            | '\u{20d0}'..='\u{20ff}'
            | '\u{fe20}'..='\u{fe2f}'
    )
}

/// What no reader takes for a part of a value.
pub(super) fn is_left_out(character: char) -> bool {
    let is_line = matches!(character, '\n' | '\t' | '\r');
    matches!(character, ZWJ | ZWNJ)
        || !is_line
            && (character.is_control()
                || is_invisible(character)
                || is_variation_selector(character)
                || is_accent(character))
}

/// The printable ASCII character that the two hexadecimal digits at the beginning stand for (RFC 3986 §2.1).
fn escaped(rest: &str) -> Option<char> {
    let code = rest.get(..2)?;
    if !code.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let plain = char::from(u8::from_str_radix(code, 16).ok()?);
    matches!(plain, ' '..='~').then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_hides_a_secret_is_undone() {
        for (original, folded) in [
            ("plain text, 100% of it", "plain text, 100% of it"),
            ("g\u{200b}hp\u{2060}_\u{ad}a", "ghp_a"),
            ("ｇｈｐ＿ａ", "ghp_a"),
            ("𝗴𝗵𝗽_a", "ghp_a"),
            ("a%5Fb%3a%ZZ%0a", "a_b:%ZZ%0a"),
            (
                "contraseña contrasen\u{303}a mật khẩu",
                "contrasena contrasena mat khau",
            ),
            ("パスワード：й", "パスワード:й"),
            ("a\u{0}b\u{7f}c\u{fe0f}", "abc"),
        ] {
            assert_eq!(Folded::new(original).text(), folded, "{original:?}");
        }
    }

    #[test]
    fn every_place_leads_back_to_the_original() {
        let original = "é g\u{200b}hp%5F１ｘ 密x";
        let folded = Folded::new(original);
        for (piece, source) in [
            ("ghp_1x", "g\u{200b}hp%5F１ｘ"),
            ("e", "é"),
            ("_", "%5F"),
            ("1", "１"),
            ("密", "密"),
            ("x 密x", "ｘ 密x"),
        ] {
            let at = folded.text().find(piece).unwrap();
            let range = folded.original(at..at + piece.len());
            assert_eq!(&original[range], source, "{piece}");
        }
    }

    #[test]
    fn a_range_inside_a_character_covers_the_character() {
        let folded = Folded::new("密码\u{200b}");
        assert_eq!(folded.original(1..2), 0..3);
        assert_eq!(folded.original(4..99), 3..6);
        assert_eq!(Folded::new("").original(0..0), 0..0);
    }
}
