//! What happens when a text meets what the vault already knows of it. Pure, so that the rule can be read and tested
//! in one place.

use crate::error::{Error, Kind, Result};
use crate::model::memory::{Memory, Status, StatusReason};
use crate::model::time::Timestamp;

/// What to do with a new text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Encounter {
    /// Store it; `lifts_exclusion` when the owner thereby takes back an earlier no.
    Store {
        /// Remove the exclusion of this text.
        lifts_exclusion: bool,
    },
    /// It is there: the memory with this id.
    Duplicate(String),
    /// It is there but waits to be forgotten; the owner wants it after all.
    Keep(String),
}

/// Who brings the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bringer {
    /// The owner, adding or editing this one text by hand: may take back an earlier no.
    OwnerByHand,
    /// The owner's import: what was forgotten stays forgotten.
    OwnerImport,
    /// A program.
    Agent,
}

/// Decides. `known` are all memories with the same duplicate hash, `excluded` whether the hash is on the list of
/// exclusions, `supersedes` the memory the text says it replaces, `dated` when its source says it is from, if it says so.
///
/// # Errors
/// `excluded` when the text was forgotten or rejected and the bringer may not overrule that; `invalid_argument` when a
/// text would replace a memory that says the same.
pub fn decide(
    known: &[Memory],
    excluded: bool,
    bringer: Bringer,
    supersedes: Option<&str>,
    dated: Option<Timestamp>,
) -> Result<Encounter> {
    let visible = |memory: &&Memory| memory.forget_requested_at.is_none();
    let holds = |memory: &&Memory| matches!(memory.status, Status::Active | Status::Proposed);
    let by_hand = bringer == Bringer::OwnerByHand;
    let forgotten = || {
        Error::new(
            Kind::Excluded,
            "the owner forgot or rejected this text, so it is not stored again",
        )
    };

    let held: Vec<&Memory> = known.iter().filter(holds).filter(visible).collect();
    if let Some(first) = held
        .iter()
        .find(|memory| memory.status == Status::Active)
        .or(held.first())
    {
        if supersedes == Some(first.id.as_str()) {
            return Err(Error::invalid(
                "supersedes",
                "names a memory with the very same text; there is nothing to replace",
            ));
        }
        return Ok(Encounter::Duplicate(first.id.clone()));
    }
    if let Some(hidden) = known
        .iter()
        .find(|memory| memory.forget_requested_at.is_some())
    {
        return if by_hand {
            Ok(Encounter::Keep(hidden.id.clone()))
        } else {
            Err(forgotten())
        };
    }
    if excluded || known.iter().any(|memory| memory.status == Status::Rejected) {
        return if by_hand {
            Ok(Encounter::Store {
                lifts_exclusion: excluded,
            })
        } else {
            Err(forgotten())
        };
    }
    // A text that was replaced is not news when a program brings it again, unless it says what it replaces or is from a time
    // after it ended; an expired one is.
    let replaced = known.iter().find(|memory| {
        memory.status_reason == Some(StatusReason::Replaced)
            && !holds_again(memory.valid_until, dated)
    });
    match replaced {
        Some(old) if !by_hand && supersedes.is_none() => Ok(Encounter::Duplicate(old.id.clone())),
        _ => Ok(Encounter::Store {
            lifts_exclusion: false,
        }),
    }
}

/// Whether a text from the time `dated` says that what ended at `ended` holds again.
pub fn holds_again(ended: Option<Timestamp>, dated: Option<Timestamp>) -> bool {
    matches!((ended, dated), (Some(ended), Some(dated)) if dated > ended)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::memory::{MemoryType, Tier};

    fn known(id: &str, status: Status) -> Memory {
        let time = Timestamp::from_millis(0);
        Memory {
            id: id.into(),
            status,
            status_reason: (status == Status::Superseded).then_some(StatusReason::Replaced),
            content: "x".into(),
            content_hash: "h".into(),
            memory_type: MemoryType::Note,
            tier: Tier::Long,
            importance: 0.5,
            tags: Vec::new(),
            session: None,
            author: None,
            source: None,
            source_date: None,
            supersedes: None,
            superseded_by: None,
            valid_from: time,
            valid_until: None,
            similar_to: None,
            similarity: None,
            may_conflict_with: Vec::new(),
            flags: Vec::new(),
            stale: None,
            batch_id: None,
            created_by: "owner:a".into(),
            created_at: time,
            updated_at: time,
            expires_at: None,
            forget_requested_at: None,
            forget_requested_by: None,
            seq: 1,
            dated_at: time,
        }
    }

    const STORE: Encounter = Encounter::Store {
        lifts_exclusion: false,
    };

    #[test]
    fn a_new_text_is_stored() {
        assert_eq!(
            decide(&[], false, Bringer::Agent, None, None).unwrap(),
            STORE
        );
    }

    #[test]
    fn a_held_text_is_a_duplicate_of_the_active_one() {
        let both = [known("a", Status::Proposed), known("b", Status::Active)];
        assert_eq!(
            decide(&both, false, Bringer::Agent, None, None).unwrap(),
            Encounter::Duplicate("b".into())
        );
        assert_eq!(
            decide(&both[..1], false, Bringer::OwnerByHand, None, None).unwrap(),
            Encounter::Duplicate("a".into())
        );
    }

    #[test]
    fn a_text_cannot_replace_itself() {
        let error = decide(
            &[known("a", Status::Active)],
            false,
            Bringer::Agent,
            Some("a"),
            None,
        )
        .unwrap_err();
        assert_eq!(error.field.as_deref(), Some("supersedes"));
    }

    #[test]
    fn a_forgotten_text_comes_back_only_by_the_owners_own_hand() {
        for bringer in [Bringer::Agent, Bringer::OwnerImport] {
            assert_eq!(
                decide(&[], true, bringer, None, None).unwrap_err().kind,
                Kind::Excluded
            );
        }
        assert_eq!(
            decide(&[], true, Bringer::OwnerByHand, None, None).unwrap(),
            Encounter::Store {
                lifts_exclusion: true
            }
        );
    }

    #[test]
    fn a_rejected_text_is_not_proposed_again() {
        let rejected = [known("a", Status::Rejected)];
        assert_eq!(
            decide(&rejected, false, Bringer::Agent, None, None)
                .unwrap_err()
                .kind,
            Kind::Excluded
        );
        assert_eq!(
            decide(&rejected, false, Bringer::OwnerByHand, None, None).unwrap(),
            STORE
        );
    }

    #[test]
    fn a_text_that_waits_to_be_forgotten_is_not_shown_to_an_agent() {
        let hidden = [Memory {
            forget_requested_at: Some(Timestamp::from_millis(5)),
            ..known("a", Status::Active)
        }];
        let error = decide(&hidden, false, Bringer::Agent, None, None).unwrap_err();
        assert!(
            error.kind == Kind::Excluded
                && !error.message.contains('a'.to_string().repeat(2).as_str())
        );
        assert_eq!(
            decide(&hidden, false, Bringer::OwnerByHand, None, None).unwrap(),
            Encounter::Keep("a".into())
        );
    }

    #[test]
    fn a_replaced_text_is_no_news_unless_it_says_what_it_replaces() {
        let replaced = [known("a", Status::Superseded)];
        assert_eq!(
            decide(&replaced, false, Bringer::Agent, None, None).unwrap(),
            Encounter::Duplicate("a".into())
        );
        assert_eq!(
            decide(&replaced, false, Bringer::Agent, Some("b"), None).unwrap(),
            STORE
        );
        assert_eq!(
            decide(&replaced, false, Bringer::OwnerByHand, None, None).unwrap(),
            STORE
        );
    }

    #[test]
    fn an_expired_text_may_be_learnt_again() {
        let expired = [Memory {
            status_reason: Some(StatusReason::Expired),
            ..known("a", Status::Superseded)
        }];
        assert_eq!(
            decide(&expired, false, Bringer::Agent, None, None).unwrap(),
            STORE
        );
    }

    #[test]
    fn a_replaced_text_from_a_time_after_it_ended_holds_again() {
        let at = Timestamp::from_millis;
        let ended = |id: &str, millis: i64| Memory {
            valid_until: Some(at(millis)),
            ..known(id, Status::Superseded)
        };
        let decided = |known: &[Memory], dated: Option<i64>| {
            decide(known, false, Bringer::Agent, None, dated.map(at)).unwrap()
        };
        let old = Encounter::Duplicate("a".into());
        assert_eq!(decided(&[ended("a", 50)], Some(51)), STORE);
        assert_eq!(decided(&[ended("a", 50)], Some(50)), old);
        assert_eq!(decided(&[ended("a", 50)], None), old);
        assert_eq!(decided(&[known("a", Status::Superseded)], Some(51)), old);
        // It ended twice; what is from the time between says nothing new.
        assert_eq!(decided(&[ended("b", 50), ended("a", 90)], Some(70)), old);
    }
}
