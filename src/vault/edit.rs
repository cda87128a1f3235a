//! The owner changes a memory. Its earlier text is kept as history; the checks of a new text run again.

use serde::{Deserialize, Deserializer};

use crate::error::{Error, Kind, Result};
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::draft;
use crate::model::flag::Flag;
use crate::model::memory::{Memory, MemoryType, Status, Tier};
use crate::model::source_date::SourceDate;
use crate::store;
use crate::text;
use crate::vault::encounter::{self, Bringer, Encounter};
use crate::vault::likeness::{self, Likeness};
use crate::vault::queue::Queue;
use crate::vault::{Vault, expire, sense, supersede, twins};

/// A change: absent fields stay, `null` empties those that may be empty.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Patch {
    /// A new text.
    pub content: Option<String>,
    /// A new type.
    #[serde(rename = "type")]
    pub memory_type: Option<String>,
    /// A new tier; `short` starts its time anew.
    pub tier: Option<String>,
    /// 0 to 1.
    pub importance: Option<f64>,
    /// All tags, replacing the old ones.
    pub tags: Option<Vec<String>>,
    /// The sitting.
    #[serde(default, deserialize_with = "present")]
    pub session: Option<Option<String>>,
    /// Who said it.
    #[serde(default, deserialize_with = "present")]
    pub author: Option<Option<String>>,
    /// Where from.
    #[serde(default, deserialize_with = "present")]
    pub source: Option<Option<String>>,
    /// When.
    #[serde(default, deserialize_with = "present")]
    pub source_date: Option<Option<String>>,
    /// What a proposal would replace.
    #[serde(default, deserialize_with = "present")]
    pub supersedes: Option<Option<String>>,
}

/// Tells a `null` apart from an absent field.
fn present<'de, D: Deserializer<'de>>(
    value: D,
) -> std::result::Result<Option<Option<String>>, D::Error> {
    Option::<String>::deserialize(value).map(Some)
}

/// Changes an active or proposed memory.
///
/// # Errors
/// `not_found`; `conflict` for a memory that is history; `duplicate` when another memory has the new text; whatever the
/// fields' own checks say.
pub fn edit(vault: &Vault<'_>, actor: &Actor, id: &str, patch: Patch) -> Result<Memory> {
    actor.require(Permission::Own)?;
    vault.sql.in_transaction(|| {
        let memory = find_for_owner(vault, id)?;
        apply(vault, actor, memory, patch)
    })
}

/// The memory with this id, for an operation of the owner's.
pub(crate) fn find_for_owner(vault: &Vault<'_>, id: &str) -> Result<Memory> {
    store::memories::find(vault.sql, id)?
        .ok_or_else(|| Error::not_found("memory with this id").in_field("id"))
}

/// Checks and writes a change. Part of the caller's transaction.
pub(crate) fn apply(
    vault: &Vault<'_>,
    actor: &Actor,
    memory: Memory,
    patch: Patch,
) -> Result<Memory> {
    if !matches!(memory.status, Status::Active | Status::Proposed) {
        return Err(Error::conflict(format!(
            "is {}; history is not edited",
            memory.status.as_str()
        ))
        .in_field("id"));
    }
    let checks_likeness =
        patch.content.is_some() || patch.author.is_some() || patch.source_date.is_some();
    let likeness = checks_likeness
        .then(|| Likeness::begin(vault))
        .transpose()?;
    let before = memory.clone();
    let mut after = memory;
    // What was hidden has been taken out when the text came; a new text is looked at anew.
    let hidden = match &patch.content {
        Some(content) => text::hidden::is_in(content),
        None => before.flags.contains(&Flag::HiddenText),
    };
    if let Some(content) = patch.content {
        change_text(vault, actor, &mut after, content)?;
    }
    if let Some(word) = patch.memory_type {
        after.memory_type = MemoryType::parse(&word)?;
    }
    if let Some(word) = patch.tier {
        after.tier = Tier::parse(&word)?;
        if after.status == Status::Active {
            expire::start_clock(vault, &mut after)?;
        }
    }
    if patch.importance.is_some() {
        after.importance = draft::check_importance(patch.importance)?;
    }
    if let Some(tags) = patch.tags {
        after.tags = draft::check_tags(tags)?;
    }
    if let Some(session) = patch.session {
        after.session = draft::check_label("session", session)?;
    }
    if let Some(author) = patch.author {
        after.author = draft::check_label("author", author)?;
    }
    if let Some(source) = patch.source {
        after.source = draft::check_label("source", source)?;
    }
    if let Some(date) = patch.source_date {
        change_date(vault, &mut after, date)?;
    }
    if let Some(supersedes) = patch.supersedes {
        change_target(
            vault,
            actor,
            &mut after,
            draft::check_label("supersedes", supersedes)?,
        )?;
    }
    let labels = [&after.session, &after.author, &after.source];
    after.flags = draft::flags(hidden, &after.content, labels, &after.tags);
    if after == before {
        return Ok(before);
    }
    after.updated_at = vault.now();
    let sense = sense::of(vault, &after)?;
    if let Some(mut likeness) = likeness.filter(|_| says_something_else(&before, &after)) {
        let found = likeness.judge(vault, &after, &sense, &mut Queue::default())?;
        likeness::link(&mut after, &found);
        store::conflicts::set(vault.sql, after.seq, likeness::conflicts(&found))?;
    }
    store::memories::update(vault.sql, &after)?;
    if after.content != before.content {
        store::history::insert(vault.sql, &before, after.updated_at, &actor.label())?;
    }
    store::memory_marks::set_edited(vault.sql, after.seq, after.updated_at)?;
    store::memories::reindex(vault.sql, &after)?;
    store::sense::put(vault.sql, after.seq, &sense)?;
    vault.audit(
        actor,
        Action::Edit,
        Some(&after.id),
        Some(serde_json::json!({ "fields": changed_fields(&before, &after) })),
    )?;
    Ok(after)
}

/// Whether a change may make a memory a repetition, or a contradiction, of another.
fn says_something_else(before: &Memory, after: &Memory) -> bool {
    before.content != after.content
        || before.author != after.author
        || before.source_date != after.source_date
}

fn change_text(
    vault: &Vault<'_>,
    actor: &Actor,
    memory: &mut Memory,
    content: String,
) -> Result<()> {
    let content = draft::check_content(Some(content))?;
    let content_hash = text::identity::content_hash(&content);
    if !text::identity::is_typed_again(&content, &memory.content) {
        let mut known = twins::typed_again(vault, &content)?;
        known.retain(|other| other.id != memory.id);
        let mark = twins::mark(&content);
        let excluded = store::exclusions::contains(vault.sql, &mark)?;
        match encounter::decide(&known, excluded, Bringer::OwnerByHand, None, None)? {
            Encounter::Store {
                lifts_exclusion: false,
            } => {}
            Encounter::Store {
                lifts_exclusion: true,
            } => {
                store::exclusions::lift(vault.sql, &mark)?;
                vault.audit(actor, Action::LiftExclusion, Some(&memory.id), None)?;
            }
            Encounter::Duplicate(id) | Encounter::Keep(id) => {
                return Err(
                    Error::new(Kind::Duplicate, format!("is the text of {id} already"))
                        .in_field("content"),
                );
            }
        }
    }
    memory.content = content;
    memory.content_hash = content_hash;
    Ok(())
}

fn change_date(vault: &Vault<'_>, memory: &mut Memory, date: Option<String>) -> Result<()> {
    let date = draft::check_source_date(date)?;
    memory.dated_at = match &date {
        Some(date) => date.instant(&vault.zone()?),
        None => memory.created_at,
    };
    memory.valid_from = memory.dated_at;
    memory.source_date = date.as_ref().map(SourceDate::to_text);
    Ok(())
}

fn change_target(
    vault: &Vault<'_>,
    actor: &Actor,
    memory: &mut Memory,
    supersedes: Option<String>,
) -> Result<()> {
    if supersedes == memory.supersedes {
        return Ok(());
    }
    if memory.status != Status::Proposed {
        return Err(
            Error::conflict("can only be changed while the memory is proposed")
                .in_field("supersedes"),
        );
    }
    if let Some(id) = &supersedes {
        if *id == memory.id {
            return Err(Error::invalid("supersedes", "names the memory itself"));
        }
        let old = supersede::target(vault, actor, id)?;
        supersede::check_no_circle(vault, &memory.id, &old)?;
    }
    memory.supersedes = supersedes;
    Ok(())
}

/// Names of the fields that differ, for the audit log.
fn changed_fields(before: &Memory, after: &Memory) -> Vec<&'static str> {
    [
        ("content", before.content != after.content),
        ("type", before.memory_type != after.memory_type),
        ("tier", before.tier != after.tier),
        ("importance", before.importance != after.importance),
        ("tags", before.tags != after.tags),
        ("session", before.session != after.session),
        ("author", before.author != after.author),
        ("source", before.source != after.source),
        ("source_date", before.source_date != after.source_date),
        ("supersedes", before.supersedes != after.supersedes),
    ]
    .into_iter()
    .filter_map(|(name, changed)| changed.then_some(name))
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn null_empties_a_field_and_absence_leaves_it() {
        let patch: Patch = serde_json::from_str(r#"{"source":null,"author":"Ada"}"#).unwrap();
        assert_eq!(
            (patch.source, patch.author, patch.session),
            (Some(None), Some(Some("Ada".into())), None)
        );
        assert!(serde_json::from_str::<Patch>(r#"{"status":"active"}"#).is_err());
    }
}
