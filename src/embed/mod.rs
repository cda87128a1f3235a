//! The model inside the vault: text becomes a vector without network or a second server. Pure.
//!
//! A table of 40,443 word pieces, each with a row of 256 numbers of two bits, is compiled in (2.5 MB compressed; where it
//! comes from is in `NOTICE.md`). A text is cut into pieces ([`tokenizer`]) and its vector is the weighted sum of their rows
//! ([`embedding`]). The same rows compare single words of a question with those of a memory ([`tokens`], [`likeness`]), which
//! finds more than the vector alone. [`dictionary`] keeps each distinct word once. [`vector`] keeps vectors in 260 bytes each and finds the nearest of many, exactly; [`thresholds`]
//! says, for this and other models, which likeness means what.
//!
//! ```
//! # use memory_vault::embed;
//! let embedder = embed::embedder();
//! let cat = embedder.embed("My cat sleeps on the sofa");
//! let pet = embedder.embed("Where does the kitten nap?");
//! let tax = embedder.embed("The invoice is due in March");
//! assert!(cat.cosine(&pet) > cat.cosine(&tax));
//! ```
//!
//! It knows English best, then the other languages in Latin script, Chinese, Japanese, Korean and Russian. Text in other
//! scripts may come out as the zero vector, which is like nothing; such text is found by its words.

pub mod dictionary;
mod dot;
pub mod embedding;
pub mod large;
pub mod likeness;
pub mod model;
pub mod stem;
pub mod thresholds;
pub mod tokenizer;
pub mod tokens;
pub mod vector;

use std::sync::LazyLock;

use embedding::Embedder;
use model::Model;

/// The id kept with every vector of the model inside. Vectors of different ids are never compared.
pub const MODEL_ID: &str = "u40b_256b2";
/// Numbers in a vector of the model inside.
pub const DIMS: usize = 256;

static TABLE: &[u8] = include_bytes!("u40b_256b2.sem");

static EMBEDDER: LazyLock<Embedder<'static>> =
    LazyLock::new(|| Embedder::new(Model::load(TABLE).unwrap_or_default()));

/// The model inside. The first call prepares the trie over the pieces (0.2 ms); later ones cost nothing.
pub fn embedder() -> &'static Embedder<'static> {
    &EMBEDDER
}

#[cfg(test)]
mod tests;
