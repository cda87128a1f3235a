//! What the sessions say as wholes: the best of each, what is said of the question in each, and that an answer is not told by
//! one of them alone.

use std::collections::HashMap;

use super::cover::Covers;
use super::{Document, Ranked, weights};

/// The session of a document that others of it stand in by name; those of a sitting need have nothing to do with each other.
pub(super) fn named_session(document: &Document<'_>) -> Option<i64> {
    document.session.filter(|_| !document.is_loose)
}

/// The best relative cover in each session, among candidates.
pub(super) fn best(documents: &[Document<'_>], covers: &Covers) -> HashMap<i64, f32> {
    let mut best = HashMap::new();
    for (place, document) in documents.iter().enumerate() {
        if let (Some(session), true) = (document.session, document.is_candidate) {
            let value: &mut f32 = best.entry(session).or_default();
            *value = value.max(covers.relative_cover(place));
        }
    }
    best
}

/// How much of the question is said anywhere in each session.
pub(super) struct Topics {
    sessions: HashMap<i64, f32>,
    most: f32,
}

impl Topics {
    /// By one author, if one is given.
    pub(super) fn new(documents: &[Document<'_>], covers: &Covers, by: Option<&str>) -> Topics {
        let mut said: HashMap<i64, Vec<f32>> = HashMap::new();
        let mut most = 0f32;
        for (place, document) in documents.iter().enumerate() {
            match named_session(document) {
                Some(_) if by.is_some() && document.author != by => {}
                Some(session) => {
                    let all = said.entry(session).or_default();
                    let values = covers.likenesses(place);
                    all.resize(values.len(), 0.0);
                    for (best, value) in all.iter_mut().zip(values) {
                        *best = best.max(*value);
                    }
                }
                None => most = most.max(covers.own(place)),
            }
        }
        let sessions: HashMap<i64, f32> = said
            .into_iter()
            .map(|(session, values)| (session, covers.share(&values)))
            .collect();
        let most = sessions.values().copied().fold(most, f32::max);
        Topics { sessions, most }
    }

    /// That of a document's session relative to the most telling one; one without a session is its own.
    pub(super) fn relative(&self, document: &Document<'_>, own: f32) -> f32 {
        let topic = match named_session(document) {
            Some(session) => self.sessions.get(&session).copied().unwrap_or_default(),
            None => own,
        };
        if self.most > 0.0 {
            topic / self.most
        } else {
            0.0
        }
    }
}

/// Puts memories in order, and those of a session that has been heard already behind their likes from others: what several
/// sessions say tells more than more of one.
pub(super) fn spread(ranked: &mut [Ranked]) {
    sort(ranked);
    let mut heard: HashMap<i64, u16> = HashMap::new();
    for each in ranked.iter_mut() {
        if let Some(session) = each.session {
            let before = heard.entry(session).or_default();
            let beyond = before.saturating_sub(weights::HEARD_FREELY - 1);
            each.parts.again = weights::AGAIN * f32::from(beyond);
            each.score = each.parts.total();
            *before = before.saturating_add(1);
        }
    }
    sort(ranked);
}

fn sort(ranked: &mut [Ranked]) {
    ranked.sort_by(|first, second| {
        second
            .score
            .total_cmp(&first.score)
            .then(second.key.cmp(&first.key))
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recall::rank::Parts;

    fn ranked(key: i64, session: Option<i64>, cover: f32) -> Ranked {
        let parts = Parts {
            cover,
            ..Parts::default()
        };
        Ranked {
            key,
            score: cover,
            certainty: 0.0,
            session,
            topic: 0.0,
            parts,
        }
    }

    #[test]
    fn the_third_of_a_session_stands_behind_its_like_from_another() {
        let mut all = [
            ranked(1, Some(7), 0.9),
            ranked(2, Some(7), 0.8),
            ranked(3, Some(7), 0.71),
            ranked(4, Some(8), 0.70),
            ranked(5, Some(7), 0.6),
        ];
        spread(&mut all);
        assert_eq!(all.map(|ranked| ranked.key), [1, 2, 4, 3, 5]);
        let again = all.map(|ranked| ranked.parts.again);
        assert_eq!(again, [0.0, 0.0, 0.0, weights::AGAIN, 2.0 * weights::AGAIN]);
        assert!(all.iter().all(|each| each.score == each.parts.total()));
    }

    #[test]
    fn clearly_better_ones_and_those_without_a_session_keep_their_places() {
        let mut all = [
            ranked(1, Some(7), 0.9),
            ranked(2, Some(7), 0.8),
            ranked(3, Some(7), 0.75),
            ranked(4, Some(8), 0.70),
        ];
        spread(&mut all);
        assert_eq!(all.map(|ranked| ranked.key), [1, 2, 3, 4]);
        let mut alone = [4, 3, 2, 1].map(|key| ranked(key, None, key as f32));
        spread(&mut alone);
        assert_eq!(alone.map(|ranked| ranked.parts.again), [0.0; 4]);
    }
}
