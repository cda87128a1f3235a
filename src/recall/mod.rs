//! Recall, the thinking part: what a question asks for, and how strongly a memory answers. Pure; `vault::recall` feeds it.

pub mod query;

use serde::Serialize;

/// Which means an answer was found with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Mode {
    /// Words only.
    #[serde(rename = "keyword-only")]
    KeywordOnly,
}

impl Mode {
    /// The word in answers.
    pub const fn as_str(self) -> &'static str {
        match self {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_score_grows_with_strength_and_stays_below_one() {
        assert_eq!(score(0.0), 0.0);
        assert_eq!(score(HALF_STRENGTH), 0.5);
        assert!(score(1e9) <= 1.0 && score(8.0) > score(7.9));
        assert_eq!(score(-1.0), 0.0);
    }
}
