//! When to fetch a key set. A state machine without a clock: every call brings the time in milliseconds. It does not
//! fetch, and it does not hold anybody waiting while somebody else does.

use crate::access::keys::{Key, KeySet};

/// How long a set is used without asking again. Access signs with a new key only after publishing it for long, so an
/// hour misses nothing, and a withdrawn key is gone within the hour.
pub const FRESH_MS: i64 = 60 * 60 * 1000;
/// How long a set is used while it cannot be fetched anew: an outage of a day locks nobody out, and a key withdrawn
/// during one is not trusted for longer.
pub const USABLE_MS: i64 = 24 * FRESH_MS;
/// The least time between a try and a fetch for a key id that is not in the set: made-up ids cost one fetch a minute.
pub const UNKNOWN_KEY_ID_MS: i64 = 60 * 1000;
/// The least time between a try and the next while sets are old or absent.
pub const FAILURE_BACKOFF_MS: i64 = 30 * 1000;

/// What to do before [`KeyCache::get`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plan {
    /// Nothing. `get` answers, be it with `None`.
    Use,
    /// Fetch the set and report the outcome; whatever it is, `get` answers then.
    FetchFirst,
}

/// The last good key set of one issuer, and when it was asked for.
#[derive(Debug, Clone, Default)]
pub struct KeyCache {
    held: Option<Held>,
    /// The last time a fetch began or ended.
    tried_ms: Option<i64>,
    /// Whether the last fetch to end failed.
    failed: bool,
}

#[derive(Debug, Clone)]
struct Held {
    keys: KeySet,
    fetched_ms: i64,
}

impl KeyCache {
    /// Whether a token signed with key `kid` needs a fetch first.
    ///
    /// A known id: when the set is older than [`FRESH_MS`] and nobody tried within [`FAILURE_BACKOFF_MS`]. An unknown
    /// one: when nobody tried within [`UNKNOWN_KEY_ID_MS`]. Without any set: always, but not within
    /// [`FAILURE_BACKOFF_MS`] of a failure.
    pub fn plan(&self, kid: &str, now_ms: i64) -> Plan {
        let tried_within = |span| {
            self.tried_ms
                .is_some_and(|tried_ms| is_within(span, tried_ms, now_ms))
        };
        let fetch = match &self.held {
            None => !(self.failed && tried_within(FAILURE_BACKOFF_MS)),
            Some(held) if held.keys.get(kid).is_none() => !tried_within(UNKNOWN_KEY_ID_MS),
            Some(held) => {
                !is_within(FRESH_MS, held.fetched_ms, now_ms) && !tried_within(FAILURE_BACKOFF_MS)
            }
        };
        if fetch { Plan::FetchFirst } else { Plan::Use }
    }

    /// A fetch begins. Optional; with it, requests that come in meanwhile use the old set instead of fetching too.
    /// While there is no set yet they still fetch, since they could not be answered otherwise.
    pub fn fetch_started(&mut self, now_ms: i64) {
        self.tried_ms = Some(now_ms);
    }

    /// A fetch brought this set. It replaces the old one: keys that are no longer in it are no longer trusted.
    pub fn fetched(&mut self, keys: KeySet, now_ms: i64) {
        *self = KeyCache {
            held: Some(Held {
                keys,
                fetched_ms: now_ms,
            }),
            tried_ms: Some(now_ms),
            failed: false,
        };
    }

    /// A fetch failed. The old set stays, unless it would outlive [`USABLE_MS`] before the next try.
    pub fn fetch_failed(&mut self, now_ms: i64) {
        self.tried_ms = Some(now_ms);
        self.failed = true;
        self.held = self
            .held
            .take()
            .filter(|held| is_within(USABLE_MS - FAILURE_BACKOFF_MS, held.fetched_ms, now_ms));
    }

    /// The key with this id, if the held set has it. Ask [`KeyCache::plan`] first.
    pub fn get(&self, kid: &str) -> Option<&Key> {
        self.held.as_ref()?.keys.get(kid)
    }

    /// Whether there is any set at all; if not, [`KeyCache::get`] is `None` because of a failure, not of the id.
    pub fn has_keys(&self) -> bool {
        self.held.is_some()
    }
}

/// Whether `now` is less than `span` after `then`. A clock set back counts as expired, so that it cannot stop fetching.
fn is_within(span: i64, then_ms: i64, now_ms: i64) -> bool {
    now_ms
        .checked_sub(then_ms)
        .is_some_and(|age| (0..span).contains(&age))
}

#[cfg(test)]
mod tests;
