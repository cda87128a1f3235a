//! Many decisions at once, each by itself: one that cannot be made leaves the others untouched.

use serde::Serialize;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::memory::{Memory, Status, words};
use crate::store;
use crate::vault::{Vault, approve, edit, reject, undecide};

words! {
    /// What to do with each memory.
    ReviewAction("action") {
        /// Let it in.
        Approve = "approve",
        /// Turn it down.
        Reject = "reject",
        /// Take the decision back.
        Undecide = "undecide",
    }
}

/// What became of it.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Reviewed {
    /// Memories that stand now as was asked.
    pub done: Vec<String>,
    /// Memories that were left as they are.
    pub left: Vec<Left>,
}

/// A memory that was left as it is.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Left {
    /// The memory.
    pub id: String,
    /// What stands in its way.
    pub reason: String,
}

/// Why a flagged proposal is not approved among many: somebody has to have looked at it.
pub(crate) const FLAGGED: &str =
    "is flagged, so it is not approved among others; look at it and approve it by itself";

/// Decides about up to [`limits::PAGE_MAX`] memories. An id given twice counts once.
///
/// # Errors
/// `invalid_argument` for no ids, `too_large` for too many.
pub fn review(
    vault: &Vault<'_>,
    actor: &Actor,
    action: ReviewAction,
    ids: Vec<String>,
) -> Result<Reviewed> {
    actor.require(Permission::Own)?;
    if ids.is_empty() {
        return Err(Error::invalid("ids", "is empty; name at least one memory"));
    }
    if ids.len() > limits::PAGE_MAX {
        let message = format!(
            "has {} ids; one call takes at most {}, so send the rest in further calls",
            ids.len(),
            limits::PAGE_MAX
        );
        return Err(Error::new(Kind::TooLarge, message).in_field("ids"));
    }
    let mut waiting: Vec<String> = Vec::with_capacity(ids.len());
    for id in ids {
        if !waiting.contains(&id) {
            waiting.push(id);
        }
    }
    vault.sql.in_transaction(|| {
        let mut reviewed = Reviewed::default();
        // One decision may stand in the way of taking back another, in whatever order they come; so those that are left
        // get another turn as long as any turn gets something done.
        loop {
            let mut left = Vec::new();
            let before = reviewed.done.len();
            for id in std::mem::take(&mut waiting) {
                match decide(vault, actor, action, &id) {
                    Ok(()) => reviewed.done.push(id),
                    Err(error) if matches!(error.kind, Kind::Internal | Kind::Unavailable) => {
                        return Err(error);
                    }
                    Err(error) => left.push(Left {
                        id,
                        reason: error.message,
                    }),
                }
            }
            let progress = reviewed.done.len() > before;
            if action != ReviewAction::Undecide || !progress || left.is_empty() {
                reviewed.left = left;
                return Ok(reviewed);
            }
            waiting = left.into_iter().map(|left| left.id).collect();
        }
    })
}

fn decide(vault: &Vault<'_>, actor: &Actor, action: ReviewAction, id: &str) -> Result<()> {
    match action {
        ReviewAction::Approve => {
            if edit::find_for_owner(vault, id)?.is_withheld() {
                return Err(Error::conflict(FLAGGED).in_field("id"));
            }
            approve::approve(vault, actor, id, false, None)
        }
        ReviewAction::Reject => reject::reject(vault, actor, id),
        ReviewAction::Undecide => undecide::undecide(vault, actor, id),
    }
    .map(|_| ())
}

/// The answer to a second, other decision, say from another tab: who decided what, and when.
pub(crate) fn decided_already(vault: &Vault<'_>, memory: &Memory) -> Result<Error> {
    let decision = store::decisions::find(vault.sql, &memory.id)?;
    let by = decision.map_or_else(String::new, |decision| {
        format!(" by {} at {}", decision.by, decision.at.rfc3339())
    });
    let message = match memory.status {
        Status::Proposed => "waits for a decision".to_owned(),
        Status::Active if by.is_empty() => "is active, not proposed".to_owned(),
        Status::Active => {
            format!("is active: it was approved{by}; take that back to decide anew")
        }
        Status::Rejected => {
            format!("is rejected: it was turned down{by}; take that back to decide anew")
        }
        Status::Superseded => match &memory.superseded_by {
            Some(other) => format!("is superseded: {other} replaced it"),
            None => "is superseded, not proposed".to_owned(),
        },
    };
    Ok(Error::conflict(message).in_field("id"))
}
