//! Numbers with signs inside: versions, amounts, network addresses, dates.
//!
//! The normal form keeps the groups of digits and puts a point between them, whatever stood there, so `1,200` and `1.200`
//! are both `1.200`. Where the groups read as thousands, the plain number `1200` is a part.

use crate::text::scripts::{Class, class, decimal_digit};
use crate::text::tokens::{Purpose, Terms};
use crate::text::words::is_digit;

/// Groups of digits by which a longer number with points, a version or a network address, is found: `4.11` finds
/// `4.11.2`; `4` would find too much.
const BEGINNING_GROUPS: usize = 2;

fn is_separator(character: char) -> bool {
    matches!(character, '.' | ',' | '\'')
}

/// Without the `v` of a version.
fn unversioned(name: &[char]) -> &[char] {
    match name {
        ['v' | 'V', rest @ ..] if !rest.contains(&',') && !rest.contains(&'\'') => rest,
        _ => name,
    }
}

/// Whether a name is groups of digits with single separators between them, as `4.11.2`, `v4.11.2` or `1,200.50`.
pub(super) fn is_compound(name: &[char]) -> bool {
    let body = unversioned(name);
    let mut groups = body.split(|character| is_separator(*character));
    let all_digits = groups
        .clone()
        .all(|group| !group.is_empty() && group.iter().all(|digit| is_digit(*digit)));
    all_digits && groups.nth(1).is_some()
}

/// Gives a compound number as a whole.
pub(super) fn whole(name: &[char], out: &mut Terms<'_>) {
    if is_list(name) {
        for item in name.split(|character| *character == ',') {
            if is_compound(item) {
                whole(item, out)
            } else {
                out.whole(&ascii_digits(item))
            }
        }
        return;
    }
    let normal = normal_form(unversioned(name));
    if unversioned(name).len() < name.len() {
        out.whole(&format!("v{normal}"));
    } else {
        out.whole(&normal);
    }
    parts(name, &normal, out);
}

/// Gives a segment of a name as parts if it is a compound number, or one with a unit after it (`1.5kg`); `false` if it
/// is neither.
pub(super) fn compound_parts(segment: &[char], out: &mut Terms<'_>) -> bool {
    if is_compound(segment) {
        return number_parts(segment, out);
    }
    let digits = segment
        .iter()
        .take_while(|character| is_digit(**character) || is_separator(**character))
        .count();
    let (number, unit) = segment.split_at_checked(digits).unwrap_or_default();
    if !is_compound(number)
        || unit.is_empty()
        || !unit
            .iter()
            .all(|character| class(*character) == Class::Letter)
    {
        return false;
    }
    let mut folded = String::new();
    unit.iter()
        .for_each(|letter| crate::text::fold::fold_into(*letter, &mut folded));
    out.part(&folded);
    number_parts(number, out)
}

fn number_parts(number: &[char], out: &mut Terms<'_>) -> bool {
    let normal = normal_form(unversioned(number));
    out.part(&normal);
    parts(number, &normal, out);
    true
}

fn parts(name: &[char], normal: &str, out: &mut Terms<'_>) {
    out.part(normal);
    let body = unversioned(name);
    if body.len() == name.len()
        && let Some(plain) = without_thousands(name)
    {
        out.part(&plain);
    }
    let only_points = body
        .iter()
        .all(|character| is_digit(*character) || *character == '.');
    if only_points && out.purpose == Purpose::Index {
        let points = normal.match_indices('.').skip(BEGINNING_GROUPS - 1);
        for beginning in points.filter_map(|(point, _)| normal.get(..point)) {
            out.part(beginning);
        }
    }
    date(name, out);
}

/// The digits of a piece in ASCII.
fn ascii_digits(piece: &[char]) -> String {
    piece
        .iter()
        .filter_map(|character| decimal_digit(*character))
        .collect()
}

fn normal_form(number: &[char]) -> String {
    let groups: Vec<String> = number
        .split(|character| is_separator(*character))
        .map(ascii_digits)
        .collect();
    groups.join(".")
}

/// Whether commas stand between numbers rather than inside one: `1,2,3`.
fn is_list(number: &[char]) -> bool {
    number.iter().filter(|character| **character == ',').count() > 1
        && without_thousands(number).is_none()
}

/// `1200` of `1,200`, `1200.50` of `1,200.50` and `1.200,50`; nothing where the groups do not read as thousands.
fn without_thousands(number: &[char]) -> Option<String> {
    let signs: Vec<char> = number
        .iter()
        .copied()
        .filter(|character| is_separator(*character))
        .collect();
    let (first, last) = (*signs.first()?, *signs.last()?);
    let mut groups: Vec<String> = number
        .split(|character| is_separator(*character))
        .map(ascii_digits)
        .collect();
    let decimals = if last == first { None } else { groups.pop() };
    let inner = signs.len() - usize::from(decimals.is_some());
    let (head, tail) = groups.split_first()?;
    let thousands = signs.iter().take(inner).all(|sign| *sign == first)
        && (1..=3).contains(&head.len())
        && !head.starts_with('0')
        && tail.iter().all(|group| group.len() == 3);
    let whole = groups.concat();
    thousands.then(|| decimals.map_or(whole.clone(), |decimals| format!("{whole}.{decimals}")))
}

/// Gives the day (and, for the index, the month) of a name that begins with a date, as `2026-03-01`. Read are
/// year-month-day with `-`, `/` or `.`, and day.month.year with points; others are ambiguous.
pub(super) fn date(name: &[char], out: &mut Terms<'_>) {
    let Some(sign) = name.iter().copied().find(|character| !is_digit(*character)) else {
        return;
    };
    if !matches!(sign, '-' | '/' | '.') {
        return;
    }
    let mut groups = name.splitn(3, |character| *character == sign);
    let (Some(first), Some(second), Some(rest)) = (groups.next(), groups.next(), groups.next())
    else {
        return;
    };
    let third = rest
        .get(
            ..rest
                .iter()
                .take_while(|character| is_digit(**character))
                .count(),
        )
        .unwrap_or_default();
    let (first, second, third) = (
        ascii_digits(first),
        ascii_digits(second),
        ascii_digits(third),
    );
    let (year, month, day) = match (first.len(), third.len()) {
        (4, 1..=2) => (first, second, third),
        (1..=2, 4) if sign == '.' => (third, second, first),
        _ => return,
    };
    let within = |text: &str, most: u32| {
        text.parse::<u32>()
            .ok()
            .filter(|number| (1..=most).contains(number))
    };
    if let (Some(month), Some(day)) = (within(&month, 12), within(&day, 31)) {
        out.part(&format!("{year}-{month:02}-{day:02}"));
        if out.purpose == Purpose::Index {
            out.part(&format!("{year}-{month:02}"));
        }
    }
}
