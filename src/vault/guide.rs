//! The Operating Guide: read by everyone, written by the owner, every version kept.

use serde::Serialize;

use crate::error::{Error, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::guide::{self, Guide};
use crate::model::page::{self, Cursor};
use crate::store;
use crate::vault::Vault;

const VERSIONS: &str = "guide versions";

/// The version in force.
pub fn get_guide(vault: &Vault<'_>, actor: &Actor) -> Result<Guide> {
    actor.require(Permission::Read)?;
    store::guide::current(vault.sql)?.ok_or_else(|| Error::internal("the guide has no version"))
}

/// Writes a new version. The text in force, written again, makes none. With `expected_version`, a change that came in
/// between is not overwritten.
///
/// # Errors
/// `invalid_argument`, `too_large`, or `conflict` on field `expected_version`.
pub fn put_guide(
    vault: &Vault<'_>,
    actor: &Actor,
    content: &str,
    expected_version: Option<i64>,
) -> Result<Guide> {
    actor.require(Permission::Own)?;
    let content = guide::check(content)?;
    vault.sql.in_transaction(|| {
        let current = get_guide(vault, actor)?;
        if expected_version.is_some_and(|expected| expected != current.version) {
            let message = format!(
                "is not {}; the guide was changed meanwhile, look at that version first",
                current.version
            );
            return Err(Error::conflict(message).in_field("expected_version"));
        }
        if content == current.content {
            return Ok(current);
        }
        let new = Guide {
            version: current.version + 1,
            content,
            created_at: vault.now(),
            created_by: actor.label(),
        };
        store::guide::insert(vault.sql, &new)?;
        vault.audit(
            actor,
            Action::ChangeGuide,
            None,
            Some(serde_json::json!({ "version": new.version })),
        )?;
        Ok(new)
    })
}

/// A page of versions, newest first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Versions {
    /// With their texts.
    pub versions: Vec<Guide>,
    /// Where the next page begins; absent on the last.
    pub next_cursor: Option<String>,
    /// All versions.
    pub total: i64,
}

/// Lists versions.
pub fn list_versions(
    vault: &Vault<'_>,
    actor: &Actor,
    limit: Option<i64>,
    cursor: Option<&str>,
) -> Result<Versions> {
    actor.require(Permission::Own)?;
    let limit = page::limit(limit, limits::PAGE_DEFAULT, limits::PAGE_MAX)?;
    let before = cursor
        .map(|cursor| Cursor::decode(cursor, VERSIONS))
        .transpose()?
        .map_or(i64::from(i32::MAX), |cursor| cursor.key);
    let mut versions = store::guide::list(vault.sql, before, limit + 1)?;
    let more = versions.len() > limit;
    versions.truncate(limit);
    let next_cursor = versions
        .last()
        .filter(|_| more)
        .map(|last| Cursor::new(VERSIONS, last.version, 0).encode());
    Ok(Versions {
        versions,
        next_cursor,
        total: store::guide::count(vault.sql)?,
    })
}
