//! What people paste or import, cut into drafts. Pure: bytes and text in, items out; nothing is stored here.

pub mod items;
pub mod text;

use crate::error::Result;
use crate::model::draft::Draft;

/// An input as it was understood.
#[derive(Debug, Clone, PartialEq)]
pub struct Intake {
    /// Its items, in order; one that is none is its own error.
    pub items: Vec<Result<Draft>>,
    /// The form it was read as.
    pub read_as: &'static str,
    /// Where such a form comes from, unless the caller says otherwise.
    pub source: Option<&'static str>,
    /// Whether it may have more items than one call takes: the caller cannot count what is cut here.
    pub in_steps: bool,
}
