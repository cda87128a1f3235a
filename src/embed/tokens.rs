//! The words of a memory in the form ranking needs them: the stem's hash and the pieces of each distinct word that says
//! something. Made once
//! when the memory is written and stored beside its vector, so that a question needs no cutting of texts, and compared
//! softly: two words are as alike as their vectors, or the same if their stems are.
//!
//! `Maria is allergic` becomes three words of 7 or 9 bytes each. A word the table does not really know (letters missing, or
//! cut into crumbs) has no pieces: it can only match exactly. Its crumbs would make all such words alike.

use std::collections::HashMap;
use std::mem;

use super::embedding::Embedder;
use super::model::Piece;
use super::stem::{has_hangul, stem};
use super::tokenizer::{Tokenizer, compatible, normalise};
use super::vector::Vector;
use crate::text::fold::folded_word;
use crate::text::scripts::{Class, class};
use crate::text::stopwords::{is_function_character, is_stop_word};

/// Distinct words kept of one memory, from its beginning: 4 KB at most.
pub const MAX_WORDS: usize = 512;
/// Letters from which a run is taken for data and only compared as a whole.
const WORD_CHARS: usize = 48;
/// Letters a word's pieces have on average if the table knows the word; below, they are crumbs. Without this rule Russian
/// falls from a mean reciprocal rank of 60 to 12 under a table without Cyrillic rows.
const CRUMB_CHARS: usize = 3;
/// Hangul syllables are two to three letters each.
const HANGUL_CRUMB_CHARS: usize = 1;
/// First byte of the stored form; another form gets another number.
const FORM: u8 = 1;
const STEM_BYTES: usize = 4;
/// Set in a word's count of pieces if it was written like a name.
const NAME_BIT: u8 = 0x80;
/// Most pieces of one word; [`WORD_CHARS`] leaves fewer.
const MAX_WORD_PIECES: usize = 127;

/// The distinct words of a text without stop words, in order, in the form they are stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Words(Vec<u8>);

/// One word of a stored list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word<'words> {
    /// The hash of its stem: equal stems, equal hashes.
    pub stem: u32,
    /// Whether it was written with one capital and small letters where no sentence begins, or after an opening quotation mark.
    pub is_name: bool,
    pieces: &'words [[u8; 2]],
}

impl<'words> Word<'words> {
    /// The word whatever way it was written.
    pub(super) fn plain(self) -> Word<'words> {
        Word {
            is_name: false,
            ..self
        }
    }

    /// Its pieces; none if the table does not know it.
    pub fn pieces(&self) -> impl Iterator<Item = Piece> {
        self.pieces.iter().map(|bytes| Piece::from_le_bytes(*bytes))
    }

    /// The word that stored bytes begin with.
    pub(super) fn stored(bytes: &[u8]) -> Option<Word<'_>> {
        split_word(bytes).map(|(word, _)| word)
    }

    /// Adds it to stored bytes.
    pub(super) fn store(&self, bytes: &mut Vec<u8>) {
        let name_bit = if self.is_name { NAME_BIT } else { 0 };
        bytes.extend(self.stem.to_le_bytes());
        bytes.push(self.pieces.len() as u8 | name_bit);
        bytes.extend(self.pieces.iter().flatten());
    }

    /// A hash of its stem and pieces.
    pub(super) fn hash(&self) -> u64 {
        let pieces = self.pieces().map(u64::from);
        pieces.fold(u64::from(self.stem) << 32, |hash, piece| {
            (hash.rotate_left(5) ^ (piece + 1)).wrapping_mul(0x517c_c1b7_2722_0a95)
        })
    }
}

/// A word of a question.
#[derive(Debug, Clone, PartialEq)]
pub struct QueryWord {
    /// In normal form: small letters.
    pub text: String,
    /// The hash of its stem.
    pub stem: u32,
    /// How much it says in general, over 0 to 1; 1 for a word the table does not know.
    pub weight: f32,
    pub(super) vector: Vector,
}

impl Words {
    /// Cuts a text.
    pub fn of(embedder: &Embedder<'_>, text: &str) -> Words {
        let mut bytes = vec![FORM];
        // Where each word's count stands, to note later that it is a name.
        let mut seen: HashMap<String, usize> = HashMap::new();
        each_word(embedder, text, &mut |word, is_name, pieces| {
            if says_nothing(word) {
                return;
            }
            let name_bit = if is_name { NAME_BIT } else { 0 };
            if let Some(count) = seen.get(word).and_then(|place| bytes.get_mut(*place)) {
                *count |= name_bit;
            } else if seen.len() < MAX_WORDS {
                let kept = pieces.get(..MAX_WORD_PIECES).unwrap_or(pieces);
                bytes.extend(hash(word).to_le_bytes());
                seen.insert(word.to_owned(), bytes.len());
                bytes.push(kept.len() as u8 | name_bit);
                bytes.extend(kept.iter().flat_map(|piece| piece.to_le_bytes()));
            }
        });
        Words(bytes)
    }

    /// The bytes to store.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// Takes bytes that [`Words::as_bytes`] gave; `None` if they are not whole or of another form.
    pub fn from_bytes(bytes: Vec<u8>) -> Option<Words> {
        let mut rest = bytes.strip_prefix(&[FORM])?;
        while !rest.is_empty() {
            rest = split_word(rest)?.1;
        }
        Some(Words(bytes))
    }

    /// The words, in the order of the text.
    pub fn iter(&self) -> impl Iterator<Item = Word<'_>> {
        let mut rest = self.0.get(1..).unwrap_or_default();
        std::iter::from_fn(move || {
            let (word, after) = split_word(rest)?;
            rest = after;
            Some(word)
        })
    }
}

fn split_word(bytes: &[u8]) -> Option<(Word<'_>, &[u8])> {
    let (stem, rest) = bytes.split_first_chunk::<STEM_BYTES>()?;
    let (count, rest) = rest.split_first()?;
    let (pieces, rest) =
        rest.split_at_checked(usize::from(count & !NAME_BIT) * mem::size_of::<Piece>())?;
    let word = Word {
        stem: u32::from_le_bytes(*stem),
        is_name: count & NAME_BIT != 0,
        pieces: pieces.as_chunks::<2>().0,
    };
    Some((word, rest))
}

/// Digits from which a word that ends in them is a number of something and not its version: "lh415", not "covid19".
const CODE_DIGITS: usize = 3;

/// Whether a word in normal form is a code: letters and digits in turns ("k4t2", "11x01"), three digits and more after letters, or
/// nothing but three digits and more. Another one is another thing, however many pieces they share, so it is only compared as a
/// whole. A number with its unit is none ("500g"), and what ends in a digit or two may be a name with its version ("covid19").
fn is_code(word: &str) -> bool {
    let mut kinds: Vec<bool> = word.chars().map(char::is_numeric).collect();
    let digits = kinds.iter().filter(|is_digit| **is_digit).count();
    kinds.dedup();
    match kinds.as_slice() {
        [true] | [false, true] => digits >= CODE_DIGITS,
        kinds => kinds.len() > 2,
    }
}

/// A text without its codes, whose pieces would make it like a text with other codes.
pub fn without_codes(text: &str) -> String {
    let text = compatible(text);
    let mut rest = String::with_capacity(text.len());
    each_run(&text, &mut |run, kind, _| {
        if kind != Run::Word || !is_code(run) {
            rest.push_str(run);
        }
    });
    rest
}

/// The distinct words of a question without stop words, in order.
pub fn query_words(embedder: &Embedder<'_>, question: &str) -> Vec<QueryWord> {
    let mut words: Vec<QueryWord> = Vec::new();
    each_word(embedder, question, &mut |word, _, pieces| {
        if !says_nothing(word)
            && words.len() < MAX_WORDS
            && words.iter().all(|known| known.text != word)
        {
            let weights = pieces.iter().map(|piece| embedder.model().weight(*piece));
            words.push(QueryWord {
                text: word.to_owned(),
                stem: hash(word),
                weight: weights.reduce(f32::max).unwrap_or(1.0),
                vector: if is_code(word) {
                    Vector::ZERO
                } else {
                    embedder.sum(pieces)
                },
            });
        }
    });
    words
}

/// Whether a word is no use in comparing: a stop word of any known language, what an apostrophe leaves ("Maria's", "I'd"), a
/// Chinese or Japanese run of function characters. Leaving them out of memories changes no ranking and takes a third off
/// what is stored.
pub fn says_nothing(word: &str) -> bool {
    matches!(word, "s" | "t" | "d" | "m" | "o" | "y")
        || word.chars().all(is_function_character)
        || is_stop_word(&folded_word(word))
}

/// The hash under which a word's stem is stored.
pub fn stem_hash(word: &str) -> u32 {
    hash(&normalise(word))
}

/// FNV-1a over the stem (Fowler, Noll, Vo). Among the few thousand words of one ranking two different stems meet by chance once
/// in some thousand questions, and then a memory stands a little too high.
fn hash(word: &str) -> u32 {
    stem(word).bytes().fold(0x811c_9dc5, |hash: u32, byte| {
        (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// How a run of characters is cut into words.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Run {
    /// Letters and digits: one word.
    Word,
    /// Chinese and Japanese: the table's pieces are the words.
    East,
    /// Thai and its neighbours: overlapping pairs, which match exactly only.
    SouthEast,
    /// Between words.
    Gap,
}

fn run(character: char) -> Option<Run> {
    match class(character) {
        Class::Letter | Class::Digit | Class::Hangul => Some(Run::Word),
        Class::East(_) => Some(Run::East),
        Class::SouthEast => Some(Run::SouthEast),
        // A mark goes with the letter before it.
        Class::Mark => None,
        Class::Joiner | Class::Emoji | Class::Break => Some(Run::Gap),
    }
}

/// What takes the words: the word in small letters, whether it is written like a name, its pieces.
type Emit<'emit> = dyn FnMut(&str, bool, &[Piece]) + 'emit;

fn each_word(embedder: &Embedder<'_>, text: &str, emit: &mut Emit<'_>) {
    let mut cutter = Cutter {
        tokenizer: embedder.tokenizer(),
        pieces: Vec::new(),
    };
    each_run(&compatible(text), &mut |run, kind, before| {
        cutter.cut(run, kind, before, emit);
    });
}

/// Gives the runs of a text, each with its kind and all that stands before it.
fn each_run(text: &str, emit: &mut dyn FnMut(&str, Run, &str)) {
    let mut start = 0;
    let mut kind = Run::Gap;
    let mut cut = |start: usize, end: usize, kind: Run| {
        if let Some((before, run)) = text
            .get(..end)
            .and_then(|text| text.split_at_checked(start))
        {
            emit(run, kind, before);
        }
    };
    for (place, character) in text.char_indices() {
        let next = run(character).unwrap_or(kind);
        if next != kind {
            cut(start, place, kind);
            (start, kind) = (place, next);
        }
    }
    cut(start, text.len(), kind);
}

/// Whether a capital after this text is one of a name and not of a sentence's beginning: within a sentence, or at the beginning
/// of a quotation, which may be a title.
fn inside_sentence(before: &str) -> bool {
    let outside = before.trim_end_matches(['"', '“', '‘', '«', '„']);
    let quoted = outside.len() < before.len();
    let last = outside
        .strip_suffix(' ')
        .and_then(|before| before.chars().next_back());
    quoted || last.is_some_and(|last| last.is_lowercase() || matches!(last, ',' | ';' | ':'))
}

struct Cutter<'model, 'table> {
    tokenizer: Tokenizer<'model, 'table>,
    pieces: Vec<Piece>,
}

impl Cutter<'_, '_> {
    fn cut(&mut self, text: &str, kind: Run, before: &str, emit: &mut Emit<'_>) {
        match kind {
            Run::Word => {
                let mut letters = text.chars();
                let is_name = letters.next().is_some_and(char::is_uppercase)
                    && letters.next().is_some_and(char::is_lowercase)
                    && inside_sentence(before);
                self.word(&text.to_lowercase(), is_name, emit);
            }
            Run::East => self.tokenizer.cut_spans(text, false, &mut |span, piece| {
                emit(span, false, piece.as_slice());
            }),
            Run::SouthEast => {
                let mut ends = text
                    .char_indices()
                    .map(|(place, _)| place)
                    .chain([text.len()])
                    .skip(2);
                for (start, _) in text.char_indices() {
                    let pair = ends.next().and_then(|end| text.get(start..end));
                    pair.into_iter().for_each(|pair| emit(pair, false, &[]));
                }
            }
            Run::Gap => {}
        }
    }

    fn word(&mut self, word: &str, is_name: bool, emit: &mut Emit<'_>) {
        self.pieces.clear();
        let letters = word.chars().count();
        if letters <= WORD_CHARS {
            let (pieces, mut known) = (&mut self.pieces, 0);
            self.tokenizer.cut_spans(word, true, &mut |span, piece| {
                // The word mark alone is in every cut and says nothing.
                if let Some(piece) = piece.filter(|_| !span.is_empty()) {
                    known += span.chars().count();
                    pieces.push(piece);
                }
            });
            let count = self.pieces.len();
            let least = if has_hangul(word) {
                HANGUL_CRUMB_CHARS
            } else {
                CRUMB_CHARS
            };
            if known < letters || (count > 1 && known < least * count) {
                self.pieces.clear();
            }
        }
        emit(word, is_name, &self.pieces);
    }
}

#[cfg(test)]
mod tests;
