//! Where points lie densely on the sheet. The sheet is cut into squares, the counts are blurred, and every square belongs to
//! the hill that one reaches by walking uphill; a hill hardly higher than the pass to its neighbour is part of it.

use crate::map::Point;

/// Squares along each side.
const SIDE: usize = 72;
/// Squares that one blurring looks to each side, and how often it is done: close to a bell curve.
const BLUR: usize = 2;
const BLURS: usize = 3;
/// A hill whose pass is higher than such a share of its own top is part of the hill behind the pass. On ground where that leaves
/// too few to tell anything by, smaller rises count as well.
const PASSES: [f32; 4] = [0.82, 0.9, 0.95, 0.98];
/// Hills that are enough; and fewer than that where there is only one for so many points.
const ENOUGH: usize = 9;
const POINTS_A_HILL: usize = 40;
/// Hills shown at most; a sheet with more names cannot be read.
pub const HILLS: usize = 14;
/// Points a hill has at least, and the share of all of them.
const FEWEST: usize = 4;
const LEAST_SHARE: f32 = 0.006;

/// Points that lie densely together.
#[derive(Debug, Clone, PartialEq)]
pub struct Hill {
    /// Its top.
    pub top: Point,
    /// The places of its points in the list they came from.
    pub members: Vec<usize>,
}

/// The hills, the largest first. Points between them belong to none.
pub fn find(points: &[Point]) -> Vec<Hill> {
    let mut ground = vec![0f32; SIDE * SIDE];
    for point in points {
        if let Some(square) = ground.get_mut(square_of(*point)) {
            *square += 1.0;
        }
    }
    for _ in 0..BLURS {
        ground = blurred(&ground, 1, SIDE);
        ground = blurred(&ground, SIDE, 1);
    }
    let enough = (points.len() / POINTS_A_HILL).min(ENOUGH);
    let mut found = Vec::new();
    for pass in PASSES {
        found = hills_over(points, &ground, pass);
        if found.len() >= enough {
            break;
        }
    }
    found.sort_by_key(|hill| std::cmp::Reverse(hill.members.len()));
    found.truncate(HILLS);
    found
}

fn hills_over(points: &[Point], ground: &[f32], pass: f32) -> Vec<Hill> {
    let hill_of = hills_of_squares(ground, pass);
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); SIDE * SIDE];
    for (place, point) in points.iter().enumerate() {
        let top = hill_of.get(square_of(*point)).copied().flatten();
        if let Some(members) = top.and_then(|top| members.get_mut(top)) {
            members.push(place);
        }
    }
    let fewest = FEWEST.max((points.len() as f32 * LEAST_SHARE) as usize);
    members
        .into_iter()
        .enumerate()
        .filter(|(_, members)| members.len() >= fewest)
        .map(|(top, members)| Hill {
            top: Point {
                x: ((top % SIDE) as f32 + 0.5) / SIDE as f32,
                y: ((top / SIDE) as f32 + 0.5) / SIDE as f32,
            },
            members,
        })
        .collect()
}

fn square_of(point: Point) -> usize {
    let along = |value: f32| ((value * SIDE as f32) as usize).min(SIDE - 1);
    along(point.y) * SIDE + along(point.x)
}

/// The mean over the squares before and after, along lines whose squares lie `step` apart and that begin `next` apart.
fn blurred(ground: &[f32], step: usize, next: usize) -> Vec<f32> {
    let mut out = vec![0f32; ground.len()];
    for line in 0..SIDE {
        let at = |place: usize| line * next + place * step;
        for place in 0..SIDE {
            let from = place.saturating_sub(BLUR);
            let to = (place + BLUR).min(SIDE - 1);
            let sum: f32 = (from..=to).filter_map(|other| ground.get(at(other))).sum();
            if let Some(square) = out.get_mut(at(place)) {
                *square = sum / (2 * BLUR + 1) as f32;
            }
        }
    }
    out
}

/// Of each square the top of its hill, `None` for bare ground: squares from the highest down join what they touch.
fn hills_of_squares(ground: &[f32], pass: f32) -> Vec<Option<usize>> {
    let height = |square: usize| ground.get(square).copied().unwrap_or_default();
    let mut order: Vec<usize> = (0..ground.len())
        .filter(|square| height(*square) > 0.0)
        .collect();
    order.sort_by(|first, second| {
        height(*second)
            .total_cmp(&height(*first))
            .then(first.cmp(second))
    });
    // A square's parent on the way to its top; a top is its own.
    let mut parent: Vec<Option<usize>> = vec![None; ground.len()];
    for square in order {
        let mut tops: Vec<usize> = around(square)
            .filter_map(|other| top_of(&parent, other))
            .collect();
        tops.sort_by(|first, second| {
            height(*second)
                .total_cmp(&height(*first))
                .then(first.cmp(second))
        });
        tops.dedup();
        let home = tops.first().copied().unwrap_or(square);
        if let Some(slot) = parent.get_mut(square) {
            *slot = Some(home);
        }
        for lower in tops.iter().skip(1) {
            if height(square) > pass * height(*lower)
                && let Some(slot) = parent.get_mut(*lower)
            {
                *slot = Some(home);
            }
        }
    }
    (0..ground.len())
        .map(|square| top_of(&parent, square))
        .collect()
}

fn top_of(parent: &[Option<usize>], square: usize) -> Option<usize> {
    let mut at = square;
    // As many steps as there are squares, so that no fault in the chain can keep us here.
    for _ in 0..parent.len() {
        let up = parent.get(at).copied().flatten()?;
        if up == at {
            break;
        }
        at = up;
    }
    Some(at)
}

fn around(square: usize) -> impl Iterator<Item = usize> {
    let (x, y) = ((square % SIDE) as isize, (square / SIDE) as isize);
    (-1..=1)
        .flat_map(move |down| (-1..=1).map(move |right| (x + right, y + down)))
        .filter(move |(right, down)| {
            (0..SIDE as isize).contains(right)
                && (0..SIDE as isize).contains(down)
                && (*right, *down) != (x, y)
        })
        .map(|(right, down)| down as usize * SIDE + right as usize)
}
