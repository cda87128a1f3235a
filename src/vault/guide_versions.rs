//! Earlier versions of the guide: one by its number, what changed between two, and going back to one.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::model::actor::{Actor, Permission};
use crate::model::guide::Guide;
use crate::store;
use crate::text::diff::{self, Line};
use crate::vault::{Vault, guide};

/// What changed between two versions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GuideDiff {
    /// The older side.
    pub from: i64,
    /// The newer side.
    pub to: i64,
    /// Line by line.
    pub lines: Vec<Line>,
}

/// One version.
///
/// # Errors
/// `not_found` on field `version`.
pub fn get_version(vault: &Vault<'_>, actor: &Actor, version: i64) -> Result<Guide> {
    actor.require(Permission::Own)?;
    find(vault, version, "version")
}

fn find(vault: &Vault<'_>, version: i64, field: &str) -> Result<Guide> {
    store::guide::find(vault.sql, version)?
        .ok_or_else(|| Error::not_found("version of the guide with this number").in_field(field))
}

/// What changed from one version to another, in either direction.
///
/// # Errors
/// `not_found` on field `from` or `to`.
pub fn diff(vault: &Vault<'_>, actor: &Actor, from: i64, to: i64) -> Result<GuideDiff> {
    actor.require(Permission::Own)?;
    let (old, new) = (find(vault, from, "from")?, find(vault, to, "to")?);
    Ok(GuideDiff {
        from,
        to,
        lines: diff::lines(&old.content, &new.content),
    })
}

/// Makes an earlier version's text the newest version; nothing in between is lost. The version in force makes no new one.
///
/// # Errors
/// `not_found` on field `version`; `conflict` on field `expected_version` when another change came in between.
pub fn restore(
    vault: &Vault<'_>,
    actor: &Actor,
    version: i64,
    expected_version: Option<i64>,
) -> Result<Guide> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        let old = find(vault, version, "version")?;
        guide::put_guide(vault, actor, &old.content, expected_version)
    })
}
