//! A text as a comparison sees it: the words that say something, the figures and the negations, in their order.

use super::dates;
use super::east;
use super::figures::{self, Figure};
use super::tokens::{self, Token};
use super::words::{self, Meaning};

/// One thing a text says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Item {
    pub(super) kind: Kind,
    /// What has to be equal.
    pub(super) key: String,
    /// What is equal for different forms of one word.
    pub(super) stem: String,
    /// The preposition before it.
    pub(super) role: Option<String>,
    /// Whether "a" stood before it.
    pub(super) one: bool,
    /// Whether a plural ending was taken off the key.
    pub(super) plural: bool,
}

/// What kind of thing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Word,
    Figure(Figure),
    Negation,
    Pronoun(char),
    Tense,
}

impl Item {
    pub(super) fn new(kind: Kind, key: impl Into<String>) -> Item {
        let key = key.into();
        Item {
            kind,
            stem: key.clone(),
            key,
            role: None,
            one: false,
            plural: false,
        }
    }

    pub(super) fn figure(figure: Figure) -> Item {
        let key = format!("{figure:?}");
        Item::new(Kind::Figure(figure), key)
    }

    pub(super) fn as_figure(&self) -> Option<&Figure> {
        match &self.kind {
            Kind::Figure(figure) => Some(figure),
            _ => None,
        }
    }

    /// A word proper.
    pub(super) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }
}

/// A text read.
#[derive(Debug, Clone, Default)]
pub(super) struct Reading {
    pub(super) items: Vec<Item>,
    /// Whether something "is" something.
    pub(super) copula: bool,
    /// Whether it means another day when it is said on another.
    pub(super) of_its_day: bool,
}

impl Reading {
    /// Reads a text.
    pub(super) fn of(text: &str) -> Reading {
        let mut reader = Reader {
            sentence_begins: true,
            ..Reader::default()
        };
        let tokens = tokens::cut(text);
        let mut place = 0;
        while let Some(token) = tokens.get(place) {
            place += reader.take(token, tokens.get(place + 1..).unwrap_or_default());
        }
        let mut reading = reader.reading;
        reading.items = dates::assembled(reading.items);
        reading.of_its_day = reading.items.iter().any(|item| {
            item.kind == Kind::Tense
                || (item.is_word()
                    && (words::is_day_word(&item.key)
                        || (item.key.len() > 4 && item.key.ends_with("ed"))))
        });
        reading
    }

    /// How many negations there are.
    pub(super) fn negations(&self) -> usize {
        self.items
            .iter()
            .filter(|item| item.kind == Kind::Negation)
            .count()
    }
}

#[derive(Default)]
struct Reader {
    reading: Reading,
    role: Option<String>,
    one: bool,
    sign: Option<char>,
    sentence_begins: bool,
    /// Whether the clause has a plain negation, beside which "nunca" adds nothing.
    negated: bool,
    /// Items of the clause so far.
    in_clause: usize,
}

impl Reader {
    /// Takes a token and, where they belong together, some of the following; returns how many in all.
    fn take(&mut self, token: &Token, after: &[Token]) -> usize {
        let begins = std::mem::take(&mut self.sentence_begins);
        match token {
            Token::Word(word) => return self.word(word, begins, after),
            Token::Digits(digits) => return self.digits(digits, after),
            Token::Name(name) => self.push(Item::figure(Figure::Name(name.clone()))),
            Token::East(run) => self.reading.items.extend(east::items(run)),
            Token::Sign(sign @ ('$' | '€' | '£' | '¥' | '₹' | '₩' | '-' | '+' | '#'))
                if matches!(after.first(), Some(Token::Digits(_) | Token::Sign(_))) =>
            {
                self.sign = Some(*sign);
            }
            Token::Sign('-' | '+') | Token::Unit(_) => {}
            Token::Sign(sign) => self.push(Item::new(Kind::Word, *sign)),
            Token::Stop(ends) => {
                (self.role, self.one, self.negated, self.in_clause) = (None, false, false, 0);
                self.sentence_begins = *ends;
            }
        }
        1
    }

    fn push(&mut self, mut item: Item) {
        item.one = std::mem::take(&mut self.one);
        item.role = match item.kind {
            // "to my sister": the sister is who it goes to.
            Kind::Pronoun(_) | Kind::Negation | Kind::Tense => self.role.clone(),
            _ => self.role.take(),
        };
        self.reading.items.push(item);
        self.in_clause += 1;
    }

    fn word(&mut self, word: &str, begins: bool, after: &[Token]) -> usize {
        let lower = word.to_lowercase();
        if let Some((phrase, length)) = phrase(&lower, after) {
            self.meant(phrase, phrase, begins);
            return length;
        }
        if let Some(Meaning::Number(_) | Meaning::Times(_)) = words::meaning(&lower) {
            return self.number_words(&lower, after);
        }
        self.meant(&lower, word, begins);
        1
    }

    fn meant(&mut self, lower: &str, word: &str, begins: bool) {
        let capital = word.chars().next().is_some_and(char::is_uppercase);
        match words::meaning(lower) {
            Some(Meaning::Ignored) => {}
            Some(Meaning::Copula) => self.reading.copula = true,
            // "Plan A" is not "a plan".
            Some(Meaning::One) if word == "A" && !begins => self.push(Item::new(Kind::Word, "A")),
            Some(Meaning::One) => self.one = true,
            Some(Meaning::Role) => self.role = Some(lower.to_owned()),
            Some(Meaning::Negation) => self.push(Item::new(Kind::Negation, "not")),
            Some(Meaning::PlainNegation) => {
                if !self.negated {
                    self.push(Item::new(Kind::Negation, "not"));
                }
                self.negated = true;
            }
            Some(Meaning::Concord) => {
                if !std::mem::replace(&mut self.negated, true) {
                    self.push(Item::new(Kind::Negation, "not"));
                    // Spoken French leaves out "ne": "mange pas" is "ne mange pas".
                    let place = self.reading.items.len().saturating_sub(2);
                    let verb = self.reading.items.get(place).is_some_and(Item::is_word);
                    if matches!(lower, "pas" | "jamais" | "rien") && verb && self.in_clause > 1 {
                        self.reading.items.swap(place, place + 1);
                    }
                }
            }
            Some(Meaning::Pronoun(who)) => self.push(Item::new(Kind::Pronoun(who), who)),
            Some(Meaning::Tense) => self.push(Item::new(Kind::Tense, lower)),
            // "may" and "march" are verbs too.
            Some(Meaning::Month(month))
                if capital || !matches!(lower, "may" | "march" | "dec" | "sep" | "mai") =>
            {
                self.push(Item::figure(Figure::Date(None, month, None)));
            }
            Some(Meaning::Weekday(day)) => self.push(Item::figure(Figure::Weekday(day))),
            Some(Meaning::Same(first)) => {
                let mut item = Item::new(Kind::Word, first);
                item.stem = words::stem(first);
                item.plural = lower.ends_with('s');
                self.push(item);
            }
            _ => {
                let may_be_name = capital && (!begins || lower.ends_with('s'));
                let singular = if may_be_name { None } else { singular(lower) };
                let mut item = Item::new(Kind::Word, singular.as_deref().unwrap_or(lower));
                item.stem = words::stem(lower);
                item.plural = singular.is_some();
                self.push(item);
            }
        }
    }

    fn digits(&mut self, digits: &str, after: &[Token]) -> usize {
        let sign = self.sign.take();
        let mut figures = figures::of_digits(digits);
        let mut length = 1;
        let times = match after.first() {
            Some(Token::Word(word)) => match words::meaning(&word.to_lowercase()) {
                Some(Meaning::Times(times)) => Some(times),
                _ => None,
            },
            _ => None,
        };
        length += usize::from(times.is_some());
        if let Some(Figure::Number(number, unit)) = figures.last_mut() {
            if let Some(times) = times {
                number.push_str(&format!("×{times}"));
            }
            let next = after.get(length - 1);
            let beside = next.and_then(unit_of);
            length += usize::from(beside.is_some());
            *unit = match sign {
                Some('-') => {
                    number.insert(0, '-');
                    beside
                }
                Some('#') => {
                    number.insert(0, '#');
                    beside
                }
                Some('+') | None => beside,
                Some(sign) => beside.or_else(|| unit_of(&Token::Sign(sign))),
            };
        }
        for figure in figures {
            let month = match &figure {
                Figure::Number(number, Some(unit)) if unit == "月" => figures::month(number),
                _ => None,
            };
            let figure = month.map_or(figure, |month| Figure::Date(None, month, None));
            self.push(Item::figure(figure));
        }
        length
    }

    /// A number in words, as long as it goes on.
    fn number_words(&mut self, first: &str, after: &[Token]) -> usize {
        let mut parts = vec![words::meaning(first)];
        let mut length = 1;
        for token in after {
            let Token::Word(word) = token else { break };
            match words::meaning(&word.to_lowercase()) {
                Some(meaning @ (Meaning::Number(_) | Meaning::Times(_))) => {
                    parts.push(Some(meaning))
                }
                _ => break,
            }
            length += 1;
        }
        let mut numbers: Vec<u64> = Vec::new();
        let (mut whole, mut current, mut open) = (0u64, 0u64, false);
        for part in parts.into_iter().flatten() {
            match part {
                Meaning::Number(number) => {
                    let number = u64::from(number);
                    let goes_on = !open
                        || current.is_multiple_of(100) && number < 100
                        || current % 100 >= 20 && current.is_multiple_of(10) && number < 10;
                    if goes_on {
                        current += number;
                    } else {
                        numbers.push(whole + current);
                        (whole, current) = (0, number);
                    }
                }
                Meaning::Times(times) => {
                    current = current.max(1).saturating_mul(u64::from(times));
                    if times >= 1_000 {
                        whole = whole.saturating_add(current);
                        current = 0;
                    }
                }
                _ => {}
            }
            open = true;
        }
        numbers.push(whole + current);
        for (place, number) in numbers.iter().enumerate() {
            let unit = (place + 1 == numbers.len())
                .then(|| after.get(length - 1).and_then(unit_of))
                .flatten();
            length += usize::from(unit.is_some());
            self.push(Item::figure(Figure::Number(number.to_string(), unit)));
        }
        length
    }
}

/// The unit a token after a number is, if it is one.
fn unit_of(token: &Token) -> Option<String> {
    match token {
        Token::Sign(sign @ ('$' | '€' | '£' | '%')) => match words::meaning(&sign.to_string()) {
            Some(Meaning::Same(first)) => Some(first.to_owned()),
            _ => None,
        },
        Token::Unit(unit) => Some(unit.to_string()),
        Token::Sign(sign @ ('°' | '¥' | '₹' | '₩' | '½' | '¼' | '¾' | '²' | '³')) => {
            Some(sign.to_string())
        }
        Token::Word(word) => {
            let lower = word.to_lowercase();
            match words::meaning(&lower) {
                Some(Meaning::Same(first @ ("dollar" | "euro" | "pound" | "percent"))) => {
                    Some(first.to_owned())
                }
                Some(_) => None,
                None if matches!(lower.as_str(), "am" | "pm" | "uhr") => Some(lower),
                None => match word.chars().count() {
                    // Case tells units apart: "5 mW" is not "5 MW".
                    1..=3 => Some(word.clone()),
                    4 => Some(singular(&lower).unwrap_or(lower)),
                    _ => None,
                },
            }
        }
        _ => None,
    }
}

/// The phrase that begins with this word, and how many words it has.
fn phrase(first: &str, after: &[Token]) -> Option<(&'static str, usize)> {
    words::PHRASES.iter().find_map(|(phrase, word)| {
        let (head, rest) = phrase.split_first()?;
        let follows = |(place, part): (usize, &&str)| {
            matches!(after.get(place), Some(Token::Word(word)) if word.to_lowercase() == **part)
        };
        (*head == first && rest.iter().enumerate().all(follows)).then_some((*word, phrase.len()))
    })
}

/// An English word without its plural ending, if it has one.
fn singular(word: &str) -> Option<String> {
    if word.chars().count() < 4
        || ["ss", "us", "is"]
            .iter()
            .any(|ending| word.ends_with(ending))
        || matches!(word, "always" | "sometimes" | "perhaps" | "besides")
    {
        return None;
    }
    if let Some(root) = word.strip_suffix("ies") {
        return Some(format!("{root}y"));
    }
    word.strip_suffix('s').map(str::to_owned)
}
