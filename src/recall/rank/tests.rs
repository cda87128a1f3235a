//! Ranking over small made-up vaults.

mod asked;
mod floors;

use super::*;
use crate::embed::embedder;

/// A memory of a test: session, author, text.
type Note = (i64, &'static str, &'static str);

const TALK: [Note; 6] = [
    (1, "Rosa", "I finally bought a cello last week"),
    (1, "Tim", "Where did you find it?"),
    (1, "Rosa", "In a tiny shop near the harbour"),
    (2, "Tim", "The invoice for the boat is due in March"),
    (2, "Rosa", "My neighbour Olga keeps three goats"),
    (2, "Tim", "I was so relieved when the vet called"),
];

struct Shelf {
    notes: Vec<Note>,
    dictionary: Dictionary,
    words: Vec<Box<[WordNumber]>>,
    vectors: Vec<Vector>,
}

impl Shelf {
    fn new(notes: &[Note]) -> Shelf {
        let mut dictionary = Dictionary::default();
        Shelf {
            notes: notes.to_vec(),
            words: notes
                .iter()
                .map(|(_, _, text)| dictionary.take(&words_of(embedder(), text, None)))
                .collect(),
            dictionary,
            vectors: notes
                .iter()
                .map(|(_, author, text)| embedder().embed(&format!("{author}: {text}")))
                .collect(),
        }
    }

    fn documents(&self) -> Vec<Document<'_>> {
        let mut documents = Vec::new();
        for (place, (session, author, text)) in self.notes.iter().enumerate() {
            documents.push(Document {
                key: place as i64,
                words: &self.words[place],
                vector: &self.vectors[place],
                likeness: None,
                marks: Marks::of(text),
                author: Some(author),
                session: (*session > 0).then_some(*session),
                place: place as i64,
                is_loose: false,
                day: None,
                age_rank: place as f32 / self.notes.len() as f32,
                replaced_by: None,
                is_candidate: true,
            });
        }
        documents
    }

    fn rank(&self, text: &str, documents: &[Document<'_>]) -> Ranking {
        let question = Question::new(embedder(), text);
        let containing = question.words().map(|word| {
            let stem = stem_hash(word);
            self.words
                .iter()
                .filter(|words| {
                    let mut words = words.iter().filter_map(|word| self.dictionary.word(*word));
                    words.any(|word| word.stem == stem)
                })
                .count() as u64
        });
        let vault = Vault {
            dictionary: &self.dictionary,
            memories: self.notes.len() as u64,
            containing: containing.collect(),
            authors: Vec::new(),
        };
        rank(embedder(), &question, &vault, documents)
    }
}

fn ask(text: &str) -> Ranking {
    let shelf = Shelf::new(&TALK);
    shelf.rank(text, &shelf.documents())
}

fn part(ranking: &Ranking, key: i64) -> Parts {
    ranking
        .ranked
        .iter()
        .find(|ranked| ranked.key == key)
        .unwrap()
        .parts
}

#[test]
fn the_memory_with_the_words_comes_first() {
    assert_eq!(ask("When is the boat invoice due?").ranked[0].key, 3);
    assert_eq!(ask("goats").ranked[0].key, 4);
}

#[test]
fn a_word_of_like_meaning_finds_too() {
    assert_eq!(ask("Which animals are kept next door?").ranked[0].key, 4);
}

#[test]
fn neighbours_lend_their_words_and_other_sessions_do_not() {
    let ranking = ask("Where did Rosa get the cello?");
    assert_eq!(part(&ranking, 0).cover, 1.0);
    assert!(
        (part(&ranking, 1).cover - weights::NEIGHBOURS[0]).abs() < 0.05,
        "{ranking:?}"
    );
    assert!(
        part(&ranking, 2).cover > part(&ranking, 4).cover + 0.2,
        "{ranking:?}"
    );
}

#[test]
fn a_word_reaches_four_memories_far() {
    let mut notes = [(1, "Tim", "Yes"); 6];
    notes[0] = (1, "Tim", "cello");
    let shelf = Shelf::new(&notes);
    let ranking = shelf.rank("cello", &shelf.documents());
    let cover = |key| part(&ranking, key).cover;
    assert!((cover(4) - weights::NEIGHBOURS[3]).abs() < 0.05);
    assert!(cover(5) < weights::NEIGHBOURS[3] - 0.05, "{}", cover(5));
}

#[test]
fn a_lone_memory_has_no_neighbours() {
    let alone = TALK.map(|(_, author, text)| (0, author, text));
    let shelf = Shelf::new(&alone);
    let ranking = shelf.rank("cello", &shelf.documents());
    assert_eq!(part(&ranking, 0).session, weights::SESSION);
    assert!(part(&ranking, 1).cover < 0.5 && part(&ranking, 1).context == 0.0);
}

#[test]
fn those_of_one_sitting_lend_half_and_make_no_answer() {
    let shelf = Shelf::new(&TALK);
    let mut documents = shelf.documents();
    for document in &mut documents {
        document.is_loose = true;
    }
    let ranking = shelf.rank("Where did Rosa get the cello?", &documents);
    let lent = part(&ranking, 1).cover;
    assert!(
        (weights::SITTING * weights::NEIGHBOURS[0]..0.5).contains(&lent),
        "{lent}"
    );
    let certainty = |ranking: &Ranking| {
        let second = ranking.ranked.iter().find(|ranked| ranked.key == 1);
        second.unwrap().certainty
    };
    let named = shelf.rank("Where did Rosa get the cello?", &shelf.documents());
    assert!(certainty(&ranking) < 0.3 && certainty(&named) > 0.6);
}

#[test]
fn the_person_named_is_preferred_and_two_people_are_not() {
    let ranking = ask("What did Rosa say?");
    assert_eq!(
        (part(&ranking, 0).author, part(&ranking, 1).author),
        (weights::AUTHOR, 0.0)
    );
    let both = ask("What did Rosa and Tim say?");
    assert!(both.ranked.iter().all(|ranked| ranked.parts.author == 0.0));
}

#[test]
fn an_answer_stands_after_its_question() {
    let ranking = ask("Where did she find the cello?");
    assert!(part(&ranking, 2).answer > 0.0);
    assert_eq!(
        (part(&ranking, 0).answer, part(&ranking, 3).answer),
        (0.0, 0.0)
    );
    assert_eq!(
        (part(&ranking, 1).asks, part(&ranking, 2).asks),
        (weights::ASKS, 0.0)
    );
}

#[test]
fn cues_prefer_memories_that_can_answer() {
    assert_eq!(part(&ask("When was it bought?"), 0).when, weights::WHEN);
    assert_eq!(part(&ask("When was it bought?"), 2).when, 0.0);
    assert_eq!(part(&ask("How many animals?"), 4).amount, weights::AMOUNT);
    assert_eq!(part(&ask("How did he feel?"), 5).feeling, weights::FEELING);
    let who = ask("Who has animals?");
    assert_eq!(
        (part(&who, 4).name, part(&who, 0).name),
        (weights::NAME, 0.0)
    );
    assert!(part(&ask("What is it now?"), 5).now > part(&ask("What is it now?"), 0).now);
    assert!(part(&ask("What was it originally?"), 5).now < 0.0);
}

#[test]
fn an_authors_name_answers_no_question_for_a_name() {
    let shelf = Shelf::new(&[
        (1, "Rosa", "I told you, Tim, it works"),
        (1, "Timothy", "Yes"),
        (1, "Rosa", "I met Olga"),
    ]);
    let ranking = shelf.rank("Who was there?", &shelf.documents());
    assert_eq!(
        (part(&ranking, 0).name, part(&ranking, 2).name),
        (0.0, weights::NAME)
    );
}

#[test]
fn a_named_day_prefers_its_memories() {
    let shelf = Shelf::new(&TALK);
    let mut documents = shelf.documents();
    documents[3].day = Some(Day {
        year: 2024,
        month: 3,
        day: 9,
    });
    documents[4].day = Some(Day {
        year: 2024,
        month: 3,
        day: 10,
    });
    let ranking = shelf.rank("What was on 9 March 2024?", &documents);
    let date = |key| part(&ranking, key).date;
    assert_eq!(
        (date(3), date(4), date(0)),
        (weights::DATE, weights::DATE * weights::MONTH_ONLY, 0.0)
    );
}

#[test]
fn a_day_can_be_asked_for_by_its_words() {
    let day = Some(Day {
        year: 2024,
        month: 3,
        day: 9,
    });
    let stems: Vec<u32> = words_of(embedder(), "tea", day)
        .iter()
        .map(|word| word.stem)
        .collect();
    assert_eq!(stems, ["9", "march", "2024", "tea"].map(stem_hash));
    assert!(
        words_of(embedder(), "tea", day)
            .iter()
            .all(|word| !word.is_name)
    );
    let no_day = Some(Day {
        year: 2024,
        month: 13,
        day: 9,
    });
    assert_eq!(
        words_of(embedder(), "tea", no_day),
        words_of(embedder(), "tea", None)
    );
}

#[test]
fn documents_given_as_neighbours_are_not_ranked_but_lend() {
    let shelf = Shelf::new(&TALK);
    let mut documents = shelf.documents();
    documents[0].is_candidate = false;
    let ranking = shelf.rank("cello", &documents);
    assert_eq!(ranking.ranked.len(), 5);
    assert_eq!(ranking.ranked[0].key, 1);
    let without = shelf.rank("cello", &documents[1..]);
    assert!(without.certainty < ranking.certainty);
}

#[test]
fn a_question_of_stop_words_is_ranked_by_its_vector_alone() {
    let ranking = ask("what is it");
    assert!(
        ranking
            .ranked
            .iter()
            .all(|ranked| ranked.parts.cover == 0.0 && ranked.score.is_finite())
    );
    assert_eq!(ranking.ranked.len(), TALK.len());
}

#[test]
fn equal_scores_come_newest_first_and_nothing_gives_nothing() {
    let shelf = Shelf::new(&[(0, "a", "tea"), (0, "a", "tea"), (0, "a", "tea")]);
    let keys: Vec<i64> = shelf
        .rank("tea", &shelf.documents())
        .ranked
        .iter()
        .map(|ranked| ranked.key)
        .collect();
    assert_eq!(keys, [2, 1, 0]);
    let none = shelf.rank("tea", &[]);
    assert!(none.ranked.is_empty() && none.margin < 0.0);
}

#[test]
fn what_was_replaced_answers_a_question_for_what_was() {
    let shelf = Shelf::new(&[
        (0, "Ada", "Number 22 is used"),
        (0, "Ada", "Number 2222 is used"),
        (0, "Ada", "The relay's port is 49222"),
        (0, "Ada", "Port is a sweet wine"),
    ]);
    let mut documents = shelf.documents();
    documents[0].replaced_by = Some(1);
    documents[1].replaced_by = Some(2);
    let keys = |question: &str| {
        let ranked = shelf.rank(question, &documents).ranked;
        ranked.iter().map(|ranked| ranked.key).collect::<Vec<_>>()
    };
    assert_eq!(keys("What was the port of the relay before?"), [1, 0, 2, 3]);
    assert_eq!(keys("中继之前的 port 是什么 relay"), [1, 0, 2, 3]);
    assert_eq!(keys("What is the port of the relay?")[0], 2);
    documents[1].replaced_by = Some(77);
    let unknown = shelf.rank("the port of the relay before", &documents);
    assert!(part(&unknown, 1).former > 0.0);
}

#[test]
fn a_score_is_the_sum_of_its_parts() {
    for ranked in ask("When did Rosa buy the cello?").ranked {
        let sum: f32 = ranked.parts.named().iter().map(|(_, value)| value).sum();
        assert_eq!(ranked.score, sum);
        assert!(ranked.score <= 3.5);
    }
}
