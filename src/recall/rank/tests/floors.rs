//! From when on anything answers.

use super::*;
use crate::embed::tokens::query_words;

#[test]
fn nonsense_is_below_the_mark_and_an_answer_above() {
    assert!(ask("quantum chromodynamics lagrangian").margin < 0.0);
    assert!(ask("Who keeps goats?").margin >= 0.0);
}

#[test]
fn words_that_the_vault_has_speak_for_an_answer_and_a_memory_in_another_writing_needs_none() {
    let margin = |note: &'static str, question: &str| {
        let shelf = Shelf::new(&[(0, "a", note)]);
        let ranking = shelf.rank(question, &shelf.documents());
        ranking.margin - ranking.certainty
    };
    let floor = weights::NOTHING_BELOW.few;
    let close = |value: f32, expected: f32| (value - expected).abs() < 1e-6;
    assert!(close(
        margin("the goats of Olga", "goats of Olga"),
        weights::KNOWN - floor
    ));
    let asked = query_words(embedder(), "goats in snow");
    let share = asked[0].weight / (asked[0].weight + asked[1].weight);
    assert!((0.3..0.7).contains(&share), "{share}");
    assert!(close(
        margin("the goats of Olga", "goats in snow"),
        weights::KNOWN * share - floor
    ));
    assert!(close(margin("the goats of Olga", "cows in snow"), -floor));
    assert!(close(
        margin("올가는 염소 Olga 세 마리를 키운다", "goats of Olga"),
        -weights::NOTHING_BELOW_IN_OTHER_WRITING.few
    ));
}

#[test]
fn a_larger_model_that_is_sure_needs_no_words() {
    let shelf = Shelf::new(&[(0, "a", "the goats of Olga")]);
    let margin = |likeness| {
        let mut documents = shelf.documents();
        documents[0].likeness = Some(likeness);
        shelf.rank("cows in snow", &documents).margin
    };
    assert!(margin(crate::embed::thresholds::ALIKE) >= 0.0);
    assert!(margin(0.0) < 0.0);
}

#[test]
fn the_floor_is_that_of_the_memories_in_the_questions_language_and_not_below_the_other() {
    let shelf = Shelf::new(&[(0, "a", "the goats of Olga")]);
    let question = Question::new(embedder(), "cows in snow");
    let vault = Vault {
        dictionary: &shelf.dictionary,
        memories: 500,
        containing: vec![0, 0],
        authors: Vec::new(),
    };
    let ranking = rank(embedder(), &question, &vault, &shelf.documents());
    let floor_among = |count: u64| ranking.certainty - ranking.margin_among(count);
    let close = |value: f32, expected: f32| (value - expected).abs() < 1e-6;
    let (own, other) = (
        weights::NOTHING_BELOW,
        weights::NOTHING_BELOW_IN_OTHER_LANGUAGE,
    );
    assert!(close(floor_among(500), own.many));
    assert_eq!(ranking.margin_among(500), ranking.margin);
    assert_eq!(ranking.margin_among(u64::MAX), ranking.margin);
    assert!(close(floor_among(300), own.among(300)));
    assert!(own.among(300) > other.many && own.among(40) < other.many);
    assert!(close(floor_among(40), other.many));
    assert!(close(floor_among(0), other.many));
}
