//! Memories of the same text. The hash in the tables brings together whatever may be one text typed again; the text itself
//! decides, since a capital may say something (see `text::identity`).

use crate::dedupe;
use crate::error::Result;
use crate::model::memory::{Memory, Status};
use crate::store;
use crate::store::exclusions::Mark;
use crate::text::identity;
use crate::vault::Vault;

/// The memories of a text's family that `is_same` as it, oldest first.
pub(crate) fn of(
    vault: &Vault<'_>,
    content: &str,
    is_same: impl Fn(&str) -> bool,
) -> Result<Vec<Memory>> {
    let mut known = store::memories::with_hash(vault.sql, &identity::content_hash(content))?;
    known.retain(|memory| is_same(&memory.content));
    Ok(known)
}

/// The memories that hold or held this text, typed again or not.
pub(crate) fn typed_again(vault: &Vault<'_>, content: &str) -> Result<Vec<Memory>> {
    of(vault, content, |known| {
        identity::is_typed_again(known, content)
    })
}

/// Whether a memory stands in force or in the queue.
pub(crate) fn holds(memory: &Memory) -> bool {
    matches!(memory.status, Status::Active | Status::Proposed)
}

/// How the list of what must not come back knows a text.
pub(crate) fn mark(content: &str) -> Mark {
    Mark {
        exact: identity::exact_hash(dedupe::bare(content)),
        family: identity::content_hash(content),
    }
}
