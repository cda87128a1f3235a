//! The last look before a text is called a repetition: word by word, as written. The guard reads what the words mean and
//! so leaves out the small ones; here a small word, a plural, a sign or a question mark that only one text has keeps both.
//! Only articles, a few fillers of the language the text is in, and spellings of the same word are let go. Figures are
//! the guard's; here only their place counts, where a text has more than one clause.

use super::Reason;
use super::tokens::{self, Token};
use super::words::{self, Meaning};
use crate::text::identity;
use crate::text::scripts::{Class, East, class};

/// What says nothing, by language.
const SAFE: [&str; 4] = [
    "the a an is please currently",
    "der die das ist bitte derzeit aktuell",
    "el la los las es actualmente",
    "le la les l est actuellement",
];
/// What tells the language, beside the words of [`SAFE`].
const MARKERS: [&str; 4] = [
    "and of to at on for with has does not his her my by from it was are",
    "und auf im am zu mit nicht immer wohnt ich wir von für kein keine",
    "en por para con y del al no vive de",
    "et à au du dans pour avec ne pas une des",
];
/// Denials that say the same.
const DENIALS: &str = "not never nicht statt nunca no pas jamais";
/// Number words that are more or less than the number: "first" is not "one".
const NOT_PLAIN_NUMBERS: &str =
    "first once second twice both third fourth fifth sixth seventh eighth ninth tenth cent cents";
/// Words with which another clause begins.
const JOINTS: &str = "and but while or und aber oder y pero et mais ou";
/// Capitals up to which a word is an abbreviation, which is no word in small letters: IT, LA, US.
const CAPITALS: usize = 4;
/// Stands for figures in a list of words.
const FIGURE: &str = "#";

/// A text word by word.
#[derive(Debug, Clone, Default)]
pub(super) struct Strict {
    /// Words with a mark where figures stand.
    placed: Vec<String>,
    weekdays: Vec<String>,
    east: String,
    signs: Vec<char>,
    /// Flags, lists of options, and words whose capitals may say something.
    as_written: Vec<String>,
    asks: bool,
    clauses: usize,
}

fn among(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

impl Strict {
    /// Takes a text apart.
    pub(super) fn of(text: &str) -> Strict {
        let mut strict = Strict {
            signs: signs(text),
            as_written: identity::as_written(text),
            asks: text.contains(['?', '？', '¿']),
            ..Strict::default()
        };
        let tokens = tokens::cut(text);
        let safe = language(&tokens);
        let (mut begins, mut third, mut in_clause) = (true, false, false);
        for (place, token) in tokens.iter().enumerate() {
            let at = |offset: usize| tokens.get(place + offset);
            let before = place.checked_sub(1).and_then(|place| tokens.get(place));
            let starts = std::mem::take(&mut begins);
            match token {
                Token::Stop(ends) => {
                    begins = *ends;
                    in_clause = false;
                    continue;
                }
                Token::Digits(digits) => {
                    let plain = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'.' | b',');
                    if digits.bytes().all(plain) || is_date(digits) {
                        strict.figure();
                        continue;
                    }
                    strict.placed.push(digits.clone());
                }
                Token::Name(name) => strict.placed.push(name.clone()),
                Token::East(run) => strict.east.push_str(run),
                Token::Unit(unit) => strict.east.push(*unit),
                Token::Sign(sign) => {
                    if let Some(Meaning::Same(first)) = words::meaning(&sign.to_string()) {
                        strict.placed.push(first.to_owned());
                    }
                }
                Token::Word(word) => {
                    let lower = word.to_lowercase();
                    let capital = word.chars().next().is_some_and(char::is_uppercase);
                    let abbreviation = word.chars().all(char::is_uppercase)
                        && (2..=CAPITALS).contains(&word.chars().count());
                    let sure = !abbreviation && (starts || !capital);
                    if among(JOINTS, &lower) {
                        in_clause = false;
                        strict.placed.push(lower);
                        continue;
                    }
                    // `userId` is not `userid`.
                    let mixed = word.chars().skip(1).any(char::is_uppercase)
                        && word.chars().any(char::is_lowercase);
                    if abbreviation || mixed {
                        strict.placed.push(word.clone());
                    } else if is_month(&lower)
                        && (is_digits(before) || is_digits(at(1)) || beside_de(before, at(1)))
                    {
                        strict.figure();
                        continue;
                    } else if let Some(Meaning::Weekday(_)) = words::meaning(&lower) {
                        strict.weekdays.push(lower);
                        strict.figure();
                        continue;
                    } else if (matches!(lower.as_str(), "on" | "am") && dated(at(1), at(2), at(3)))
                        || (lower == "de" && between(before, at(1)))
                        || (sure && among(safe, &lower))
                        || (lower == "ne" && denies_later(tokens.get(place..)))
                    {
                        continue;
                    } else if sure && lower == "does" {
                        third = true;
                        continue;
                    } else if sure
                        && lower == "do"
                        && matches!(at(1), Some(Token::Word(not)) if not == "not")
                    {
                        continue;
                    } else if among(DENIALS, &lower) {
                        strict.placed.push("not".to_owned());
                    } else if is_plain_number(&lower) {
                        strict.figure();
                        continue;
                    } else {
                        let word = match words::meaning(&lower) {
                            Some(Meaning::Same(first))
                                if !among(
                                    "every all each jeden alle jede jeder jedes todos todas cada",
                                    &lower,
                                ) =>
                            {
                                first.to_owned()
                            }
                            _ if std::mem::take(&mut third) => third_person(&lower),
                            _ => lower,
                        };
                        strict.placed.push(word);
                    }
                }
            }
            if !std::mem::replace(&mut in_clause, true) {
                strict.clauses += 1;
            }
        }
        strict.placed = phrases(strict.placed);
        strict.east = east(&strict.east);
        strict.weekdays.sort_unstable();
        strict
    }

    fn figure(&mut self) {
        if self.placed.last().is_none_or(|last| last != FIGURE) {
            self.placed.push(FIGURE.to_owned());
        }
    }
}

/// What a careful reader would still see between a new text and an old one.
pub(super) fn difference(new: &Strict, old: &Strict) -> Option<Reason> {
    if new.asks != old.asks
        || new.signs != old.signs
        || new.east != old.east
        || new.as_written != old.as_written
    {
        return Some(Reason::Word);
    }
    if new.weekdays != old.weekdays {
        return Some(Reason::Date);
    }
    let free = new.clauses <= 1 && old.clauses <= 1;
    let words = |strict: &Strict| -> Vec<String> {
        let kept = |word: &&String| !free || *word != FIGURE;
        strict.placed.iter().filter(kept).cloned().collect()
    };
    let (new, old) = (words(new), words(old));
    if new == old || is_advice_for(&new, &old) {
        return None;
    }
    Some(match new.len().cmp(&old.len()) {
        std::cmp::Ordering::Greater => Reason::More,
        std::cmp::Ordering::Less => Reason::Less,
        std::cmp::Ordering::Equal => Reason::Word,
    })
}

/// Whether the new text is the old advice behind what it is for.
fn is_advice_for(new: &[String], old: &[String]) -> bool {
    new.ends_with(old)
        && new.first().is_some_and(|first| words::is_purpose(first))
        && old.first().is_some_and(|first| words::is_advice(first))
}

/// The words that may be left out in the language most of the text is in; none if that is not clear.
fn language(tokens: &[Token]) -> &'static str {
    let mut votes = [0usize; SAFE.len()];
    for token in tokens {
        let Token::Word(word) = token else { continue };
        let word = word.to_lowercase();
        for (vote, (safe, markers)) in votes.iter_mut().zip(SAFE.iter().zip(MARKERS)) {
            *vote += usize::from(among(safe, &word) || among(markers, &word));
        }
    }
    let most = votes.iter().copied().max().unwrap_or_default();
    let mut first = votes.iter().zip(SAFE).filter(|(vote, _)| **vote == most);
    match (first.next(), first.next()) {
        (Some((_, safe)), None) => safe,
        _ => "",
    }
}

fn is_digits(token: Option<&Token>) -> bool {
    matches!(token, Some(Token::Digits(_)))
}

fn is_month(lower: &str) -> bool {
    matches!(words::meaning(lower), Some(Meaning::Month(_)))
}

fn is_de(token: Option<&Token>) -> bool {
    matches!(token, Some(Token::Word(word)) if word == "de")
}

/// "14 de marzo de".
fn beside_de(before: Option<&Token>, after: Option<&Token>) -> bool {
    is_de(before) || is_de(after)
}

fn is_month_word(token: Option<&Token>) -> bool {
    matches!(token, Some(Token::Word(word)) if is_month(&word.to_lowercase()))
}

fn between(before: Option<&Token>, after: Option<&Token>) -> bool {
    is_digits(before) && is_month_word(after) || is_month_word(before) && is_digits(after)
}

/// Whether a date or a day of the week begins here.
fn dated(first: Option<&Token>, second: Option<&Token>, third: Option<&Token>) -> bool {
    match first {
        Some(Token::Digits(digits)) => {
            let stops = matches!(second, Some(Token::Stop(_)));
            is_date(digits) || is_month_word(if stops { third } else { second })
        }
        Some(Token::Word(word)) => match words::meaning(&word.to_lowercase()) {
            Some(Meaning::Weekday(_)) => true,
            Some(Meaning::Month(_)) => is_digits(second),
            _ => false,
        },
        _ => false,
    }
}

/// `2026-03-14`, `14/3/2026`, `14.3.2026`.
fn is_date(digits: &str) -> bool {
    let parts: Vec<&str> = digits.split(['-', '/', '.']).collect();
    let year = |part: &&str| part.len() == 4;
    parts.len() == 3 && (parts.first().is_some_and(year) || parts.last().is_some_and(year))
}

fn is_plain_number(lower: &str) -> bool {
    matches!(
        words::meaning(lower),
        Some(Meaning::Number(_) | Meaning::Times(_))
    ) && !among(NOT_PLAIN_NUMBERS, lower)
}

/// "ne … que" restricts, "ne … plus" ends; only "ne … pas" and "ne … jamais" do without "ne".
fn denies_later(after: Option<&[Token]>) -> bool {
    after.unwrap_or_default().iter().any(
        |token| matches!(token, Token::Word(word) if matches!(word.as_str(), "pas" | "jamais")),
    )
}

/// "eat" as in "eats": what "does not eat" says is what "never eats" says.
fn third_person(verb: &str) -> String {
    if verb == "have" {
        return "has".to_owned();
    }
    if ["ch", "sh", "ss", "x", "o"]
        .iter()
        .any(|end| verb.ends_with(end))
    {
        return format!("{verb}es");
    }
    match verb.strip_suffix('y') {
        Some(root) if !root.ends_with(['a', 'e', 'o', 'u']) => format!("{root}ies"),
        _ => format!("{verb}s"),
    }
}

/// "instead of" is "not".
fn phrases(words: Vec<String>) -> Vec<String> {
    const NOT: [&[&str]; 4] = [
        &["instead", "of"],
        &["en", "vez", "de"],
        &["en", "lugar", "de"],
        &["au", "lieu", "de"],
    ];
    let mut rest = words.as_slice();
    let mut found = Vec::with_capacity(words.len());
    while let Some((first, after)) = rest.split_first() {
        let phrase = NOT.iter().find(|phrase| {
            phrase.len() <= rest.len() && phrase.iter().zip(rest).all(|(one, two)| one == two)
        });
        rest = match phrase {
            Some(phrase) => {
                found.push("not".to_owned());
                rest.get(phrase.len()..).unwrap_or_default()
            }
            None => {
                found.push(first.clone());
                after
            }
        };
    }
    found
}

/// Chinese and Japanese without numerals (the guard has them), fillers, and the copula at the end. One topic or subject
/// mark is like the other; of two, it matters which is which.
fn east(text: &str) -> String {
    let kana = text
        .chars()
        .any(|letter| class(letter) == Class::East(East::Hiragana));
    let mut text = text
        .replace("星期", "周")
        .replace("礼拜", "周")
        .replace("曜日", "曜");
    if kana {
        let end = ["である", "です", "だ"]
            .iter()
            .find_map(|end| text.strip_suffix(end));
        text = end.unwrap_or(&text).to_owned();
        if text.matches(['は', 'が']).count() == 1 {
            text = text.replace('が', "は");
        }
    } else {
        for filler in ["现在", "目前", "很"] {
            text = text.replace(filler, "");
        }
    }
    text.replace(
        [
            '〇', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '两',
        ],
        "",
    )
}

/// The signs that change what stands beside them, in order.
fn signs(text: &str) -> Vec<char> {
    let minus = |sign: char| match sign {
        '\u{2010}' | '\u{2011}' | '\u{2012}' | '\u{2013}' | '\u{2212}' | '\u{ff0d}' => '-',
        other => other,
    };
    let letters: Vec<char> = text.chars().map(minus).collect();
    let letter = |place: usize| letters.get(place).copied();
    let blank = |sign: Option<char>| sign.is_none_or(char::is_whitespace);
    let mut found = Vec::new();
    for (place, sign) in letters.iter().copied().enumerate() {
        let before = place.checked_sub(1).and_then(letter);
        let after = letter(place + 1);
        let beyond = letter(place + 2);
        let is_digit = |sign: Option<char>| sign.is_some_and(char::is_numeric);
        let opens = before.is_none_or(|before| !before.is_alphanumeric()) && !blank(after);
        let closes = before.is_some_and(|before| !before.is_whitespace())
            && after.is_none_or(|after| !after.is_alphanumeric());
        let counts = match sign {
            '~' | '^' | '<' | '>' | '=' | '*' | '&' | '|' | '\\' | '≠' | '≤' | '≥' | '±' | '≈' => {
                true
            }
            '-' => opens || closes || blank(before) && is_digit(beyond),
            '+' => opens || closes,
            '!' | '.' | '/' | '_' | '@' | '#' | ':' => opens,
            '(' => is_digit(after),
            _ => false,
        };
        if counts {
            found.push(sign);
        }
    }
    found
}
