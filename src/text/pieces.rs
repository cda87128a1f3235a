//! The pieces of a name: segments of an address, words of a compound, humps of an identifier, number and unit, stems.

use crate::text::tokens::{NAME_PARTS, Purpose, Terms};
use crate::text::words::{
    core, fold_word, folded_name, is_digit, is_letter, is_number, is_word, trimmed,
};
use crate::text::{numbers, stems};

/// Digits a bare number needs to count as a part: `5512` of `HERON-5512` says something, `03` of a date does not.
const NUMBER_PART_DIGITS: usize = 3;
/// Letters from which on a name with a sign also counts without it: `notepad` of `Notepad++`, but no `c` of `C++`.
const UNSIGNED_LETTERS: usize = 3;
/// Longest word that is looked at for camel case: identifiers are shorter, encoded bytes are not made of words.
const CAMEL_CHARS: usize = 40;
/// Letters a side of an apostrophe needs to count alone: `Izmir` of `Izmir'de`, `Brien` of `O'Brien`.
const APOSTROPHE_LETTERS: usize = 3;
/// Where a name is cut, coarse before fine; a segment that holds a finer sign is a part, too (`main.rs` of a path).
const LEVELS: [&[char]; 3] = [&['/', ':', '@'], &['-', '_', '+', '&', '#'], &['.', ',']];

/// Gives the pieces of a name that holds signs.
pub(super) fn of_name(name: &[char], out: &mut Terms<'_>) {
    segments(name, &LEVELS, out);
    joined(name, out);
    without_line(name, out);
}

/// Gives the segments of a name, coarse to fine.
fn segments(name: &[char], levels: &[&[char]], out: &mut Terms<'_>) {
    let Some((separators, finer)) = levels.split_first() else {
        return of_word(name, out);
    };
    if let Some(base) = signed_base(name) {
        if base.len() >= UNSIGNED_LETTERS {
            out.part(&folded_name(base));
        }
        return;
    }
    if numbers::compound_parts(name, out) {
        return;
    }
    if !name.iter().any(|character| separators.contains(character)) {
        return segments(name, finer, out);
    }
    let mut rest = name;
    while !rest.is_empty() {
        let plain = rest
            .iter()
            .take_while(|character| !separators.contains(character))
            .count();
        let doubled = rest.get(plain..plain + 2) == Some(&['+', '+']) && plain > 0;
        let length = if doubled { plain + 2 } else { plain };
        let segment = trimmed(rest.get(..length).unwrap_or_default());
        if says_something(segment) {
            out.part(&folded_name(segment));
        }
        if !segment.is_empty() {
            segments(segment, finer, out);
        }
        rest = rest
            .get(if doubled { length } else { length + 1 }..)
            .unwrap_or_default();
    }
}

/// The letters of a name that is letters and a final `+`, `++` or `#`.
fn signed_base(name: &[char]) -> Option<&[char]> {
    let base = name
        .iter()
        .rposition(|character| !matches!(character, '+' | '#'))
        .and_then(|last| name.get(..=last))?;
    (base.len() < name.len() && base.iter().all(|character| is_letter(*character))).then_some(base)
}

/// Whether a piece is worth finding on its own: not one letter, not a short number.
fn says_something(piece: &[char]) -> bool {
    if is_number(piece) {
        piece.len() >= NUMBER_PART_DIGITS
    } else {
        piece.len() >= 2
    }
}

/// The pieces of a word without signs: of `getUserName` and `5kg`, and the stem where an ending varies.
pub(super) fn of_word(word: &[char], out: &mut Terms<'_>) {
    if word.iter().all(char::is_ascii_lowercase) {
        return;
    }
    let word = core(word);
    for side in word
        .split(|character| *character == '\'')
        .filter(|side| side.len() < word.len())
    {
        // "didn't" is no "didn".
        if side.len() >= APOSTROPHE_LETTERS && !word.ends_with(&['\'', 't']) {
            out.part(&folded_name(side));
        }
    }
    if word.len() <= CAMEL_CHARS {
        humps(word, out);
    }
    let digits = word
        .iter()
        .take_while(|character| is_digit(**character))
        .count();
    let letters = word
        .iter()
        .take_while(|character| is_letter(**character))
        .count();
    let (head, tail) = word
        .split_at_checked(digits.max(letters))
        .unwrap_or_default();
    if digits > 0 && !tail.is_empty() && tail.iter().all(|character| is_letter(*character)) {
        out.part(&folded_name(head));
        out.part(&folded_name(tail));
    } else if letters > 0 && !tail.is_empty() && tail.iter().all(|character| is_digit(*character)) {
        for piece in [head, tail]
            .into_iter()
            .filter(|piece| says_something(piece))
        {
            out.part(&folded_name(piece));
        }
    }
    if word.iter().any(|character| !character.is_ascii()) {
        let folded = folded_name(word);
        if let Some(stem) = stems::stem(&folded) {
            out.part(&stem);
        }
    }
}

/// The words of a name in camel case. A question leaves out those of names such as `GitHub` and `iPhone`: whoever asks
/// for them does not mean a hub or a phone.
fn humps(word: &[char], out: &mut Terms<'_>) {
    let mut starts = vec![0];
    for (place, around) in word.windows(3).enumerate() {
        let [first, second, third] = around else {
            continue;
        };
        let longer = word
            .get(place + 3)
            .is_some_and(|character| character.is_lowercase());
        if place == 0 && first.is_lowercase() && second.is_uppercase() {
            starts.push(1);
        }
        if second.is_lowercase() && third.is_uppercase() {
            starts.push(place + 2);
        } else if first.is_uppercase() && second.is_uppercase() && third.is_lowercase() && longer {
            starts.push(place + 1);
        }
    }
    if starts.len() < 2 {
        return;
    }
    let is_identifier = starts.len() > 2
        || (starts.get(1).is_some_and(|second| *second >= 2)
            && word.first().is_some_and(|first| first.is_lowercase()));
    if out.purpose == Purpose::Question && !is_identifier {
        return;
    }
    starts.push(word.len());
    for bounds in starts.windows(2) {
        let [start, end] = bounds else { continue };
        if let Some(hump) = word.get(*start..*end).filter(|hump| says_something(hump)) {
            out.part(&folded_name(hump));
        }
    }
}

/// Two pieces written as one, for those who write them so: `postmortem`, `covid19`, `nodejs`; `usa` of `U.S.A.`
fn joined(name: &[char], out: &mut Terms<'_>) {
    let pieces: Vec<&[char]> = name
        .split(|character| ['-', '_', '.'].contains(character))
        .take(NAME_PARTS)
        .collect();
    let plain = pieces
        .iter()
        .all(|piece| !piece.is_empty() && piece.iter().all(|character| is_word(*character)));
    let letters = |piece: &&[char]| piece.iter().all(|character| is_letter(*character));
    let by_point = name.contains(&'.');
    let initials = by_point
        && pieces.len() > 1
        && pieces
            .iter()
            .all(|piece| piece.len() == 1 && letters(piece));
    let two = pieces.len() == 2
        && if by_point {
            pieces.iter().all(letters)
        } else {
            !pieces.iter().all(|piece| is_number(piece))
        };
    if plain && (two || initials) {
        let mut term = String::new();
        for piece in name.split(|character| !is_word(*character)) {
            fold_word(piece, &mut term);
        }
        out.part(&term);
    }
}

/// A path without the line or port after it.
fn without_line(name: &[char], out: &mut Terms<'_>) {
    let colon = name.iter().position(|character| *character == ':');
    if let Some(path) = colon
        .and_then(|place| name.get(..place))
        .filter(|path| path.contains(&'/'))
    {
        out.part(&folded_name(path));
    }
}
