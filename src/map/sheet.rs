//! Where each memory lies on the sheet: first by the two directions in which the vectors differ most, then pulled towards its
//! neighbours and pushed from the rest until those who belong together lie together.

use crate::embed::DIMS;
use crate::embed::vector::Vector;
use crate::map::neighbours::neighbours;
use crate::map::{Chance, Point};

/// Vectors that decide the two directions.
const SAMPLE: usize = 1_500;
/// Steps towards each direction (power iteration).
const STEPS: usize = 7;
/// Pulls and pushes in all: about half a second.
const MOVES: usize = 18_000_000;
/// Rounds at most; more change little.
const ROUNDS: usize = 200;
/// Pushes from others for each pull towards a neighbour.
const PUSHES: usize = 3;
/// Longest way one pull or push may move a point.
const LONGEST: f32 = 4.0;
/// How wide the sheet is while points move on it; neighbours come to lie about 1 apart.
const SPAN: f32 = 20.0;
/// The first round's strength, and that of a map that is only brought up to date: it stays recognisable.
const STRENGTH: f32 = 1.0;
const STRENGTH_AGAIN: f32 = 0.2;
/// The share of points on each side that may lie outside of the frame before they are drawn in.
const OUTSIDE: f32 = 0.005;
/// How much of a place is its rank among all from left to right (or top to bottom) and not its distance: a few islands far off
/// would otherwise press everything else into a corner, and most of the sheet would be empty sea.
const RANK: f32 = 0.55;
/// The frame: the rest is room for what lies outside.
const FRAME: f32 = 0.45;
/// Where the rows of texts without a vector lie, from the top.
const EDGE: f32 = 0.985;

/// Places all. `known` are the places of an earlier map, `None` for what is new; with more than half of them known the map
/// is brought up to date instead of drawn anew.
pub fn lay_out(vectors: &[Vector], known: &[Option<Point>]) -> Vec<Point> {
    let again = known.iter().flatten().count() * 2 > vectors.len();
    let near = neighbours(vectors);
    let mut chance = Chance::new();
    let mut places = if again {
        begun_from(known, &near, &mut chance)
    } else {
        by_direction(vectors, &mut chance)
    };
    settle(
        &mut places,
        &near,
        if again { STRENGTH_AGAIN } else { STRENGTH },
        &mut chance,
    );
    if !again {
        turn(&mut places);
    }
    let lost: Vec<bool> = vectors.iter().map(Vector::is_zero).collect();
    framed(&places, &lost)
}

/// The place of something new on a map that stands: between its nearest, a little aside.
pub fn beside(near: &[Point], number: usize) -> Option<Point> {
    let count = near.len() as f32;
    if near.is_empty() {
        return None;
    }
    let mut chance = Chance::new();
    for _ in 0..number % 61 {
        chance.next();
    }
    let mean = |axis: fn(&Point) -> f32| near.iter().map(axis).sum::<f32>() / count;
    Some(Point {
        x: (mean(|point| point.x) + chance.around_zero() * 0.006).clamp(0.0, 1.0),
        y: (mean(|point| point.y) + chance.around_zero() * 0.006).clamp(0.0, 1.0),
    })
}

/// The place of a text without a vector.
pub fn aside(number: usize) -> Point {
    Point {
        x: 0.02 + (number % 97) as f32 * 0.01,
        y: EDGE,
    }
}

fn begun_from(
    known: &[Option<Point>],
    near: &[Vec<(usize, f32)>],
    chance: &mut Chance,
) -> Vec<[f32; 2]> {
    let place = |other: usize| known.get(other).copied().flatten().map(wide);
    let begin = |(mine, near): (&Option<Point>, &Vec<(usize, f32)>)| {
        let around: Vec<[f32; 2]> = match mine {
            Some(point) => vec![wide(*point)],
            None => near.iter().filter_map(|(other, _)| place(*other)).collect(),
        };
        mean_of(&around)
            .unwrap_or_else(|| [0.5, 0.5].map(|half| chance.around_zero() * SPAN * half))
    };
    known.iter().zip(near).map(begin).collect()
}

fn wide(point: Point) -> [f32; 2] {
    [(point.x - 0.5) * SPAN, (point.y - 0.5) * SPAN]
}

fn mean_of(places: &[[f32; 2]]) -> Option<[f32; 2]> {
    let count = places.len() as f32;
    let sum = places.iter().fold([0f32; 2], |[x, y], [more_x, more_y]| {
        [x + more_x, y + more_y]
    });
    (!places.is_empty()).then(|| sum.map(|axis| axis / count))
}

type Direction = [f32; DIMS];

/// How far each vector reaches along the two directions in which they differ most.
fn by_direction(vectors: &[Vector], chance: &mut Chance) -> Vec<[f32; 2]> {
    let sample: Vec<Direction> = vectors
        .iter()
        .step_by((vectors.len() / SAMPLE).max(1))
        .map(|vector| {
            let mut numbers = [0f32; DIMS];
            vector.add_to(&mut numbers);
            numbers
        })
        .collect();
    let mut middle = [0f32; DIMS];
    for numbers in &sample {
        add(numbers, 1.0 / sample.len() as f32, &mut middle);
    }
    let first = strongest(&sample, &middle, None, chance);
    let second = strongest(&sample, &middle, Some(&first), chance);
    let mut places: Vec<[f32; 2]> = vectors
        .iter()
        .map(|vector| {
            let mut numbers = middle.map(|number| -number);
            vector.add_to(&mut numbers);
            [dot(&numbers, &first), dot(&numbers, &second)]
        })
        .collect();
    let spread = places
        .iter()
        .map(|[x, y]| x * x + y * y)
        .sum::<f32>()
        .max(f32::MIN_POSITIVE);
    let scale = SPAN / 4.0 / (spread / places.len().max(1) as f32).sqrt();
    for place in &mut places {
        // Texts with the very same vector need something to be pushed apart by.
        *place = place.map(|axis| axis * scale + chance.around_zero() * 0.05);
    }
    places
}

/// The direction along which the sample varies most, apart from one that is known.
fn strongest(
    sample: &[Direction],
    middle: &Direction,
    apart_from: Option<&Direction>,
    chance: &mut Chance,
) -> Direction {
    let mut direction = [0f32; DIMS];
    for number in &mut direction {
        *number = chance.around_zero();
    }
    for _ in 0..STEPS {
        let mut next = [0f32; DIMS];
        let offset = dot(middle, &direction);
        for numbers in sample {
            let along = dot(numbers, &direction) - offset;
            add(numbers, along, &mut next);
            add(middle, -along, &mut next);
        }
        if let Some(other) = apart_from {
            let shared = dot(&next, other);
            add(other, -shared, &mut next);
        }
        let length = dot(&next, &next).sqrt();
        if length <= f32::MIN_POSITIVE {
            break;
        }
        direction = next.map(|number| number / length);
    }
    direction
}

#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn dot(first: &Direction, second: &Direction) -> f32 {
    // Four sums side by side, which is what the processor adds at once.
    let mut sums = [0f32; 4];
    for (first, second) in first
        .as_chunks::<4>()
        .0
        .iter()
        .zip(second.as_chunks::<4>().0)
    {
        for ((sum, first), second) in sums.iter_mut().zip(first).zip(second) {
            *sum += first * second;
        }
    }
    sums.iter().sum()
}

#[cfg_attr(target_arch = "wasm32", target_feature(enable = "simd128"))]
fn add(numbers: &Direction, weight: f32, sum: &mut Direction) {
    for (sum, number) in sum.iter_mut().zip(numbers) {
        *sum += weight * number;
    }
}

/// Pulls and pushes. A pull towards a neighbour fades as they meet, a push from anybody fades with the distance (the curve of
/// UMAP with a = b = 1, which needs no powers).
fn settle(places: &mut [[f32; 2]], near: &[Vec<(usize, f32)>], strength: f32, chance: &mut Chance) {
    let pulls: usize = near.iter().map(Vec::len).sum();
    let each_round = pulls * (1 + PUSHES);
    let rounds = (MOVES / each_round.max(1)).clamp(1, ROUNDS);
    let at = |places: &[[f32; 2]], place: usize| places.get(place).copied().unwrap_or_default();
    let count = places.len();
    for round in 0..rounds {
        let strength = strength * (1.0 - round as f32 / rounds as f32);
        for (place, near) in near.iter().enumerate() {
            let mut mine = at(places, place);
            for (other, likeness) in near {
                let theirs = at(places, *other);
                let [x, y] = [mine[0] - theirs[0], mine[1] - theirs[1]];
                let pull = -2.0 * likeness.sqrt() / (1.0 + x * x + y * y) * strength;
                let moved = [x, y].map(|way| (way * pull).clamp(-LONGEST, LONGEST));
                mine = [mine[0] + moved[0], mine[1] + moved[1]];
                if let Some(theirs) = places.get_mut(*other) {
                    *theirs = [theirs[0] - moved[0], theirs[1] - moved[1]];
                }
                for _ in 0..PUSHES {
                    let other = chance.below(count);
                    if other == place {
                        continue;
                    }
                    let theirs = at(places, other);
                    let [x, y] = [mine[0] - theirs[0], mine[1] - theirs[1]];
                    let square = x * x + y * y;
                    let push = 2.0 / ((0.001 + square) * (1.0 + square));
                    let moved = [x, y].map(|way| (way * push).clamp(-LONGEST, LONGEST) * strength);
                    mine = [mine[0] + moved[0], mine[1] + moved[1]];
                }
            }
            if let Some(place) = places.get_mut(place) {
                *place = mine;
            }
        }
    }
}

/// Turns all so that they are spread widest from left to right: sheets are wider than high.
fn turn(places: &mut [[f32; 2]]) {
    let middle = mean_of(places).unwrap_or_default();
    let (mut xx, mut xy, mut yy) = (0f32, 0f32, 0f32);
    for [x, y] in places.iter() {
        let (x, y) = (x - middle[0], y - middle[1]);
        (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
    }
    let angle = 0.5 * (2.0 * xy).atan2(xx - yy);
    let (sine, cosine) = angle.sin_cos();
    for place in places {
        let (x, y) = (place[0] - middle[0], place[1] - middle[1]);
        *place = [x * cosine + y * sine, y * cosine - x * sine];
    }
}

/// Brings all into the frame, and what lies far outside just beyond it. What is like nothing lies in rows at the lower edge.
fn framed(places: &[[f32; 2]], lost: &[bool]) -> Vec<Point> {
    let (x, y) = (
        Axis::of(places, lost, |place| place[0]),
        Axis::of(places, lost, |place| place[1]),
    );
    let mut astray = 0;
    let place = |(place, lost): (&[f32; 2], &bool)| {
        if *lost {
            astray += 1;
            return aside(astray);
        }
        Point {
            x: x.in_frame(place[0]),
            y: y.in_frame(place[1]),
        }
    };
    places.iter().zip(lost).map(place).collect()
}

/// The values along one side of the sheet, smallest first.
struct Axis(Vec<f32>);

impl Axis {
    fn of(places: &[[f32; 2]], lost: &[bool], value: fn(&[f32; 2]) -> f32) -> Axis {
        let mut values: Vec<f32> = places
            .iter()
            .zip(lost)
            .filter(|(_, lost)| !**lost)
            .map(|(place, _)| value(place))
            .collect();
        values.sort_unstable_by(f32::total_cmp);
        Axis(values)
    }

    fn in_frame(&self, value: f32) -> f32 {
        let last = self.0.len().saturating_sub(1);
        let out = (last as f32 * OUTSIDE) as usize;
        let at = |place: usize| self.0.get(place).copied().unwrap_or_default();
        let (low, high) = (at(out), at(last - out));
        let way = (value - (low + high) / 2.0) / ((high - low) / 2.0).max(0.001);
        let beyond = (way.abs() - 1.0).max(0.0);
        let rank = self.0.partition_point(|other| *other < value) as f32 / last.max(1) as f32;
        let rank = if last == 0 { 0.0 } else { rank * 2.0 - 1.0 };
        let mixed = way.clamp(-1.0, 1.0) * (1.0 - RANK) + rank.clamp(-1.0, 1.0) * RANK;
        let drawn = mixed * FRAME + way.signum() * (0.49 - FRAME) * (beyond / (beyond + 0.5));
        (0.5 + drawn).clamp(0.0, 1.0)
    }
}
