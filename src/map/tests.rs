//! Tests of the map.

use super::hills::{self, HILLS};
use super::{Chance, Point, names, sheet};
use crate::embed::{self, vector::Vector};

/// Sentences of three kinds, by turns.
fn kinds(each: usize) -> Vec<(usize, String)> {
    let things = [
        "jib", "rudder", "anchor", "halyard", "mainsail", "keel", "mooring", "winch",
    ];
    let meals = [
        "soup", "bread", "salad", "lentils", "risotto", "omelette", "noodles", "curry",
    ];
    let tools = [
        "compiler",
        "borrow checker",
        "linker",
        "test runner",
        "debugger",
        "linter",
        "crate",
        "build cache",
    ];
    (0..each * 3)
        .map(|number| {
            let pick = |words: &[&str; 8]| words[number / 3 % 8].to_owned();
            let text = match number % 3 {
                0 => format!(
                    "The boat's {} was repaired in the harbour, boat log {number}.",
                    pick(&things)
                ),
                1 => format!(
                    "Cooks {} without nuts for dinner, recipe {number}.",
                    pick(&meals)
                ),
                _ => format!(
                    "The Rust {} reported an error in the code, ticket {number}.",
                    pick(&tools)
                ),
            };
            (number % 3, text)
        })
        .collect()
}

fn vectors(texts: &[(usize, String)]) -> Vec<Vector> {
    let embedder = embed::embedder();
    texts.iter().map(|(_, text)| embedder.embed(text)).collect()
}

fn distance(first: &Point, second: &Point) -> f32 {
    ((first.x - second.x).powi(2) + (first.y - second.y).powi(2)).sqrt()
}

fn drawn(texts: &[(usize, String)]) -> Vec<Point> {
    sheet::lay_out(&vectors(texts), &vec![None; texts.len()])
}

/// The share of points whose nearest point is of the same kind.
fn beside_their_kind(texts: &[(usize, String)], points: &[Point]) -> f32 {
    let nearest = |place: usize| {
        (0..points.len())
            .filter(|other| *other != place)
            .min_by(|a, b| {
                distance(&points[place], &points[*a])
                    .total_cmp(&distance(&points[place], &points[*b]))
            })
            .unwrap()
    };
    let same = (0..points.len()).filter(|place| texts[*place].0 == texts[nearest(*place)].0);
    same.count() as f32 / points.len() as f32
}

#[test]
fn what_means_the_same_lies_close_together() {
    let texts = kinds(40);
    let points = drawn(&texts);
    assert!(beside_their_kind(&texts, &points) > 0.95);
    assert!(
        points
            .iter()
            .all(|point| (0.0..=1.0).contains(&point.x) && (0.0..=1.0).contains(&point.y))
    );
}

#[test]
fn rooms_serve_as_well_as_comparing_every_pair() {
    let texts = kinds(700);
    assert!(beside_their_kind(&texts, &drawn(&texts)) > 0.95);
}

#[test]
fn the_same_memories_give_the_same_map() {
    let texts = kinds(20);
    assert_eq!(drawn(&texts), drawn(&texts));
}

#[test]
fn a_map_that_is_brought_up_to_date_stays_recognisable() {
    let texts = kinds(40);
    let before = drawn(&texts[..108]);
    let known: Vec<Option<Point>> = (0..120).map(|place| before.get(place).copied()).collect();
    let after = sheet::lay_out(&vectors(&texts), &known);
    let moved: f32 = before
        .iter()
        .zip(&after)
        .map(|(a, b)| distance(a, b))
        .sum::<f32>()
        / 108.0;
    assert!(moved < 0.12, "moved by {moved}");
    assert!(beside_their_kind(&texts, &after) > 0.9);
}

#[test]
fn nothing_one_thing_and_texts_without_a_vector_have_a_place() {
    assert!(sheet::lay_out(&[], &[]).is_empty());
    let one = embed::embedder().embed("A single memory");
    let alone = sheet::lay_out(std::slice::from_ref(&one), &[None]);
    assert!((alone[0].x - 0.5).abs() < 0.01 && (alone[0].y - 0.5).abs() < 0.01);
    let mixed = sheet::lay_out(&[one.clone(), Vector::ZERO, one, Vector::ZERO], &[None; 4]);
    assert_eq!((mixed[1], mixed[3]), (sheet::aside(1), sheet::aside(2)));
    assert!(
        mixed
            .iter()
            .all(|point| point.x.is_finite() && point.y.is_finite())
    );
}

#[test]
fn equal_vectors_do_not_all_lie_on_one_spot() {
    let one = embed::embedder().embed("The same thing again");
    let points = sheet::lay_out(&vec![one; 60], &[None; 60]);
    let apart = points
        .iter()
        .filter(|point| distance(point, &points[0]) > 0.05)
        .count();
    assert!(apart > 30, "{apart}");
}

#[test]
fn something_new_lies_between_its_nearest() {
    let near = [Point { x: 0.2, y: 0.4 }, Point { x: 0.4, y: 0.4 }];
    let place = sheet::beside(&near, 7).unwrap();
    assert!(distance(&place, &Point { x: 0.3, y: 0.4 }) < 0.02);
    assert_eq!(sheet::beside(&near, 7), sheet::beside(&near, 7));
    assert_eq!(sheet::beside(&[], 7), None);
}

/// Points around a middle.
fn heap(x: f32, y: f32, count: usize, chance: &mut Chance) -> Vec<Point> {
    (0..count)
        .map(|_| {
            let [right, down] =
                [0; 2].map(|_| (chance.around_zero() + chance.around_zero()) * 0.05);
            Point {
                x: x + right,
                y: y + down,
            }
        })
        .collect()
}

#[test]
fn heaps_are_hills_and_the_largest_comes_first() {
    let mut chance = Chance::new();
    let mut points = heap(0.2, 0.3, 60, &mut chance);
    points.extend(heap(0.7, 0.6, 90, &mut chance));
    points.push(Point { x: 0.95, y: 0.05 });
    let found = hills::find(&points);
    assert_eq!(found.len(), 2);
    assert!(distance(&found[0].top, &Point { x: 0.7, y: 0.6 }) < 0.06);
    assert!(distance(&found[1].top, &Point { x: 0.2, y: 0.3 }) < 0.06);
    assert!(found[0].members.len() >= 85 && found[1].members.len() >= 55);
    assert!(!found.iter().any(|hill| hill.members.contains(&150)));
}

#[test]
fn three_points_are_no_hill_and_many_hills_are_the_largest_few() {
    let mut chance = Chance::new();
    assert!(hills::find(&heap(0.5, 0.5, 3, &mut chance)).is_empty());
    let mut points = Vec::new();
    for place in 0..25 {
        points.extend(heap(
            0.1 + (place % 5) as f32 * 0.2,
            0.1 + (place / 5) as f32 * 0.2,
            30,
            &mut chance,
        ));
    }
    assert_eq!(hills::find(&points).len(), HILLS);
}

fn named(texts: &[(&str, Option<usize>)], hills: usize) -> Vec<String> {
    names::name(texts.iter().copied(), hills)
}

#[test]
fn a_hill_is_named_by_words_of_its_own() {
    let texts = [
        ("The boat lies in the harbour of Kestrel.", Some(0)),
        ("Boats need paint; Kestrel has a blue boat", Some(0)),
        ("My boat log: Kestrel, 12 knots", Some(0)),
        ("The CI of the Rust crate is slow", Some(1)),
        ("Rust code goes through CI twice", Some(1)),
        ("Rust and CI again", Some(1)),
        ("The garden has apples", None),
        ("The garden has pears", None),
    ];
    assert_eq!(named(&texts, 2), ["boat, Kestrel", "CI, Rust"]);
}

#[test]
fn chinese_japanese_and_korean_hills_have_names_of_their_own() {
    let texts = [
        ("星期二的工作安排", Some(0)),
        ("我的工作安排是上午开会", Some(0)),
        ("每天查看工作安排", Some(0)),
        ("キッチンの電球は四十ワット", Some(1)),
        ("キッチンの窓は南向き", Some(1)),
        ("キッチンで朝ごはん", Some(1)),
        ("고양이가 소파에서 잔다", Some(2)),
        ("고양이는 물을 싫어한다", Some(2)),
        ("고양이를 키운다", Some(2)),
    ];
    assert_eq!(named(&texts, 3), ["工作安排", "キッチン", "고양이"]);
}

#[test]
fn words_that_are_everywhere_or_say_nothing_name_no_hill() {
    let texts = [
        ("the and of it", Some(0)),
        ("you and the same", Some(0)),
        ("coffee in the morning", Some(1)),
        ("coffee in the evening", Some(1)),
        ("without thanks", Some(0)),
        ("without thanks, die", Some(0)),
    ];
    assert_eq!(named(&texts, 2), ["", "coffee"]);
    assert_eq!(
        named(
            &[
                ("coffee", Some(0)),
                ("coffee", Some(0)),
                ("coffee", None),
                ("coffee", None)
            ],
            1
        ),
        [""]
    );
    assert_eq!(named(&[], 2), ["", ""]);
    assert_eq!(named(&[("x", Some(9))], 1), [""]);
}
