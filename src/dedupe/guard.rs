//! Whether two texts state the same facts. No cosine can tell: "from Berlin to Madrid" and "from Madrid to Berlin" have the
//! same words. So what the texts say is compared item by item, and whatever is not known to be the same is a difference.

use super::Reason;
use super::figures::Figure;
use super::reading::{Item, Kind, Reading};
use super::words;

/// Words that may introduce what advice is for.
const PURPOSE_WORDS: usize = 3;

/// The first difference that matters, if there is one. Not symmetric: a new text may name what general advice is good for
/// ("For searching files, use grep"), since the advice that is held covers it.
pub(super) fn difference(new: &Reading, old: &Reading) -> Option<Reason> {
    let (mut new, mut old) = (
        without_spare_pronouns(new, old),
        without_spare_pronouns(old, new),
    );
    without_the_one_date(&mut new, &mut old);
    let new = without_purpose(&new, &old);
    if keys(new).eq(keys(&old)) {
        let pairs = || new.iter().zip(&old);
        return if pairs().any(|(one, two)| one.one && two.plural || two.one && one.plural) {
            Some(Reason::Number)
        } else if pairs()
            .any(|(one, two)| one.role != two.role && one.role.is_some() && two.role.is_some())
        {
            Some(Reason::Order)
        } else {
            None
        };
    }
    Some(first_reason(new, &old))
}

fn keys<'a>(items: &'a [&Item]) -> impl Iterator<Item = &'a str> {
    items.iter().map(|item| item.key.as_str())
}

/// "He works at Gojek" goes on about whom the sentence before named; where only one text has such a word, it says nothing.
fn without_spare_pronouns<'a>(reading: &'a Reading, other: &Reading) -> Vec<&'a Item> {
    let third = |item: &Item| matches!(item.kind, Kind::Pronoun('m' | 'f' | 't'));
    let both = other.items.iter().any(third);
    reading
        .items
        .iter()
        .filter(|item| both || !third(item))
        .collect()
}

/// The one date of each may stand anywhere: "on Monday Ada swims", "Ada swims on Monday". With more than one it matters
/// which belongs to what.
fn without_the_one_date(new: &mut Vec<&Item>, old: &mut Vec<&Item>) {
    let is_when = |item: &&Item| item.as_figure().is_some_and(Figure::is_when);
    let only = |items: &[&Item]| match items
        .iter()
        .copied()
        .filter(is_when)
        .collect::<Vec<_>>()
        .as_slice()
    {
        [one] => Some(one.key.clone()),
        _ => None,
    };
    if let (Some(one), Some(two)) = (only(new), only(old))
        && one == two
    {
        new.retain(|item| !is_when(item));
        old.retain(|item| !is_when(item));
    }
}

/// The new text without the clause that says what its advice is for, if the old text is the advice alone.
fn without_purpose<'a, 'b>(new: &'b [&'a Item], old: &[&Item]) -> &'b [&'a Item] {
    let extra = new.len().saturating_sub(old.len());
    let (Some((purpose, advice)), 1..=PURPOSE_WORDS) = (new.split_at_checked(extra), extra) else {
        return new;
    };
    let introduced = purpose.first().is_some_and(|first| {
        first.role.as_deref().is_some_and(words::is_purpose) || words::is_purpose(&first.key)
    });
    let plain = purpose.iter().all(|item| item.is_word());
    let advises = advice
        .first()
        .is_some_and(|first| words::is_advice(&first.key));
    if introduced && plain && advises {
        advice
    } else {
        new
    }
}

/// Why two lists of items are not the same.
fn first_reason(new: &[&Item], old: &[&Item]) -> Reason {
    let (new_only, old_only) = unmatched(new, old, |one, two| one.key == two.key);
    let count = |items: &[&Item], wanted: fn(&Item) -> bool| {
        items.iter().filter(|item| wanted(item)).count()
    };
    let negation = |item: &Item| item.kind == Kind::Negation;
    if count(&new_only, negation) + count(&old_only, negation) > 0 {
        return Reason::Negation;
    }
    let figure = |item: &Item| item.as_figure().is_some();
    if count(&new_only, figure) + count(&old_only, figure) > 0 {
        let when = |item: &Item| item.as_figure().is_some_and(Figure::is_when);
        return if count(&new_only, when) + count(&old_only, when) > 0 {
            Reason::Date
        } else {
            Reason::Number
        };
    }
    match (new_only.is_empty(), old_only.is_empty()) {
        (true, true) => Reason::Order,
        (false, false) => Reason::Word,
        (false, true) => Reason::More,
        (true, false) => Reason::Less,
    }
}

/// What each has that the other has not.
pub(super) fn unmatched<'a>(
    new: &[&'a Item],
    old: &[&'a Item],
    same: impl Fn(&Item, &Item) -> bool,
) -> (Vec<&'a Item>, Vec<&'a Item>) {
    let mut left: Vec<&Item> = old.to_vec();
    let mut only = Vec::new();
    for item in new {
        match left.iter().position(|other| same(item, other)) {
            Some(place) => {
                left.remove(place);
            }
            None => only.push(*item),
        }
    }
    (only, left)
}
