//! Words, names and addresses of scripts that write blanks: where one begins and ends, and its form as a whole. What it
//! consists of is in `pieces`, numbers are in `numbers`.

use crate::text::fold::fold_into;
use crate::text::scripts::{Class, class};
use crate::text::tokens::{NAME_CHARS, SIGNS, Terms};
use crate::text::{numbers, pieces};

/// Runs of signs that join like one: `https://`, `file:///`, `std::fs`, `C:\`, `home/.ssh`, `foo__bar`.
const JOINING_RUNS: [&[char]; 6] = [
    &[':', '/', '/'],
    &[':', '/', '/', '/'],
    &[':', ':'],
    &[':', '/'],
    &['/', '.'],
    &['_', '_'],
];
/// Endings after an apostrophe that add no meaning: "barge's", "we'll", "they've", "you're", "he'd", "I'm".
const CLITICS: [&str; 6] = ["s", "ll", "ve", "re", "d", "m"];
/// Articles and pronouns that French, Italian and Catalan write before an apostrophe.
const ELISIONS: [&str; 22] = [
    "l", "d", "j", "m", "t", "s", "n", "c", "qu", "jusqu", "lorsqu", "puisqu", "un", "dell", "all",
    "nell", "sull", "dall", "quell", "quest", "gl", "degl",
];

/// A name found at the beginning of a text, and how many characters to go on after.
pub(super) struct Found<'text> {
    /// The name without surrounding punctuation; empty when there were only signs.
    pub(super) word: &'text [char],
    /// Characters used up, at least one if the text had one.
    pub(super) length: usize,
}

pub(super) fn is_word(character: char) -> bool {
    matches!(class(character), Class::Letter | Class::Digit | Class::Mark)
}

pub(super) fn is_letter(character: char) -> bool {
    matches!(class(character), Class::Letter | Class::Mark)
}

pub(super) fn is_digit(character: char) -> bool {
    class(character) == Class::Digit
}

pub(super) fn is_number(piece: &[char]) -> bool {
    piece.iter().all(|character| is_digit(*character))
}

/// The signs at the beginning of `rest`.
fn joiners(rest: &[char]) -> &[char] {
    let length = rest
        .iter()
        .take_while(|character| class(**character) == Class::Joiner)
        .count();
    rest.get(..length).unwrap_or_default()
}

/// Finds the name at the beginning of `rest`. `fresh`: nothing of a name stands before it, so a leading sign may count
/// (`.NET`, `#5`, `@ada`).
pub(super) fn find(rest: &[char], fresh: bool) -> Found<'_> {
    let leading = joiners(rest);
    let Some(first) = rest
        .get(leading.len())
        .filter(|character| matches!(class(**character), Class::Letter | Class::Digit))
    else {
        return Found {
            word: &[],
            length: leading.len().max(1),
        };
    };
    let keeps_sign = fresh
        && match leading {
            ['#' | '@'] => true,
            ['.'] => is_letter(*first),
            _ => false,
        };
    let start = if keeps_sign { 0 } else { leading.len() };
    let mut end = leading.len();
    while let Some(next) = rest.get(end) {
        if is_word(*next) {
            end += 1;
            continue;
        }
        let signs = joiners(rest.get(end..).unwrap_or_default());
        let before = end
            .checked_sub(1)
            .and_then(|place| rest.get(place))
            .copied()
            .unwrap_or(' ');
        match rest.get(end + signs.len()).filter(|after| is_word(**after)) {
            Some(after) if joins(before, signs, *after) => end += signs.len(),
            _ => {
                end += suffix(before, signs);
                break;
            }
        }
    }
    Found {
        word: rest.get(start..end).unwrap_or_default(),
        length: end,
    }
}

/// Whether signs between two characters hold them together as one name.
fn joins(before: char, signs: &[char], after: char) -> bool {
    let signs = if is_letter(before) {
        signs.strip_prefix(&['+', '+']).unwrap_or(signs)
    } else {
        signs
    };
    match signs {
        [] => true,
        [','] => is_digit(before) && is_digit(after),
        ['\''] => is_digit(before) == is_digit(after),
        ['&'] => is_letter(before) && is_letter(after),
        [_] => true,
        _ => JOINING_RUNS.contains(&signs),
    }
}

/// How many signs after a name belong to it: `C++`, `A+`, `F#`.
fn suffix(before: char, signs: &[char]) -> usize {
    if !is_letter(before) {
        return 0;
    }
    match signs {
        ['+', '+', '+', ..] | ['#', '#', ..] => 0,
        ['+', '+', ..] => 2,
        ['+' | '#', ..] => 1,
        _ => 0,
    }
}

/// Gives the terms of one name.
pub(super) fn cut(name: &[char], out: &mut Terms<'_>) {
    let name = name.get(..NAME_CHARS).unwrap_or(name);
    let name = without_scheme(name);
    if name.is_empty() {
        return;
    }
    let has_signs = name
        .iter()
        .any(|character| class(*character) == Class::Joiner);
    if has_signs && numbers::is_compound(name) {
        numbers::whole(name, out);
        return;
    }
    out.whole(&folded_name(name));
    if !has_signs {
        pieces::of_word(name, out);
        return;
    }
    let body = trimmed(name);
    if let Some('.' | '#' | '@') = name.first() {
        out.part(&folded_name(body));
    }
    pieces::of_name(body, out);
    numbers::date(body, out);
}

/// Without `https://`, `www.` and the like: people quote addresses with and without.
fn without_scheme(name: &[char]) -> &[char] {
    let scheme = name.windows(3).position(|window| window == [':', '/', '/']);
    let address = scheme
        .and_then(|place| name.get(place + 3..))
        .unwrap_or(name);
    let address = if scheme.is_some() {
        trimmed(address)
    } else {
        address
    };
    match address.strip_prefix(&['w', 'w', 'w', '.']) {
        Some(host) if !host.is_empty() => host,
        _ => address,
    }
}

/// Without signs at the edges that are no part of the name; `c++` keeps its signs.
pub(super) fn trimmed(name: &[char]) -> &[char] {
    let start = joiners(name).len();
    name.get(start..).unwrap_or_default()
}

/// A name in the form it is found by: folded, its apostrophes resolved, decimal commas as points, `&` as `+`.
pub(super) fn folded_name(name: &[char]) -> String {
    let mut folded = String::with_capacity(name.len());
    let mut rest = name;
    while !rest.is_empty() {
        let length = rest
            .iter()
            .take_while(|character| is_word(**character) || **character == '\'')
            .count();
        fold_word(rest.get(..length).unwrap_or_default(), &mut folded);
        match rest.get(length) {
            Some(',') => folded.push('.'),
            Some('&') => folded.push('+'),
            Some(sign) if SIGNS.contains(sign) => folded.push(*sign),
            _ => {}
        }
        rest = rest.get(length + 1..).unwrap_or_default();
    }
    folded
}

/// Appends a word folded, without what an apostrophe adds: endings after the last ("barge's"), an article before the
/// first ("l'école"); otherwise only the sign goes ("don't", "O'Brien").
pub(super) fn fold_word(word: &[char], folded: &mut String) {
    for character in core(word) {
        if *character != '\'' {
            fold_into(*character, folded);
        }
    }
}

pub(super) fn core(word: &[char]) -> &[char] {
    let is = |piece: &[char], texts: &[&str]| {
        piece.len() <= 6
            && texts.contains(
                &piece
                    .iter()
                    .flat_map(|character| character.to_lowercase())
                    .collect::<String>()
                    .as_str(),
            )
    };
    let Some(last) = word.iter().rposition(|character| *character == '\'') else {
        return word;
    };
    let (before, after) = (
        word.get(..last).unwrap_or_default(),
        word.get(last + 1..).unwrap_or_default(),
    );
    if !before.is_empty() && is(after, &CLITICS) {
        before
    } else if !after.is_empty() && is(before, &ELISIONS) {
        after
    } else {
        word
    }
}
