//! Terms: what of a text is searched. Full text is kept in two columns, `whole` (words, names and numbers) and `parts`
//! (pieces of names, overlapping pairs of scripts written without blanks, stems). Texts and questions are cut by the same
//! code, so they meet; a question leaves out stop words and the pieces that would only widen it.
//!
//! | text | `whole` | `parts` |
//! | --- | --- | --- |
//! | `C++`, `F#`, `.NET` | `c++` `f#` `.net` | `net` |
//! | `v4.11.2`, `deploy.conf` | `v4.11.2` `deploy.conf` | `4.11.2` `4.11`, `deploy` `conf` `deployconf` |
//! | `/srv/app/main.rs:8420` | `srv/app/main.rs:8420` | `srv` `app` `main.rs` `main` `rs` `8420` `srv/app/main.rs` |
//! | `post-mortem`, `getUserName` | `post-mortem` `getusername` | `post` `mortem` `postmortem`, `get` `user` `name` |
//! | `€1,200`, `12,00`, `5kg` | `1.200` `12.00` `5kg` | `1200`, `5` `kg` |
//! | `barge's`, `don't`, `l'école`, `O'Brien` | `barge` `dont` `ecole` `obrien` | `brien` |
//! | `花生过敏` | `花生过敏` | `花生` `生过` `过敏` `敏` |
//! | `서울역에서` | `서울역에서` | `서울` `울역` `역에` `에서` `서울역` |
//! | `🚀` | `🚀` | |
//!
//! A term consists of ASCII letters and digits, [`SIGNS`], and characters beyond ASCII that are letters, marks, digits or
//! emoji, and it is never made of signs alone. That is what the full-text table's tokenizer (`porter ascii` with these
//! signs as token characters) takes as one token. English stemming is the tokenizer's work, on both sides.
//!
//! What is refused: a leading minus has no meaning, a question cannot demand or exclude a term, and punctuation finds
//! nothing.

use std::collections::HashSet;

use crate::text::fold;
use crate::text::scripts::{Class, class, is_regional_indicator};
use crate::text::{runs, stopwords, words};

/// The signs a term may hold, as the full-text table's `tokenchars` lists them.
pub const SIGNS: [char; 8] = ['+', '#', '.', '@', '/', ':', '_', '-'];
/// Longest term in characters; what is longer is cut there and found by its beginning. Above the 64 bytes up to which
/// the porter tokenizer stems, so that a cut term is never stemmed.
pub const TERM_CHARS: usize = 72;
/// How much of one unbroken name is looked at. Long addresses fit; of a pasted blob the beginning is enough.
pub const NAME_CHARS: usize = 256;
/// Most pieces of one name: a deep path has some twelve; more would let one blob fill the index.
pub const NAME_PARTS: usize = 24;
/// From this length on, a word of a question also finds longer terms that begin with it: nobody types a blob in full.
pub const BEGINNING_CHARS: usize = 24;

/// The terms of a text, each column separated by single blanks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexTerms {
    /// Words, names and numbers, in the order of the text, repeated as often as they occur.
    pub whole: String,
    /// Their pieces, pairs and stems.
    pub parts: String,
}

/// Which column of the index a term of a question corresponds to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TermKind {
    /// A word, name or number as asked for.
    Whole,
    /// A piece of one. It may well meet a whole term: asked for `deploy.conf`, a text that says "deploy" is near.
    Part,
}

/// A term of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The text: not empty, without blanks, quotes or controls.
    pub text: String,
    /// Its column.
    pub kind: TermKind,
    /// Whether longer terms that begin with it match, too: single characters of scripts without blanks, and very long
    /// words.
    pub beginning: bool,
}

/// Cuts a text for the index.
pub fn index_terms(text: &str) -> IndexTerms {
    let mut terms = IndexTerms {
        whole: String::with_capacity(text.len()),
        parts: String::new(),
    };
    cut(text, Purpose::Index, &mut |kind, term, _| {
        let column = match kind {
            TermKind::Whole => &mut terms.whole,
            TermKind::Part => &mut terms.parts,
        };
        if !column.is_empty() {
            column.push(' ');
        }
        column.push_str(term);
    });
    terms
}

/// Cuts a question: in order, each term once, stop words left out. Empty when there is nothing to look for.
pub fn query_terms(text: &str) -> Vec<Term> {
    let mut seen = HashSet::new();
    let mut terms: Vec<Term> = Vec::new();
    let mut previous = String::new();
    cut(text, Purpose::Question, &mut |kind, term, beginning| {
        let only_asks = kind == TermKind::Whole && stopwords::asks_for_amount(&previous, term);
        if stopwords::asks_for_kind(&previous, term)
            && terms.pop_if(|last| last.text == previous).is_some()
        {
            seen.remove(&previous);
        }
        if kind == TermKind::Whole {
            previous.clear();
            previous.push_str(term);
        }
        if !only_asks && !stopwords::is_stop_word(term) && seen.insert(term.to_owned()) {
            terms.push(Term {
                text: term.to_owned(),
                kind,
                beginning,
            });
        }
    });
    terms
}

/// What a text is cut for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    Index,
    Question,
}

/// Takes the terms from the cutting functions, and holds what every term must be.
pub(super) struct Terms<'emit> {
    pub(super) purpose: Purpose,
    emit: &'emit mut dyn FnMut(TermKind, &str, bool),
    /// The name given last and its parts, separated by blanks.
    given: String,
    parts_left: usize,
}

impl Terms<'_> {
    /// A word, name or number. Its parts may follow.
    pub(super) fn whole(&mut self, term: &str) {
        let term = shortened(term);
        self.given.clear();
        self.given.push_str(term);
        self.parts_left = NAME_PARTS;
        if has_substance(term) {
            let beginning = self.purpose == Purpose::Question
                && term.chars().nth(BEGINNING_CHARS - 1).is_some();
            (self.emit)(TermKind::Whole, term, beginning);
        }
    }

    /// A piece of the name given last, unless it was given already.
    pub(super) fn part(&mut self, term: &str) {
        let term = shortened(term);
        if self.parts_left > 0
            && has_substance(term)
            && !self.given.split(' ').any(|given| given == term)
        {
            self.parts_left -= 1;
            self.given.push(' ');
            self.given.push_str(term);
            (self.emit)(TermKind::Part, term, false);
        }
    }

    /// A pair of a script without blanks; as many as there are.
    pub(super) fn pair(&mut self, term: &str) {
        let term = shortened(term);
        if has_substance(term) {
            (self.emit)(TermKind::Part, term, false);
        }
    }

    /// A single character of a script without blanks, in a question: it finds the pairs that begin with it.
    pub(super) fn beginning(&mut self, term: &str) {
        let term = shortened(term);
        if has_substance(term) {
            (self.emit)(TermKind::Part, term, true);
        }
    }
}

fn shortened(term: &str) -> &str {
    if term.len() <= TERM_CHARS {
        return term;
    }
    let end = term.char_indices().nth(TERM_CHARS).map(|(place, _)| place);
    end.and_then(|end| term.get(..end)).unwrap_or(term)
}

/// Not empty and not made of signs alone.
fn has_substance(term: &str) -> bool {
    term.bytes()
        .any(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii())
}

fn cut(text: &str, purpose: Purpose, emit: &mut dyn FnMut(TermKind, &str, bool)) {
    let characters = fold::compatible(text);
    let mut out = Terms {
        purpose,
        emit,
        given: String::new(),
        parts_left: 0,
    };
    let mut rest = characters.as_slice();
    // A number or single letter that touches what comes next ("3月", "T恤"), and whether a name may begin here.
    let mut touching: &[char] = &[];
    let mut fresh = true;
    while let Some(first) = rest.first() {
        let here = class(*first);
        let mut touches_next: &[char] = &[];
        let length = match here {
            Class::Letter | Class::Digit | Class::Joiner => {
                let found = words::find(rest, fresh);
                words::cut(found.word, &mut out);
                if found.word.len() == 1
                    || found
                        .word
                        .iter()
                        .all(|character| class(*character) == Class::Digit)
                {
                    touches_next = found.word;
                }
                found.length
            }
            Class::East(_) => {
                let run = run_of(rest, |class| matches!(class, Class::East(_)));
                runs::unspaced(run, touching, &mut out);
                run.len()
            }
            Class::SouthEast => {
                let run = run_of(rest, |class| class == Class::SouthEast);
                runs::unspaced(run, touching, &mut out);
                run.len()
            }
            Class::Hangul => {
                let run = run_of(rest, |class| class == Class::Hangul);
                runs::hangul(run, touching, &mut out);
                run.len()
            }
            Class::Emoji => emoji(rest, &mut out),
            Class::Mark | Class::Break => 1,
        };
        touching = touches_next;
        fresh = !matches!(here, Class::Letter | Class::Digit | Class::Joiner);
        rest = rest.get(length.max(1)..).unwrap_or_default();
    }
}

/// The characters of one kind, with their marks, at the beginning of `rest`.
fn run_of(rest: &[char], belongs: impl Fn(Class) -> bool) -> &[char] {
    let length = rest.iter().take_while(|character| {
        let class = class(**character);
        class == Class::Mark || belongs(class)
    });
    rest.get(..length.count()).unwrap_or_default()
}

/// An emoji, or the two letters of a flag. Skin tones are marks of taste, and the members of a family stand alone.
fn emoji(rest: &[char], out: &mut Terms<'_>) -> usize {
    let flag = rest
        .get(..2)
        .filter(|pair| pair.iter().all(|half| is_regional_indicator(*half)));
    let emoji = flag.or_else(|| rest.get(..1)).unwrap_or_default();
    out.whole(&emoji.iter().collect::<String>());
    emoji.len()
}

#[cfg(test)]
mod tests;
