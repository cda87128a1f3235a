//! What a new text is to the memories that are there. The pure rule is in `dedupe`; here are its candidates: the memories
//! most like the text in the index in memory, and the earlier items of the same import.
//!
//! Ask before anything is written: the index is brought up to date from what is committed, and a transaction that fails
//! must not leave in it what never was.

mod excluded;
mod said;
mod texts;
mod told;

use std::collections::HashMap;
use std::rc::Rc;

use crate::dedupe::{self, Reason, Verdict};
use crate::embed::thresholds::{self, Thresholds};
use crate::embed::tokens::Words;
use crate::embed::vector::{Near, Vector, Vectors};
use crate::embed::{self, MODEL_ID};
use crate::error::{Error, Result};
use crate::model::memory::{Memory, Status, StatusReason};
use crate::model::sense::Sense;
use crate::model::time::Timestamp;
use crate::store;
use crate::text::identity;
use crate::vault::encounter::{self, Bringer};
use crate::vault::queue::Queue;
use crate::vault::{Vault, sense, twins};
pub(crate) use excluded::{core_is_excluded, spelling_hashes};
use said::Said;
pub use texts::Texts;
use told::{alike, rounded};
pub(crate) use told::{conflicts, contradicts, link, reason, remark};

/// Memories looked at closely: the most alike. More would only be met in a series of look-alikes.
const CANDIDATES: usize = 8;
/// Words that each of two texts has and the other has not, beyond which nobody would call one the other with another value: two
/// words are a value (four signs in Chinese), and three more a date may add. What is alike enough by its vector to be linked
/// whatever its words is read all the same.
const UNLIKE_WORDS: usize = 6;
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

/// A memory to compare with, and what decides whether it is one.
struct Candidate {
    seq: i64,
    id: String,
    status: Status,
    status_reason: Option<StatusReason>,
    valid_until: Option<Timestamp>,
    hidden: bool,
    said: Said,
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
    /// The stems of their words, likewise.
    own_stems: Vec<Vec<u32>>,
    seen: HashMap<i64, Rc<Candidate>>,
    /// The text judged last, by its hash: when it is stored next, it need not be read again.
    judged: Option<(String, Said)>,
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
            own_stems: Vec::new(),
            seen: HashMap::new(),
            judged: None,
        })
    }

    /// Links near-duplicates instead of leaving them out.
    pub(crate) fn keeping_both(mut self, keep_both: bool) -> Likeness {
        self.keep_both = keep_both;
        self
    }

    /// Whether a text is the very same as one that is known: typed again, or letter by letter where both are kept.
    pub(crate) fn is_same(&self, known: &str, text: &str) -> bool {
        if self.keep_both {
            identity::is_as_written(known, text)
        } else {
            identity::is_typed_again(known, text)
        }
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

    /// What `memory`, not stored or about to change, is to the others. `sense` is that of its text.
    pub(crate) fn judge(
        &mut self,
        vault: &Vault<'_>,
        memory: &Memory,
        sense: &Sense,
        queue: &mut Queue,
    ) -> Result<Found> {
        let said = Said::by(memory);
        let core = dedupe::core(&memory.content);
        if core.len() < memory.content.len() {
            // Recalled text that comes back is found even where there is no index.
            queue.flush(vault)?;
            let known = twins::typed_again(vault, core)?;
            let known = known.into_iter().filter(|known| {
                counts(memory, &known.id, known.forget_requested_at.is_some())
                    && holds_or_held(known.status, known.status_reason)
                    && !is_back(memory, known.status, known.valid_until)
            });
            if let Some(first) = known.min_by_key(|known| rank(known.status)) {
                return Ok(Found::Same(Box::new(first), 1.0));
            }
        }
        if !self.available {
            return Ok(Found::New);
        }
        let vector = if core.len() < memory.content.len() {
            embed::embedder().embed(core)
        } else {
            Vector::from_bytes(&sense.vector).unwrap_or(Vector::ZERO)
        };
        let mut judged = Vec::new();
        let stems = stems_of(sense);
        let nearest = self.nearest(vault, &vector, memory, &stems)?;
        self.prepare(vault, &nearest, queue)?;
        for near in nearest {
            let Some(candidate) = self.seen.get(&near.key).cloned() else {
                continue;
            };
            if !counts(memory, &candidate.id, candidate.hidden)
                || !holds_or_held(candidate.status, candidate.status_reason)
                || is_back(memory, candidate.status, candidate.valid_until)
            {
                continue;
            }
            let judgement = dedupe::compare(
                said.text(),
                candidate.said.text_of(vault, candidate.seq),
                near.cosine,
                self.marks,
            );
            judged.push((judgement, near.cosine, candidate));
        }
        self.judged = Some((memory.content_hash.clone(), said));
        let same = judged
            .iter()
            .filter(|(judgement, ..)| judgement.verdict >= Verdict::NearDuplicate)
            .min_by_key(|(.., candidate)| rank(candidate.status));
        let Some((_, cosine, candidate)) = same else {
            return Ok(alike(&judged));
        };
        if queue.holds(candidate.seq) {
            queue.flush(vault)?;
        }
        let same = store::memories::find_by_seq(vault.sql, candidate.seq)?
            .ok_or_else(|| Error::internal("a memory went away while it was looked at"))?;
        Ok(Found::Same(Box::new(same), rounded(*cosine)))
    }

    /// The memories most like a vector, best first: those in the index and those stored since.
    fn nearest(
        &self,
        vault: &Vault<'_>,
        vector: &Vector,
        memory: &Memory,
        stems: &[u32],
    ) -> Result<Vec<Near>> {
        let floor = self.marks.candidate;
        let allowed = |seq: i64| seq != memory.seq;
        let held = vault
            .held
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
        let of_index = |seq| held.as_ref().and_then(|index| index.stems_of(seq));
        let of_own = |seq| {
            let place = self.own_keys.binary_search(&seq).ok()?;
            self.own_stems.get(place).cloned()
        };
        nearest.retain(|near| {
            near.cosine >= self.marks.alike
                || of_index(near.key)
                    .or_else(|| of_own(near.key))
                    .is_none_or(|other| !are_unlike(stems, &other))
        });
        Ok(nearest)
    }

    /// Reads those of the nearest that are not prepared yet.
    fn prepare(&mut self, vault: &Vault<'_>, nearest: &[Near], queue: &mut Queue) -> Result<()> {
        if self.seen.len() + nearest.len() > PREPARED {
            self.seen.clear();
        }
        let seqs = nearest.iter().map(|near| near.key);
        let missing: Vec<i64> = seqs.filter(|seq| !self.seen.contains_key(seq)).collect();
        if missing.is_empty() {
            return Ok(());
        }
        if missing.iter().any(|seq| queue.holds(*seq)) {
            queue.flush(vault)?;
        }
        for read in store::look_alikes::with_keys(vault.sql, &missing)? {
            let candidate = Candidate {
                said: Said::new(read.content, read.author, read.source_date),
                seq: read.seq,
                id: read.id,
                status: read.status,
                status_reason: read.status_reason,
                valid_until: read.valid_until,
                hidden: read.hidden,
            };
            self.seen.insert(candidate.seq, Rc::new(candidate));
        }
        Ok(())
    }

    /// Takes note of a memory that was stored just now.
    pub(crate) fn stored(
        &mut self,
        vault: &Vault<'_>,
        memory: &Memory,
        vector: Vector,
        stems: Vec<u32>,
    ) {
        if self.available {
            self.own.put(self.own_keys.len(), &vector);
            self.own_keys.push(memory.seq);
            self.own_stems.push(stems);
            let said = match self.judged.take() {
                Some((hash, said)) if hash == memory.content_hash => said,
                _ => Said::by(memory),
            };
            said.keep_stored(vault, memory.seq);
            let candidate = Candidate {
                seq: memory.seq,
                id: memory.id.clone(),
                status: memory.status,
                status_reason: memory.status_reason,
                valid_until: memory.valid_until,
                hidden: false,
                said,
            };
            self.seen.insert(candidate.seq, Rc::new(candidate));
        }
    }
}

/// The distinct stems of a text's words, in ascending order.
pub(crate) fn stems_of(sense: &Sense) -> Vec<u32> {
    let words = Words::from_bytes(sense.words.clone());
    let mut stems: Vec<u32> = (words.iter().flat_map(Words::iter))
        .map(|word| word.stem)
        .collect();
    stems.sort_unstable();
    stems.dedup();
    stems
}

/// Whether each of two texts has more than [`UNLIKE_WORDS`] stems that the other has not.
fn are_unlike(one: &[u32], two: &[u32]) -> bool {
    let only = |one: &[u32], two: &[u32]| {
        one.iter()
            .filter(|stem| two.binary_search(stem).is_err())
            .count()
    };
    only(one, two) > UNLIKE_WORDS && only(two, one) > UNLIKE_WORDS
}

/// Whether a memory that is there is one to compare with: not itself, not what it replaces, not hidden.
fn counts(memory: &Memory, known_id: &str, known_is_hidden: bool) -> bool {
    memory.id != known_id && memory.supersedes.as_deref() != Some(known_id) && !known_is_hidden
}

/// The same of where it stands: not rejected, not expired.
fn holds_or_held(status: Status, reason: Option<StatusReason>) -> bool {
    status != Status::Rejected && reason != Some(StatusReason::Expired)
}

/// Whether a memory whose source is from a later time says that a piece of history holds again.
fn is_back(memory: &Memory, known: Status, ended: Option<Timestamp>) -> bool {
    let dated = memory.source_date.as_ref().map(|_| memory.dated_at);
    known == Status::Superseded && encounter::holds_again(ended, dated)
}

/// Which of several repetitions is named: the one that holds.
fn rank(status: Status) -> u8 {
    match status {
        Status::Active => 0,
        Status::Proposed => 1,
        Status::Superseded | Status::Rejected => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_unlike_when_each_has_seven_words_of_its_own() {
        let one: Vec<u32> = (0..20).collect();
        let shifted = |by: u32| (by..20 + by).collect::<Vec<u32>>();
        assert!(!are_unlike(&one, &shifted(6)));
        assert!(are_unlike(&one, &shifted(7)));
        // One that says more is not unlike, however much more it says.
        assert!(!are_unlike(&one, &(0..90).collect::<Vec<u32>>()));
        assert!(!are_unlike(&one, &[]));
    }
}
