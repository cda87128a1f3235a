//! Text, the pure part: how it is cleaned for storage, when two texts count as the same, and which terms of it are
//! searched. Knows every script; knows nothing of storage.

pub mod clean;
pub mod identity;
pub mod scripts;
pub mod stopwords;
pub mod tokens;
