//! Text, the pure part: how it is cleaned for storage, when two texts count as the same, and which terms of it are
//! searched. Knows many scripts; knows nothing of storage, SQL, the network or the clock.
//!
//! - [`clean`]: the form in which a text is stored, and how much in it nobody could have seen;
//! - [`hidden`] and [`instructions`]: what the owner should look at first: text somebody hid, or text that speaks to agents;
//! - [`secrets`]: what looks like a password, token or key, and does not belong in a memory;
//! - [`identity`]: the key under which two texts are the same memory;
//! - [`tokens`]: the terms of a text and of a question. [`fold`] brings letters into one form, [`scripts`] sorts
//!   characters, `words`, `pieces`, `numbers` and `runs` cut what is written with and without blanks, [`stems`] and [`stopwords`]
//!   know a little of some languages, [`language`] tells them apart and [`writing`] their scripts;
//! - [`respell`]: other ways to spell a word of a question;
//! - [`diff`]: which lines of a text changed;
//! - [`readable`]: a text inside Markdown or CSV, where it must do nothing;
//! - [`parts`]: a long text in parts that a model can look at.

#[cfg(test)]
pub(crate) mod bm25;
pub mod clean;
pub mod diff;
pub mod fold;
pub mod hidden;
pub mod identity;
pub mod instructions;
pub mod language;
mod numbers;
pub mod parts;
mod pieces;
pub mod readable;
pub mod respell;
mod runs;
pub mod scripts;
pub mod secrets;
pub mod stems;
pub mod stopwords;
pub mod surrogates;
pub mod tokens;
mod words;
pub mod writing;
