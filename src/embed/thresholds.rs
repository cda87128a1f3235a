//! What likeness means, per embedding model: cosines of different models are not comparable, and neither are their marks.
//!
//! A cosine alone never shows that two texts say the same: "moved from Berlin to Madrid" and "from Madrid to Berlin" have the
//! same words. Whoever skips a text as a near-duplicate compares numbers, dates, negation and order as well.

use super::MODEL_ID;

/// The marks of one model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Thresholds {
    /// The model's id, as stored with its vectors.
    pub model: &'static str,
    /// From here on two texts are the same but for wording, if their facts agree.
    pub near_duplicate: f32,
    /// From here on they are about the same thing, whatever their words.
    pub similar: f32,
    /// From here on they are about the same thing if they share half of their words.
    pub alike: f32,
    /// From here on they are worth comparing word by word: a value or a negation may differ.
    pub candidate: f32,
    /// From here on they are related: worth a link.
    pub related: f32,
    /// Below this a memory does not answer a question, unless it shares words with it.
    pub floor: f32,
    /// Whether the marks were measured, or taken over until they are.
    pub measured: bool,
}

/// All models with marks.
pub const THRESHOLDS: [Thresholds; 3] = [
    // 62 pairs of English sentences, stored vectors: 10 of 12 rewordings are at or above .90 and no paraphrase is (the most
    // alike has .851); 11 of 14 paraphrases and none of 10 related facts are at or above .45; every paraphrase and one
    // related fact are at or above .35; no unrelated pair reaches .11. Of 895 questions' evidence .981 is above .10.
    Thresholds {
        model: MODEL_ID,
        near_duplicate: 0.85,
        similar: 0.75,
        alike: 0.55,
        candidate: 0.45,
        related: 0.35,
        floor: 0.10,
        measured: true,
    },
    // Near-duplicate and similar come from a vault in daily use. This family's cosines begin high, so without a
    // measurement no cosine is too low for a question.
    Thresholds {
        model: "@cf/baai/bge-base-en-v1.5",
        near_duplicate: 0.93,
        similar: 0.80,
        alike: 0.75,
        candidate: 0.70,
        related: 0.60,
        floor: 0.0,
        measured: true,
    },
    Thresholds {
        model: "@cf/baai/bge-m3",
        near_duplicate: 0.95,
        similar: 0.80,
        alike: 0.75,
        candidate: 0.70,
        related: 0.60,
        floor: 0.0,
        measured: false,
    },
];

/// The marks of a model, if it is known.
pub fn of(model: &str) -> Option<&'static Thresholds> {
    THRESHOLDS
        .iter()
        .find(|thresholds| thresholds.model == model)
}
