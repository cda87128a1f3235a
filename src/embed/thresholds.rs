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
    /// The cosine of a question and what has nothing to do with it, about: it counts as no likeness. Of the models outside neither
    /// this nor the next was measured; both are from what is known of the family.
    pub no_answer: f32,
    /// The cosine of a question and what answers it, about: it counts as [`ALIKE`].
    pub answer: f32,
    /// Whether the marks were measured, or taken over until they are.
    pub measured: bool,
}

/// The likeness of a question and its answer on the one scale that ranking compares: the median cosine of the model inside
/// is .33 there, of a transformer, which is surer, .46 (measured on one of 384 numbers).
pub const ALIKE: f32 = 0.46;

impl Thresholds {
    /// A cosine on the one scale that ranking compares, 0 to 1, whatever the model. For the model inside it is the cosine.
    pub fn likeness(&self, cosine: f32) -> f32 {
        (ALIKE * (cosine - self.no_answer) / (self.answer - self.no_answer)).clamp(0.0, 1.0)
    }
}

/// All models with marks.
pub const THRESHOLDS: [Thresholds; 3] = [
    // 62 pairs of English sentences, stored vectors: 10 of 12 rewordings are at or above .90 and no paraphrase is (the most
    // alike has .851); 11 of 14 paraphrases and none of 10 related facts are at or above .45; every paraphrase and one
    // related fact are at or above .35; no unrelated pair reaches .11. Of 895 questions' evidence .981 is above .10.
    Thresholds {
        model: MODEL_ID,
        near_duplicate: 0.80,
        similar: 0.75,
        alike: 0.65,
        candidate: 0.45,
        related: 0.35,
        floor: 0.10,
        no_answer: 0.0,
        answer: ALIKE,
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
        no_answer: 0.50,
        answer: 0.72,
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
        no_answer: 0.40,
        answer: 0.65,
        measured: false,
    },
];

/// The marks of a model, if it is known.
pub fn of(model: &str) -> Option<&'static Thresholds> {
    THRESHOLDS
        .iter()
        .find(|thresholds| thresholds.model == model)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likeness_is_one_scale_for_all_models() {
        let inside = of(MODEL_ID).unwrap();
        assert!((inside.likeness(0.33) - 0.33).abs() < 1e-6);
        for model in THRESHOLDS {
            assert_eq!(model.likeness(model.no_answer), 0.0, "{}", model.model);
            assert!(
                (model.likeness(model.answer) - ALIKE).abs() < 1e-6,
                "{}",
                model.model
            );
            assert_eq!((model.likeness(-1.0), model.likeness(9.0)), (0.0, 1.0));
        }
    }
}
