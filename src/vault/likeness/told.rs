//! What is made of a judgement: the link a memory gets, and the words in which its owner is told.

use std::rc::Rc;

use super::{Alike, Candidate, Found, SERIES};
use crate::dedupe::{Judgement, Reason, Verdict};
use crate::model::memory::{Memory, Status};

/// The link to the memory that matters most: one in contradiction before one that is only similar.
pub(super) fn alike(judged: &[(Judgement, f32, Rc<Candidate>)]) -> Found {
    let holds =
        |candidate: &Candidate| matches!(candidate.status, Status::Active | Status::Proposed);
    let mut conflicts: Vec<&(Judgement, f32, Rc<Candidate>)> = judged
        .iter()
        .filter(|(judgement, _, candidate)| {
            judgement.verdict == Verdict::Conflict && holds(candidate)
        })
        .collect();
    let is_value = |reason| matches!(reason, Reason::Number | Reason::Date | Reason::Word);
    let values = conflicts
        .iter()
        .filter(|(judgement, ..)| is_value(judgement.reason))
        .count();
    let in_series = values >= SERIES;
    if in_series {
        conflicts.retain(|(judgement, ..)| !is_value(judgement.reason));
    }
    let similar = || {
        judged
            .iter()
            .filter(|_| !in_series)
            .find(|(judgement, _, candidate)| {
                judgement.verdict == Verdict::Similar && holds(candidate)
            })
    };
    let Some((judgement, cosine, candidate)) = conflicts.first().copied().or_else(similar) else {
        return Found::New;
    };
    let mut ids: Vec<(i64, String)> = conflicts
        .iter()
        .filter(|(.., other)| other.status == Status::Active)
        .map(|(.., other)| (other.seq, other.id.clone()))
        .collect();
    ids.sort_by(|one, two| two.cmp(one));
    Found::Alike(Alike {
        id: candidate.id.clone(),
        similarity: rounded(*cosine),
        conflicts: conflicts.iter().map(|(.., other)| other.seq).collect(),
        conflict_ids: ids.into_iter().map(|(_, id)| id).collect(),
        reason: judgement.reason,
    })
}

/// Three digits say all there is to a cosine.
pub(super) fn rounded(cosine: f32) -> f64 {
    (f64::from(cosine).clamp(0.0, 1.0) * 1_000.0).round() / 1_000.0
}

/// Links a memory, not stored yet, to what it resembles.
pub(crate) fn link(memory: &mut Memory, found: &Found) {
    let (id, similarity, conflicts) = match found {
        Found::New => (None, None, Vec::new()),
        Found::Same(same, likeness) => (Some(same.id.clone()), Some(*likeness), Vec::new()),
        Found::Alike(alike) => (
            Some(alike.id.clone()),
            Some(alike.similarity),
            alike.conflict_ids.clone(),
        ),
    };
    memory.similar_to = id;
    memory.similarity = similarity;
    memory.may_conflict_with = conflicts;
}

/// Links a memory, not stored yet, to the one that replaced the same text once: only one of them can hold.
pub(crate) fn contradicts(memory: &mut Memory, conflicts: &mut Vec<i64>, other: &Memory) {
    if memory.similar_to.is_none() {
        (memory.similar_to, memory.similarity) = (Some(other.id.clone()), None);
    }
    if !conflicts.contains(&other.seq) {
        conflicts.push(other.seq);
        memory.may_conflict_with.insert(0, other.id.clone());
    }
}

/// The keys of the memories that the text seems to contradict.
pub(crate) fn conflicts(found: &Found) -> &[i64] {
    match found {
        Found::Alike(alike) => &alike.conflicts,
        _ => &[],
    }
}

/// What the owner or an agent may want to know of a text that was stored.
pub(crate) fn remark(found: &Found) -> Option<String> {
    match found {
        Found::New => None,
        Found::Same(same, likeness) => {
            Some(format!("stored, though it {}", reason(same, *likeness)))
        }
        Found::Alike(alike) => Some(format!(
            "resembles {} (likeness {}): {}",
            alike.id,
            alike.similarity,
            alike.reason.sentence()
        )),
    }
}

/// Why a text was not stored.
pub(crate) fn reason(same: &Memory, likeness: f64) -> String {
    let history = if same.status == Status::Superseded {
        ", which no longer holds"
    } else {
        ""
    };
    format!(
        "says the same as {}{history} (likeness {likeness})",
        same.id
    )
}
