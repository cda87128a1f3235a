//! Whether two texts state the same facts. No cosine can tell: "from Berlin to Madrid" and "from Madrid to Berlin" have the
//! same words. So what the texts say is compared item by item, and whatever is not known to be the same is a difference.

use std::collections::HashMap;

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
    let (new_only, old_only) = unmatched_keys(new, old);
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

/// What each has that the other has not, by the keys alone. Texts of any length come here, so the time has to grow with their
/// length and no faster: the items are counted, not searched for.
fn unmatched_keys<'a>(new: &[&'a Item], old: &[&'a Item]) -> (Vec<&'a Item>, Vec<&'a Item>) {
    let mut spare: HashMap<&str, usize> = HashMap::with_capacity(old.len());
    for item in old {
        *spare.entry(item.key.as_str()).or_default() += 1;
    }
    let mut matched: HashMap<&str, usize> = HashMap::new();
    let new_only = new.iter().copied().filter(|item| {
        let key = item.key.as_str();
        let is_matched = match spare.get_mut(key) {
            Some(left) if *left > 0 => {
                *left -= 1;
                true
            }
            _ => false,
        };
        if is_matched {
            *matched.entry(key).or_default() += 1;
        }
        !is_matched
    });
    let new_only = new_only.collect();
    let old_only = old
        .iter()
        .copied()
        .filter(|item| match matched.get_mut(item.key.as_str()) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        });
    (new_only, old_only.collect())
}

/// What each has that the other has not, by a rule of its own. Every item is held against every other: for short texts.
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn keys_of(items: &[&Item]) -> Vec<String> {
        items.iter().map(|item| item.key.clone()).collect()
    }

    #[test]
    fn what_long_texts_have_of_their_own_is_found_by_counting() {
        let words: Vec<String> = (0..60_000)
            .map(|place| {
                let digits = format!("{place:05}");
                digits.bytes().map(|digit| char::from(digit + 50)).collect()
            })
            .collect();
        let (one, mut two) = (words.join(" "), words);
        two.reverse();
        let (one, two) = (Reading::of(&one), Reading::of(&two.join(" ")));
        let (new, old): (Vec<&Item>, Vec<&Item>) =
            (one.items.iter().collect(), two.items.iter().collect());
        assert_eq!(first_reason(&new, &old), Reason::Order);
        assert_eq!(first_reason(&new[1..], &old), Reason::Less);
        assert_eq!(first_reason(&new, &old[1..]), Reason::More);
    }

    proptest! {
        #[test]
        fn counting_finds_what_holding_every_item_against_every_other_finds(
            one in "(milo|eats|fish|not|12|3 May) ?( (milo|eats|fish|not|12|3 May)){0,12}",
            two in "(milo|eats|fish|not|12|3 May) ?( (milo|eats|fish|not|12|3 May)){0,12}",
        ) {
            let (one, two) = (Reading::of(&one), Reading::of(&two));
            let (new, old): (Vec<&Item>, Vec<&Item>) = (one.items.iter().collect(), two.items.iter().collect());
            let counted = unmatched_keys(&new, &old);
            let searched = unmatched(&new, &old, |one, two| one.key == two.key);
            prop_assert_eq!(keys_of(&counted.0), keys_of(&searched.0));
            prop_assert_eq!(keys_of(&counted.1), keys_of(&searched.1));
        }
    }
}
