//! Who stands beside whom in a session, and the documents of a ranking.

use std::collections::{HashMap, HashSet};

use super::{Allowed, Index};
use crate::recall::rank::{Document, weights};

/// How far around a candidate the ranking looks in its session.
const CONTEXT: usize = weights::NEIGHBOURS.len();

impl Index {
    /// Candidates and those beside them in their sessions, as far as they are allowed.
    pub fn with_neighbours(&self, hits: &[i64], allowed: &Allowed<'_>) -> Vec<i64> {
        let mut all: Vec<i64> = hits.to_vec();
        for seq in hits {
            let near = self.around(*seq, 1);
            all.extend(near.filter(|near| self.may(*near, allowed)));
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The memories up to `distance` away in the same session, on both sides.
    fn around(&self, seq: i64, distance: usize) -> impl Iterator<Item = i64> {
        let session = self.get(seq).and_then(|kept| kept.session);
        let seqs = session.and_then(|session| self.sessions.get(&session));
        let near = seqs.and_then(|seqs| {
            let at = seqs.binary_search(&seq).ok()?;
            let end = (at + distance + 1).min(seqs.len());
            seqs.get(at.saturating_sub(distance)..end)
        });
        let near = near.unwrap_or_default().iter().copied();
        near.filter(move |near| *near != seq)
    }

    /// What a ranking of these candidates needs, their surroundings included. `age_rank` gives a memory's place in time
    /// from its date.
    pub fn documents(
        &self,
        candidates: &[i64],
        snapshot: i64,
        age_rank: impl Fn(i64) -> f32,
    ) -> Vec<Document<'_>> {
        let chosen: HashSet<i64> = candidates.iter().copied().collect();
        let mut seqs: Vec<i64> = candidates.to_vec();
        for seq in candidates {
            seqs.extend(self.around(*seq, CONTEXT));
        }
        seqs.retain(|seq| *seq <= snapshot);
        seqs.sort_unstable();
        seqs.dedup();
        let mut runs = Runs::default();
        let documents = seqs.into_iter().filter_map(|seq| {
            let place = *self.places.get(&seq)?;
            let kept = self.at(place)?;
            Some(Document {
                key: seq,
                words: &kept.words,
                vector: self.vectors.get(place as usize),
                likeness: None,
                marks: kept.marks,
                author: kept.author.and_then(|author| self.authors.name(author)),
                session: kept.session.map(i64::from),
                place: kept
                    .session
                    .map_or(0, |session| runs.place(self, session, seq)),
                is_loose: kept.is_loose,
                day: kept.day,
                age_rank: age_rank(kept.dated_at),
                replaced_by: kept.replaced_by,
                is_candidate: chosen.contains(&seq),
            })
        });
        documents.collect()
    }
}

/// Gives memories their places in their sessions: neighbours differ by one, and only neighbours do. Runs of neighbours are
/// told apart by a gap, since counting from a session's beginning would cost the whole of a long one.
#[derive(Default)]
struct Runs {
    last: HashMap<u32, (i64, i64)>,
}

impl Runs {
    /// The place of the next memory of a session; they must come in the order of their keys.
    fn place(&mut self, index: &Index, session: u32, seq: i64) -> i64 {
        let follows = |before: i64| index.around(seq, 1).any(|near| near == before);
        let place = match self.last.get(&session) {
            Some((before, place)) if follows(*before) => place + 1,
            Some((_, place)) => place + 2 * CONTEXT as i64 + 2,
            None => 0,
        };
        self.last.insert(session, (seq, place));
        place
    }
}
