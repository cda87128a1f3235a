//! Recall, the thinking part: what a question asks for, and how strongly a memory answers. Pure; `vault::recall` feeds it.

pub mod index;
pub mod query;
pub mod rank;

use serde::Serialize;

/// Which means an answer was found with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Mode {
    /// Words, the model inside the vault, and a larger one.
    #[serde(rename = "hybrid")]
    Hybrid,
    /// Words and the model inside the vault.
    #[serde(rename = "local")]
    Local,
    /// Words only.
    #[serde(rename = "keyword-only")]
    KeywordOnly,
}

impl Mode {
    /// Every word.
    pub const WORDS: [&'static str; 3] = ["hybrid", "local", "keyword-only"];

    /// The word in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
            Mode::Hybrid => "hybrid",
            Mode::Local => "local",
            Mode::KeywordOnly => "keyword-only",
        }
    }
}

/// The bm25 strength that counts as half a certainty. A question with one rare word scores about this much in a vault of
/// some thousand memories.
pub const HALF_STRENGTH: f64 = 6.0;

/// Turns bm25 strength (above 0, unbounded) into a score from 0 to 1 that keeps the order.
pub fn score(strength: f64) -> f64 {
    let strength = strength.max(0.0);
    let score = strength / (strength + HALF_STRENGTH);
    (score * 10_000.0).round() / 10_000.0
}

/// More than the ranking's parts sum up to in practice; it counts as a score of 1.
const FULL_SCORE: f64 = 3.5;
/// What an approved memory has ahead of a proposed one that answers as well.
const APPROVED: f64 = 0.01;
/// What a memory of today has ahead of an ancient one that answers as well.
const RECENT: f64 = 0.01;
/// After how many days that lead has halved.
const RECENT_HALF_LIFE_DAYS: f64 = 180.0;

/// A ranking's sum with near-ties settled: approved before proposed, newer before older. What settles them is at most a
/// hundredth each, less than what any difference in meaning makes.
pub fn settled(sum: f64, age_millis: Option<i64>, approved: bool) -> f64 {
    let days = age_millis.map_or(f64::INFINITY, |age| age.max(0) as f64 / 86_400_000.0);
    let recent = RECENT * 0.5f64.powf(days / RECENT_HALF_LIFE_DAYS);
    let approved = if approved { APPROVED } else { 0.0 };
    sum.max(0.0) + recent + approved
}

/// How far apart the scores of two memories may be that contradict each other, for the newer one to come first: one that was
/// worded a little more like the question is not the truer for it.
pub const NEAR_TIE: f64 = 0.05;

/// A settled sum as a score from 0 to 1.
pub fn shown(settled: f64) -> f64 {
    let score = settled / (FULL_SCORE + RECENT + APPROVED);
    (score.clamp(0.0, 1.0) * 10_000.0).round() / 10_000.0
}

/// The settled sum that is shown as this score.
pub fn unshown(score: f64) -> f64 {
    score * (FULL_SCORE + RECENT + APPROVED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_ties_go_to_the_approved_and_the_newer() {
        let day = 86_400_000;
        assert!(settled(1.0, Some(0), true) > settled(1.0, Some(0), false));
        assert!(settled(1.0, Some(0), true) > settled(1.0, Some(180 * day), true));
        assert!(
            settled(1.05, None, false) > settled(1.0, Some(0), true),
            "meaning goes first"
        );
        assert_eq!(shown(settled(9.0, Some(0), true)), 1.0);
        assert_eq!(shown(settled(-1.0, None, false)), 0.0);
        assert_eq!(shown(unshown(0.25)), 0.25);
    }

    #[test]
    fn a_score_grows_with_strength_and_stays_below_one() {
        assert_eq!(score(0.0), 0.0);
        assert_eq!(score(HALF_STRENGTH), 0.5);
        assert!(score(1e9) <= 1.0 && score(8.0) > score(7.9));
        assert_eq!(score(-1.0), 0.0);
    }
}
