//! Access tokens whose signature was found good, so that an app's next call need not pay for the curve again: in
//! WebAssembly that costs more than the rest of a small call. What is remembered is the signature alone. Whether the key
//! is still published, the token still holds and its grant was not revoked is asked at every call.

use sha2::{Digest as _, Sha256};

use crate::limits;
use crate::oauth::access_token::Claims;

/// The tokens checked last, by the hash of their whole text.
#[derive(Debug, Default)]
pub struct CheckedTokens {
    /// Oldest first.
    kept: Vec<([u8; 32], Checked)>,
}

/// What a good signature covers.
#[derive(Debug, Clone, PartialEq)]
pub struct Checked {
    /// The key it was made with.
    pub key_id: String,
    /// What the token says.
    pub claims: Claims,
}

impl CheckedTokens {
    /// What is known of a token with exactly this text that was checked before.
    pub fn get(&self, token: &str) -> Option<Checked> {
        let hash = hash(token);
        let found = self.kept.iter().find(|(kept, _)| *kept == hash);
        found.map(|(_, checked)| checked.clone())
    }

    /// Keeps it. The oldest makes room.
    pub fn keep(&mut self, token: &str, checked: &Checked) {
        let hash = hash(token);
        if self.kept.iter().any(|(kept, _)| *kept == hash) {
            return;
        }
        if self.kept.len() >= limits::CHECKED_TOKENS {
            self.kept.remove(0);
        }
        self.kept.push((hash, checked.clone()));
    }
}

fn hash(token: &str) -> [u8; 32] {
    Sha256::digest(token.as_bytes()).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(grant: &str) -> Checked {
        Checked {
            key_id: "key_1".to_owned(),
            claims: Claims::new(
                "https://vault.example.org",
                "app_1",
                "memory.read",
                grant,
                "tok_1",
                0,
            ),
        }
    }

    #[test]
    fn only_the_very_same_text_is_known() {
        let mut checked = CheckedTokens::default();
        assert_eq!(checked.get("a.b.c"), None);
        checked.keep("a.b.c", &of("gra_1"));
        assert_eq!(checked.get("a.b.c"), Some(of("gra_1")));
        for other in ["a.b.d", "a.b.c ", "A.b.c", "a.b", ""] {
            assert_eq!(checked.get(other), None, "{other}");
        }
    }

    #[test]
    fn the_oldest_makes_room_when_one_too_many_comes() {
        let mut checked = CheckedTokens::default();
        for number in 0..limits::CHECKED_TOKENS {
            checked.keep(&format!("t{number}"), &of("gra_1"));
        }
        checked.keep("t0", &of("gra_1"));
        assert!(checked.get("t0").is_some(), "a known one pushes none out");
        checked.keep("one more", &of("gra_2"));
        assert_eq!(checked.get("t0"), None);
        assert!(checked.get("t1").is_some());
        assert_eq!(checked.get("one more").unwrap().claims.grant, "gra_2");
    }
}
