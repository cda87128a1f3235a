//! How often somebody may call: fixed windows, counted in the vault, since the edge's isolates share no memory.

use sha2::{Digest as _, Sha256};

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::actor::Actor;
use crate::model::time::{HOUR_MILLIS, MINUTE_MILLIS};
use crate::store;
use crate::vault::Vault;

/// So many calls in a window.
#[derive(Debug, Clone, Copy)]
pub struct Rate {
    what: &'static str,
    /// Calls allowed.
    pub calls: i64,
    window_millis: i64,
}

/// Registrations from one address.
pub const REGISTRATIONS: Rate = Rate {
    what: "register",
    calls: limits::REGISTRATIONS_PER_HOUR,
    window_millis: HOUR_MILLIS,
};
/// Token and revocation calls from one address.
pub const TOKEN_CALLS: Rate = Rate {
    what: "token",
    calls: limits::TOKEN_CALLS_PER_MINUTE,
    window_millis: MINUTE_MILLIS,
};
/// Fetches of client metadata documents for one address.
pub const DOCUMENT_FETCHES: Rate = Rate {
    what: "document",
    calls: limits::DOCUMENT_FETCHES_PER_HOUR,
    window_millis: HOUR_MILLIS,
};
/// Writes under one grant.
pub const WRITES: Rate = Rate {
    what: "write",
    calls: limits::WRITES_PER_WINDOW,
    window_millis: limits::WRITE_WINDOW_MINUTES * MINUTE_MILLIS,
};

/// Counts a call if it is within the rate; otherwise the seconds until the window ends.
pub fn take(vault: &Vault<'_>, rate: Rate, who: &str) -> Result<std::result::Result<(), i64>> {
    let now = vault.now();
    let since = now.plus_millis(-rate.window_millis);
    if store::rates::count(vault.sql, rate.what, who, (since, now), rate.calls)? {
        return Ok(Ok(()));
    }
    let current = store::rates::current(vault.sql, rate.what, who, since)?;
    let began_at = current.map_or(now, |(_, began_at)| began_at);
    let left = began_at.millis() + rate.window_millis - now.millis();
    Ok(Err(left.div_euclid(1_000) + 1))
}

/// Calls in the current window.
pub fn recent(vault: &Vault<'_>, rate: Rate, who: &str) -> Result<i64> {
    let since = vault.now().plus_millis(-rate.window_millis);
    let current = store::rates::current(vault.sql, rate.what, who, since)?;
    Ok(current.map_or(0, |(calls, _)| calls))
}

/// Counts a call of an app that may write, and refuses it when there were too many; others write as much as they like.
///
/// # Errors
/// `too_many_requests`, saying when to come again.
pub fn count_write(vault: &Vault<'_>, actor: &Actor) -> Result<()> {
    let Actor::Agent { grant, .. } = actor else {
        return Ok(());
    };
    match take(vault, WRITES, grant)? {
        Ok(()) => Ok(()),
        Err(seconds) => Err(Error::new(
            Kind::TooManyRequests,
            format!(
                "this app wrote {} times in {} minutes, which is the limit; try again in {seconds} seconds, and use bulk_remember for many facts",
                WRITES.calls,
                limits::WRITE_WINDOW_MINUTES
            ),
        )),
    }
}

/// Notes what an app wrote, for the owner to see: memories stored and requests to forget one, not calls that were refused or
/// brought nothing new. Part of the caller's transaction.
pub(crate) fn note_written(vault: &Vault<'_>, actor: &Actor, count: usize) -> Result<()> {
    match actor {
        Actor::Agent { grant, .. } if count > 0 => {
            store::oauth::grants::add_written(vault.sql, grant, count)
        }
        _ => Ok(()),
    }
}

/// What is kept of an address, and of what may stand behind it after a blank: a salted hash. Of IPv6 the first 64 bits
/// count, which one household has to itself.
pub fn hashed_address(vault: &Vault<'_>, address: &str) -> Result<String> {
    let (host, rest) = address.split_once(' ').unwrap_or((address, ""));
    let host = match host.parse::<std::net::Ipv6Addr>() {
        Ok(six) if six.to_ipv4_mapped().is_none() => {
            let [a, b, c, d, ..] = six.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
        _ => host.to_owned(),
    };
    let whole = format!("{host} {rest}");
    let mut hash = Sha256::new();
    hash.update(store::rates::address_salt(vault.sql)?);
    hash.update(whole.as_bytes());
    Ok(hash
        .finalize()
        .iter()
        .take(16)
        .map(|byte| format!("{byte:02x}"))
        .collect())
}
