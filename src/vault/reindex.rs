//! Makes the derived data of recall anew.

use crate::error::Result;
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::store;
use crate::store::index_jobs::IndexState;
use crate::vault::agenda::{self, JobKind, Next};
use crate::vault::{Vault, indexing, sense};

/// Lets the indexes in memory be filled anew, tries again what was given up, and sends to Vectorize what it should have; with
/// `reembed` the full text and every memory's vectors and words are made anew in the background as well, while the old ones
/// serve. Nothing is lost by it: all of it comes from the memories themselves. How far it is, the status says.
pub fn reindex(vault: &Vault<'_>, actor: &Actor, reembed: bool) -> Result<()> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        sense::renew(vault, reembed)?;
        indexing::renew(vault, reembed)?;
        if reembed {
            set_text_next(vault, Some(0))?;
            agenda::schedule(vault, JobKind::RefreshText, vault.now())?;
        }
        vault.audit(
            actor,
            Action::Reindex,
            None,
            Some(serde_json::json!({ "reembed": reembed })),
        )
    })
}

/// Makes the full text anew (the alarm's job), some memories at a time.
pub(crate) fn refresh_text(vault: &Vault<'_>) -> Result<Next> {
    let Some(next) = store::index_jobs::state(vault.sql)?.text_next else {
        return Ok(Next::Done);
    };
    let seqs = store::memory_text::to_rebuild(vault.sql, next, limits::ROWS_PER_JOB)?;
    for seq in &seqs {
        if let Some(memory) = store::memories::find_by_seq(vault.sql, *seq)? {
            store::memory_text::delete(vault.sql, *seq)?;
            store::memory_text::insert(vault.sql, *seq, &memory)?;
        }
    }
    match seqs.last() {
        Some(last) => {
            set_text_next(vault, Some(last + 1))?;
            Ok(Next::Again(vault.now()))
        }
        None => {
            store::memory_text::delete_orphans(vault.sql)?;
            set_text_next(vault, None)?;
            Ok(Next::Done)
        }
    }
}

fn set_text_next(vault: &Vault<'_>, text_next: Option<i64>) -> Result<()> {
    let state = store::index_jobs::state(vault.sql)?;
    store::index_jobs::set_state(vault.sql, &IndexState { text_next, ..state })
}
