//! A result in its place, and where its score comes from.

use std::collections::{BTreeMap, HashSet};

use crate::recall;
use crate::recall::rank::{Parts, weights};

/// A memory in its place.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    /// Its key.
    pub seq: i64,
    /// 0 to 1.
    pub score: f64,
    /// What decides its place: the score before it was cut and rounded.
    pub(super) order: f64,
    pub(super) parts: Option<Parts>,
    pub(super) label: f32,
    /// What brought it forward so that its session is heard.
    pub(super) breadth: f32,
    pub(super) session: Option<i64>,
    pub(super) topic: f32,
}

/// What keeps those brought forward behind the one they follow, and in order.
const STEP: f64 = 1e-6;

/// Lets some sessions be heard: if the first results come from fewer, the best memories of others follow them. `placed` is in order,
/// and is afterwards.
pub(super) fn broaden(placed: &mut [Placed]) {
    let Some((first, rest)) = placed.split_at_mut_checked(weights::HEARD_AFTER) else {
        return;
    };
    let alone = first.iter().filter(|placed| placed.session.is_none());
    let mut heard: HashSet<i64> = first.iter().filter_map(|placed| placed.session).collect();
    let missing = weights::SESSIONS_HEARD.saturating_sub(alone.count() + heard.len());
    let Some(last) = first.last().filter(|_| missing > 0) else {
        return;
    };
    let is_first_of_its_own = |placed: &&mut Placed| {
        let session = placed.session;
        session.is_none_or(|session| heard.insert(session))
    };
    let mut others: Vec<&mut Placed> = rest.iter_mut().filter(is_first_of_its_own).collect();
    let promise = |placed: &Placed| placed.order + f64::from(weights::TOPIC * placed.topic);
    others.sort_by(|first, second| promise(second).total_cmp(&promise(first)));
    let mut order = last.order;
    for chosen in others.into_iter().take(missing) {
        order -= STEP;
        chosen.breadth = (order - chosen.order).max(0.0) as f32;
        chosen.order = chosen.order.max(order);
        chosen.score = recall::shown(chosen.order);
    }
    sort(placed);
}

/// Best first, ties by newest.
pub(super) fn sort(placed: &mut [Placed]) {
    placed.sort_by(|first, second| {
        second
            .order
            .total_cmp(&first.order)
            .then(second.seq.cmp(&first.seq))
    });
}

impl Placed {
    /// Found by words alone.
    pub(super) fn by_strength(seq: i64, strength: f64) -> Self {
        let score = recall::score(strength);
        Placed {
            seq,
            score,
            order: recall::unshown(score),
            parts: None,
            label: 0.0,
            breadth: 0.0,
            session: None,
            topic: 0.0,
        }
    }

    /// What each part of the ranking gave to the score.
    pub fn explanation(&self) -> BTreeMap<&'static str, f64> {
        let named = self.parts.map(|parts| parts.named()).into_iter().flatten();
        named
            .chain([("label", self.label), ("breadth", self.breadth)])
            .filter(|(_, value)| *value != 0.0)
            .map(|(name, value)| (name, (f64::from(value) * 1_000.0).round() / 1_000.0))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In order, by session; 0 for one without.
    fn placed(sessions: &[i64]) -> Vec<Placed> {
        let of = |(place, session): (usize, &i64)| Placed {
            session: Some(*session).filter(|session| *session > 0),
            ..Placed::by_strength(place as i64, 100.0 - place as f64)
        };
        sessions.iter().enumerate().map(of).collect()
    }

    fn broadened(mut placed: Vec<Placed>) -> Vec<i64> {
        let before = placed.clone();
        broaden(&mut placed);
        assert!(placed.is_sorted_by(|one, next| one.score >= next.score));
        assert!(
            placed
                .iter()
                .zip(&before)
                .take(10)
                .all(|(one, was)| one.seq == was.seq)
        );
        placed.iter().map(|placed| placed.seq).collect()
    }

    #[test]
    fn behind_ten_of_one_session_come_the_best_of_four_others() {
        let mut sessions = vec![1; 15];
        sessions.extend([2, 2, 3, 4, 5, 6]);
        assert_eq!(
            broadened(placed(&sessions)),
            [
                0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 17, 18, 19, 10, 11, 12, 13, 14, 16, 20
            ]
        );
    }

    #[test]
    fn of_the_other_sessions_those_come_that_say_more_of_the_question() {
        let mut placed = placed(&[1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 1, 5, 6]);
        placed[12].topic = 1.0;
        assert_eq!(
            broadened(placed),
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 10, 11]
        );
    }

    #[test]
    fn where_five_are_heard_nothing_moves() {
        for sessions in [
            [1, 2, 3, 4, 5, 5, 5, 5, 5, 5, 5, 5, 6],
            [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 6],
        ] {
            let all: Vec<i64> = (0..13).collect();
            assert_eq!(broadened(placed(&sessions)), all);
        }
        let few = [1; 9];
        assert_eq!(broadened(placed(&few)), (0..9).collect::<Vec<_>>());
    }

    #[test]
    fn what_was_brought_forward_says_so() {
        let mut all = placed(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2]);
        broaden(&mut all);
        assert_eq!(all[10].seq, 11);
        assert!(all[10].explanation()["breadth"] > 0.0);
        assert!(!all[11].explanation().contains_key("breadth"));
    }
}
