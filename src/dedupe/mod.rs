//! Whether two texts say the same. Pure: it is given the texts and how alike their vectors are, and answers what a careful
//! reader would: the same, the same in other words, alike, in contradiction, or different.
//!
//! A text that is taken for a repetition is not stored, so that verdict is the one that must never be wrong. A cosine alone
//! never gives it. Beyond the model's mark (see `embed::thresholds`) everything the two texts say has to agree as well,
//! item by item and in its order: numbers, number words, versions, addresses, dates, money, units, negations, names, who
//! did it to whom. What is in no list of words ([`words`]) has to be in both. That costs a few repetitions stored twice,
//! which the owner sees side by side, and no fact. Last, the small words are compared as written ([`strict`]).
//!
//! Contradiction is only ever suspected ("may conflict"): the two are about the same thing and differ in a value, a
//! negation or an order.

mod dates;
mod east;
mod figures;
mod guard;
mod reading;
mod spellings;
mod statement;
mod strict;
mod tokens;
mod words;
mod wrapper;

use std::cell::OnceCell;

use reading::{Item, Reading};
pub use spellings::spelling_keys;
use strict::Strict;

use crate::embed::thresholds::Thresholds;
use crate::text::identity;

/// What two texts are to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing that matters.
    Different,
    /// About the same thing; the owner may want to see both.
    Similar,
    /// About the same thing, and one of them may be wrong.
    Conflict,
    /// The same in other words: nothing is lost without the newer one.
    NearDuplicate,
    /// The same text (see `text::identity`).
    Same,
}

/// Where two texts part, or why they do not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// They do not.
    Agreement,
    /// A number, unit, version, address or amount.
    Number,
    /// A date or a time.
    Date,
    /// One says what the other denies.
    Negation,
    /// The same words in another order or other parts.
    Order,
    /// A word stands in place of another.
    Word,
    /// A word stands in place of its opposite.
    Opposite,
    /// The newer one says more.
    More,
    /// The newer one says less.
    Less,
    /// Somebody else says it.
    Author,
    /// They are not alike enough to be compared.
    Likeness,
}

impl Reason {
    /// The reason as the rest of a sentence about the newer text.
    pub const fn sentence(self) -> &'static str {
        match self {
            Reason::Agreement => "they say the same",
            Reason::Number => "a number differs",
            Reason::Date => "a date or a time differs",
            Reason::Negation => "one denies what the other says",
            Reason::Order => "the same words stand in another order",
            Reason::Word => "a word differs",
            Reason::Opposite => "one says the opposite",
            Reason::More => "the new one says more",
            Reason::Less => "the new one says less",
            Reason::Author => "they are by different people",
            Reason::Likeness => "they are about different things",
        }
    }
}

/// A verdict and its reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Judgement {
    /// What they are to each other.
    pub verdict: Verdict,
    /// Why.
    pub reason: Reason,
}

/// A text prepared for comparisons.
#[derive(Debug, Clone)]
pub struct Text {
    key: String,
    reading: Reading,
    core: Box<str>,
    /// Made when it is first asked for: most texts are told apart before.
    strict: OnceCell<Strict>,
    author: Option<String>,
    day: Option<String>,
}

impl Text {
    /// Prepares a text. `author` is who said it, `day` the day somebody gave it, in any spelling that is equal for equal days.
    pub fn new(content: &str, author: Option<&str>, day: Option<&str>) -> Text {
        let core = core(content);
        Text {
            key: identity::exact_key(core),
            reading: Reading::of(core),
            core: core.into(),
            strict: OnceCell::new(),
            author: folded(author),
            day: day.map(str::to_owned),
        }
    }

    /// Whether [`Text::new`] would make it of these.
    pub fn is_of(&self, content: &str, author: Option<&str>, day: Option<&str>) -> bool {
        *self.core == *core(content) && self.author == folded(author) && self.day.as_deref() == day
    }

    fn strict(&self) -> &Strict {
        self.strict.get_or_init(|| Strict::of(&self.core))
    }
}

fn folded(author: Option<&str>) -> Option<String> {
    author.map(|author| author.trim().to_lowercase())
}

/// A text without what agents put around what they read here: "The user told me: …".
pub fn core(content: &str) -> &str {
    wrapper::core(content)
}

/// A text without what agents put around it, and without the signs that people and agents put around a text or leave out: quotes,
/// bullets, full stops. A question stays one, and so do flags, tags, names of files and numbers below zero.
pub fn bare(content: &str) -> &str {
    wrapper::bare(content)
}

/// Items beyond which two texts are no longer compared word by word for what kind of difference there is; whether there is
/// one is always found out.
const DETAILED_ITEMS: usize = 300;
/// Share of the longer text's items that both have, from which two texts with a middling cosine are about the same thing.
const ALIKE_SHARE: f32 = 0.5;
/// Words that may stand in place of others for the two to be values of the same thing.
const VALUE_WORDS: usize = 2;
/// The same for the characters of Chinese and Japanese.
const VALUE_CHARACTERS: usize = 4;

/// Judges a new text against one that is there. `cosine` is the likeness of their vectors, whose model has `marks`.
pub fn compare(new: &Text, old: &Text, cosine: f32, marks: &Thresholds) -> Judgement {
    let judged = |verdict, reason| Judgement { verdict, reason };
    if cosine < marks.candidate && new.key != old.key {
        return judged(Verdict::Different, Reason::Likeness);
    }
    let difference = difference(new, old);
    match difference {
        None if new.key == old.key => return judged(Verdict::Same, Reason::Agreement),
        None if cosine >= marks.near_duplicate => {
            return judged(Verdict::NearDuplicate, Reason::Agreement);
        }
        _ => {}
    }
    let reason = difference.unwrap_or(Reason::Agreement);
    let is_short = new.reading.items.len().max(old.reading.items.len()) <= DETAILED_ITEMS;
    let (mut contradiction, mut share) = (None, 0.0);
    if is_short {
        let compared = Compared::of(&new.reading, &old.reading);
        share = compared.share;
        contradiction = compared.contradiction(new, old, reason);
    }
    if let Some(reason) = contradiction.filter(|reason| can_contradict(new, old, *reason)) {
        return judged(Verdict::Conflict, reason);
    }
    if cosine >= marks.similar || (cosine >= marks.alike && share >= ALIKE_SHARE) {
        return judged(Verdict::Similar, reason);
    }
    judged(Verdict::Different, reason)
}

/// Whether both state something that the other can deny or give another value.
fn can_contradict(new: &Text, old: &Text, reason: Reason) -> bool {
    let denies = matches!(reason, Reason::Negation | Reason::Opposite);
    [new, old].into_iter().all(|text| {
        statement::is_one(&text.core) && (!denies || statement::is_one_thing(&text.core))
    })
}

/// The first thing in which the two differ.
fn difference(new: &Text, old: &Text) -> Option<Reason> {
    let differ =
        |one: &Option<String>, two: &Option<String>| one.is_some() && two.is_some() && one != two;
    if differ(&new.author, &old.author) {
        return Some(Reason::Author);
    }
    let of_its_day = new.reading.of_its_day || old.reading.of_its_day;
    if of_its_day && differ(&new.day, &old.day) {
        return Some(Reason::Date);
    }
    if new.key == old.key {
        return None;
    }
    guard::difference(&new.reading, &old.reading)
        .or_else(|| strict::difference(new.strict(), old.strict()))
}

/// Two readings side by side, different forms of a word taken for the same.
struct Compared<'a> {
    new: Vec<&'a Item>,
    old: Vec<&'a Item>,
    new_only: Vec<&'a Item>,
    old_only: Vec<&'a Item>,
    /// Items both have, over those of the longer one.
    share: f32,
}

fn loosely(one: &Item, two: &Item) -> bool {
    match (one.as_figure(), two.as_figure()) {
        (Some(one), Some(two)) => one.agrees(two),
        _ => one.kind == two.kind && (one.key == two.key || one.stem == two.stem),
    }
}

impl<'a> Compared<'a> {
    fn of(new: &'a Reading, old: &'a Reading) -> Compared<'a> {
        let said = |reading: &'a Reading| -> Vec<&'a Item> {
            let kept = |item: &&Item| item.is_word() || item.as_figure().is_some();
            reading.items.iter().filter(kept).collect()
        };
        let (new, old) = (said(new), said(old));
        let (new_only, old_only) = guard::unmatched(&new, &old, loosely);
        let longer = new.len().max(old.len()).max(1);
        let share = (new.len() - new_only.len()) as f32 / longer as f32;
        Compared {
            new,
            old,
            new_only,
            old_only,
            share,
        }
    }

    /// What seems to contradict, if the two are about the same thing.
    fn contradiction(&self, new: &Text, old: &Text, reason: Reason) -> Option<Reason> {
        let both = self.new.len() - self.new_only.len();
        let words = |items: &[&Item]| items.iter().filter(|item| item.is_word()).count();
        let (new_words, old_words) = (words(&self.new_only), words(&self.old_only));
        if both == 0 || reason == Reason::Author {
            return None;
        }
        let pairs = || {
            self.new_only
                .iter()
                .flat_map(|one| self.old_only.iter().map(move |two| (*one, *two)))
        };
        if new_words <= 2 && old_words <= 2 && self.is_opposite() {
            return Some(Reason::Opposite);
        }
        if self.is_of_another() {
            return None;
        }
        if new.reading.negations() % 2 != old.reading.negations() % 2 {
            let extra = new_words.max(old_words);
            let one_sided = new_words == 0 || old_words == 0;
            return (one_sided && extra <= both).then_some(Reason::Negation);
        }
        let value = |(one, two): (&Item, &Item)| match (one.as_figure(), two.as_figure()) {
            (Some(one), Some(two)) if one.is_like(two) => Some(if one.is_when() {
                Reason::Date
            } else {
                Reason::Number
            }),
            _ => None,
        };
        if let Some(reason) = pairs().find_map(value) {
            let alike = (new_words == 0 || old_words == 0) && new_words.max(old_words) <= 1;
            return alike.then_some(reason);
        }
        if reason == Reason::Order
            && in_order(&self.new) > 2
            && self.new_only.is_empty()
            && self.old_only.is_empty()
        {
            let passive = |items: &[&Item]| items.iter().filter(|item| is_agent(item)).count();
            return (passive(&self.new) == passive(&self.old)).then_some(Reason::Order);
        }
        self.has_another_value(new.reading.copula && old.reading.copula)
            .then_some(Reason::Word)
    }

    /// Whether a word of one stands where the other has its opposite.
    fn is_opposite(&self) -> bool {
        self.new_only.iter().any(|one| {
            let opposites = words::opposites(&one.stem);
            self.old_only
                .iter()
                .any(|two| opposites.contains(&two.stem))
        })
    }

    /// Whether both begin with something the other does not have: they are about somebody else.
    fn is_of_another(&self) -> bool {
        let begins = |items: &[&Item], only: &[&Item]| {
            items
                .first()
                .is_some_and(|first| only.iter().any(|item| std::ptr::eq(*item, *first)))
        };
        begins(&self.new, &self.new_only) && begins(&self.old, &self.old_only)
    }

    /// Whether the two are the same but for a few words in one place, after a beginning that takes one value only.
    fn has_another_value(&self, copula: bool) -> bool {
        let same = |(one, two): &(&&Item, &&Item)| loosely(one, two);
        let begin = self.new.iter().zip(&self.old).take_while(same).count();
        let rest = self.new.len().min(self.old.len()) - begin;
        let end = self
            .new
            .iter()
            .rev()
            .zip(self.old.iter().rev())
            .take(rest)
            .take_while(same)
            .count();
        let slot = |items: &[&Item]| {
            let slot = items.get(begin..items.len() - end).unwrap_or_default();
            let characters = slot.iter().all(|item| item.key.chars().nth(1).is_none());
            let most = if characters {
                VALUE_CHARACTERS
            } else {
                VALUE_WORDS
            };
            (1..=most).contains(&slot.len())
        };
        // A verb stands before its value in Europe and often behind it in Japan.
        let behind = self
            .new
            .iter()
            .rev()
            .take(end)
            .filter(|item| !item.key.is_ascii());
        let is_single = self
            .new
            .iter()
            .take(begin)
            .chain(behind)
            .any(|item| words::is_single(&item.stem));
        begin > 0 && slot(&self.new) && slot(&self.old) && (is_single || copula && begin > 1)
    }
}

/// How many items have a place; a date may stand anywhere. Of two, the order tells nothing: "Ada swims", "schwimmt Ada".
fn in_order(items: &[&Item]) -> usize {
    let has_place = |item: &&&Item| !item.as_figure().is_some_and(figures::Figure::is_when);
    items.iter().filter(has_place).count()
}

/// Whether the item is who did it, in a passive sentence.
fn is_agent(item: &Item) -> bool {
    item.role
        .as_deref()
        .is_some_and(|role| matches!(role, "by" | "von" | "por" | "par"))
}

#[cfg(test)]
mod changed_facts;
#[cfg(test)]
mod tests;
