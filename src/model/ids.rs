//! Ids: a prefix that says what it is, then 26 letters and digits (48 bits of time, 80 of chance), as in
//! `mem_01kc5m6v8x4q2z7r9t3w5y0abc`. They sort by creation, stay well under the 64 bytes Vectorize allows, and say
//! nothing about their content.

use crate::error::Result;
use crate::ports::Random;

/// Crockford's base 32: no i, l, o, u, so that a read-out id is not mistaken.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Letters after the prefix.
const LENGTH: usize = 26;

/// What an id names; the prefix is part of the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdKind {
    /// A memory: `mem_…`.
    Memory,
    /// An import: `bat_…`.
    Batch,
    /// A request, for the log and the `X-Request-Id` header: `req_…`.
    Request,
    /// A registered OAuth client: `app_…`.
    Client,
    /// An app's question to the owner: `ask_…`.
    Ask,
    /// What the owner allowed an app: `gra_…`.
    Grant,
    /// A pair of access and refresh token: `tok_…`.
    Token,
    /// A backup on its way back in: `res_…`.
    Restore,
}

impl IdKind {
    /// The prefix, with its underscore.
    pub const fn prefix(self) -> &'static str {
        match self {
            IdKind::Memory => "mem_",
            IdKind::Batch => "bat_",
            IdKind::Request => "req_",
            IdKind::Client => "app_",
            IdKind::Ask => "ask_",
            IdKind::Grant => "gra_",
            IdKind::Token => "tok_",
            IdKind::Restore => "res_",
        }
    }

    /// Whether `text` has the shape of such an id. Says nothing about whether the thing exists.
    pub fn matches(self, text: &str) -> bool {
        text.strip_prefix(self.prefix()).is_some_and(|rest| {
            rest.len() == LENGTH && rest.bytes().all(|byte| ALPHABET.contains(&byte))
        })
    }
}

/// A new id. Two ids of one millisecond differ by chance (80 bits) and sort in no particular order.
pub fn new_id(kind: IdKind, now_millis: i64, random: &dyn Random) -> Result<String> {
    let mut bytes = [0u8; 10];
    random.fill(&mut bytes)?;
    let chance = bytes
        .iter()
        .fold(0u128, |all, byte| (all << 8) | u128::from(*byte));
    let number = (u128::from(now_millis.max(0).unsigned_abs()) << 80) | chance;
    let mut id = String::with_capacity(kind.prefix().len() + LENGTH);
    id.push_str(kind.prefix());
    for place in (0..LENGTH).rev() {
        let digit = ((number >> (5 * place)) & 31) as usize;
        id.push(
            ALPHABET
                .get(digit)
                .map_or('0', |letter| char::from(*letter)),
        );
    }
    Ok(id)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Counting;
    impl Random for Counting {
        fn fill(&self, bytes: &mut [u8]) -> Result<()> {
            for (place, byte) in bytes.iter_mut().enumerate() {
                *byte = place as u8;
            }
            Ok(())
        }
    }

    #[test]
    fn an_id_says_what_it_is_and_fits_every_index() {
        let id = new_id(IdKind::Memory, 1_773_129_600_000, &Counting).unwrap();
        assert_eq!(id, "mem_01kkbc5300000g40r40m30e209");
        assert!(IdKind::Memory.matches(&id) && !IdKind::Batch.matches(&id));
    }

    #[test]
    fn later_ids_sort_after_earlier_ones() {
        let early = new_id(IdKind::Memory, 1_000, &Counting).unwrap();
        let late = new_id(IdKind::Memory, 1_001, &Counting).unwrap();
        assert!(early < late);
    }

    #[test]
    fn text_that_merely_looks_like_an_id_is_told_apart() {
        for text in [
            "",
            "mem_",
            "*",
            "mem_01KKAY46G0000G40R40M30E209",
            "mem_01kkay46g0000g40r40m30e20",
            "mem_01kkay46g0000g40r40m30e20u",
        ] {
            assert!(!IdKind::Memory.matches(text), "{text}");
        }
    }
}
