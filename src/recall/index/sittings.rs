//! Sittings: memories that name no session, stored by one client one after the other within minutes. What such a memory
//! leaves out ("yes, until 2027") may stand in the one before it.

use std::collections::HashMap;

/// Two memories of one client that are further apart belong to two sittings: somebody who thinks about what to note next
/// takes less, a new task more.
pub(super) const APART_MILLIS: i64 = 10 * 60 * 1_000;

/// The latest sitting of each client.
#[derive(Debug, Default)]
pub(super) struct Sittings {
    /// When its last memory was stored, and its number.
    latest: HashMap<String, (i64, u32)>,
    count: u32,
}

impl Sittings {
    /// The sitting of a memory, as a number from the upper end, where those of sessions do not come. Memories come in the order
    /// they were stored; one that comes late sits alone.
    pub(super) fn of(&mut self, by: &str, at: i64) -> u32 {
        let latest = self.latest.get(by).copied();
        let goes_on = latest.filter(|(last, _)| (0..=APART_MILLIS).contains(&(at - last)));
        let sitting = match goes_on {
            Some((_, sitting)) => sitting,
            None => {
                self.count += 1;
                u32::MAX - self.count
            }
        };
        if latest.is_none_or(|(last, _)| last <= at) {
            self.latest.insert(by.to_owned(), (at, sitting));
        }
        sitting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_client_stores_within_minutes_is_one_sitting() {
        let mut sittings = Sittings::default();
        let first = sittings.of("ada", 0);
        assert_eq!(sittings.of("ada", APART_MILLIS), first);
        assert_ne!(sittings.of("milo", APART_MILLIS), first);
        assert_eq!(sittings.of("ada", 2 * APART_MILLIS), first);
        let next = sittings.of("ada", 3 * APART_MILLIS + 1);
        assert_ne!(next, first);
        assert!(
            ![first, next].contains(&sittings.of("ada", 0)),
            "it comes late"
        );
        assert_eq!(sittings.of("ada", 3 * APART_MILLIS + 2), next);
    }
}
