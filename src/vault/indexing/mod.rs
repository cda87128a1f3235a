//! The index outside of the vault: vectors by Workers AI, and Vectorize. The queue of what is to be done comes from triggers in the
//! transaction of each change; the alarm, which rings at once after a write, works it off some calls at a time.
//!
//! Nothing here can lose a memory or hold up a write: without these services the vault answers by itself. A service that fails
//! is left alone for a minute, then twice as long, up to an hour, or until its daily allowance comes back.

mod embed;
pub(crate) mod ghosts;
pub mod health;
mod pause;
mod push;

use crate::embed::large::LargeModel;
use crate::error::{Error, Result};
use crate::limits;
use crate::model::memory::Memory;
use crate::model::settings::Engine;
use crate::model::time::Timestamp;
use crate::ports::{Embedder, ServiceFailure, VectorIndex};
use crate::store;
use crate::store::index_jobs::{IndexState, Stage};
use crate::vault::Vault;
use crate::vault::meaning;

pub(crate) use pause::{AI, VECTORIZE, over as answered, reason};

/// The services of the platform, as far as the deployment has them. Without any the vault does all by itself.
#[derive(Clone, Copy, Default)]
pub struct Services<'a> {
    /// Workers AI and the model it is asked for.
    pub ai: Option<(&'a dyn Embedder, &'static LargeModel)>,
    /// Vectorize.
    pub vectorize: Option<&'a dyn VectorIndex>,
    /// The vault's name, which keeps its vectors apart from other vaults'.
    pub vault_name: &'a str,
    /// What is wrong with the settings of these services.
    pub fault: Option<&'static str>,
    /// What is kept in memory between requests.
    pub held: Option<&'a meaning::Held>,
}

/// Longest the alarm's work may take before another one may begin: no call takes longer in all.
const TURN_SECONDS: i64 = 15 * 60;

/// Brings the queue in line with the deployment: another model has everything made anew, a service that came is told
/// everything, one that went is told nothing more. Costs nothing when nothing changed.
pub fn begin(vault: &Vault<'_>) -> Result<()> {
    let state = store::index_jobs::state(vault.sql)?;
    let model = vault.services.ai.map(|(_, model)| model.id);
    let vectorize = model.is_some() && wants_vectorize(vault, &state)?;
    if state.model.as_deref() == model && state.vectorize == vectorize {
        return Ok(());
    }
    vault.sql.in_transaction(|| {
        let other_model = state.model.as_deref() != model;
        let mut after = IndexState {
            model: model.map(str::to_owned),
            vectorize,
            ..state.clone()
        };
        if other_model {
            store::index_jobs::clear(vault.sql, Stage::Embed)?;
            store::index_jobs::clear_pause(vault.sql, AI)?;
            after.rebuild_total = None;
        }
        if !vectorize || other_model {
            store::index_jobs::clear(vault.sql, Stage::Push)?;
        }
        store::index_jobs::clear_pause(vault.sql, VECTORIZE)?;
        if let Some(model) = model {
            if vectorize {
                store::index_jobs::queue_pushes(vault.sql, model)?;
            }
            if other_model {
                store::index_jobs::queue_missing(vault.sql, model)?;
                let queued = store::index_jobs::counts(vault.sql)?.embed;
                after.rebuild_total = (queued > 0).then_some(queued);
            }
        }
        store::index_jobs::set_state(vault.sql, &after)
    })
}

/// Whether Vectorize is to be told. Between half of [`limits::VECTORIZE_FROM`] and the whole it stays as it was.
fn wants_vectorize(vault: &Vault<'_>, state: &IndexState) -> Result<bool> {
    if vault.services.vectorize.is_none() {
        return Ok(false);
    }
    // Not the settings of this request, which may just have been changed.
    Ok(match store::settings::load(vault.sql)?.engine {
        Engine::Vault => false,
        Engine::Vectorize => true,
        Engine::Auto => {
            let memories = store::memories::newest_seq(vault.sql)?;
            auto_wants_vectorize(memories, state.vectorize)
        }
    })
}

const fn auto_wants_vectorize(memories: i64, before: bool) -> bool {
    memories >= limits::VECTORIZE_FROM || (before && memories >= limits::VECTORIZE_FROM / 2)
}

/// When the alarm should ring for the queue; `None` while nothing waits that could be done.
pub(crate) fn next_due(vault: &Vault<'_>) -> Result<Option<Timestamp>> {
    let mut earliest: Option<Timestamp> = None;
    let stages = [
        (Stage::Embed, AI, vault.services.ai.is_some()),
        (
            Stage::Push,
            VECTORIZE,
            vault.services.ai.is_some() && vault.services.vectorize.is_some(),
        ),
    ];
    // While a turn is under way nothing is to be done; it looks for more itself.
    let busy_until = vault.services.held.map_or(0, |held| held.busy_until.get());
    let free_from = Timestamp::from_millis(busy_until);
    for (stage, service, _) in stages.into_iter().filter(|(.., is_there)| *is_there) {
        let due = store::index_jobs::next_due(vault.sql, stage)?;
        let Some(due) = due else { continue };
        let pause = store::index_jobs::pause(vault.sql, service)?;
        let due = pause.map_or(due, |pause| due.max(pause.until));
        let due = due.max(free_from);
        earliest = Some(earliest.map_or(due, |earliest| earliest.min(due)));
    }
    Ok(earliest)
}

/// Works the queue off, a bounded number of calls. Returns what failed, by service, for the log. Only one turn runs at a time.
pub async fn work(vault: &Vault<'_>) -> Result<Vec<(String, Error)>> {
    let now = vault.now();
    let Some(held) = vault.services.held else {
        return Ok(Vec::new());
    };
    if held.busy_until.get() > now.millis() {
        return Ok(Vec::new());
    }
    held.busy_until
        .set(now.plus_millis(TURN_SECONDS * 1_000).millis());
    let outcome = turn(vault).await;
    held.busy_until.set(0);
    if outcome.is_err() {
        // A fault of ours comes again at once if it is not given time.
        for service in [AI, VECTORIZE] {
            pause::after(vault, service, &ServiceFailure::Unreachable)?;
        }
    }
    outcome
}

async fn turn(vault: &Vault<'_>) -> Result<Vec<(String, Error)>> {
    begin(vault)?;
    let mut failures = Vec::new();
    if let Some((embedder, model)) = vault.services.ai
        && !pause::is_paused(vault, AI)?
        && let Some(failure) = embed::embed_due(vault, embedder, model).await?
    {
        failures.push((AI.to_owned(), failure));
    }
    // Also when recall does not ask it any more: what is forgotten has to leave it.
    if let (Some(index), Some((_, model))) = (vault.services.vectorize, vault.services.ai)
        && !pause::is_paused(vault, VECTORIZE)?
        && let Some(failure) = push::push_due(vault, index, model).await?
    {
        failures.push((VECTORIZE.to_owned(), failure));
    }
    end_rebuild(vault)?;
    Ok(failures)
}

/// A rebuild is over when nothing of it waits; what is dead is shown apart.
fn end_rebuild(vault: &Vault<'_>) -> Result<()> {
    let state = store::index_jobs::state(vault.sql)?;
    if state.rebuild_total.is_some() && store::index_jobs::counts(vault.sql)?.embed == 0 {
        let over = IndexState {
            rebuild_total: None,
            ..state
        };
        store::index_jobs::set_state(vault.sql, &over)?;
    }
    Ok(())
}

/// Has every vector made anew; the old ones serve until then. With Vectorize, everything is told anew. Dead jobs live again.
/// Part of the caller's transaction.
pub(crate) fn renew(vault: &Vault<'_>, reembed: bool) -> Result<()> {
    let state = store::index_jobs::state(vault.sql)?;
    store::index_jobs::revive(vault.sql)?;
    let Some(model) = state.model.clone() else {
        return Ok(());
    };
    if reembed {
        store::vectors::mark_all(vault.sql)?;
        store::index_jobs::queue_all(vault.sql)?;
        let queued = store::index_jobs::counts(vault.sql)?.embed;
        let begun = IndexState {
            rebuild_total: (queued > 0).then_some(queued),
            ..state.clone()
        };
        store::index_jobs::set_state(vault.sql, &begun)?;
    } else {
        store::index_jobs::queue_missing(vault.sql, &model)?;
    }
    if state.vectorize {
        store::vectors::untell_all(vault.sql)?;
        store::index_jobs::queue_pushes(vault.sql, &model)?;
    }
    Ok(())
}

/// What Vectorize has and what is kept in memory outlive the tables: what has to be remembered when the whole vault is erased.
pub(crate) fn before_erasing(vault: &Vault<'_>) -> Result<Vec<(String, i64)>> {
    store::vectors::all_told(vault.sql)
}

/// Sets the empty vault up, and sees to it that Vectorize forgets what it had of the old one. Part of the caller's transaction.
pub(crate) fn after_erasing(vault: &Vault<'_>, told: &[(String, i64)]) -> Result<()> {
    if let Some(held) = vault.services.held {
        held.forget();
    }
    begin(vault)?;
    for (memory_id, parts) in told {
        ghosts::bury(vault, memory_id, *parts)?;
    }
    Ok(())
}

/// After a restore: the queue and what is kept in memory were about other memories. Part of the caller's transaction.
pub(crate) fn restored(vault: &Vault<'_>) -> Result<()> {
    if let Some(held) = vault.services.held {
        held.forget();
    }
    store::index_jobs::clear_all(vault.sql)?;
    renew(vault, false)
}

/// The hash that vectors of a memory's text carry: others were made from another text.
pub(crate) fn made_from(memory: &Memory) -> String {
    embed::hash_of(&text_of(memory.author.as_deref(), &memory.content))
}

/// What is embedded of a memory: its author and its text.
pub(crate) fn text_of(author: Option<&str>, content: &str) -> String {
    match author {
        Some(author) => format!("{author}: {content}"),
        None => content.to_owned(),
    }
}

/// The namespace of a vault's vectors by one model. Vectors of two models never share one, whatever their length.
pub(crate) fn namespace(vault_name: &str, model: &LargeModel) -> String {
    let short = model.id.rsplit('/').next().unwrap_or(model.id);
    let name = format!("{vault_name}/{short}");
    if name.len() <= limits::VECTORIZE_ID_BYTES {
        name
    } else {
        use sha2::{Digest as _, Sha256};
        let hash = Sha256::digest(name.as_bytes());
        hash.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

/// The id of one of a memory's vectors.
pub(crate) fn vector_id(memory_id: &str, part: i64) -> String {
    format!("{memory_id}.{part}")
}

/// The memory and the part that a vector's id stands for.
pub(crate) fn parse_vector_id(id: &str) -> Option<(&str, i64)> {
    let (memory_id, part) = id.rsplit_once('.')?;
    Some((memory_id, part.parse().ok().filter(|part| *part >= 0)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::embed::large::LARGE_MODELS;

    #[test]
    fn auto_takes_vectorize_when_there_are_very_many_and_does_not_waver() {
        let from = limits::VECTORIZE_FROM;
        assert!(!auto_wants_vectorize(from - 1, false) && auto_wants_vectorize(from, false));
        assert!(auto_wants_vectorize(from - 1, true) && auto_wants_vectorize(from / 2, true));
        assert!(!auto_wants_vectorize(from / 2 - 1, true));
    }

    #[test]
    fn ids_and_namespaces_fit_vectorize_whatever_the_names() {
        let id = vector_id("mem_01kkbc5300000g40r40m30e209", 9_999);
        assert!(id.len() <= limits::VECTORIZE_ID_BYTES);
        assert_eq!(
            parse_vector_id(&id),
            Some(("mem_01kkbc5300000g40r40m30e209", 9_999))
        );
        for (text, parsed) in [
            ("", None),
            ("mem_1", None),
            ("mem_1.x", None),
            ("mem_1.-1", None),
        ] {
            assert_eq!(parse_vector_id(text), parsed, "{text}");
        }
        let long = "ö".repeat(200);
        let names: Vec<String> = LARGE_MODELS
            .iter()
            .flat_map(|model| [namespace("personal", model), namespace(&long, model)])
            .collect();
        assert!(
            names
                .iter()
                .all(|name| name.len() <= limits::VECTORIZE_ID_BYTES)
        );
        assert_eq!(names[0], "personal/bge-m3");
        assert_ne!(names[0], names[2], "each model has its own");
        assert_ne!(names[1], names[3]);
    }
}
