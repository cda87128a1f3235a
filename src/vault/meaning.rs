//! What a larger model says of a question. [`ask`] goes to Workers AI (and Vectorize) before an operation begins, within a time
//! limit; the operation itself then only looks at what came back, or does without it and says so.
//!
//! However candidates are found, what counts is their likeness by the vectors stored beside them: of the text as it stands, and of
//! the very model the question was embedded with.

mod held;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use crate::embed::large::{self, Asked, LargeModel};
use crate::embed::thresholds;
use crate::error::Result;
use crate::limits;
use crate::ports::{Embedder, ServiceFailure, VectorIndex};
use crate::recall::Mode;
use crate::store;
use crate::vault::indexing::{self, AI, VECTORIZE};
use crate::vault::{Vault, sense};
pub use held::Held;
use held::PAGE;

/// What came back for the questions of one request.
#[derive(Default)]
pub(crate) struct Answers(RefCell<HashMap<String, Answer>>);

struct Answer {
    model: &'static LargeModel,
    vector: Vec<u8>,
    /// What Vectorize finds nearest; `None`: it was not asked, or did not answer.
    nearest: Option<Vec<i64>>,
}

/// Asks the services about questions. Never fails and never takes longer than its limits: what could not be had is missing from
/// the answer, which says so.
pub async fn ask(vault: &Vault<'_>, questions: &[String]) {
    let (Some((embedder, model)), Some(held)) = (vault.services.ai, vault.services.held) else {
        return;
    };
    let mut questions: Vec<&String> = questions
        .iter()
        .filter(|text| !text.trim().is_empty() && text.chars().count() <= limits::QUERY_CHARS)
        .collect();
    questions.sort();
    questions.dedup();
    questions.truncate(limits::AI_TEXTS);
    if questions.is_empty() || is_switching(vault, model).unwrap_or(true) {
        return;
    }
    let key = |text: &str| format!("{} {text}", model.id);
    let unknown: Vec<&String> = questions
        .iter()
        .copied()
        .filter(|text| held.question(&key(text)).is_none())
        .collect();
    if !unknown.is_empty() && held.rests(AI, vault.now().millis()).is_none() {
        let outcome = embed(embedder, model, &unknown).await;
        match outcome {
            Ok(vectors) => {
                for (text, vector) in unknown.iter().zip(vectors) {
                    held.keep_question(key(text), vector);
                }
                // What embeds a question embeds memories as well: the queue need not wait longer.
                let _ = indexing::answered(vault, AI);
            }
            Err(failure) => held.rest(AI, vault.now().millis(), &failure),
        }
    }
    for text in questions {
        if let Some(vector) = held.question(&key(text)) {
            let nearest = nearest(vault, held, model, &vector).await;
            vault.asked.0.borrow_mut().insert(
                text.clone(),
                Answer {
                    model,
                    vector,
                    nearest,
                },
            );
        }
    }
}

async fn embed(
    embedder: &dyn Embedder,
    model: &LargeModel,
    questions: &[&String],
) -> std::result::Result<Vec<Vec<u8>>, ServiceFailure> {
    let texts: Vec<String> = questions
        .iter()
        .map(|text| format!("{}{text}", model.question_prefix))
        .collect();
    let rows = embedder
        .embed(model.id, &texts, limits::AI_QUESTION_MILLISECONDS)
        .await?;
    let wrong = || ServiceFailure::Refused("its answer does not fit the model".to_owned());
    if rows.len() != texts.len() || rows.iter().any(|row| row.len() != model.dims) {
        return Err(wrong());
    }
    rows.iter()
        .map(|row| large::quantise(row).ok_or_else(wrong))
        .collect()
}

/// What Vectorize finds nearest, as keys of memories that are there. Ids it should not have any more are noted for removal.
async fn nearest(
    vault: &Vault<'_>,
    held: &Held,
    model: &'static LargeModel,
    vector: &[u8],
) -> Option<Vec<i64>> {
    let index: &dyn VectorIndex = vault.services.vectorize?;
    let is_used = store::index_jobs::state(vault.sql).is_ok_and(|state| state.vectorize);
    if !is_used || held.rests(VECTORIZE, vault.now().millis()).is_some() {
        return None;
    }
    let namespace = indexing::namespace(vault.services.vault_name, model);
    let found = index
        .query(
            &namespace,
            &large::numbers(vector),
            limits::VECTORIZE_NEAREST,
            limits::VECTORIZE_QUERY_MILLISECONDS,
        )
        .await;
    match found {
        Ok(ids) => indexing::ghosts::known(vault, &ids).ok(),
        Err(failure) => {
            held.rest(VECTORIZE, vault.now().millis(), &failure);
            None
        }
    }
}

/// Whether another model's vectors are still being made; until they are there, recall does without.
fn is_switching(vault: &Vault<'_>, model: &LargeModel) -> Result<bool> {
    let state = store::index_jobs::state(vault.sql)?;
    if state.model.as_deref() != Some(model.id) {
        return Ok(true);
    }
    Ok(state.rebuild_total.is_some() && store::index_jobs::any_without(vault.sql, model.id)?)
}

/// How recall answers now, as far as is known before a question is asked.
pub fn mode(vault: &Vault<'_>) -> Result<Mode> {
    let local = sense::mode(vault);
    let (Some((_, model)), Some(held)) = (vault.services.ai, vault.services.held) else {
        return Ok(local);
    };
    let now = vault.now();
    let pause = store::index_jobs::pause(vault.sql, AI)?;
    let is_out = held.rests(AI, now.millis()).is_some()
        || pause.is_some_and(|pause| pause.until > now)
        || is_switching(vault, model)?;
    // Where the index in memory is full, a larger model's candidates come from Vectorize.
    let has_candidates = local == Mode::Local || store::index_jobs::state(vault.sql)?.vectorize;
    Ok(if has_candidates && !is_out {
        Mode::Hybrid
    } else {
        local
    })
}

/// What is missing from an answer, in sentences for whoever asked. Empty when nothing is, and where no such service was ever
/// set up.
pub(crate) fn missing(vault: &Vault<'_>, question: &str) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    missing.extend(vault.services.fault.map(str::to_owned));
    let (Some((_, model)), Some(held)) = (vault.services.ai, vault.services.held) else {
        return Ok(missing);
    };
    let now = vault.now();
    let answers = vault.asked.0.borrow();
    let answer = answers.get(question);
    let is_switching = is_switching(vault, model)?;
    let paused = store::index_jobs::pause(vault.sql, AI)?.filter(|pause| pause.until > now);
    if is_switching {
        missing.push(format!(
            "recall by {}: its vectors are still being made",
            model.id
        ));
    } else if answer.is_none() {
        let reason = held
            .rests(AI, now.millis())
            .or(paused.as_ref().map(|pause| pause.reason.clone()));
        let reason = reason.unwrap_or_else(|| "it was not asked".to_owned());
        missing.push(format!("recall by {}: {reason}", model.id));
    }
    if is_switching || answer.is_none() || paused.is_some() {
        let waiting = store::index_jobs::counts(vault.sql)?.embed;
        if waiting > 0 {
            let what = if waiting == 1 {
                "memory waits".to_owned()
            } else {
                "memories wait".to_owned()
            };
            missing.push(format!(
                "{waiting} {what} to be indexed; until then they are found by their words and the model inside the vault"
            ));
        }
    }
    let is_used = store::index_jobs::state(vault.sql)?.vectorize;
    if let (true, Some(reason)) = (is_used, held.rests(VECTORIZE, now.millis())) {
        missing.push(format!(
            "search by Vectorize: {reason}; the vault searched itself"
        ));
    }
    Ok(missing)
}

/// Likeness of memories to a question by the larger model, on the scale that ranking compares.
pub(crate) struct Likeness {
    model: &'static LargeModel,
    asked: Asked,
    known: HashMap<i64, f32>,
    /// Those to look at beside what words and the model inside find, most alike first.
    nearest: Vec<i64>,
    /// Whether `known` has every memory that has vectors.
    is_whole: bool,
}

/// What is known of a question that was asked; `None`: nothing.
pub(crate) fn likeness(vault: &Vault<'_>, question: &str) -> Result<Option<Likeness>> {
    let Some(held) = vault.services.held else {
        return Ok(None);
    };
    let answers = vault.asked.0.borrow();
    let Some(answer) = answers.get(question) else {
        return Ok(None);
    };
    let mut likeness = Likeness {
        model: answer.model,
        asked: Asked::new(&answer.vector),
        known: HashMap::new(),
        nearest: Vec::new(),
        is_whole: false,
    };
    match &answer.nearest {
        Some(nearest) => {
            let since = vault
                .now()
                .plus_millis(-limits::VECTORIZE_LAG_MINUTES * 60_000);
            let model = answer.model.id;
            let fresh =
                store::vectors::unsettled(vault.sql, model, since, limits::VECTORIZE_OVERLAY)?;
            let mut all: Vec<i64> = nearest.iter().copied().chain(fresh).collect();
            all.sort_unstable();
            all.dedup();
            likeness.complete(vault, &all)?;
        }
        None => {
            held::bring_up(vault, held, answer.model)?;
            let large = held.large.borrow();
            let vectors = large.as_ref().and_then(|large| large.vectors.as_ref());
            if let (Some(vectors), Some(marks)) = (vectors, thresholds::of(answer.model.id)) {
                let all = vectors.likenesses(&likeness.asked);
                likeness.known = all
                    .into_iter()
                    .map(|(key, cosine)| (key, marks.likeness(cosine)))
                    .collect();
                likeness.is_whole = true;
            }
        }
    }
    let mut nearest: Vec<(i64, f32)> = likeness
        .known
        .iter()
        .filter(|(_, likeness)| **likeness > 0.0)
        .map(|(key, likeness)| (*key, *likeness))
        .collect();
    nearest.sort_unstable_by(|first, second| {
        second.1.total_cmp(&first.1).then(first.0.cmp(&second.0))
    });
    likeness.nearest = nearest.into_iter().map(|(key, _)| key).collect();
    Ok(Some(likeness))
}

impl Likeness {
    /// The `count` most alike that are allowed.
    pub fn nearest(&self, count: usize, allowed: impl Fn(i64) -> bool) -> Vec<i64> {
        let keys = self.nearest.iter().copied();
        keys.filter(|key| allowed(*key)).take(count).collect()
    }

    /// Looks up those that are not known yet.
    pub fn complete(&mut self, vault: &Vault<'_>, keys: &[i64]) -> Result<()> {
        let Some(marks) = thresholds::of(self.model.id).filter(|_| !self.is_whole) else {
            return Ok(());
        };
        let unknown: HashSet<i64> = keys
            .iter()
            .copied()
            .filter(|key| !self.known.contains_key(key))
            .collect();
        let unknown: Vec<i64> = unknown.into_iter().collect();
        for some in unknown.chunks(PAGE) {
            for stored in store::vectors::of(vault.sql, self.model.id, some)? {
                if let Some(cosine) = self.asked.best(&stored.vectors) {
                    self.known.insert(stored.seq, marks.likeness(cosine));
                }
            }
        }
        Ok(())
    }

    /// A memory's likeness; `None` while it has no vector of this model.
    pub fn of(&self, key: i64) -> Option<f32> {
        self.known.get(&key).copied()
    }
}
