//! The index in memory: every memory's vector, words and place, so that a question is answered by arithmetic alone. Filled
//! from what is stored, kept in step by whoever owns it, and lost with the process at no cost but the time to fill it again.
//!
//! It knows nothing of texts. What it takes is bounded: [`Index::bytes`] tells, and the owner stops filling at a budget.

use std::collections::{BTreeSet, HashMap, HashSet};

use crate::embed::tokens::Words;
use crate::embed::vector::{Near, Vector, Vectors};
use crate::model::memory::Status;
use crate::recall::rank::{Day, Document, Marks};

/// A memory on its way into the index.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its key: memories stored later have larger ones.
    pub seq: i64,
    /// Where it stands.
    pub status: Status,
    /// Its session.
    pub session: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// Its date in milliseconds.
    pub dated_at: i64,
    /// The day of that date.
    pub day: Option<Day>,
    /// Its vector.
    pub vector: Vector,
    /// Its words.
    pub words: Words,
    /// Its marks.
    pub marks: Marks,
}

/// What is kept of an entry beside its vector.
#[derive(Debug)]
struct Kept {
    status: Status,
    session: Option<i64>,
    author: Option<usize>,
    dated_at: i64,
    day: Option<Day>,
    words: Words,
    marks: Marks,
}

/// Bytes a kept entry takes beside its words and vector: the struct, its place in the map, and its share of the others.
const ENTRY_BYTES: usize = 160;

/// Names that occur again and again, each kept once.
#[derive(Debug, Default)]
struct Names {
    numbers: HashMap<String, usize>,
    names: Vec<String>,
}

impl Names {
    fn number(&mut self, name: &str) -> usize {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len();
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        number
    }

    fn name(&self, number: usize) -> Option<&str> {
        self.names.get(number).map(String::as_str)
    }
}

/// The index.
#[derive(Debug, Default)]
pub struct Index {
    vectors: Vectors,
    kept: HashMap<i64, Kept>,
    sessions: HashMap<i64, BTreeSet<i64>>,
    /// How many memories have a word with this stem.
    containing: HashMap<u32, u64>,
    words_bytes: usize,
    session_names: Names,
    authors: Names,
}

/// How far around a candidate the ranking looks in its session.
const CONTEXT: usize = 3;

/// Documents for a ranking, owning what they refer to.
#[derive(Debug, Default)]
pub struct Gathered {
    keys: Vec<(i64, i64, bool)>,
    vectors: Vec<Vector>,
}

impl Index {
    /// Memories in it.
    pub fn len(&self) -> usize {
        self.kept.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// Bytes it takes, roughly.
    pub fn bytes(&self) -> usize {
        self.vectors.bytes() + self.words_bytes + self.kept.len() * ENTRY_BYTES
    }

    /// Puts a memory in, over what it was.
    pub fn put(&mut self, entry: Entry) {
        self.remove(entry.seq);
        let session = entry
            .session
            .as_deref()
            .map(|session| self.session_names.number(session) as i64);
        if let Some(session) = session {
            self.sessions.entry(session).or_default().insert(entry.seq);
        }
        for stem in stems(&entry.words) {
            *self.containing.entry(stem).or_default() += 1;
        }
        self.words_bytes += entry.words.as_bytes().len();
        self.vectors.put(entry.seq, &entry.vector);
        self.kept.insert(
            entry.seq,
            Kept {
                status: entry.status,
                session,
                author: entry
                    .author
                    .as_deref()
                    .map(|author| self.authors.number(author)),
                dated_at: entry.dated_at,
                day: entry.day,
                words: entry.words,
                marks: entry.marks,
            },
        );
    }

    /// Takes a memory out.
    pub fn remove(&mut self, seq: i64) {
        let Some(kept) = self.kept.remove(&seq) else {
            return;
        };
        self.vectors.remove(seq);
        self.words_bytes -= kept.words.as_bytes().len();
        if let Some(session) = kept.session
            && let Some(seqs) = self.sessions.get_mut(&session)
        {
            seqs.remove(&seq);
        }
        for stem in stems(&kept.words) {
            if let Some(count) = self.containing.get_mut(&stem) {
                *count = count.saturating_sub(1);
                if *count == 0 {
                    self.containing.remove(&stem);
                }
            }
        }
    }

    /// Whether the memory is in the index and stands so.
    pub fn stands(&self, seq: i64, statuses: &[Status]) -> bool {
        self.kept
            .get(&seq)
            .is_some_and(|kept| statuses.contains(&kept.status))
    }

    /// Its date in milliseconds.
    pub fn dated_at(&self, seq: i64) -> Option<i64> {
        self.kept.get(&seq).map(|kept| kept.dated_at)
    }

    /// How many memories have a word with this stem.
    pub fn containing(&self, stem: u32) -> u64 {
        self.containing.get(&stem).copied().unwrap_or_default()
    }

    /// The authors known.
    pub fn authors(&self) -> Vec<&str> {
        self.authors.names.iter().map(String::as_str).collect()
    }

    /// The memories most like a vector, best first.
    pub fn nearest(
        &self,
        asked: &Vector,
        count: usize,
        floor: f32,
        allowed: impl FnMut(i64) -> bool,
    ) -> Vec<Near> {
        self.vectors.nearest(asked, count, floor, allowed)
    }

    /// Candidates and those beside them in their sessions, as far as they are allowed.
    pub fn with_neighbours(&self, hits: &[i64], allowed: impl Fn(i64) -> bool) -> Vec<i64> {
        let mut all: Vec<i64> = hits.to_vec();
        for seq in hits {
            all.extend(
                self.around(*seq, 1)
                    .into_iter()
                    .filter(|near| allowed(*near)),
            );
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The memories up to `distance` away in the same session, on both sides.
    fn around(&self, seq: i64, distance: usize) -> Vec<i64> {
        let session = self.kept.get(&seq).and_then(|kept| kept.session);
        let Some(seqs) = session.and_then(|session| self.sessions.get(&session)) else {
            return Vec::new();
        };
        let before = seqs.range(..seq).rev().take(distance);
        let after = seqs.range(seq + 1..).take(distance);
        before.chain(after).copied().collect()
    }

    /// Collects what a ranking of these candidates needs, their surroundings included.
    pub fn gather(&self, candidates: &[i64]) -> Gathered {
        let chosen: HashSet<i64> = candidates.iter().copied().collect();
        let mut seqs: Vec<i64> = candidates.to_vec();
        for seq in candidates {
            seqs.extend(self.around(*seq, CONTEXT));
        }
        seqs.sort_unstable();
        seqs.dedup();
        let places = self.places(&seqs);
        let mut gathered = Gathered::default();
        for seq in seqs {
            if let (Some(vector), true) = (self.vectors.get(seq), self.kept.contains_key(&seq)) {
                let place = places.get(&seq).copied().unwrap_or_default();
                gathered.keys.push((seq, place, chosen.contains(&seq)));
                gathered.vectors.push(vector);
            }
        }
        gathered
    }

    /// The place of each in its session: neighbours differ by one, and only neighbours do. Runs of neighbours are told
    /// apart by a gap, since counting from a session's beginning would cost the whole of a long one.
    fn places(&self, seqs: &[i64]) -> HashMap<i64, i64> {
        let mut last: HashMap<i64, (i64, i64)> = HashMap::new();
        let mut places = HashMap::new();
        for seq in seqs {
            let Some(session) = self.kept.get(seq).and_then(|kept| kept.session) else {
                continue;
            };
            let place = match last.get(&session) {
                Some((before, place)) if self.follows(session, *before, *seq) => place + 1,
                Some((_, place)) => place + 2 * CONTEXT as i64 + 2,
                None => 0,
            };
            last.insert(session, (*seq, place));
            places.insert(*seq, place);
        }
        places
    }

    /// Whether `after` is the next of the session behind `before`.
    fn follows(&self, session: i64, before: i64, after: i64) -> bool {
        let next = self
            .sessions
            .get(&session)
            .and_then(|seqs| seqs.range(before + 1..).next());
        next == Some(&after)
    }

    /// The documents of what was gathered. `age_rank` gives a memory's place in time from its date.
    pub fn documents<'a>(
        &'a self,
        gathered: &'a Gathered,
        age_rank: impl Fn(i64) -> f32,
    ) -> Vec<Document<'a>> {
        let rows = gathered.keys.iter().zip(&gathered.vectors);
        rows.filter_map(|((seq, place, is_candidate), vector)| {
            let kept = self.kept.get(seq)?;
            Some(Document {
                key: *seq,
                words: &kept.words,
                vector,
                marks: kept.marks,
                author: kept.author.and_then(|author| self.authors.name(author)),
                session: kept.session,
                place: *place,
                day: kept.day,
                age_rank: age_rank(kept.dated_at),
                is_candidate: *is_candidate,
            })
        })
        .collect()
    }

    /// Every date, oldest first.
    pub fn dates(&self) -> Vec<i64> {
        let mut dates: Vec<i64> = self.kept.values().map(|kept| kept.dated_at).collect();
        dates.sort_unstable();
        dates
    }
}

/// The distinct stems of some words.
fn stems(words: &Words) -> HashSet<u32> {
    words.iter().map(|word| word.stem).collect()
}

#[cfg(test)]
mod tests;
