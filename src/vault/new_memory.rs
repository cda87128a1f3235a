//! A checked draft becomes a memory that is not stored yet.

use crate::error::Result;
use crate::model::actor::Actor;
use crate::model::draft::CheckedDraft;
use crate::model::ids::IdKind;
use crate::model::memory::{Memory, Status};
use crate::model::source_date::SourceDate;
use crate::vault::Vault;

/// The memory, with an id and without a key.
pub(crate) fn new_memory(
    vault: &Vault<'_>,
    actor: &Actor,
    draft: CheckedDraft,
    status: Status,
    batch_id: Option<&str>,
) -> Result<Memory> {
    let now = vault.now();
    let dated_at = match &draft.source_date {
        Some(date) => date.instant(&vault.zone()?),
        None => now,
    };
    Ok(Memory {
        id: vault.new_id(IdKind::Memory)?,
        status,
        status_reason: None,
        content: draft.content,
        content_hash: draft.content_hash,
        memory_type: draft.memory_type,
        tier: draft.tier,
        importance: draft.importance,
        tags: draft.tags,
        session: draft.session,
        author: draft.author,
        source: tagged(draft.source, actor),
        source_date: draft.source_date.as_ref().map(SourceDate::to_text),
        supersedes: draft.supersedes,
        superseded_by: None,
        valid_from: dated_at,
        valid_until: None,
        similar_to: None,
        similarity: None,
        may_conflict_with: Vec::new(),
        flags: draft.flags,
        stale: None,
        batch_id: batch_id.map(str::to_owned),
        created_by: actor.label(),
        created_at: now,
        updated_at: now,
        expires_at: None,
        forget_requested_at: None,
        forget_requested_by: None,
        seq: 0,
        dated_at,
    })
}

/// What is kept of a client's name beside a source.
const CLIENT_CHARS: usize = 60;

/// Where an app's memory comes from: what the app says, and the app itself, which cannot be left out or made up.
fn tagged(source: Option<String>, actor: &Actor) -> Option<String> {
    let Actor::Agent { client, .. } = actor else {
        return source;
    };
    let client: String = client.chars().take(CLIENT_CHARS).collect();
    let tag = format!("(via {client})");
    Some(match source {
        None => client,
        Some(source) if source.ends_with(&tag) => source,
        Some(source) => format!("{source} {tag}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::scope::Scopes;

    #[test]
    fn an_apps_memory_says_through_which_app_it_came() {
        let agent = Actor::Agent {
            client: "Claude".into(),
            grant: String::new(),
            token: String::new(),
            scopes: Scopes::NONE,
        };
        let source = |text: &str| tagged(Some(text.to_owned()), &agent);
        assert_eq!(source("diary").as_deref(), Some("diary (via Claude)"));
        assert_eq!(
            source("diary (via Claude)").as_deref(),
            Some("diary (via Claude)")
        );
        assert_eq!(
            source("x (via Owner)").as_deref(),
            Some("x (via Owner) (via Claude)")
        );
        assert_eq!(tagged(None, &agent).as_deref(), Some("Claude"));
        let owner = Actor::Owner {
            email: "ada@localhost".into(),
        };
        assert_eq!(tagged(None, &owner), None);
    }
}
