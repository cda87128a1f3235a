//! From text to vector: the weighted sum of the rows of a text's pieces, brought to bytes.

use super::DIMS;
use super::model::{Model, Piece};
use super::tokenizer::{Tokenizer, WORD_MARK};
use super::vector::Vector;

/// Pieces of a text that count; a vector over more says less and less about any of it. About 2,000 letters of English.
pub const MAX_PIECES: usize = 512;

/// Makes vectors of texts.
#[derive(Debug)]
pub struct Embedder<'table> {
    model: Model<'table>,
    /// The piece that is a word's beginning and nothing else.
    mark: Option<Piece>,
}

impl<'table> Embedder<'table> {
    /// An embedder over a table. Over an empty table every vector is zero.
    pub fn new(model: Model<'table>) -> Embedder<'table> {
        let mark = model.find(WORD_MARK.encode_utf8(&mut [0; 4]));
        Embedder { model, mark }
    }

    /// The table.
    pub fn model(&self) -> &Model<'table> {
        &self.model
    }

    /// A tokenizer over the table; keep it for many texts.
    pub fn tokenizer(&self) -> Tokenizer<'_, 'table> {
        Tokenizer::new(&self.model)
    }

    /// The pieces of a text, at most [`MAX_PIECES`].
    pub fn pieces(&self, text: &str) -> Vec<Piece> {
        let mut pieces = Vec::with_capacity(text.len() / 3 + 1);
        self.tokenizer().cut(text, MAX_PIECES, &mut pieces);
        pieces
    }

    /// The vector of a text. Zero ([`Vector::is_zero`]) if the table knows none of its characters; any text will do.
    pub fn embed(&self, text: &str) -> Vector {
        let pieces = self.pieces(text);
        // Two texts of unknown characters have only their words' beginnings in common.
        if pieces.iter().all(|piece| Some(*piece) == self.mark) {
            return Vector::ZERO;
        }
        self.sum(&pieces)
    }

    /// The vector of a list of pieces.
    pub fn sum(&self, pieces: &[Piece]) -> Vector {
        if let [single] = pieces {
            return Vector::of_numbers(self.model.row(*single));
        }
        let mut sum = [0f32; DIMS];
        for piece in pieces {
            let weight = self.model.scale(*piece) * self.model.weight(*piece);
            add(&self.model.row(*piece), weight, &mut sum);
        }
        Vector::quantise(&sum)
    }
}

#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn add(row: &[i8; DIMS], weight: f32, sum: &mut [f32; DIMS]) {
    for (sum, number) in sum.iter_mut().zip(row) {
        *sum += weight * f32::from(*number);
    }
}
