//! What the index in memory promises.

use super::*;
use crate::embed::embedder;

fn entry(seq: i64, text: &str, session: Option<&str>) -> Entry {
    Entry {
        seq,
        status: Status::Active,
        session: session.map(str::to_owned),
        author: None,
        dated_at: seq,
        day: None,
        vector: embedder().embed(text),
        words: Words::of(embedder(), text),
        marks: Marks::of(text),
    }
}

fn stem_of(word: &str) -> u32 {
    Words::of(embedder(), word).iter().next().unwrap().stem
}

fn three() -> Index {
    let mut index = Index::default();
    index.put(entry(1, "Trains are better than planes", Some("a")));
    index.put(entry(2, "My sister plays the violin", Some("b")));
    index.put(entry(4, "Trains again", Some("a")));
    index
}

#[test]
fn what_is_put_is_found_and_what_is_removed_is_gone() {
    let mut index = three();
    let asked = embedder().embed("railway");
    let nearest = |index: &Index| {
        let near = index.nearest(&asked, 1, 0.0, |_| true);
        near.first().map(|near| near.key)
    };
    assert!(matches!(nearest(&index), Some(1 | 4)));
    assert_eq!(index.containing(stem_of("trains")), 2);
    index.remove(1);
    index.remove(4);
    assert_eq!(index.containing(stem_of("trains")), 0);
    assert_eq!(
        (index.len(), index.stands(1, &[Status::Active])),
        (1, false)
    );
    assert!(index.bytes() < 2_000);
}

#[test]
fn putting_again_replaces() {
    let mut index = three();
    let before = index.bytes();
    index.put(entry(4, "Trains again", Some("a")));
    assert_eq!((index.len(), index.containing(stem_of("trains"))), (3, 2));
    assert_eq!(index.bytes(), before);
    index.put(Entry {
        status: Status::Superseded,
        ..entry(4, "Boats", Some("b"))
    });
    assert!(index.stands(4, &[Status::Superseded]) && !index.stands(4, &[Status::Active]));
    assert_eq!(index.containing(stem_of("trains")), 1);
}

#[test]
fn neighbours_are_those_of_the_same_session() {
    let index = three();
    assert_eq!(index.with_neighbours(&[1], |_| true), [1, 4]);
    assert_eq!(index.with_neighbours(&[1], |_| false), [1]);
    assert_eq!(index.with_neighbours(&[2], |_| true), [2]);
}

#[test]
fn places_differ_by_one_for_neighbours_only() {
    let mut index = Index::default();
    for seq in [1, 2, 3, 20, 21] {
        index.put(entry(seq, "note", Some("a")));
    }
    let gathered = index.gather(&[1, 21]);
    let documents = index.documents(&gathered, |_| 0.5);
    let place = |key: i64| {
        documents
            .iter()
            .find(|document| document.key == key)
            .unwrap()
            .place
    };
    assert_eq!(documents.len(), 5, "all are within three of a candidate");
    assert_eq!((place(2) - place(1), place(21) - place(20)), (1, 1));
    assert_eq!(
        place(20) - place(3),
        1,
        "next in the session, whatever their keys"
    );
    let candidates: Vec<i64> = documents
        .iter()
        .filter(|d| d.is_candidate)
        .map(|d| d.key)
        .collect();
    assert_eq!(candidates, [1, 21]);
}

#[test]
fn far_apart_runs_of_one_session_are_no_neighbours() {
    let mut index = Index::default();
    for seq in 1..=40 {
        index.put(entry(seq, "note", Some("a")));
    }
    let gathered = index.gather(&[2, 30]);
    let documents = index.documents(&gathered, |_| 0.5);
    let place = |key: i64| {
        documents
            .iter()
            .find(|document| document.key == key)
            .unwrap()
            .place
    };
    assert!(place(27) - place(5) > 3, "{} {}", place(5), place(27));
}
