//! The list of texts that must not come back (their hashes).

use serde::Serialize;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::page::{self, Cursor};
use crate::store;
use crate::store::exclusions::Exclusion;
use crate::vault::Vault;

const LIST: &str = "exclusions";

/// A page of exclusions, newest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Exclusions {
    /// The page.
    pub exclusions: Vec<Exclusion>,
    /// Where the next page begins; absent on the last.
    pub next_cursor: Option<String>,
    /// All exclusions.
    pub total: i64,
}

/// Lists exclusions.
pub fn list_exclusions(
    vault: &Vault<'_>,
    actor: &Actor,
    limit: Option<i64>,
    cursor: Option<&str>,
) -> Result<Exclusions> {
    actor.require(Permission::Own)?;
    let limit = page::limit(limit, limits::PAGE_DEFAULT, limits::PAGE_MAX)?;
    let offset = cursor
        .map(|cursor| Cursor::decode(cursor, LIST))
        .transpose()?
        .map_or(0, |cursor| cursor.key);
    let mut exclusions = store::exclusions::list(vault.sql, offset, limit + 1)?;
    let more = exclusions.len() > limit;
    exclusions.truncate(limit);
    let next_cursor = more.then(|| Cursor::new(LIST, offset + limit as i64, 0).encode());
    Ok(Exclusions {
        exclusions,
        next_cursor,
        total: store::exclusions::count(vault.sql)?,
    })
}

/// Lets a text be stored again.
///
/// # Errors
/// `not_found`.
pub fn lift_exclusion(vault: &Vault<'_>, actor: &Actor, content_hash: &str) -> Result<()> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        if !store::exclusions::delete(vault.sql, content_hash)? {
            return Err(Error::not_found("exclusion with this hash"));
        }
        vault.audit(actor, Action::LiftExclusion, Some(content_hash), None)
    })
}
