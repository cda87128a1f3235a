//! When a refresh token that comes again is a retry, and when it is a thief.
//!
//! Real clients present one token several times: processes share a store, an answer is lost on its way. So the tokens of
//! a grant form a tree, and what counts is whether anybody has *seen* what an exchange gave out: used the new access
//! token, or exchanged the new refresh token.

use crate::model::time::Timestamp;

/// How long after its first exchange a token may come again without a question: parallel processes and impatient
/// retries are done by then.
pub const GRACE_MILLISECONDS: i64 = 60_000;

/// What is known of the token presented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Presented {
    /// When it was last exchanged, if it was.
    pub exchanged_at: Option<Timestamp>,
    /// Until when it may be exchanged.
    pub expires_at: Timestamp,
    /// It was part of an answer that got lost, and was dropped when the client came again.
    pub dropped: bool,
    /// Somebody has used what a former exchange gave out.
    pub successor_seen: bool,
}

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// First use: give out the next pair.
    Rotate,
    /// Again within the grace: give out another pair; both live on.
    AnotherChild,
    /// The former answer was lost: drop the pairs nobody has seen and give out a new one.
    Heal,
    /// Somebody uses what was replaced long ago: end the grant.
    Reuse,
    /// Too old, or dropped: refuse, nothing else.
    Dead,
}

/// Which it is.
pub fn stage(token: Presented, now: Timestamp) -> Stage {
    if token.dropped || now >= token.expires_at {
        return Stage::Dead;
    }
    match token.exchanged_at {
        None => Stage::Rotate,
        Some(at) if now.millis() - at.millis() <= GRACE_MILLISECONDS => Stage::AnotherChild,
        Some(_) if token.successor_seen => Stage::Reuse,
        Some(_) => Stage::Heal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Timestamp {
        Timestamp::from_millis(millis)
    }

    fn fresh() -> Presented {
        Presented {
            exchanged_at: None,
            expires_at: at(1_000_000),
            dropped: false,
            successor_seen: false,
        }
    }

    #[test]
    fn a_token_is_exchanged_once_and_again_within_a_minute() {
        assert_eq!(stage(fresh(), at(0)), Stage::Rotate);
        let used = Presented {
            exchanged_at: Some(at(1_000)),
            successor_seen: true,
            ..fresh()
        };
        assert_eq!(stage(used, at(61_000)), Stage::AnotherChild);
        assert_eq!(stage(used, at(61_001)), Stage::Reuse);
    }

    #[test]
    fn a_lost_answer_heals() {
        let lost = Presented {
            exchanged_at: Some(at(1_000)),
            ..fresh()
        };
        assert_eq!(stage(lost, at(61_001)), Stage::Heal);
    }

    #[test]
    fn an_old_or_dropped_token_is_refused_without_ending_the_grant() {
        assert_eq!(stage(fresh(), at(999_999)), Stage::Rotate);
        assert_eq!(stage(fresh(), at(1_000_000)), Stage::Dead);
        let dropped = Presented {
            dropped: true,
            ..fresh()
        };
        assert_eq!(stage(dropped, at(0)), Stage::Dead);
    }
}
