//! What the index in memory promises.

use super::*;
use crate::embed::embedder;
use crate::embed::tokens::Words;
use crate::recall::rank::Marks;

fn entry(seq: i64, text: &str, session: Option<&str>) -> Entry {
    Entry {
        seq,
        status: Status::Active,
        session: session.map(str::to_owned),
        sitting: None,
        author: None,
        tags: Vec::new(),
        replaced_by: None,
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

/// A snapshot that everything belongs to.
const NOW: i64 = i64::MAX;

fn up_to(snapshot: i64) -> Allowed<'static> {
    Allowed {
        statuses: &[Status::Active],
        snapshot,
        among: None,
    }
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
    assert_eq!(index.containing(stem_of("trains"), NOW), 2);
    index.remove(1);
    index.remove(4);
    assert_eq!(index.containing(stem_of("trains"), NOW), 0);
    assert_eq!(
        (index.len(), index.stands(1, &[Status::Active])),
        (1, false)
    );
}

#[test]
fn putting_again_replaces() {
    let mut index = three();
    let before = index.bytes();
    index.put(entry(4, "Trains again", Some("a")));
    assert_eq!(
        (index.len(), index.containing(stem_of("trains"), NOW)),
        (3, 2)
    );
    assert_eq!(index.bytes(), before);
    index.put(Entry {
        status: Status::Superseded,
        ..entry(4, "Boats", Some("b"))
    });
    assert!(index.stands(4, &[Status::Superseded]) && !index.stands(4, &[Status::Active]));
    assert_eq!(index.containing(stem_of("trains"), NOW), 1);
}

#[test]
fn neighbours_are_those_of_the_same_session() {
    let index = three();
    assert_eq!(index.with_neighbours(&[1], &up_to(NOW)), [1, 4]);
    assert_eq!(index.with_neighbours(&[1], &up_to(0)), [1]);
    assert_eq!(index.with_neighbours(&[2], &up_to(NOW)), [2]);
}

#[test]
fn places_differ_by_one_for_neighbours_only() {
    let mut index = Index::default();
    for seq in [1, 2, 3, 20, 21] {
        index.put(entry(seq, "note", Some("a")));
    }
    let documents = index.documents(&[1, 21], NOW, |_| 0.5);
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
fn what_came_after_a_snapshot_is_no_neighbour() {
    let mut index = Index::default();
    for seq in [1, 2, 3] {
        index.put(entry(seq, "note", Some("a")));
    }
    let keys = |snapshot: i64| {
        let documents = index.documents(&[1], snapshot, |_| 0.5);
        documents.iter().map(|each| each.key).collect::<Vec<_>>()
    };
    assert_eq!((keys(2), keys(NOW)), (vec![1, 2], vec![1, 2, 3]));
}

#[test]
fn far_apart_runs_of_one_session_are_no_neighbours() {
    let mut index = Index::default();
    for seq in 1..=40 {
        index.put(entry(seq, "note", Some("a")));
    }
    let documents = index.documents(&[2, 30], NOW, |_| 0.5);
    let place = |key: i64| {
        documents
            .iter()
            .find(|document| document.key == key)
            .unwrap()
            .place
    };
    assert!(place(27) - place(5) > 3, "{} {}", place(5), place(27));
}

#[test]
fn words_and_labels_find_memories_strongest_first() {
    let mut index = three();
    index.put(Entry {
        author: Some("Olga Trains".to_owned()),
        tags: vec!["Music".to_owned()],
        ..entry(5, "Nothing of the kind", None)
    });
    index.put(Entry {
        status: Status::Superseded,
        ..entry(6, "Trains", None)
    });
    assert_eq!(index.labelled(stem_of("trains"), NOW), 1);
    let mut matched = index.matched(up_to(NOW));
    matched.add_said(stem_of("trains"), 1.0);
    matched.add_said(stem_of("planes"), 2.0);
    matched.add_labelled(stem_of("trains"));
    assert!(matched.add_key(2) && matched.add_key(1) && !matched.add_key(77));
    let keys = |found: Vec<(i64, f32)>| found.into_iter().map(|found| found.0).collect::<Vec<_>>();
    assert_eq!(keys(matched.in_order(|_| true)), [1, 4, 5, 2]);
    assert_eq!(keys(matched.in_order(|seq| seq != 4)), [1, 5, 2]);
    assert_eq!(
        (matched.len(), matched.has(5), matched.has(6)),
        (4, true, false)
    );
    let mut strongest = matched.strongest(2);
    strongest.sort_unstable();
    assert_eq!(strongest, [1, 4]);
    let mut before = index.matched(up_to(2));
    before.add_said(stem_of("trains"), 1.0);
    assert_eq!(before.in_order(|_| true), [(1, 1.0)]);
    index.remove(5);
    assert_eq!(index.labelled(stem_of("trains"), NOW), 0);
}

#[test]
fn a_snapshot_counts_only_what_was_there() {
    let index = three();
    assert_eq!(index.containing(stem_of("trains"), 2), 1);
    assert_eq!((index.len_at(2), index.len_at(NOW)), (2, 3));
    assert_eq!(index.dates(2), [1, 2]);
}

#[test]
fn what_is_set_aside_is_known_and_not_in_it() {
    let mut index = three();
    index.set_aside(1);
    assert!(index.knows(1) && index.knows(2) && !index.knows(3));
    assert_eq!((index.len(), index.keys(&up_to(NOW))), (2, vec![2, 4]));
    index.put(entry(1, "Trains", None));
    index.remove(1);
    assert!(!index.knows(1));
}

#[test]
fn a_place_that_became_free_is_used_again() {
    let mut index = three();
    let before = index.kept.len();
    index.remove(2);
    index.put(entry(9, "My brother plays the harp", Some("b")));
    assert_eq!(index.kept.len(), before);
    let near = index.nearest(&embedder().embed("harp"), 1, 0.0, |_| true);
    assert_eq!(near[0].key, 9);
}

#[test]
fn what_was_replaced_is_found_from_what_replaced_it() {
    let mut index = three();
    for (seq, by) in [(1, 2), (2, 4)] {
        index.put(Entry {
            replaced_by: Some(by),
            ..entry(seq, "Trains", None)
        });
    }
    assert_eq!(index.replaced(&[4]), [2, 1]);
    assert_eq!(index.replaced(&[1]), [0; 0]);
}

#[test]
fn a_sitting_makes_neighbours_that_are_known_as_loose() {
    let mut index = three();
    for (seq, at) in [(5, 0), (6, 60_000), (7, 3_600_000)] {
        index.put(Entry {
            sitting: Some(("ada".to_owned(), at)),
            ..entry(seq, "note", None)
        });
    }
    assert_eq!(index.with_neighbours(&[5], &up_to(NOW)), [5, 6]);
    assert_eq!(index.with_neighbours(&[7], &up_to(NOW)), [7]);
    let loose = index.documents(&[1, 5], NOW, |_| 0.5);
    let loose: Vec<bool> = loose.iter().map(|document| document.is_loose).collect();
    assert_eq!(loose, [false, false, true, true]);
}

#[test]
fn memories_are_counted_by_their_writing() {
    let mut index = three();
    index.put(entry(5, "내 여동생은 바이올린을 켠다", None));
    let count = |writing| index.in_writing(writing, NOW);
    assert_eq!((count(Writing::Latin), count(Writing::Hangul)), (3, 1));
    assert_eq!(count(Writing::Cyrillic), 0);
    assert_eq!(index.in_writing(Writing::Hangul, 4), 0);
}
