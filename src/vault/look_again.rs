//! Memories that were stored before this version of the program are looked at again, in the background: what it notices in a
//! text and its labels, and an older one did not, is marked. Nothing else about a memory changes. One in force stays so and
//! shows its flag to the owner and to whoever recalls it; a proposal is withheld until the owner approves it, as a new one is.
//!
//! Characters that nobody sees were taken out when a text was stored, so of hidden text only letters that look like others can
//! still be found.

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::limits;
use crate::model::actor::Actor;
use crate::model::audit::Action;
use crate::model::draft;
use crate::model::memory::Memory;
use crate::store;
use crate::text::hidden;
use crate::vault::Vault;
use crate::vault::agenda::{self, JobKind, Next};

/// The note that says how far it is.
const NOTE: &str = "looked_again";

#[derive(Debug, Serialize, Deserialize)]
struct Note {
    /// The version that looks.
    program: String,
    /// The key to go on from; absent once it has seen all.
    next: Option<i64>,
}

/// Begins unless this version has begun already.
pub(crate) fn ensure(vault: &Vault<'_>) -> Result<()> {
    let note: Option<Note> = store::notes::get(vault.sql, NOTE)?;
    match note {
        Some(note) if note.program == env!("CARGO_PKG_VERSION") => Ok(()),
        _ => vault.sql.in_transaction(|| begin(vault)),
    }
}

/// Begins anew: the memories are others. In an empty vault all is seen. Part of the caller's transaction.
pub(crate) fn begin(vault: &Vault<'_>) -> Result<()> {
    if store::memory_text::to_rebuild(vault.sql, 0, 1)?.is_empty() {
        return put(vault, None);
    }
    put(vault, Some(0))?;
    agenda::schedule(vault, JobKind::LookAgain, vault.now())
}

fn put(vault: &Vault<'_>, next: Option<i64>) -> Result<()> {
    let program = env!("CARGO_PKG_VERSION").to_owned();
    store::notes::put(vault.sql, NOTE, &Note { program, next })
}

/// Looks at the next memories (the alarm's job).
pub(crate) fn look(vault: &Vault<'_>) -> Result<Next> {
    let note: Option<Note> = store::notes::get(vault.sql, NOTE)?;
    let Some(from) = note.and_then(|note| note.next) else {
        return Ok(Next::Done);
    };
    let keys = store::memory_text::to_rebuild(vault.sql, from, limits::ROWS_PER_JOB)?;
    for key in &keys {
        if let Some(memory) = store::memories::find_by_seq(vault.sql, *key)? {
            mark(vault, &memory)?;
        }
    }
    let next = keys.last().map(|last| last + 1);
    put(vault, next)?;
    Ok(next.map_or(Next::Done, |_| Next::Again(vault.now())))
}

fn mark(vault: &Vault<'_>, memory: &Memory) -> Result<()> {
    let labels = [&memory.session, &memory.author, &memory.source];
    let noticed = draft::flags(
        hidden::is_in(&memory.content),
        &memory.content,
        labels,
        &memory.tags,
    );
    let mut flags = memory.flags.clone();
    flags.extend(
        noticed
            .into_iter()
            .filter(|flag| !memory.flags.contains(flag)),
    );
    if flags.len() == memory.flags.len() {
        return Ok(());
    }
    store::memory_marks::set_flags(vault.sql, memory.seq, &flags)?;
    let words: Vec<&str> = flags.iter().map(|flag| flag.as_str()).collect();
    vault.audit(
        &Actor::Vault,
        Action::Flag,
        Some(&memory.id),
        Some(serde_json::json!({ "flags": words })),
    )
}
