//! Cuts a text into what a comparison looks at: words, runs of digits, stretches of Chinese and Japanese, and signs.

use super::east::is_unit;
use crate::text::fold;
use crate::text::scripts::{Class, class};

/// One piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word as written.
    Word(String),
    /// Digits with signs between them, as ASCII.
    Digits(String),
    /// An identifier or address as written.
    Name(String),
    /// Chinese or Japanese without a break.
    East(String),
    /// A Chinese or Japanese character that counts what the digits before it number.
    Unit(char),
    /// `$`, `%` and the like.
    Sign(char),
    /// The end of a clause, or (`true`) of a sentence.
    Stop(bool),
}

/// Letters up to which a word stuck to a number is its unit.
const UNIT_LETTERS: usize = 4;

/// Cuts a text.
pub(super) fn cut(text: &str) -> Vec<Token> {
    let characters = fold::compatible(text);
    let mut tokens = Vec::new();
    let mut rest = characters.as_slice();
    while let Some(first) = rest.first() {
        let length = match class(*first) {
            Class::Letter | Class::Digit | Class::Hangul | Class::Mark | Class::SouthEast => {
                let length = name_length(rest);
                name(rest.get(..length).unwrap_or_default(), &mut tokens);
                length
            }
            Class::East(_) => {
                let length = rest
                    .iter()
                    .take_while(|character| matches!(class(**character), Class::East(_)))
                    .count();
                let unit = rest.first().filter(|unit| {
                    is_unit(**unit) && matches!(tokens.last(), Some(Token::Digits(_)))
                });
                tokens.extend(unit.map(|unit| Token::Unit(*unit)));
                let after = usize::from(unit.is_some());
                if after < length {
                    tokens.push(Token::East(rest.iter().take(length).skip(after).collect()));
                }
                length
            }
            _ => {
                sign(*first, rest.get(1).copied(), &mut tokens);
                1
            }
        };
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
    tokens
}

fn sign(sign: char, next: Option<char>, tokens: &mut Vec<Token>) {
    match sign {
        '$' | '€' | '£' | '¥' | '₹' | '₩' | '%' | '°' | '<' | '>' | '=' | '±' | '≤' | '≥' | '≠'
        | '½' | '¼' | '¾' | '²' | '³' => tokens.push(Token::Sign(sign)),
        // "-5" is a number below zero; between words it is a dash.
        '-' | '+' if next.is_some_and(|next| class(next) == Class::Digit) => {
            tokens.push(Token::Sign(sign))
        }
        '#' | '@' => tokens.push(Token::Sign(sign)),
        '.' | ':' | '!' | '?' | '\n' | '。' | '！' | '？' => tokens.push(Token::Stop(true)),
        ',' | ';' | '(' | ')' | '、' | '—' | '–' => tokens.push(Token::Stop(false)),
        _ if class(sign) == Class::Emoji => tokens.push(Token::Sign(sign)),
        _ => {}
    }
}

fn is_word(character: char) -> bool {
    matches!(
        class(character),
        Class::Letter | Class::Digit | Class::Hangul | Class::Mark | Class::SouthEast
    )
}

/// How far a name goes: word characters, and signs between two of them.
fn name_length(rest: &[char]) -> usize {
    let mut length = 0;
    while let Some(character) = rest.get(length) {
        if is_word(*character) {
            length += 1;
            continue;
        }
        let signs = rest
            .iter()
            .skip(length)
            .take_while(|character| class(**character) == Class::Joiner)
            .count();
        let follows = rest
            .get(length + signs)
            .is_some_and(|after| is_word(*after));
        let joins = match rest.get(length..length + signs).unwrap_or_default() {
            [] => false,
            // A clause goes on after a comma; a number may hold one.
            [','] => digit_at(rest, length.wrapping_sub(1)) && digit_at(rest, length + 1),
            [_] => true,
            [':', '/', '/'] | [':', ':'] | [':', '/'] | ['_', '_'] | ['/', '.'] => true,
            _ => false,
        };
        if follows && joins {
            length += signs;
            continue;
        }
        let ends = rest.get(length..length + signs).unwrap_or_default();
        let kept = match ends {
            ['+', '+', ..] => 2,
            ['#', ..] | ['+', ..] if !digit_at(rest, length.wrapping_sub(1)) => 1,
            _ => 0,
        };
        return length + kept;
    }
    length
}

fn digit_at(rest: &[char], place: usize) -> bool {
    rest.get(place)
        .is_some_and(|character| class(*character) == Class::Digit)
}

fn name(name: &[char], tokens: &mut Vec<Token>) {
    let text: String = name.iter().map(|character| ascii(*character)).collect();
    let has_digit = text.bytes().any(|byte| byte.is_ascii_digit());
    let has_letter = name
        .iter()
        .any(|character| is_word(*character) && class(*character) != Class::Digit);
    if has_digit && !has_letter {
        tokens.push(Token::Digits(text));
    } else if text.contains(['_', '@', ':', '+', '#']) || text.contains("//") || is_path(&text) {
        tokens.push(Token::Name(text));
    } else if has_digit {
        mixed(&text, tokens);
    } else {
        text.split(['-', '/', '&'])
            .for_each(|word| words(word, tokens));
    }
}

/// A decimal digit of any script as ASCII.
fn ascii(character: char) -> char {
    crate::text::scripts::decimal_digit(character).unwrap_or(character)
}

/// `srv/app/x` is a path; `and/or` are two words; `example.org` is a host, "e.g" is none but is the same as written.
fn is_path(text: &str) -> bool {
    let is_letter = |letter: Option<char>| letter.is_some_and(char::is_alphabetic);
    let point = |(place, _)| {
        is_letter(
            text.get(place + 1..)
                .and_then(|after: &str| after.chars().next()),
        )
    };
    text.matches('/').count() > 1 || text.match_indices('.').any(point)
}

/// Letters and digits: an ordinal, a version, a number with its unit, or an identifier.
fn mixed(text: &str, tokens: &mut Vec<Token>) {
    for part in text.split(['-', '/']).filter(|part| !part.is_empty()) {
        let digits = part
            .find(|character: char| {
                !(character.is_ascii_digit() || matches!(character, '.' | ',' | ':'))
            })
            .unwrap_or(part.len());
        let (number, unit) = part.split_at_checked(digits).unwrap_or((part, ""));
        let version = part.strip_prefix(['v', 'V']).filter(|version| {
            version
                .bytes()
                .all(|byte| byte.is_ascii_digit() || byte == b'.')
        });
        let is_unit = unit.chars().all(char::is_alphabetic) && unit.chars().count() <= UNIT_LETTERS;
        if let Some(version) = version.filter(|version| !version.is_empty()) {
            tokens.push(Token::Digits(version.to_owned()));
        } else if !number.is_empty() && matches!(unit, "" | "st" | "nd" | "rd" | "th") {
            tokens.push(Token::Digits(number.to_owned()));
        } else if !number.is_empty() && is_unit {
            tokens.push(Token::Digits(number.to_owned()));
            tokens.push(Token::Word(unit.to_owned()));
        } else if part.chars().all(|character| !character.is_ascii_digit()) {
            words(part, tokens);
        } else {
            tokens.push(Token::Name(part.to_owned()));
        }
    }
}

/// One word; an apostrophe parts what stands before it (French articles) or after it (English endings).
fn words(word: &str, tokens: &mut Vec<Token>) {
    let lower = word.to_lowercase();
    let not = match lower.as_str() {
        "cannot" | "can't" => Some("can"),
        "won't" => Some("will"),
        "shan't" => Some("shall"),
        _ => None,
    };
    if let Some(first) = not.or(lower.strip_suffix("n't")) {
        tokens.push(Token::Word(first.to_owned()));
        tokens.push(Token::Word("not".to_owned()));
        return;
    }
    let parts = word.split('\'').filter(|part| !part.is_empty());
    tokens.extend(parts.map(|part| Token::Word(part.to_owned())));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        let shown = cut(text).into_iter().map(|token| match token {
            Token::Word(word) => word,
            Token::Digits(digits) => format!("[{digits}]"),
            Token::Name(name) => format!("<{name}>"),
            Token::East(run) => format!("{{{run}}}"),
            Token::Sign(sign) | Token::Unit(sign) => sign.to_string(),
            Token::Stop(_) => "|".to_owned(),
        });
        shown.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn texts_are_cut_into_words_figures_names_and_runs() {
        for (text, expected) in [
            ("Rent: €1,200 on the 3rd.", "Rent | € [1,200] on the [3] |"),
            ("Milo can't eat 1.5kg", "Milo can not eat [1.5] kg"),
            (
                "v2.3.10 at 10.0.0.4, port 8080",
                "[2.3.10] at [10.0.0.4] | port [8080]",
            ),
            ("call get_user in C++", "call <get_user> in <C++>"),
            ("vitamin B12 and/or GPT-4", "vitamin <B12> and or GPT [4]"),
            ("l'école d'Anna's", "l école d Anna s"),
            (
                "会議は2026年3月14日です。",
                "{会議は} [2026] 年 [3] 月 [14] 日 {です} |",
            ),
            ("-5 °C", "- [5] ° C"),
        ] {
            assert_eq!(shown(text), expected, "{text}");
        }
    }
}
