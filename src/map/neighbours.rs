//! The nearest of each of many vectors. Up to [`EXACT`] every pair is compared; beyond, vectors are sorted into rooms around
//! typical ones and only those of the nearest rooms are compared, at most [`COMPARED`] for each.

use crate::embed::DIMS;
use crate::embed::vector::Vector;

/// Neighbours kept of each: enough to hold a hill together, few enough to keep hills apart.
pub const NEIGHBOURS: usize = 8;
/// So many vectors are compared pair by pair (1.4 million comparisons).
const EXACT: usize = 1_200;
/// Vectors compared with each one beyond that.
const COMPARED: usize = 320;
/// Rooms looked through for each.
const ROOMS_EACH: usize = 3;
/// Vectors that decide where rooms are.
const SAMPLE: usize = 2_500;
/// Times the rooms' middles are moved to the mean of what lies in them.
const ROUNDS: usize = 2;
/// Below this two vectors have nothing to do with each other, and one does not pull the other.
const RELATED: f32 = 0.12;

/// Of each vector, the places of those most like it and how like they are, best first. None for what is like nothing.
pub fn neighbours(vectors: &[Vector]) -> Vec<Vec<(usize, f32)>> {
    if vectors.len() <= EXACT {
        return every_pair(vectors);
    }
    let rooms = rooms(vectors);
    let nearest: Vec<Vec<usize>> = vectors
        .iter()
        .map(|vector| {
            let mut best = Best::new(ROOMS_EACH, f32::MIN);
            for (room, middle) in rooms.iter().enumerate() {
                best.offer(room, vector.cosine(middle));
            }
            best.found.into_iter().map(|(room, _)| room).collect()
        })
        .collect();
    let mut members: Vec<Vec<usize>> = vec![Vec::new(); rooms.len()];
    for (place, mine) in nearest.iter().enumerate() {
        if let Some(room) = mine.first().and_then(|room| members.get_mut(*room)) {
            room.push(place);
        }
    }
    let compare = |(place, (vector, mine)): (usize, (&Vector, &Vec<usize>))| {
        let mut best = Best::new(NEIGHBOURS, RELATED);
        if vector.is_zero() {
            return best.found;
        }
        let all = mine.iter().filter_map(|room| members.get(*room)).flatten();
        // A room as full as the vault (ten thousand texts of one kind) is looked through with gaps, begun at another place
        // for each, so that the work stays bounded.
        let step = all.clone().count().div_ceil(COMPARED).max(1);
        for other in all.skip(place % step).step_by(step) {
            if *other != place
                && let Some(candidate) = vectors.get(*other)
            {
                best.offer(*other, vector.cosine(candidate));
            }
        }
        best.found
    };
    vectors
        .iter()
        .zip(&nearest)
        .enumerate()
        .map(compare)
        .collect()
}

fn every_pair(vectors: &[Vector]) -> Vec<Vec<(usize, f32)>> {
    let mut best: Vec<Best> = vectors
        .iter()
        .map(|_| Best::new(NEIGHBOURS, RELATED))
        .collect();
    for (place, vector) in vectors.iter().enumerate() {
        for (other, candidate) in vectors.iter().enumerate().skip(place + 1) {
            let cosine = vector.cosine(candidate);
            if let Some(mine) = best.get_mut(place) {
                mine.offer(other, cosine);
            }
            if let Some(theirs) = best.get_mut(other) {
                theirs.offer(place, cosine);
            }
        }
    }
    best.into_iter().map(|best| best.found).collect()
}

/// The few best of many, best first.
struct Best {
    found: Vec<(usize, f32)>,
    most: usize,
    floor: f32,
}

impl Best {
    fn new(most: usize, floor: f32) -> Best {
        Best {
            found: Vec::with_capacity(most + 1),
            most,
            floor,
        }
    }

    fn offer(&mut self, place: usize, cosine: f32) {
        if cosine <= self.floor {
            return;
        }
        let at = self.found.partition_point(|(_, known)| *known >= cosine);
        self.found.insert(at, (place, cosine));
        if self.found.len() > self.most {
            self.found.pop();
        }
        if self.found.len() == self.most {
            self.floor = self.found.last().map_or(self.floor, |(_, least)| *least);
        }
    }
}

/// The middles of the rooms: about as many as each room then has vectors.
fn rooms(vectors: &[Vector]) -> Vec<Vector> {
    let count = (vectors.len() as f32).sqrt() as usize;
    let every = |wanted: usize| (vectors.len() / wanted.max(1)).max(1);
    let mut middles: Vec<Vector> = vectors.iter().step_by(every(count)).cloned().collect();
    for _ in 0..ROUNDS {
        let mut sums = vec![[0f32; DIMS]; middles.len()];
        for vector in vectors.iter().step_by(every(SAMPLE)) {
            let mut best = Best::new(1, f32::MIN);
            for (room, middle) in middles.iter().enumerate() {
                best.offer(room, vector.cosine(middle));
            }
            if let Some(sum) = best.found.first().and_then(|(room, _)| sums.get_mut(*room)) {
                vector.add_to(sum);
            }
        }
        for (middle, sum) in middles.iter_mut().zip(&sums) {
            let mean = Vector::quantise(sum);
            if !mean.is_zero() {
                *middle = mean;
            }
        }
    }
    middles
}
