//! What a new text is to the memories that are there. The pure rule is in `dedupe`; here are its candidates: the memories
//! most like the text in the index in memory, and the earlier items of the same import.
//!
//! Ask before anything is written: the index is brought up to date from what is committed, and a transaction that fails
//! must not leave in it what never was.

use std::collections::HashMap;
use std::rc::Rc;

use crate::dedupe::{self, Judgement, Reason, Text, Verdict};
use crate::embed::thresholds::{self, Thresholds};
use crate::embed::vector::{Near, Vector, Vectors};
use crate::embed::{self, MODEL_ID};
use crate::error::{Error, Result};
use crate::model::memory::{Memory, Status, StatusReason};
use crate::store;
use crate::text::identity;
use crate::vault::encounter::Bringer;
use crate::vault::{Vault, sense};

/// Memories looked at closely: the most alike. More would only be met in a series of look-alikes.
const CANDIDATES: usize = 8;
/// Contradictions in one place from which the text is an entry of a list ("order 17 shipped", "order 18 shipped") and
/// contradicts none of them.
const SERIES: usize = 3;

/// Memories kept prepared at once. An import meets the same ones again and again; what it met long ago is read anew instead of
/// piling up (a thousand items meet up to [`CANDIDATES`] thousand, and WebAssembly's memory never shrinks).
const PREPARED: usize = 256;

/// Says that near-duplicates could not be looked for.
pub(crate) const NOT_LOOKED_FOR: &str = "near-duplicates were not looked for, only exact ones: the vault holds more memories than its index in memory takes";

/// What a text is to the memories that are there.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Found {
    /// Nothing that matters.
    New,
    /// The same as this memory in other words.
    Same(Box<Memory>, f64),
    /// Like a memory, and perhaps in contradiction to some.
    Alike(Alike),
}

/// The link of a memory to one that it resembles.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Alike {
    /// The memory most like it.
    pub(crate) id: String,
    /// How alike.
    pub(crate) similarity: f64,
    /// Keys of the memories it seems to contradict.
    pub(crate) conflicts: Vec<i64>,
    /// Those of them that are in force, the newest first.
    pub(crate) conflict_ids: Vec<String>,
    /// In what they differ.
    pub(crate) reason: Reason,
}

/// A memory prepared for comparison.
struct Candidate {
    memory: Memory,
    text: Text,
}

/// Finds what new texts are to the memories that are there, for as long as one transaction.
pub(crate) struct Likeness {
    available: bool,
    keep_both: bool,
    marks: &'static Thresholds,
    /// The items stored so far.
    own: Vectors,
    /// The keys of those, by their place.
    own_keys: Vec<i64>,
    seen: HashMap<i64, Rc<Candidate>>,
    /// The text judged last, by its hash: when it is stored next, it need not be read again.
    judged: Option<(String, Text)>,
}

impl Likeness {
    /// Brings the index up to date.
    pub(crate) fn begin(vault: &Vault<'_>) -> Result<Likeness> {
        let marks = thresholds::of(MODEL_ID)
            .ok_or_else(|| Error::internal("the model inside has no thresholds"))?;
        Ok(Likeness {
            available: sense::with_index(vault, |_| ())?.is_some(),
            keep_both: false,
            marks,
            own: Vectors::default(),
            own_keys: Vec::new(),
            seen: HashMap::new(),
            judged: None,
        })
    }

    /// Links near-duplicates instead of leaving them out.
    pub(crate) fn keeping_both(mut self, keep_both: bool) -> Likeness {
        self.keep_both = keep_both;
        self
    }

    /// The memory that makes this one needless. A text that says what it replaces never is; the owner's word counts more
    /// than a proposal, and what the owner writes by hand more than history.
    pub(crate) fn repeated<'a>(
        &self,
        found: &'a Found,
        memory: &Memory,
        bringer: Bringer,
    ) -> Option<(&'a Memory, f64)> {
        let Found::Same(same, likeness) = found else {
            return None;
        };
        let outranks = match bringer {
            Bringer::Agent => false,
            Bringer::OwnerImport => same.status == Status::Proposed,
            Bringer::OwnerByHand => same.status != Status::Active,
        };
        (!self.keep_both && memory.supersedes.is_none() && !outranks).then_some((same, *likeness))
    }

    /// Whether near-duplicates can be found at all.
    pub(crate) fn is_available(&self) -> bool {
        self.available
    }

    /// What `memory`, not stored or about to change, is to the others. `vector` is that of its text.
    pub(crate) fn judge(
        &mut self,
        vault: &Vault<'_>,
        memory: &Memory,
        vector: &Vector,
    ) -> Result<Found> {
        let text = text_of(memory);
        let core = dedupe::core(&memory.content);
        if core.len() < memory.content.len() {
            // Recalled text that comes back is found even where there is no index.
            let known = store::memories::with_hash(vault.sql, &identity::content_hash(core))?;
            let known = known.into_iter().filter(|known| counts(known, memory));
            if let Some(first) = known.min_by_key(|known| rank(known.status)) {
                return Ok(Found::Same(Box::new(first), 1.0));
            }
        }
        if !self.available {
            return Ok(Found::New);
        }
        let own;
        let vector = if core.len() < memory.content.len() {
            own = embed::embedder().embed(core);
            &own
        } else {
            vector
        };
        let mut judged = Vec::new();
        for near in self.nearest(vault, vector, memory)? {
            let Some(candidate) = self.candidate(vault, near.key)? else {
                continue;
            };
            if !counts(&candidate.memory, memory) {
                continue;
            }
            let judgement = dedupe::compare(&text, &candidate.text, near.cosine, self.marks);
            judged.push((judgement, near.cosine, candidate));
        }
        self.judged = Some((memory.content_hash.clone(), text));
        let same = judged
            .iter()
            .filter(|(judgement, ..)| judgement.verdict >= Verdict::NearDuplicate)
            .min_by_key(|(.., candidate)| rank(candidate.memory.status));
        Ok(match same {
            Some((_, cosine, candidate)) => {
                Found::Same(Box::new(candidate.memory.clone()), rounded(*cosine))
            }
            None => alike(&judged),
        })
    }

    /// The memories most like a vector, best first: those in the index and those stored since.
    fn nearest(&self, vault: &Vault<'_>, vector: &Vector, memory: &Memory) -> Result<Vec<Near>> {
        let floor = self.marks.candidate;
        let allowed = |seq: i64| seq != memory.seq;
        let held = vault
            .index
            .try_borrow()
            .map_err(|_| Error::internal("the index is in use already"))?;
        let mut nearest = held
            .as_ref()
            .map(|index| index.nearest(vector, CANDIDATES, floor, allowed))
            .unwrap_or_default();
        let key = |place: i64| self.own_keys.get(place as usize).copied();
        let own = self.own.nearest(vector, CANDIDATES, floor, |place| {
            key(place).is_some_and(allowed)
        });
        nearest.extend(own.into_iter().filter_map(|near| {
            Some(Near {
                key: key(near.key)?,
                ..near
            })
        }));
        nearest.sort_unstable_by(|one, two| two.cmp(one));
        nearest.truncate(CANDIDATES);
        Ok(nearest)
    }

    fn candidate(&mut self, vault: &Vault<'_>, seq: i64) -> Result<Option<Rc<Candidate>>> {
        if let Some(known) = self.seen.get(&seq) {
            return Ok(Some(Rc::clone(known)));
        }
        let Some(memory) = store::memories::find_by_seq(vault.sql, seq)? else {
            return Ok(None);
        };
        let text = text_of(&memory);
        Ok(Some(self.keep(memory, text)))
    }

    fn keep(&mut self, memory: Memory, text: Text) -> Rc<Candidate> {
        if self.seen.len() >= PREPARED {
            self.seen.clear();
        }
        let candidate = Rc::new(Candidate { memory, text });
        self.seen
            .insert(candidate.memory.seq, Rc::clone(&candidate));
        candidate
    }

    /// Takes note of a memory that was stored just now.
    pub(crate) fn stored(&mut self, memory: &Memory, vector: Vector) {
        if self.available {
            self.own.put(self.own_keys.len(), &vector);
            self.own_keys.push(memory.seq);
            let text = match self.judged.take() {
                Some((hash, text)) if hash == memory.content_hash => text,
                _ => text_of(memory),
            };
            self.keep(memory.clone(), text);
        }
    }
}

fn text_of(memory: &Memory) -> Text {
    Text::new(
        &memory.content,
        memory.author.as_deref(),
        memory.source_date.as_deref(),
    )
}

/// Whether a memory that is there is one to compare with: not itself, not what it replaces, not hidden or rejected.
fn counts(known: &Memory, memory: &Memory) -> bool {
    known.id != memory.id
        && memory.supersedes.as_ref() != Some(&known.id)
        && known.forget_requested_at.is_none()
        && known.status != Status::Rejected
        && known.status_reason != Some(StatusReason::Expired)
}

/// Which of several repetitions is named: the one that holds.
fn rank(status: Status) -> u8 {
    match status {
        Status::Active => 0,
        Status::Proposed => 1,
        Status::Superseded | Status::Rejected => 2,
    }
}

/// Whether a text is, but for what was put around it, one that the owner forgot, rejected or is about to forget.
pub(crate) fn core_is_excluded(vault: &Vault<'_>, content: &str) -> Result<bool> {
    let core = dedupe::core(content);
    if core.len() == content.len() {
        return Ok(false);
    }
    let hash = identity::content_hash(core);
    let known = store::memories::with_hash(vault.sql, &hash)?;
    let unwanted =
        |known: &Memory| known.forget_requested_at.is_some() || known.status == Status::Rejected;
    Ok(store::exclusions::contains(vault.sql, &hash)?
        || (!known.is_empty() && known.iter().all(unwanted)))
}

/// The link to the memory that matters most: one in contradiction before one that is only similar.
fn alike(judged: &[(Judgement, f32, Rc<Candidate>)]) -> Found {
    let holds = |candidate: &Candidate| {
        matches!(candidate.memory.status, Status::Active | Status::Proposed)
    };
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
        .filter(|(.., other)| other.memory.status == Status::Active)
        .map(|(.., other)| (other.memory.seq, other.memory.id.clone()))
        .collect();
    ids.sort_by(|one, two| two.cmp(one));
    Found::Alike(Alike {
        id: candidate.memory.id.clone(),
        similarity: rounded(*cosine),
        conflicts: conflicts
            .iter()
            .map(|(.., other)| other.memory.seq)
            .collect(),
        conflict_ids: ids.into_iter().map(|(_, id)| id).collect(),
        reason: judgement.reason,
    })
}

/// Three digits say all there is to a cosine.
fn rounded(cosine: f32) -> f64 {
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
