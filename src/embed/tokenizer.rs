//! Cuts a text into the table's pieces: compatibility form, small letters, a mark where each word begins, and then the
//! likeliest cut of each word under the unigram model (Kudo 2018; the algorithm is Viterbi's). What the table does not
//! know is left out.
//!
//! `The barge's crew` becomes `▁the ▁bar ge ' s ▁crew`. One pass over a word's bytes walks the trie from every place a
//! piece may begin, so the time grows with the text's length and the depth of the trie (7 µs for 100
//! bytes, in WebAssembly too).

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;

use super::model::{Model, Node, Piece};

/// Stands before each word, as SentencePiece writes it.
pub const WORD_MARK: char = '\u{2581}';
const WORD_MARK_BYTES: [u8; 3] = [0xe2, 0x96, 0x81];

/// What leaving out one character costs, in the units of [`Model::cost`]: 40 natural logarithms, more than twice the
/// rarest piece, so that a known piece is never passed over.
const UNKNOWN_COST: u32 = 40 * 256;

/// Longest stretch without a blank that is cut as one, in bytes; a longer one (Chinese pages, encoded data) is cut
/// here first. Bounds the memory of a cut.
const STRETCH_BYTES: usize = 2_048;

/// Brings a text into the form the table was made from: compatibility form, small letters.
pub fn normalise(text: &str) -> String {
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.nfkc().flat_map(char::to_lowercase).collect()
    }
}

/// Only the compatibility form; capitals stay.
pub fn compatible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.nfkc().collect())
    }
}

/// The best way to reach a byte of a word.
#[derive(Clone, Copy)]
struct Reached {
    cost: u32,
    /// Where its last piece begins.
    from: u32,
    piece: Option<Piece>,
}

const UNREACHED: Reached = Reached {
    cost: u32::MAX,
    from: 0,
    piece: None,
};

/// Cuts texts; keeps its memory from one to the next.
pub struct Tokenizer<'model, 'table> {
    model: &'model Model<'table>,
    after_mark: Option<Node>,
    reached: Vec<Reached>,
    /// The last cut: from, to, piece.
    spans: Vec<(usize, usize, Option<Piece>)>,
}

impl<'model, 'table> Tokenizer<'model, 'table> {
    /// A tokenizer for a table.
    pub fn new(model: &'model Model<'table>) -> Tokenizer<'model, 'table> {
        let after_mark = WORD_MARK_BYTES
            .into_iter()
            .try_fold(Node::ROOT, |node, byte| model.step(node, byte));
        Tokenizer {
            model,
            after_mark,
            reached: Vec::new(),
            spans: Vec::new(),
        }
    }

    /// Appends the pieces of a text, at most up to `most` in all.
    pub fn cut(&mut self, text: &str, most: usize, out: &mut Vec<Piece>) {
        for word in normalise(text).split_whitespace() {
            if out.len() >= most {
                break;
            }
            self.cut_word(word, out);
        }
        out.truncate(most);
    }

    /// Appends the pieces of one word in normal form, without blanks.
    pub fn cut_word(&mut self, word: &str, out: &mut Vec<Piece>) {
        self.cut_spans(word, true, &mut |_, piece| out.extend(piece));
    }

    /// Gives the pieces of a run of characters, each with its text; a character the table does not know comes alone and
    /// without a piece. `begins`: whether a word begins here; its mark is part of the first piece, or a piece with an empty
    /// text.
    pub fn cut_spans(
        &mut self,
        run: &str,
        begins: bool,
        emit: &mut dyn FnMut(&str, Option<Piece>),
    ) {
        let mut rest = run;
        let mut begins = begins;
        while !rest.is_empty() {
            let (stretch, after) = rest
                .split_at_checked(rest.floor_char_boundary(STRETCH_BYTES))
                .unwrap_or((rest, ""));
            let mark = if begins { WORD_MARK_BYTES.len() } else { 0 };
            self.weigh(stretch, mark);
            self.take_back(mark + stretch.len());
            for (from, to, piece) in &self.spans {
                let text = stretch.get(from.saturating_sub(mark)..to.saturating_sub(mark));
                emit(text.unwrap_or_default(), *piece);
            }
            begins = false;
            rest = after;
        }
    }

    /// Finds the cheapest way to every byte; the word mark takes the first `mark` of them.
    fn weigh(&mut self, stretch: &str, mark: usize) {
        self.reached.clear();
        self.reached.resize(mark + stretch.len() + 1, UNREACHED);
        self.reach(0, 0, 0, None);
        if mark > 0 {
            self.reach(mark, UNKNOWN_COST, 0, None);
            if let Some(node) = self.after_mark {
                if let Some(piece) = self.model.piece_at(node) {
                    self.reach(mark, self.model.cost(piece), 0, Some(piece));
                }
                self.reach_all(node, 0, 0, mark, stretch);
            }
        }
        for (place, character) in stretch.char_indices() {
            let start = mark + place;
            let Some(here) = self
                .reached
                .get(start)
                .copied()
                .filter(|here| here.cost < u32::MAX)
            else {
                continue;
            };
            let rest = stretch.get(place..).unwrap_or_default();
            self.reach_all(Node::ROOT, here.cost, start, start, rest);
            self.reach(
                start + character.len_utf8(),
                here.cost + UNKNOWN_COST,
                start,
                None,
            );
        }
    }

    /// Notes every piece that goes on from `node` with the bytes of `rest`; those bytes stand at `place`.
    #[inline]
    fn reach_all(&mut self, mut node: Node, cost: u32, from: usize, place: usize, rest: &str) {
        for (end, byte) in (place + 1..).zip(rest.bytes()) {
            let Some(next) = self.model.step(node, byte) else {
                return;
            };
            node = next;
            if let Some(piece) = self.model.piece_at(node) {
                self.reach(end, cost + self.model.cost(piece), from, Some(piece));
            }
        }
    }

    #[inline]
    fn reach(&mut self, place: usize, cost: u32, from: usize, piece: Option<Piece>) {
        if let Some(reached) = self.reached.get_mut(place)
            && cost < reached.cost
        {
            *reached = Reached {
                cost,
                from: from as u32,
                piece,
            };
        }
    }

    /// Walks the cheapest way back from the end and notes its spans in order.
    fn take_back(&mut self, length: usize) {
        self.spans.clear();
        let mut place = length;
        while place > 0 {
            let Some(reached) = self.reached.get(place) else {
                break;
            };
            // Always smaller, so this ends.
            let from = (reached.from as usize).min(place - 1);
            self.spans.push((from, place, reached.piece));
            place = from;
        }
        self.spans.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::embedder;
    use proptest::prelude::*;

    fn pieces(text: &str) -> Vec<String> {
        let model = embedder().model();
        let names = names(model);
        embedder()
            .pieces(text)
            .into_iter()
            .map(|piece| names[usize::from(piece)].clone())
            .collect()
    }

    /// Every piece's text, by walking the trie.
    fn names(model: &Model<'_>) -> Vec<String> {
        let mut names = vec![String::new(); model.pieces()];
        let mut open = vec![(Node::ROOT, Vec::new())];
        while let Some((node, text)) = open.pop() {
            if let Some(piece) = model.piece_at(node) {
                names[usize::from(piece)] = String::from_utf8(text.clone()).unwrap();
            }
            for byte in 0..=255u8 {
                if let Some(next) = model.step(node, byte) {
                    open.push((next, [text.as_slice(), &[byte]].concat()));
                }
            }
        }
        names
    }

    #[test]
    fn every_piece_of_the_table_is_found_by_its_text() {
        let model = embedder().model();
        for (place, name) in names(model).iter().enumerate() {
            assert_eq!(model.find(name), Some(place as Piece), "{name}");
        }
    }

    #[test]
    fn unknown_characters_are_left_out() {
        assert_eq!(embedder().pieces(""), Vec::<Piece>::new());
        assert_eq!(embedder().pieces(" \n\t"), Vec::<Piece>::new());
        assert_eq!(pieces("coffee \u{10ffff}"), ["▁coffee", "▁"]);
    }

    #[test]
    fn width_case_and_compatibility_do_not_matter() {
        for other in ["ＣＯＦＦＥＥ", "Coffee", "coﬀee", "\u{3000}coffee\n"] {
            assert_eq!(pieces(other), ["▁coffee"], "{other}");
        }
    }

    #[test]
    fn no_more_pieces_than_asked_for() {
        let mut out = Vec::new();
        Tokenizer::new(embedder().model()).cut("one two three four", 3, &mut out);
        assert_eq!(out, embedder().pieces("one two three"));
    }

    #[test]
    fn a_long_stretch_is_cut_and_nothing_of_it_is_lost() {
        for text in [
            "x".repeat(STRETCH_BYTES * 3 + 1),
            "漢".repeat(STRETCH_BYTES),
        ] {
            let mut out = Vec::new();
            Tokenizer::new(embedder().model()).cut(&text, usize::MAX, &mut out);
            let names = names(embedder().model());
            let joined: String = out
                .iter()
                .map(|piece| names[usize::from(*piece)].as_str())
                .collect();
            assert_eq!(joined, format!("{WORD_MARK}{text}"));
        }
    }

    proptest! {
        #[test]
        fn any_text_is_cut(text in "\\PC{0,200}") {
            let mut out = Vec::new();
            Tokenizer::new(embedder().model()).cut(&text, 64, &mut out);
            prop_assert!(out.len() <= 64);
            prop_assert!(out.iter().all(|piece| usize::from(*piece) < embedder().model().pieces()));
        }
    }
}
