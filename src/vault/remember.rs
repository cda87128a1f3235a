//! Remember and propose: one text in, one memory out, or the one that was there already.

use serde::{Deserialize, Serialize};

use crate::embed::vector::Vector;
use crate::error::{Error, Result};
use crate::model::actor::{Actor, Permission, ServiceRole};
use crate::model::audit::Action;
use crate::model::batch::{ItemOutcome, ItemReport};
use crate::model::draft::{CheckedDraft, Draft};
use crate::model::memory::{Memory, Status};
use crate::model::settings::Mode;
use crate::store;
use crate::store::look_alikes::Known;
use crate::vault::encounter::{self, Bringer, Encounter};
use crate::vault::idempotency::Key;
use crate::vault::likeness::{self, Likeness};
use crate::vault::queue::Queue;
use crate::vault::{
    Vault, approve, edit, expire, keep, new_memory, rates, sense, supersede, twins,
};

/// Whether the text was new.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// A memory was made.
    Stored,
    /// The text was there.
    Duplicate,
    /// The same was there in other words.
    NearDuplicate,
}

/// The answer: what happened, and the memory it happened to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Remembered {
    /// Whether the text was new.
    pub outcome: Outcome,
    /// Why a near-duplicate was not stored, or what a stored memory resembles and in what they differ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// How alike a near-duplicate is to the memory that was there, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub likeness: Option<f64>,
    /// The memory, new or old.
    #[serde(flatten)]
    pub memory: Memory,
}

impl Remembered {
    pub(crate) fn new(outcome: Outcome, memory: Memory) -> Self {
        Remembered {
            outcome,
            reason: None,
            likeness: None,
            memory,
        }
    }

    /// What an import says of the item. `status` is where the import's items stand; `warning` is about the item itself.
    pub(crate) fn report(
        self,
        index: usize,
        status: Status,
        warning: Option<String>,
    ) -> ItemReport {
        let (outcome, stored) = match self.outcome {
            Outcome::Stored => (ItemOutcome::Stored, true),
            Outcome::Duplicate => (ItemOutcome::Duplicate, false),
            Outcome::NearDuplicate => (ItemOutcome::NearDuplicate, false),
        };
        ItemReport {
            reason: self.reason,
            warning,
            status: (stored && self.memory.status != status).then_some(self.memory.status),
            similarity: if stored {
                self.memory.similarity
            } else {
                self.likeness
            },
            similar_to: self.memory.similar_to.filter(|_| stored),
            id: Some(self.memory.id),
            ..ItemReport::new(index, outcome)
        }
    }
}

/// What is kept of the answer under an idempotency key.
#[derive(Serialize, Deserialize)]
struct Receipt {
    outcome: Outcome,
    id: String,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default)]
    likeness: Option<f64>,
}

/// How a text is to be taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Manner {
    /// It waits for the owner whatever the mode.
    pub propose: bool,
    /// The owner has seen that it says the same as another memory, and wants both.
    pub keep_both: bool,
}

/// Stores a text. The owner's becomes active; an agent's is active in auto mode and proposed in review mode, or always
/// proposed if so wanted. With `supersedes`, the older memory is replaced as soon as the new one is active. What says the
/// same as another memory in other words is not stored; the answer names that memory.
///
/// # Errors
/// `invalid_argument`, `too_large`, `not_found`, `conflict` naming the field; `excluded` when the text was forgotten or
/// rejected and an agent brings it again. Nothing is written then.
pub fn remember(
    vault: &Vault<'_>,
    actor: &Actor,
    draft: Draft,
    manner: Manner,
    idempotency_key: Option<&str>,
) -> Result<Remembered> {
    actor.require(Permission::Write)?;
    let draft = draft.check()?;
    let key = idempotency_key
        .map(|key| Key::new(key, &format!("remember {manner:?} {draft:?}")))
        .transpose()?;
    vault.sql.in_transaction(|| {
        if let Some(receipt) = key
            .as_ref()
            .map(|key| key.answered::<Receipt>(vault, actor))
            .transpose()?
            .flatten()
        {
            let memory = store::memories::find(vault.sql, &receipt.id)?;
            let gone = || {
                Error::conflict(
                    "was used for a memory that has been forgotten since; use a new key",
                )
                .in_field("idempotency_key")
            };
            return Ok(Remembered {
                outcome: receipt.outcome,
                reason: receipt.reason,
                likeness: receipt.likeness,
                memory: memory.ok_or_else(gone)?,
            });
        }
        let bringer = if actor.is_owner() {
            Bringer::OwnerByHand
        } else {
            Bringer::Agent
        };
        let status = initial_status(vault, actor, manner.propose)?;
        let keep_both = manner.keep_both && actor.is_owner();
        let mut likeness = Likeness::begin(vault)?.keeping_both(keep_both);
        let mut queue = Queue::default();
        let incoming = Incoming {
            draft,
            status,
            bringer,
            batch_id: None,
        };
        let stored = store_draft(vault, actor, incoming, &mut likeness, &mut queue)?;
        queue.flush(vault)?;
        if stored.outcome == Outcome::Stored {
            let action = if stored.memory.status == Status::Active {
                Action::Remember
            } else {
                Action::Propose
            };
            vault.audit(actor, action, Some(&stored.memory.id), None)?;
            rates::note_written(vault, actor, 1)?;
        }
        if let Some(key) = &key {
            key.remember(
                vault,
                actor,
                &Receipt {
                    outcome: stored.outcome,
                    id: stored.memory.id.clone(),
                    reason: stored.reason.clone(),
                    likeness: stored.likeness,
                },
            )?;
        }
        Ok(stored)
    })
}

/// The status a write of this actor begins with. What a program with the role `import` brings always waits: nobody saw it.
pub(crate) fn initial_status(vault: &Vault<'_>, actor: &Actor, propose: bool) -> Result<Status> {
    let importer = matches!(
        actor,
        Actor::Service {
            role: ServiceRole::Import,
            ..
        }
    );
    let waits =
        propose || importer || (!actor.is_owner() && vault.settings()?.mode == Mode::Review);
    Ok(if waits {
        Status::Proposed
    } else {
        Status::Active
    })
}

/// A checked draft on its way in.
pub(crate) struct Incoming<'a> {
    pub(crate) draft: CheckedDraft,
    /// The status it gets if nothing speaks against it.
    pub(crate) status: Status,
    pub(crate) bringer: Bringer,
    /// The import it belongs to.
    pub(crate) batch_id: Option<&'a str>,
}

/// Decides about one checked draft and puts it into the queue, which the caller flushes. Runs inside the caller's transaction;
/// the caller audits what was stored.
pub(crate) fn store_draft(
    vault: &Vault<'_>,
    actor: &Actor,
    incoming: Incoming<'_>,
    likeness: &mut Likeness,
    queue: &mut Queue,
) -> Result<Remembered> {
    let Incoming {
        draft,
        status,
        bringer,
        batch_id,
    } = incoming;
    let mark = twins::mark(&draft.content);
    let is_fresh = queue.is_fresh(&draft.content_hash);
    if !is_fresh {
        queue.flush(vault)?;
    }
    let looked_up = if is_fresh && queue.is_fresh(&mark.exact) {
        Known::default()
    } else {
        let known = store::look_alikes::known(vault.sql, &mark)?;
        queue.note(known);
        known
    };
    let mut excluded = looked_up.excluded;
    let known = if looked_up.stored {
        twins::of(vault, &draft.content, |known| {
            likeness.is_same(known, &draft.content)
        })?
    } else {
        Vec::new()
    };
    if draft.supersedes.is_some() {
        queue.flush(vault)?;
    }
    if !excluded && bringer != Bringer::OwnerByHand {
        excluded = likeness::core_is_excluded(vault, &draft.content, queue)?;
    }
    let dated = match draft.source_date.filter(|_| !known.is_empty()) {
        Some(date) => Some(date.instant(&vault.zone()?)),
        None => None,
    };
    let met = encounter::decide(
        &known,
        excluded,
        bringer,
        draft.supersedes.as_deref(),
        dated,
    )?;
    let there = match &met {
        Encounter::Duplicate(id) => Some(edit::find_for_owner(vault, id)?),
        Encounter::Keep(id) => Some(keep::keep_found(vault, actor, id)?),
        Encounter::Store { .. } => None,
    };
    if let Some(memory) = there {
        let supersedes = draft.supersedes.as_deref();
        return known_text(vault, actor, memory, status, bringer, supersedes);
    }
    let lifts_exclusion = met
        == Encounter::Store {
            lifts_exclusion: true,
        };
    // What was noticed waits for the owner, unless the owner wrote it by hand.
    let status = if draft.flags.is_empty() || bringer == Bringer::OwnerByHand {
        status
    } else {
        Status::Proposed
    };
    let replaced = draft
        .supersedes
        .as_deref()
        .map(|id| supersede::target(vault, actor, id))
        .transpose()?;
    let mut memory = new_memory::new_memory(vault, actor, draft, status, batch_id)?;
    let sense = sense::of(vault, &memory)?;
    let vector = Vector::from_bytes(&sense.vector).unwrap_or(Vector::ZERO);
    let found = likeness.judge(vault, &memory, &sense, queue)?;
    if let Some((same, alike)) = likeness
        .repeated(&found, &memory, bringer)
        .filter(|_| !lifts_exclusion)
    {
        return Ok(Remembered {
            outcome: Outcome::NearDuplicate,
            reason: Some(likeness::reason(same, alike)),
            likeness: Some(alike),
            memory: same.clone(),
        });
    }
    likeness::link(&mut memory, &found);
    let mut conflicts = likeness::conflicts(&found).to_vec();
    let in_its_place = match memory.supersedes {
        None => supersede::in_place_of(vault, &known)?,
        Some(_) => None,
    };
    if let Some(other) = &in_its_place {
        likeness::contradicts(&mut memory, &mut conflicts, other);
    }
    if memory.similar_to.is_some()
        && memory.supersedes.is_none()
        && bringer == Bringer::OwnerImport
        && vault.settings()?.mode == Mode::Review
    {
        // Nobody read it item by item; what resembles another memory is for the owner to see beside it.
        memory.status = Status::Proposed;
    }
    let status = memory.status;
    if lifts_exclusion {
        store::exclusions::lift(vault.sql, &mark)?;
        vault.audit(actor, Action::LiftExclusion, Some(&memory.id), None)?;
    }
    if status == Status::Active {
        expire::start_clock(vault, &mut memory)?;
    }
    let stems = likeness::stems_of(&sense);
    queue.push(vault, &mut memory, sense, conflicts)?;
    if let (Some(old), Status::Active) = (replaced, status) {
        queue.flush(vault)?;
        supersede::replace(vault, actor, old, &memory)?;
    }
    likeness.stored(vault, &memory, vector, stems);
    Ok(Remembered {
        reason: match in_its_place {
            Some(other) => Some(format!("held once, and {} replaced it", other.id)),
            None => likeness::remark(&found),
        },
        ..Remembered::new(Outcome::Stored, memory)
    })
}

/// The text is there already. The owner's own word lets it in if it waited; and it may still say that it replaces
/// another memory, which then happens or is refused, but is never dropped in silence.
fn known_text(
    vault: &Vault<'_>,
    actor: &Actor,
    mut memory: Memory,
    status: Status,
    bringer: Bringer,
    supersedes: Option<&str>,
) -> Result<Remembered> {
    if bringer == Bringer::OwnerByHand
        && status == Status::Active
        && memory.status == Status::Proposed
    {
        memory = approve::approve_found(vault, actor, memory, false)?;
    }
    if let Some(id) = supersedes {
        if status != Status::Active || memory.status != Status::Active {
            let message = format!(
                "cannot be done, since the text is known already as {}; ask the person to replace the other one",
                memory.id
            );
            return Err(Error::conflict(message).in_field("supersedes"));
        }
        let old = supersede::target(vault, actor, id)?;
        supersede::check_no_circle(vault, &memory.id, &old)?;
        memory.supersedes = Some(old.id.clone());
        memory.updated_at = vault.now();
        store::memories::update(vault.sql, &memory)?;
        supersede::replace(vault, actor, old, &memory)?;
    }
    Ok(Remembered::new(Outcome::Duplicate, memory))
}
