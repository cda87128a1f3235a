//! Pages: opaque cursors for lists that keep growing while they are read.
//!
//! A cursor names the last row seen by its key and the list it belongs to, so rows added meanwhile neither repeat nor
//! hide others, and a cursor of one list is refused by another.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::{Error, Result};

/// Where the next page begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cursor {
    /// Short hash of the list's name and filters.
    #[serde(rename = "l")]
    list: String,
    /// The last key handed out, or the offset in a ranked list.
    #[serde(rename = "k")]
    pub key: i64,
    /// The newest key that belongs to this reading (ranked lists only; 0 elsewhere).
    #[serde(rename = "s", default)]
    pub snapshot: i64,
}

impl Cursor {
    /// A cursor for the list that `list` describes (its name and filters, in any stable spelling).
    pub fn new(list: &str, key: i64, snapshot: i64) -> Self {
        Cursor {
            list: fingerprint(list),
            key,
            snapshot,
        }
    }

    /// The text handed to the client.
    pub fn encode(&self) -> String {
        URL_SAFE_NO_PAD.encode(serde_json::to_vec(self).unwrap_or_default())
    }

    /// Reads a cursor of this very list.
    ///
    /// # Errors
    /// `invalid_argument` on field `cursor` for anything that this list did not hand out.
    pub fn decode(text: &str, list: &str) -> Result<Self> {
        let refused = || {
            Error::invalid(
                "cursor",
                "is not a cursor of this list; start again without one, with the same filters",
            )
        };
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| refused())?;
        let cursor: Cursor = serde_json::from_slice(&bytes).map_err(|_| refused())?;
        if cursor.list == fingerprint(list) && cursor.key >= 0 && cursor.snapshot >= 0 {
            Ok(cursor)
        } else {
            Err(refused())
        }
    }
}

fn fingerprint(list: &str) -> String {
    let digest = Sha256::digest(list.as_bytes());
    URL_SAFE_NO_PAD.encode(digest.get(..6).unwrap_or_default())
}

/// Checks a page size: absent means `default`, more than `max` is clamped (the answer's `next_cursor` tells), 0 is refused.
pub fn limit(asked: Option<i64>, default: usize, max: usize) -> Result<usize> {
    match asked {
        None => Ok(default),
        Some(number) if number < 1 => {
            Err(Error::invalid("limit", format!("must be from 1 to {max}")))
        }
        Some(number) => Ok(usize::try_from(number).unwrap_or(max).min(max)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cursor_of_another_list_is_refused() {
        let text = Cursor::new("memories status=active", 17, 0).encode();
        assert_eq!(
            Cursor::decode(&text, "memories status=active").unwrap().key,
            17
        );
        let error = Cursor::decode(&text, "memories status=proposed").unwrap_err();
        assert_eq!(error.field.as_deref(), Some("cursor"));
    }

    #[test]
    fn a_limit_is_clamped_above_and_refused_below() {
        assert_eq!(limit(None, 50, 200).unwrap(), 50);
        assert_eq!(limit(Some(200), 50, 200).unwrap(), 200);
        assert_eq!(limit(Some(201), 50, 200).unwrap(), 200);
        assert_eq!(limit(Some(1), 50, 200).unwrap(), 1);
        assert!(limit(Some(0), 50, 200).is_err());
        assert!(limit(Some(-5), 50, 200).is_err());
    }

    proptest! {
        #[test]
        fn no_text_a_client_invents_is_taken_for_a_cursor(text in ".*") {
            prop_assert!(Cursor::decode(&text, "memories").is_err());
        }

        #[test]
        fn a_cursor_survives_its_way_to_the_client_and_back(key in 0..i64::MAX, snapshot in 0..i64::MAX) {
            let cursor = Cursor::new("x", key, snapshot);
            prop_assert_eq!(Cursor::decode(&cursor.encode(), "x").unwrap(), cursor);
        }
    }
}
