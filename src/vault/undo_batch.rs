//! The owner takes an import back: what it stored goes, what it replaced holds again, and what somebody has worked on
//! since stays, with the reason. Nothing is excluded: the same import may come again.

use serde::Serialize;
use serde_json::json;

use crate::error::Result;
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::batch::BatchState;
use crate::model::memory::{Memory, Status, StatusReason};
use crate::model::time::Timestamp;
use crate::store;
use crate::vault::decide_batch::Left;
use crate::vault::{Vault, batches, supersede};

/// What an undo did.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct UndoneBatch {
    /// The import.
    pub id: String,
    /// When it was taken back: now, or the first time.
    pub undone_at: Timestamp,
    /// Memories destroyed.
    pub removed: usize,
    /// Memories that hold again, or wait again, since what replaced them is gone.
    pub restored: usize,
    /// Memories that stay as they are.
    pub kept: Vec<Left>,
}

/// Takes an import back, in one transaction. A second time finds nothing left to do and answers the same.
///
/// # Errors
/// `not_found`.
pub fn undo_batch(vault: &Vault<'_>, actor: &Actor, id: &str) -> Result<UndoneBatch> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        let mut batch = batches::find(vault, id)?;
        let mut undo = Undo {
            vault,
            actor,
            removed: 0,
            restored: 0,
            kept: Vec::new(),
        };
        // Newest first, so that what one of them replaced within the import holds again before its own turn comes.
        let mut before = (1 << 53) - 1;
        loop {
            let page = store::batches::members(vault.sql, id, before, limits::ROWS_PER_JOB)?;
            let Some((last, _)) = page.last() else { break };
            before = *last;
            for (seq, _) in page {
                if let Some(memory) = store::memories::find_by_seq(vault.sql, seq)? {
                    undo.take_back(memory)?;
                }
            }
        }
        for (known, replaced) in store::batch_items::replacing(vault.sql, id)? {
            undo.give_back(&known, &replaced)?;
        }
        undo.kept.reverse();
        let was_undone = batch.state == BatchState::Undone;
        batch.state = BatchState::Undone;
        let undone_at = *batch.undone_at.get_or_insert(vault.now());
        batch.undo.0 += undo.removed;
        batch.undo.1 += undo.restored;
        if !was_undone || undo.removed + undo.restored > 0 {
            store::batches::save(vault.sql, &batch)?;
            let details = json!({ "removed": undo.removed, "restored": undo.restored, "kept": undo.kept.len() });
            vault.audit(actor, Action::UndoImport, Some(id), Some(details))?;
        }
        Ok(UndoneBatch {
            id: batch.id,
            undone_at,
            removed: batch.undo.0,
            restored: batch.undo.1,
            kept: undo.kept,
        })
    })
}

struct Undo<'a> {
    vault: &'a Vault<'a>,
    actor: &'a Actor,
    removed: usize,
    restored: usize,
    kept: Vec<Left>,
}

impl Undo<'_> {
    fn keep(&mut self, id: String, reason: impl Into<String>) {
        let reason = reason.into();
        self.kept.push(Left { id, reason });
    }

    /// Removes a memory of the import, unless somebody has worked on it since.
    fn take_back(&mut self, memory: Memory) -> Result<()> {
        let sql = self.vault.sql;
        if store::memory_marks::is_edited(sql, memory.seq)? {
            self.keep(memory.id, "was edited since");
            return Ok(());
        }
        if memory.status == Status::Rejected {
            self.keep(memory.id, "was rejected; that no stays");
            return Ok(());
        }
        if memory.status_reason == Some(StatusReason::Replaced) {
            let reason = match &memory.superseded_by {
                Some(by) => format!("was replaced by {by} since, and is its history"),
                None => "was replaced since, and is history".to_owned(),
            };
            self.keep(memory.id, reason);
            return Ok(());
        }
        let replaced = store::memories::replaced_by(sql, &memory.id)?;
        store::memories::destroy(sql, &memory)?;
        self.removed += 1;
        for old in replaced {
            self.restore(old)?;
        }
        Ok(())
    }

    /// Undoes that an item made a memory known before take the place of another.
    fn give_back(&mut self, known: &str, replaced: &str) -> Result<()> {
        let sql = self.vault.sql;
        let (Some(mut known), Some(old)) = (
            store::memories::find(sql, known)?,
            store::memories::find(sql, replaced)?,
        ) else {
            return Ok(());
        };
        if old.superseded_by.as_ref() != Some(&known.id) {
            return Ok(());
        }
        // It names the last of those it replaced. When that one holds again, it goes back to one that it still replaces.
        if known.supersedes.as_ref() == Some(&old.id) {
            let others = store::memories::replaced_by(sql, &known.id)?;
            let other = others.into_iter().find(|other| other.id != old.id);
            known.supersedes = other.map(|other| other.id);
            known.updated_at = self.vault.now();
            store::memories::update(sql, &known)?;
        }
        self.restore(old)
    }

    fn restore(&mut self, old: Memory) -> Result<()> {
        let id = old.id.clone();
        match supersede::restore(self.vault, self.actor, old)? {
            None => self.restored += 1,
            Some(twin) => self.keep(id, format!("stays replaced: {twin} has the same text now")),
        }
        Ok(())
    }
}
