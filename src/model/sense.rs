//! What the model inside the vault made of a memory: bytes to keep beside its text.

/// The sense of one memory's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sense {
    /// The model that made it.
    pub model: String,
    /// SHA-256 of what it was made from, in hexadecimal.
    pub made_from: String,
    /// The vector, as `embed::vector::Vector::to_bytes` writes it.
    pub vector: Vec<u8>,
    /// The words, as `embed::tokens::Words::as_bytes` gives them.
    pub words: Vec<u8>,
    /// The marks, as `recall::rank::Marks::to_byte` gives them.
    pub marks: u8,
    /// The day it is dated in the owner's zone: days since 1970-01-01.
    pub day: i32,
}
