//! What the cues of a question look like in some languages. A language without a pack has no cues, and nothing else
//! changes for it. One file per language; adding one adds a line here.
//!
//! Entries are small letters. An entry between blanks matches whole words; one that begins with `^` only at the beginning of
//! the text, one that ends in `$` only at its end; one that ends in `*` any ending. In scripts without blanks an entry matches anywhere.

mod chinese;
mod english;
mod french;
mod german;
mod italian;
mod japanese;
mod korean;
mod portuguese;
mod russian;
mod spanish;

/// The cues of one language.
pub(super) struct Pack {
    /// Whether words are written with blanks between them.
    pub blanks: bool,
    /// A question that asks for a time.
    pub when: &'static [&'static str],
    /// A question that asks for a number.
    pub amount: &'static [&'static str],
    /// A question about how things are now.
    pub now: &'static [&'static str],
    /// A question about how things were.
    pub formerly: &'static [&'static str],
    /// A question whose answer has a name in it: who, where, which, and words for what has one. Empty where capitals do not
    /// tell names (German writes every noun with one).
    pub name: &'static [&'static str],
    /// A question that asks for feelings.
    pub feeling: &'static [&'static str],
    /// A text that tells feelings.
    pub feelings: &'static [&'static str],
    /// A text that tells a time.
    pub times: &'static [&'static str],
    /// Words that are numbers.
    pub numbers: &'static [&'static str],
    /// Months by name, January first; several spellings of one separated by blanks. Empty where months are numbered.
    pub months: [&'static str; 12],
}

/// A language whose months have no names of their own.
const NUMBERED: [&str; 12] = [""; 12];

/// January first.
pub(super) const ENGLISH_MONTHS: [&str; 12] = english::PACK.months;

/// All packs.
pub(super) const PACKS: [&Pack; 10] = [
    &english::PACK,
    &german::PACK,
    &spanish::PACK,
    &french::PACK,
    &italian::PACK,
    &portuguese::PACK,
    &russian::PACK,
    &chinese::PACK,
    &japanese::PACK,
    &korean::PACK,
];
