//! Ranking: which memories answer a question, best first, by arithmetic over what is stored with them. Pure; no language
//! model. Candidates come from elsewhere (words, vectors, and the neighbours of both); this puts them in order.
//!
//! The main part is the **cover**: how much of what the question says is said by a memory, softly (a word counts as much as the
//! most alike word of the memory) and with its neighbours in the same session, because people answer, refer and go on
//! without repeating what they talk about. Around it stand smaller parts: who wrote it, whether it follows a question, its
//! vector, its date, its session, and cues of the question. [`Parts`] shows what each gave.
//!
//! Refused: nothing is filtered or hidden here, and a score means nothing beyond one answer; [`Ranking::margin`] does.

mod beside;
mod cover;
mod cues;
mod dates;
mod floor;
mod former;
mod languages;
mod names;
mod question;
mod sessions;
mod themes;
pub mod weights;

use std::collections::HashSet;

pub use cues::Marks;
pub use dates::Day;
pub use question::Question;

use crate::embed::dictionary::{Dictionary, WordNumber};
use crate::embed::embedding::Embedder;
use crate::embed::tokens::{Words, stem_hash};
use crate::embed::vector::Vector;
use cover::Covers;
use cues::Cues;
use dates::Agreement;
use floor::Floors;
use sessions::{Topics, named_session};
use themes::Themes;

/// Whether a question asks for how things were: "before", "originally", 之前.
pub fn asks_for_what_was(text: &str) -> bool {
    Cues::of(text).now < 0.0
}

/// What ranking needs to know of the whole vault.
#[derive(Debug, Clone)]
pub struct Vault<'vault> {
    /// The words that [`Document::words`] are numbers of.
    pub dictionary: &'vault Dictionary,
    /// Memories that could be asked for.
    pub memories: u64,
    /// How many of them have each of [`Question::words`], in that order; a missing number counts as none.
    pub containing: Vec<u64>,
    /// The authors known; those of the documents are known anyway.
    pub authors: Vec<&'vault str>,
}

/// A memory to be ranked, or one that only stands near one.
#[derive(Debug, Clone, Copy)]
pub struct Document<'vault> {
    /// Given back with its place.
    pub key: i64,
    /// The words of its text and its date, from [`words_of`], as numbers of [`Vault::dictionary`].
    pub words: &'vault [WordNumber],
    /// The vector of `author: text`; zero if there is none.
    pub vector: &'vault Vector,
    /// Its likeness to the question by a larger model, on the scale of [`crate::embed::thresholds`]; `None`: its vector's counts.
    pub likeness: Option<f32>,
    /// What [`Marks::of`] said of its text.
    pub marks: Marks,
    /// Who said or wrote it.
    pub author: Option<&'vault str>,
    /// The conversation or sitting; documents of one must have one number. `None`: it stands alone.
    pub session: Option<i64>,
    /// Its place in the session: neighbours differ by one.
    pub place: i64,
    /// Nobody named its session: it was only stored in one sitting with its neighbours.
    pub is_loose: bool,
    /// The day it is dated.
    pub day: Option<Day>,
    /// Its place in time among all memories, 0 for the oldest to 1 for the newest.
    pub age_rank: f32,
    /// It no longer holds, and this one replaced it, if it is known which.
    pub replaced_by: Option<i64>,
    /// `false` for a document that is only given as a neighbour: it lends words to others and is not ranked.
    pub is_candidate: bool,
}

/// The words to store with a memory: those of its text and, so that a question may name it, of its day.
pub fn words_of(embedder: &Embedder<'_>, text: &str, day: Option<Day>) -> Words {
    let day = day.and_then(|day| day.in_words()).unwrap_or_default();
    Words::of(embedder, &format!("{day} {text}"))
}

/// What each part gave to a score, weights included.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Parts {
    /// Words, with those of neighbours.
    pub cover: f32,
    /// It is by the one person named.
    pub author: f32,
    /// It follows a question.
    pub answer: f32,
    /// Its vector.
    pub cosine: f32,
    /// Its neighbours' vectors.
    pub context: f32,
    /// Its date.
    pub date: f32,
    /// Its session.
    pub session: f32,
    /// What its session is about.
    pub theme: f32,
    /// It tells a time that is asked for.
    pub when: f32,
    /// It has a number that is asked for.
    pub amount: f32,
    /// It has a name that is asked for.
    pub name: f32,
    /// It tells feelings that are asked for.
    pub feeling: f32,
    /// It asks itself.
    pub asks: f32,
    /// It is of the time the question means.
    pub now: f32,
    /// It is what was replaced, and the question asks for that.
    pub former: f32,
    /// Others of its session come before it.
    pub again: f32,
}

impl Parts {
    /// The score: the sum.
    pub fn total(&self) -> f32 {
        self.named().iter().map(|(_, value)| value).sum()
    }

    /// Each part with its name, for an explanation.
    pub fn named(&self) -> [(&'static str, f32); 16] {
        [
            ("cover", self.cover),
            ("author", self.author),
            ("answer", self.answer),
            ("cosine", self.cosine),
            ("context", self.context),
            ("date", self.date),
            ("session", self.session),
            ("theme", self.theme),
            ("when", self.when),
            ("amount", self.amount),
            ("name", self.name),
            ("feeling", self.feeling),
            ("asks", self.asks),
            ("now", self.now),
            ("former", self.former),
            ("again", self.again),
        ]
    }
}

/// A memory in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked {
    /// Its key.
    pub key: i64,
    /// Its score: comparable within one ranking only.
    pub score: f32,
    /// How sure it is that this one answers: the share of the question that is covered, and its likeness.
    pub certainty: f32,
    /// Its session, if it has one that was named.
    pub session: Option<i64>,
    /// How much of the question is said in that session by the person named, or by anybody if none is; relative to the session that
    /// says most, 0 to 1.
    pub topic: f32,
    /// Where the score comes from.
    pub parts: Parts,
}

/// Candidates in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Ranking {
    /// Best first; equal scores by key, the newer key first.
    pub ranked: Vec<Ranked>,
    /// How sure it is that anything answers at all, comparable between questions: the best sum of the share of the question that
    /// is covered (0 to 1) and the likeness, weighted.
    pub certainty: f32,
    /// By how much the surest passes the floor that [`weights`] sets for such a question in such a vault, if the whole vault is in
    /// the question's language. Below 0 nothing answers.
    pub margin: f32,
    floors: Floors,
}

impl Ranking {
    /// The margin if only so many memories are in the question's language: never below [`Ranking::margin`].
    pub fn margin_among(&self, in_its_language: u64) -> f32 {
        self.floors.margin(Some(in_its_language))
    }
}

/// Puts the candidates among `documents` in order.
pub fn rank(
    embedder: &Embedder<'_>,
    question: &Question,
    vault: &Vault<'_>,
    documents: &[Document<'_>],
) -> Ranking {
    let authors = known_authors(vault, documents);
    let is_said = |word: &str| is_no_name(vault.dictionary, documents, word);
    let named = names::named(&question.all_words, &authors, is_said);
    let names_of_authors = if question.cues.name {
        names::stems(&authors)
    } else {
        HashSet::new()
    };
    let covers = Covers::new(embedder, question, vault, &named, documents);
    let by = match named.as_slice() {
        [single] => Some(*single),
        _ => None,
    };
    let (best, topics) = (
        sessions::best(documents, &covers),
        Topics::new(documents, &covers, by),
    );
    let likenesses: Vec<f32> = documents
        .iter()
        .map(|document| likeness(question, document))
        .collect();
    let themes = Themes::new(documents, &likenesses);
    let mut ranked = Vec::new();
    let mut floors = Floors::new(question, vault);
    let mut certainty = 0f32;
    for (place, document) in documents
        .iter()
        .enumerate()
        .filter(|(_, document)| document.is_candidate)
    {
        let cosine = |place: Option<usize>| {
            let likeness = place.and_then(|place| likenesses.get(place).copied());
            likeness.unwrap_or_default()
        };
        let (before, after) = (covers.neighbour(place, -1), covers.neighbour(place, 1));
        let own_cosine = cosine(Some(place));
        let (likeness, likeness_certainty) = match document.likeness {
            Some(_) => (weights::LIKENESS, weights::CERTAINTY_LIKENESS),
            None => (weights::COSINE, weights::CERTAINTY_COSINE),
        };
        let own_certainty = covers.certain(place) + likeness_certainty * own_cosine;
        let near = if document.is_loose {
            weights::SITTING
        } else {
            1.0
        };
        certainty = certainty.max(own_certainty);
        floors.hold(document, own_certainty);
        let asked_before = before.filter(|before| {
            documents
                .get(*before)
                .is_some_and(|document| document.marks.asks())
        });
        let yes = |condition: bool| f32::from(u8::from(condition));
        let named_session = named_session(document);
        let session = named_session.and_then(|session| best.get(&session).copied());
        let parts = Parts {
            cover: weights::COVER * covers.relative_cover(place),
            author: weights::AUTHOR * yes(by.is_some() && document.author == by),
            answer: near
                * weights::ANSWER
                * asked_before.map_or(0.0, |before| covers.relative_own(before)),
            cosine: likeness * own_cosine,
            context: near * weights::CONTEXT * cosine(before).max(cosine(after)),
            date: weights::DATE
                * match question.dates.agreement(document.day) {
                    Agreement::None => 0.0,
                    Agreement::Month => weights::MONTH_ONLY,
                    Agreement::Day => 1.0,
                },
            session: weights::SESSION * session.unwrap_or_else(|| covers.relative_cover(place)),
            theme: weights::THEME * themes.relative(document, own_cosine),
            when: weights::WHEN * yes(question.cues.when && document.marks.tells_time()),
            amount: weights::AMOUNT * yes(question.cues.amount && document.marks.has_number()),
            name: weights::NAME
                * yes(question.cues.name
                    && has_other_name(vault.dictionary, document.words, &names_of_authors)),
            feeling: weights::FEELING
                * yes(question.cues.feeling && document.marks.tells_feelings()),
            asks: weights::ASKS * yes(document.marks.ends_asking()),
            now: weights::NOW * question.cues.now * (document.age_rank - 0.5),
            former: 0.0,
            again: 0.0,
        };
        ranked.push(Ranked {
            key: document.key,
            score: parts.total(),
            certainty: own_certainty,
            session: named_session,
            topic: topics.relative(document, covers.own(place)),
            parts,
        });
    }
    if question.asks_for_what_was() {
        former::lift(documents, &mut ranked);
    }
    sessions::spread(&mut ranked);
    Ranking {
        ranked,
        certainty,
        margin: floors.margin(None),
        floors,
    }
}

/// Of a whole memory to the whole question, 0 to 1.
fn likeness(question: &Question, document: &Document<'_>) -> f32 {
    let inside = || document.vector.cosine(&question.vector);
    document.likeness.unwrap_or_else(inside).max(0.0)
}

fn known_authors<'vault>(
    vault: &Vault<'vault>,
    documents: &[Document<'vault>],
) -> Vec<&'vault str> {
    let mut authors = vault.authors.clone();
    authors.extend(documents.iter().filter_map(|document| document.author));
    authors.sort_unstable();
    authors.dedup();
    authors
}

/// Whether memories say a word, and more of them in small letters than as a name: "car" is no short form of Caroline there.
fn is_no_name(dictionary: &Dictionary, documents: &[Document<'_>], word: &str) -> bool {
    let stem = stem_hash(word);
    let words = documents.iter().flat_map(|document| document.words);
    let says = |number: &&WordNumber| {
        let said = dictionary.word(**number);
        said.is_some_and(|said| said.stem == stem)
    };
    let balance = words.filter(says).map(|number| match number.is_name() {
        true => -1i64,
        false => 1,
    });
    balance.sum::<i64>() > 0
}

/// Whether a memory has a name that is not an author's: people address each other by name all the time.
fn has_other_name(
    dictionary: &Dictionary,
    words: &[WordNumber],
    names_of_authors: &HashSet<u32>,
) -> bool {
    let names = words.iter().filter(|word| word.is_name());
    names
        .filter_map(|word| dictionary.word(*word))
        .any(|word| !names_of_authors.contains(&word.stem))
}

#[cfg(test)]
mod tests;
