//! Every number of the ranking. Each part of a score is 0 to 1 (`now` is -½ to ½) and counts with its weight. What leaving a
//! part out costs is given as recall@10 / mean reciprocal rank / recall of sessions@5 in hundredths on the five conversations
//! (760 questions) the weights were chosen on, where the whole has 83.4 / 68.8 / 90.3; differences under one point are within
//! chance.

/// Words of the question that the memory or its neighbours cover, relative to the best candidate. Without:
/// 73.9 / 57.8 / 86.9.
pub const COVER: f32 = 1.0;
/// What a word counts if it stands one, two, three or four memories away in the same session. Without:
/// 80.1 / 64.6 / 89.0; with three, of which the further ones counted less, 83.5 / 68.5 / 89.9.
pub const NEIGHBOURS: [f32; 4] = [0.7, 0.55, 0.45, 0.35];
/// What a word of the question that no memory has counts beside the others: it can only be said in other words. As
/// much as the others: 83.2 / 69.0 / 90.1.
pub const UNKNOWN: f32 = 0.6;
/// What neighbours count where nobody named the session and memories were only stored in one sitting. They may have nothing
/// to do with each other, so they never make one an answer: [`super::Ranked::certainty`] leaves them out.
pub const SITTING: f32 = 0.5;
/// The one person the question names wrote the memory. Without: 81.1 / 65.0 / 89.6.
pub const AUTHOR: f32 = 0.35;
/// The memory before it in the session asks something and covers the question. Without: 83.2 / 65.6 / 88.9.
pub const ANSWER: f32 = 0.25;
/// Likeness of the whole memory's vector. Without: 83.0 / 68.5 / 89.3; without vectors of texts and words, English
/// lone notes fell from a mean reciprocal rank of 89 to 74.
pub const COSINE: f32 = 0.35;
/// The same by a larger model, which is surer. Not measured with the models in use: with a transformer of 384 numbers the best
/// weight beside the words was two and a half times that of the model inside, less a little for caution.
pub const LIKENESS: f32 = 0.8;
/// Likeness of the more alike of its two neighbours. Without: 83.0 / 68.0 / 89.5.
pub const CONTEXT: f32 = 0.25;
/// The question names a month or year and the memory is of that time ([`MONTH_ONLY`]), or of that very day. Without:
/// 83.3 / 68.0 / 90.1.
pub const DATE: f32 = 0.5;
/// How much of [`DATE`] a month or year without the day is worth.
pub const MONTH_ONLY: f32 = 0.5;
/// The best cover within the memory's session. Without: 83.2 / 68.5 / 89.8.
pub const SESSION: f32 = 0.3;
/// The session's vectors: the mean of the most alike of its memories, relative to the nearest session. Without:
/// 83.1 / 68.6 / 89.7.
pub const THEME: f32 = 0.15;
/// How many of a session's memories say what it is about.
pub const THEME_OF: usize = 5;
/// The question asks when, and the memory tells a time. Without: 83.1 / 68.1 / 89.9.
pub const WHEN: f32 = 0.3;
/// The question asks how many, and the memory has a number. Without: 83.4 / 68.6 / 90.1.
pub const AMOUNT: f32 = 0.15;
/// The question asks for a name, and a name other than the authors' is in the memory. Without:
/// 82.9 / 67.4 / 90.0.
pub const NAME: f32 = 0.25;
/// The question asks for feelings, and the memory tells some. Without: 83.3 / 68.6 / 90.3.
pub const FEELING: f32 = 0.3;
/// The memory ends in a question, so it hardly answers one. Without: 82.9 / 68.3 / 89.6.
pub const ASKS: f32 = -0.1;
/// The question asks for the present (or a former) state, times the memory's place in time from -½ to ½. Without: 83.4 / 68.8 / 90.3:
/// neutral here, and worth 2.5 points of mean reciprocal rank on questions about states that changed.
pub const NOW: f32 = 0.15;

/// The question asks for how things were, and the memory was replaced by another. Enough to stand before what replaced it;
/// conversations without replacements cannot say more.
pub const FORMER: f32 = 0.3;
/// How much less than what replaced it a memory is lent in such a question, so that of a chain the last comes first.
pub const FORMER_STEP: f32 = 0.02;
/// What each further memory of a session loses beside those of other sessions, once so many of it …
pub const AGAIN: f32 = -0.02;
/// … stand before it. Without: 83.2 / 68.7 / 90.1.
pub const HEARD_FREELY: u16 = 2;
/// Behind so many results …
pub const HEARD_AFTER: usize = 10;
/// … come other sessions until so many have been heard: an answer may be in pieces, and more of the same session hardly brings
/// the missing one. Without: 83.4 / 68.8 / 89.9, and no conversation has more.
pub const SESSIONS_HEARD: usize = 5;
/// How much it counts in the choice of those sessions how much of the question they say as wholes.
pub const TOPIC: f32 = 0.5;

/// How much the cosine counts beside the cover in [`super::Ranking::certainty`].
pub const CERTAINTY_COSINE: f32 = 0.7;
/// The same for a larger model's likeness. An answer's typical one ([`crate::embed::thresholds::ALIKE`]) is then enough alone, without
/// a word in common, and half of it is not, whatever the size of the vault.
pub const CERTAINTY_LIKENESS: f32 = 1.25;
/// What it adds to a certainty, held against [`NOTHING_BELOW`], that the vault has all words of the question; half of what they
/// say, half of it. What nobody ever wrote about is asked with words that nobody ever wrote.
pub const KNOWN: f32 = 0.3;

/// A certainty below which nothing answers. It is the best of all memories', which among few is lower by chance; so it grows
/// with the logarithm of how many there are, between [`Floor::FEW`] and [`Floor::MANY`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Floor {
    /// Among ten memories or fewer.
    pub few: f32,
    /// Among five hundred or more.
    pub many: f32,
}

impl Floor {
    const FEW: f32 = 10.0;
    /// How many are many.
    pub const MANY: f32 = 500.0;

    /// The floor in a vault of so many memories.
    pub fn among(self, memories: u64) -> f32 {
        let among = (memories as f32).clamp(Floor::FEW, Floor::MANY);
        let share = (among / Floor::FEW).ln() / (Floor::MANY / Floor::FEW).ln();
        self.few + share * (self.many - self.few)
    }
}

/// For a memory in the question's writing, [`KNOWN`] included. Shares of answerable questions of our own that are answered, and of
/// 141 about nothing there that are not: among four memories .95 and .93, ten .98 and .84, forty .94 and .84 (lone notes); 60 .989
/// and .92, 150 .990 and .93, 300 .989 and .94, 600 .993 and .945 (conversations, whose people the questions name; of lone notes
/// beside them .83). Short of evidence, an answer missed costs more than one that does not fit: higher among few, notes in another
/// language of the same letters would be the first to be missed.
pub const NOTHING_BELOW: Floor = Floor {
    few: 0.32,
    many: 0.78,
};
/// For a memory in the question's writing, [`KNOWN`] included, where few are in the question's language: the floor is
/// [`NOTHING_BELOW`] among those few, and never below this one among all. It is lower, for such questions seem to be answered less
/// often by chance. Among six hundred it answers .58 of the German questions whose English note comes among the first three (.26
/// under the other), .67 of the French and Spanish (.51), and .96 of those whose note is German (.75); of German nonsense .964 gets
/// nothing, of French and Spanish .912. Nothing else told the two better apart: how far the best stands out among all, or how many of
/// the words it answers, is worth three points of a hundred at most.
pub const NOTHING_BELOW_IN_OTHER_LANGUAGE: Floor = Floor {
    few: 0.32,
    many: 0.57,
};
/// For a memory in another writing, which cannot have the question's words: without [`KNOWN`], and lower among many. Of the right
/// notes that come among the first three of four, ten and forty, .97, .98 and .93 are above it; of nonsense .95, .89 and .85 is
/// below. Among six hundred .85 and .91.
pub const NOTHING_BELOW_IN_OTHER_WRITING: Floor = Floor {
    few: 0.31,
    many: 0.485,
};
/// For a memory that a larger model knows: without [`KNOWN`]. Measured with the model inside before there was that part.
pub const NOTHING_BELOW_BY_LIKENESS: Floor = Floor {
    few: 0.33,
    many: 0.55,
};

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
        for floor in [
            NOTHING_BELOW,
            NOTHING_BELOW_IN_OTHER_LANGUAGE,
            NOTHING_BELOW_IN_OTHER_WRITING,
            NOTHING_BELOW_BY_LIKENESS,
        ] {
            assert_eq!((floor.among(0), floor.among(10)), (floor.few, floor.few));
            assert!(floor.among(11) > floor.few && floor.among(499) < floor.many);
            assert_eq!(
                (floor.among(500), floor.among(1_000_000)),
                (floor.many, floor.many)
            );
        }
    }

    #[test]
    fn a_larger_model_may_find_alone_what_it_is_sure_of() {
        use crate::embed::thresholds::ALIKE;
        const { assert!(CERTAINTY_LIKENESS * ALIKE > NOTHING_BELOW_BY_LIKENESS.many) };
        const { assert!(CERTAINTY_LIKENESS * ALIKE / 2.0 < NOTHING_BELOW_BY_LIKENESS.few) };
    }

    #[test]
    fn rare_words_say_more_and_every_word_says_something() {
        assert!(rarity(0, 1000) > rarity(1, 1000) && rarity(1, 1000) > rarity(999, 1000));
        assert!(rarity(1000, 1000) > 0.0 && rarity(5, 3) > 0.0 && rarity(0, 0) > 0.0);
    }
}
