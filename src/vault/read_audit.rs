//! Reading the audit log.

use serde::Serialize;

use crate::error::Result;
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::{AuditEntry, AuditFilter};
use crate::model::page::{self, Cursor};
use crate::store;
use crate::vault::Vault;

/// A page of the log, newest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AuditPage {
    /// The page.
    pub entries: Vec<AuditEntry>,
    /// Where the next page begins; absent on the last.
    pub next_cursor: Option<String>,
    /// All rows the filter lets through.
    pub total: i64,
}

/// Lists rows.
pub fn read_audit(
    vault: &Vault<'_>,
    actor: &Actor,
    filter: AuditFilter,
    limit: Option<i64>,
    cursor: Option<&str>,
) -> Result<AuditPage> {
    actor.require(Permission::Own)?;
    let limit = page::limit(limit, limits::PAGE_DEFAULT, limits::PAGE_MAX)?;
    let name = format!("audit {filter:?}");
    let newest = (1 << 53) - 1;
    let before = cursor
        .map(|cursor| Cursor::decode(cursor, &name))
        .transpose()?
        .map_or(newest, |cursor| cursor.key);
    let mut entries = store::audit::list(vault.sql, &filter, before, limit + 1)?;
    let more = entries.len() > limit;
    entries.truncate(limit);
    let next_cursor = entries
        .last()
        .filter(|_| more)
        .map(|last| Cursor::new(&name, last.seq, 0).encode());
    Ok(AuditPage {
        entries,
        next_cursor,
        total: store::audit::count(vault.sql, &filter)?,
    })
}
