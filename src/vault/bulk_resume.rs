//! Where an import stands: whether a call begins one, goes on with one, or is one that was answered already.
//!
//! An import remembers the hash of its last input. The same input again goes on after the last item taken, or, when all
//! were taken, gets its report again; so a caller who lost an answer repeats the call and neither doubles nor skips.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::actor::Actor;
use crate::model::batch::{Batch, BatchState, Counts, Input, Sources};
use crate::model::ids::IdKind;
use crate::store;
use crate::vault::bulk_remember::{BulkReport, Import, Item};
use crate::vault::{Vault, remember};

/// What a call is to its import.
pub(crate) enum Place {
    /// Its input was taken already; this was the answer.
    Answered(Box<BulkReport>),
    /// It brings items.
    Open(Box<Open>),
}

/// An import that takes items.
pub(crate) struct Open {
    /// The import with the input to go on with.
    pub batch: Batch,
    /// Whether it begins with this call and is in no table yet.
    pub is_new: bool,
    /// Items of the input before this one that were not come to: this input is another, so nobody will.
    pub left_behind: usize,
}

/// The hash of an input. Two files of one text under two names are two inputs.
pub(crate) fn fingerprint(source: Option<&str>, file: Option<&str>, items: &[Item]) -> String {
    struct Hash(Sha256);
    impl std::fmt::Write for Hash {
        fn write_str(&mut self, text: &str) -> std::fmt::Result {
            self.0.update(text.as_bytes());
            Ok(())
        }
    }
    let mut hash = Hash(Sha256::new());
    // Writing into a hash cannot fail.
    let _ = write!(hash, "{source:?} {file:?} {items:?}");
    let digest = hash.0.finalize();
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Where an import is after so much of its input.
pub(crate) fn state(input: &Input) -> BatchState {
    if input.taken < input.total || input.more {
        BatchState::Incomplete
    } else {
        BatchState::Done
    }
}

/// Looks the call's import up. Part of the caller's transaction.
///
/// # Errors
/// On `batch_id`: `not_found` for no import of this caller's, `conflict` for one that was undone. `too_large` for more
/// than [`limits::BATCH_ITEMS`] in all.
pub(crate) fn place(
    vault: &Vault<'_>,
    actor: &Actor,
    import: &Import,
    source: &Option<String>,
    hash: String,
) -> Result<Place> {
    let identity = actor.identity();
    let known = match import.batch_id.as_deref().map(str::trim) {
        Some(id) => Some(own_open_batch(vault, &identity, id)?),
        None => store::batches::open_with_input(vault.sql, &identity, &hash)?,
    };
    let is_new = known.is_none();
    let mut batch = match known {
        Some(batch) => batch,
        None => new_batch(vault, actor, identity)?,
    };
    let is_same_input = !is_new && batch.input.hash == hash;
    if is_same_input && batch.input.taken == batch.input.total {
        return answered(vault, batch, import.more);
    }
    let mut left_behind = 0;
    if !is_same_input {
        left_behind = batch.input.total - batch.input.taken;
        batch.input = Input {
            first: batch.counts.total,
            taken: 0,
            total: import.intake.items.len(),
            hash,
            more: false,
        };
        let mut named = import.file.iter().chain(&import.source);
        if let Some(name) = named.next() {
            batch.sources.add(name);
        }
    }
    batch.input.more = import.more;
    batch.read_as = Some(import.intake.read_as.to_owned());
    batch.source = batch.source.or_else(|| source.clone());
    check_total(batch.input.first + batch.input.total)?;
    Ok(Place::Open(Box::new(Open {
        batch,
        is_new,
        left_behind,
    })))
}

/// Fails with `too_large` for more items than one import takes.
pub(crate) fn check_total(items: usize) -> Result<()> {
    if items <= limits::BATCH_ITEMS {
        return Ok(());
    }
    let message = format!(
        "would make an import of {items} items; one takes at most {}, so cut it in two",
        limits::BATCH_ITEMS
    );
    Err(Error::new(Kind::TooLarge, message).in_field("items"))
}

fn own_open_batch(vault: &Vault<'_>, identity: &str, id: &str) -> Result<Batch> {
    let batch = store::batches::find(vault.sql, id)?
        .filter(|batch| batch.identity.as_deref() == Some(identity))
        .ok_or_else(|| {
            Error::not_found("import of yours with this id; leave batch_id out to begin one")
                .in_field("batch_id")
        })?;
    if batch.state == BatchState::Undone {
        let message = "names an import that was undone; leave it out to begin a new one";
        return Err(Error::conflict(message).in_field("batch_id"));
    }
    Ok(batch)
}

fn new_batch(vault: &Vault<'_>, actor: &Actor, identity: String) -> Result<Batch> {
    Ok(Batch {
        id: vault.new_id(IdKind::Batch)?,
        created_by: actor.label(),
        created_at: vault.now(),
        source: None,
        sources: Sources::default(),
        read_as: None,
        state: BatchState::Incomplete,
        undone_at: None,
        counts: Counts::default(),
        proposed: 0,
        active: 0,
        status: remember::initial_status(vault, actor, false)?,
        identity: Some(identity),
        input: Input::default(),
        undo: (0, 0),
        seq: 0,
    })
}

/// The answer that the last step of this input got. A caller may say with it that nothing follows after all.
fn answered(vault: &Vault<'_>, mut batch: Batch, more: bool) -> Result<Place> {
    if batch.input.more != more {
        batch.input.more = more;
        batch.state = state(&batch.input);
        store::batches::save(vault.sql, &batch)?;
    }
    let last_step = batch.input.total.saturating_sub(1) / limits::BULK_ITEMS * limits::BULK_ITEMS;
    let from = batch.input.first + last_step;
    let items = store::batch_items::list(vault.sql, &batch.id, None, from, limits::BULK_ITEMS)?;
    Ok(Place::Answered(Box::new(BulkReport {
        counts: Counts::of(&items),
        batch_id: Some(batch.id),
        state: batch.state,
        dry_run: false,
        status: batch.status.as_str().to_owned(),
        read_as: batch.read_as.unwrap_or_default(),
        remaining: 0,
        note: None,
        items,
    })))
}
