//! What people paste or import, cut into drafts. Pure: bytes and text in, items out; nothing is stored here.

pub mod items;
pub mod text;
