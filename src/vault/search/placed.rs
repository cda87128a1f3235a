//! A result in its place, and where its score comes from.

use std::collections::BTreeMap;

use crate::recall;
use crate::recall::rank::Parts;

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
        }
    }

    /// What each part of the ranking gave to the score.
    pub fn explanation(&self) -> BTreeMap<&'static str, f64> {
        let named = self.parts.map(|parts| parts.named()).into_iter().flatten();
        named
            .chain([("label", self.label)])
            .filter(|(_, value)| *value != 0.0)
            .map(|(name, value)| (name, (f64::from(value) * 1_000.0).round() / 1_000.0))
            .collect()
    }
}
