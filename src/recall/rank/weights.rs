//! Every number of the ranking. Each part of a score is 0 to 1 (`now` is -½ to ½) and counts with its weight. What leaving a
//! part out costs is given as recall@10 / mean reciprocal rank in hundredths on the five conversations (760 questions) the
//! weights were chosen on, where the whole has 83.1 / 68.3; differences under one point are within chance. Changing any of
//! them by a quarter up or down helps in no four of five turns of choosing on four conversations and trying on the fifth.

/// Words of the question that the memory or its neighbours cover, relative to the best candidate. Without: 74.3 / 57.6.
pub const COVER: f32 = 1.0;
/// What a word counts if it stands one, two or three memories away in the same session. Without neighbours: 80.8 / 64.5.
pub const NEIGHBOURS: [f32; 3] = [0.7, 0.5, 0.35];
/// What neighbours count where nobody named the session and memories were only stored in one sitting. They may have nothing
/// to do with each other, so they never make one an answer: [`super::Ranked::certainty`] leaves them out.
pub const SITTING: f32 = 0.5;
/// The one person the question names wrote the memory. Without: 81.2 / 64.5.
pub const AUTHOR: f32 = 0.35;
/// The memory before it in the session asks something and covers the question. Without: 83.0 / 65.4.
pub const ANSWER: f32 = 0.25;
/// Likeness of the whole memory's vector. Without: 82.8 / 68.9; without vectors of texts and words, English
/// lone notes fell from a mean reciprocal rank of 89 to 74.
pub const COSINE: f32 = 0.35;
/// The same by a larger model, which is surer. Not measured with the models in use: with a transformer of 384 numbers the best
/// weight beside the words was two and a half times that of the model inside, less a little for caution.
pub const LIKENESS: f32 = 0.8;
/// Likeness of the more alike of its two neighbours. Without: 82.9 / 67.9.
pub const CONTEXT: f32 = 0.25;
/// The question names a month or year and the memory is of that time ([`MONTH_ONLY`]), or of that very day. Without:
/// 82.9 / 67.5.
pub const DATE: f32 = 0.5;
/// How much of [`DATE`] a month or year without the day is worth.
pub const MONTH_ONLY: f32 = 0.5;
/// The best cover within the memory's session. Without: 83.1 / 67.9.
pub const SESSION: f32 = 0.3;
/// The question asks when, and the memory tells a time. Without: 82.7 / 67.6.
pub const WHEN: f32 = 0.3;
/// The question asks how many, and the memory has a number. Without: 83.1 / 68.2.
pub const AMOUNT: f32 = 0.15;
/// The question asks for a name, and a name other than the authors' is in the memory. Without: 82.7 / 67.0.
/// Chosen on four conversations it helps the fifth in five of five turns.
pub const NAME: f32 = 0.25;
/// The question asks for feelings, and the memory tells some. Without: 82.9 / 68.1. Likewise in
/// four of five turns.
pub const FEELING: f32 = 0.3;
/// The memory ends in a question, so it hardly answers one. Without: 82.4 / 68.0.
pub const ASKS: f32 = -0.1;
/// The question asks for the present (or a former) state, times the memory's place in time from -½ to ½. Without: 83.1 / 68.3:
/// neutral here, and worth 2.5 points of mean reciprocal rank on questions about states that changed.
pub const NOW: f32 = 0.15;

/// The question asks for how things were, and the memory was replaced by another. Enough to stand before what replaced it;
/// conversations without replacements cannot say more.
pub const FORMER: f32 = 0.3;
/// How much less than what replaced it a memory is lent in such a question, so that of a chain the last comes first.
pub const FORMER_STEP: f32 = 0.02;

/// How much the cosine counts beside the cover in [`super::Ranking::certainty`].
pub const CERTAINTY_COSINE: f32 = 0.5;
/// The same for a larger model's likeness. An answer's typical one ([`crate::embed::thresholds::ALIKE`]) is then enough alone, without
/// a word in common, and half of it is not, whatever the size of the vault.
pub const CERTAINTY_LIKENESS: f32 = 1.25;
/// Below this certainty nothing in the vault answers: 2 % of answerable questions are below .59, 95 % of nonsense below .53,
/// in vaults of some six hundred memories with conversations.
pub const NOTHING_BELOW: f32 = 0.55;
/// The same in a vault of ten memories or fewer. The certainty is the best of all memories, so among few it is lower by
/// chance, and lone notes have no neighbours that would raise it. Measured on lone notes in four languages: among ten, 4 %
/// of answerable questions are below .33 and 75 % of nonsense; among four, 7 % and 90 %; among forty, where .41 holds, 9 %
/// and 70 %. Short of more evidence, an answer missed costs more than one that does not fit.
pub const NOTHING_BELOW_AMONG_FEW: f32 = 0.33;
/// Up to so many memories are few.
const FEW: f32 = 10.0;
/// From so many on [`NOTHING_BELOW`] holds.
const MANY: f32 = 500.0;

/// The certainty below which nothing answers in a vault of so many memories: between the two it grows with their logarithm,
/// as the best of so many does.
pub fn nothing_below(memories: u64) -> f32 {
    let among = (memories as f32).clamp(FEW, MANY);
    let share = (among / FEW).ln() / (MANY / FEW).ln();
    NOTHING_BELOW_AMONG_FEW + share * (NOTHING_BELOW - NOTHING_BELOW_AMONG_FEW)
}

/// The memory has a name that the question writes with signs, such as "C++" or "deploy.conf". Whoever writes one means it.
pub const LABEL: f32 = 1.0;
/// A memory that the full text did not find is shown only from this certainty of its own …
pub const ALIKE_FROM: f32 = 0.3;
/// … and from this share of the best one's: where one memory clearly answers, those that are vaguely alike only distract.
pub const ALIKE_SHARE: f32 = 0.4;
/// Likeness from which a memory becomes a candidate by its vector; 98 % of what answers is above.
pub const NEAR_FROM: f32 = 0.1;

/// Inverse document frequency, as in BM25 (Robertson and Spärck Jones): how much a word says that `containing` of `all`
/// memories have.
pub fn rarity(containing: u64, all: u64) -> f32 {
    let (containing, all) = (containing.min(all) as f32, all as f32);
    (1.0 + (all - containing + 0.5) / (containing + 0.5)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_floor_rises_from_few_memories_to_many() {
        assert_eq!(nothing_below(0), NOTHING_BELOW_AMONG_FEW);
        assert_eq!(nothing_below(10), NOTHING_BELOW_AMONG_FEW);
        assert!(nothing_below(11) > nothing_below(10) && nothing_below(499) < NOTHING_BELOW);
        assert_eq!(nothing_below(500), NOTHING_BELOW);
        assert_eq!(nothing_below(1_000_000), NOTHING_BELOW);
    }

    #[test]
    fn a_larger_model_may_find_alone_what_it_is_sure_of() {
        use crate::embed::thresholds::ALIKE;
        const { assert!(CERTAINTY_LIKENESS * ALIKE > NOTHING_BELOW) };
        const { assert!(CERTAINTY_LIKENESS * ALIKE / 2.0 < NOTHING_BELOW_AMONG_FEW) };
    }

    #[test]
    fn rare_words_say_more_and_every_word_says_something() {
        assert!(rarity(0, 1000) > rarity(1, 1000) && rarity(1, 1000) > rarity(999, 1000));
        assert!(rarity(1000, 1000) > 0.0 && rarity(5, 3) > 0.0 && rarity(0, 0) > 0.0);
    }
}
