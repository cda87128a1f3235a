//! Services that failed are left alone for a while: all jobs wait together, so that an outage costs one call an interval.

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::time::Timestamp;
use crate::ports::ServiceFailure;
use crate::store;
use crate::store::index_jobs::Pause;
use crate::vault::{Vault, agenda};

/// Workers AI.
pub(crate) const AI: &str = "ai";
/// Vectorize.
pub(crate) const VECTORIZE: &str = "vectorize";

const DAY_MILLIS: i64 = 86_400_000;

/// Whether a service is left alone now.
pub(super) fn is_paused(vault: &Vault<'_>, service: &str) -> Result<bool> {
    let pause = store::index_jobs::pause(vault.sql, service)?;
    Ok(pause.is_some_and(|pause| pause.until > vault.now()))
}

/// Leaves a service alone after a failure; the error is for the log.
pub(crate) fn after(vault: &Vault<'_>, service: &str, failure: &ServiceFailure) -> Result<Error> {
    let before = store::index_jobs::pause(vault.sql, service)?;
    let attempts = before.map_or(0, |pause| pause.attempts);
    let pause = Pause {
        until: until(failure, attempts, vault.now()),
        attempts: attempts + 1,
        reason: reason(failure),
    };
    store::index_jobs::set_pause(vault.sql, service, &pause)?;
    let mut error = Error::new(Kind::Unavailable, format!("{service}: {}", pause.reason));
    error.cause = Some(error.message.clone());
    Ok(error)
}

/// The service answered.
pub(crate) fn over(vault: &Vault<'_>, service: &str) -> Result<()> {
    store::index_jobs::clear_pause(vault.sql, service)
}

fn until(failure: &ServiceFailure, attempts: i64, now: Timestamp) -> Timestamp {
    match failure {
        // The allowance comes back at midnight UTC.
        ServiceFailure::Quota => {
            Timestamp::from_millis((now.millis().div_euclid(DAY_MILLIS) + 1) * DAY_MILLIS)
        }
        _ => now.plus_millis(agenda::backoff_seconds(attempts) * 1_000),
    }
}

/// Why a service is left alone, in the words of status page and answers.
pub(crate) fn reason(failure: &ServiceFailure) -> String {
    match failure {
        ServiceFailure::Quota => {
            "the daily allowance is used up; it comes back at midnight UTC".into()
        }
        ServiceFailure::Busy => "it is busy".into(),
        ServiceFailure::Late => "it did not answer in time".into(),
        ServiceFailure::Unreachable => "it cannot be reached".into(),
        ServiceFailure::Refused(why) => format!("it refuses: {why}"),
    }
}

/// When a refused job is tried again, and whether it is dead.
pub(super) fn next_try(attempts: i64, now: Timestamp) -> (Timestamp, bool) {
    let due = now.plus_millis(agenda::backoff_seconds(attempts) * 1_000);
    (due, attempts + 1 >= limits::JOB_ATTEMPTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_used_up_day_lasts_until_midnight_and_everything_else_doubles_up_to_an_hour() {
        let noon = Timestamp::from_millis(20_000 * DAY_MILLIS + DAY_MILLIS / 2);
        assert_eq!(
            until(&ServiceFailure::Quota, 7, noon).millis(),
            20_001 * DAY_MILLIS
        );
        let waits: Vec<i64> = (0..8)
            .map(|attempts| until(&ServiceFailure::Busy, attempts, noon).millis() - noon.millis())
            .map(|millis| millis / 60_000)
            .collect();
        assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
    }

    #[test]
    fn only_what_is_refused_again_and_again_dies() {
        let now = Timestamp::from_millis(0);
        assert!(!next_try(limits::JOB_ATTEMPTS - 2, now).1);
        assert!(next_try(limits::JOB_ATTEMPTS - 1, now).1);
    }
}
