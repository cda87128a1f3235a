//! The Operating Guide: the owner's standing word to every agent. Versioned; a vault begins with [`DEFAULT`].

use serde::Serialize;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::draft;
use crate::model::time::Timestamp;
use crate::text;

/// The guide of a new vault.
pub const DEFAULT: &str = include_str!("guide_default.md");

/// One version of the guide.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Guide {
    /// From 1, one more with each change.
    pub version: i64,
    /// Markdown, at most [`limits::GUIDE_BYTES`].
    pub content: String,
    /// When it was written.
    pub created_at: Timestamp,
    /// By whom.
    pub created_by: String,
}

/// Cleans and checks a new text of the guide.
///
/// # Errors
/// `invalid_argument` when blank or when it holds a secret, `too_large` beyond the limit.
pub fn check(content: &str) -> Result<String> {
    let content = text::clean::clean(content).text;
    if text::clean::is_blank(&content) {
        return Err(Error::invalid(
            "content",
            "must not be blank; agents read the guide before anything else",
        ));
    }
    if content.len() > limits::GUIDE_BYTES {
        let message = format!(
            "is {} bytes long; the guide takes at most {}",
            content.len(),
            limits::GUIDE_BYTES
        );
        return Err(Error::new(Kind::TooLarge, message).in_field("content"));
    }
    draft::refuse_secret("content", &content)?;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_a_vault_begins_with_is_one_the_owner_could_save() {
        assert_eq!(check(DEFAULT).unwrap(), DEFAULT.trim());
        assert!(DEFAULT.contains("/connect"));
    }

    #[test]
    fn a_guide_takes_its_limit_and_not_a_byte_more() {
        assert!(check(&"g".repeat(limits::GUIDE_BYTES)).is_ok());
        assert_eq!(
            check(&"g".repeat(limits::GUIDE_BYTES + 1))
                .unwrap_err()
                .kind,
            Kind::TooLarge
        );
        assert!(check(" \n").is_err());
    }
}
