//! Who and what a question names.

use super::*;

#[test]
fn a_sessions_topic_is_what_the_person_named_says_in_it() {
    let shelf = Shelf::new(&[
        (1, "Rosa", "My goats"),
        (1, "Rosa", "live beside the harbour"),
        (2, "Tim", "The goats of the harbour"),
        (2, "Rosa", "Tea"),
        (0, "Rosa", "The harbour is full"),
    ]);
    let topic = |ranking: &Ranking, key: i64| {
        let ranked = ranking.ranked.iter().find(|ranked| ranked.key == key);
        ranked.map(|ranked| ranked.topic).unwrap()
    };
    let hers = shelf.rank("Rosa's goats at the harbour", &shelf.documents());
    assert_eq!((topic(&hers, 0), topic(&hers, 1)), (1.0, 1.0));
    assert!(topic(&hers, 2) < 0.5 && topic(&hers, 2) == topic(&hers, 3));
    assert!((0.3..0.9).contains(&topic(&hers, 4)), "{}", topic(&hers, 4));
    let anybodys = shelf.rank("goats at the harbour", &shelf.documents());
    assert_eq!((topic(&anybodys, 0), topic(&anybodys, 2)), (1.0, 1.0));
}

#[test]
fn words_that_only_mean_a_time_are_not_looked_for() {
    let words = |text: &str| {
        let question = Question::new(embedder(), text);
        question.words().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(words("¿Dónde estaba mi oficina antes?"), ["oficina"]);
    assert_eq!(words("Wo stand mein Fahrrad vorher?"), ["stand", "fahrrad"]);
    assert_eq!(words("What is my current address?"), ["address"]);
    assert_eq!(words("antes"), ["antes"], "nothing else would be left");
}

#[test]
fn a_word_is_taken_as_memories_spell_it_and_only_if_none_has_it_as_asked() {
    let respelled = |asked: &str, said: &[&str]| {
        let mut question = Question::new(embedder(), asked);
        question.respell(|stem| said.iter().any(|word| stem_hash(word) == stem));
        question.stems().collect::<Vec<_>>()
    };
    assert_eq!(respelled("Wuesthof", &["Wüsthof"]), [stem_hash("Wüsthof")]);
    assert_eq!(respelled("Wüsthof", &["Wuesthof"]), [stem_hash("Wuesthof")]);
    assert_eq!(respelled("Andrey", &["Андрей"]), [stem_hash("Андрей")]);
    assert_eq!(respelled("Андрей", &["Andrei"]), [stem_hash("Andrei")]);
    assert_eq!(
        respelled("Andrey", &["Андрей", "Andrey"]),
        [stem_hash("Andrey")]
    );
    assert_eq!(respelled("Andrey", &["Boris"]), [stem_hash("Andrey")]);
}

#[test]
fn a_word_of_the_vault_names_nobody() {
    let shelf = Shelf::new(&[
        (1, "Caroline", "It rained"),
        (1, "Tim", "I washed my car, and Melanie called"),
        (1, "Melanie", "Thanks, Mel is fine"),
    ]);
    let by = |question: &str| {
        let ranking = shelf.rank(question, &shelf.documents());
        [0, 2].map(|key| part(&ranking, key).author)
    };
    assert_eq!(by("where is the car"), [0.0, 0.0]);
    assert_eq!(by("where is caro"), [weights::AUTHOR, 0.0]);
    assert_eq!(by("where is mel"), [0.0, weights::AUTHOR]);
}
