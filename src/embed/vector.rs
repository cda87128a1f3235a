//! Vectors as they are kept: 256 numbers of one byte and the vector's length, 260 bytes; and the nearest of many.
//!
//! Against the 32-bit numbers they are made from, cosines move by less than 0.004 (a test holds it). [`Vectors`] keeps
//! many in one stretch of memory and compares with every one of them: exact, and at 10,000 vectors about 1 ms.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::DIMS;
use super::dot::{dot, dots};

/// Bytes of a stored vector.
pub const VECTOR_BYTES: usize = DIMS + 4;
/// Largest number in a quantised vector; -128 is not used, so that a vector's opposite exists.
const LARGEST: f32 = 127.0;

/// A vector of the model inside, in bytes. Its direction means something, its length does not.
#[derive(Debug, Clone, PartialEq)]
pub struct Vector {
    numbers: [i8; DIMS],
    /// One over the length of `numbers`; 0 for the zero vector.
    inverse_norm: f32,
}

impl Vector {
    /// The vector that is like nothing.
    pub const ZERO: Vector = Vector {
        numbers: [0; DIMS],
        inverse_norm: 0.0,
    };

    /// The nearest vector in bytes; zero for numbers that are all zero or not finite.
    pub fn quantise(numbers: &[f32; DIMS]) -> Vector {
        let largest = numbers
            .iter()
            .fold(0f32, |most, number| most.max(number.abs()));
        if largest <= 0.0 || !numbers.iter().all(|number| number.is_finite()) {
            return Vector::ZERO;
        }
        let scale = LARGEST / largest;
        // Ties to even is one instruction in WebAssembly; away from zero is a call.
        Vector::of_numbers(numbers.map(|number| (number * scale).round_ties_even() as i8))
    }

    /// A vector of exactly these numbers.
    pub fn of_numbers(numbers: [i8; DIMS]) -> Vector {
        let square = dot(&numbers, &numbers);
        let inverse_norm = if square > 0 {
            1.0 / (square as f32).sqrt()
        } else {
            0.0
        };
        Vector {
            numbers,
            inverse_norm,
        }
    }

    /// Whether it is like nothing: nothing of its text was known.
    pub fn is_zero(&self) -> bool {
        self.inverse_norm == 0.0
    }

    /// Likeness to another vector, -1 to 1; 0 if either is zero.
    pub fn cosine(&self, other: &Vector) -> f32 {
        dot(&self.numbers, &other.numbers) as f32 * self.inverse_norm * other.inverse_norm
    }

    /// Adds its direction (length 1) to a sum.
    pub fn add_to(&self, sum: &mut [f32; DIMS]) {
        for (sum, number) in sum.iter_mut().zip(&self.numbers) {
            *sum += f32::from(*number) * self.inverse_norm;
        }
    }

    /// The bytes to store.
    pub fn to_bytes(&self) -> [u8; VECTOR_BYTES] {
        let mut bytes = [0; VECTOR_BYTES];
        let tail = self.inverse_norm.to_le_bytes();
        let numbers = self.numbers.iter().map(|number| number.to_le_bytes()[0]);
        for (byte, value) in bytes.iter_mut().zip(numbers.chain(tail)) {
            *byte = value;
        }
        bytes
    }

    /// Reads what [`Vector::to_bytes`] wrote. Anything of another length is `None`; the length kept in the bytes is not
    /// trusted but computed anew.
    pub fn from_bytes(bytes: &[u8]) -> Option<Vector> {
        let bytes: &[u8; VECTOR_BYTES] = bytes.try_into().ok()?;
        let numbers = bytes.first_chunk::<DIMS>()?;
        Some(Vector::of_numbers(
            numbers.map(|byte| i8::from_le_bytes([byte])),
        ))
    }
}

/// One vector found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Near {
    /// The place it was put at, or what its owner calls it.
    pub key: i64,
    /// Its likeness to the one asked for, -1 to 1.
    pub cosine: f32,
}

impl Eq for Near {}

impl Ord for Near {
    /// The less like comes first; of equals the larger key, so that results are the same whatever the order of putting.
    fn cmp(&self, other: &Near) -> Ordering {
        self.cosine
            .total_cmp(&other.cosine)
            .then(other.key.cmp(&self.key))
    }
}

impl PartialOrd for Near {
    fn partial_cmp(&self, other: &Near) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Vectors in one stretch of memory; with more, another stretch is taken, so that growing never copies what is there.
const STRETCH: usize = 1_024;

/// Many vectors, each at a place that its owner chooses: 260 bytes each.
#[derive(Debug, Default)]
pub struct Vectors {
    stretches: Vec<Vec<Vector>>,
}

impl Vectors {
    /// Bytes of memory taken, without the allocator's own.
    pub fn bytes(&self) -> usize {
        self.stretches.len() * STRETCH * VECTOR_BYTES
    }

    /// Puts a vector at a place, over the one that was there. Places should be filled from 0 without great gaps.
    pub fn put(&mut self, place: usize, vector: &Vector) {
        let stretch = place / STRETCH;
        while self.stretches.len() <= stretch {
            self.stretches.push(Vec::with_capacity(STRETCH));
        }
        if let Some(stretch) = self.stretches.get_mut(stretch) {
            let within = place % STRETCH;
            while stretch.len() <= within {
                stretch.push(Vector::ZERO);
            }
            if let Some(kept) = stretch.get_mut(within) {
                *kept = vector.clone();
            }
        }
    }

    /// Takes the vector at a place out.
    pub fn remove(&mut self, place: usize) {
        let stretch = self.stretches.get_mut(place / STRETCH);
        if let Some(kept) = stretch.and_then(|stretch| stretch.get_mut(place % STRETCH)) {
            *kept = Vector::ZERO;
        }
    }

    /// The vector at a place; zero where there is none.
    pub fn get(&self, place: usize) -> &Vector {
        let stretch = self.stretches.get(place / STRETCH);
        let kept = stretch.and_then(|stretch| stretch.get(place % STRETCH));
        kept.unwrap_or(&Vector::ZERO)
    }

    /// The `count` most like `asked` with a cosine of at least `floor`, best first. Exact: every vector is looked at.
    /// `allowed` is asked only of those that would be among them. Zero vectors are never found.
    pub fn nearest(
        &self,
        asked: &Vector,
        count: usize,
        floor: f32,
        mut allowed: impl FnMut(i64) -> bool,
    ) -> Vec<Near> {
        let mut best: BinaryHeap<std::cmp::Reverse<Near>> = BinaryHeap::with_capacity(count + 1);
        if asked.is_zero() || count == 0 {
            return Vec::new();
        }
        let mut least = floor;
        let mut products = Vec::with_capacity(STRETCH);
        for (first, vectors) in (0i64..).step_by(STRETCH).zip(&self.stretches) {
            products.clear();
            let rows = vectors.iter().map(|vector| &vector.numbers);
            dots(&asked.numbers, rows, &mut products);
            for ((key, vector), product) in (first..).zip(vectors).zip(&products) {
                let cosine = *product as f32 * asked.inverse_norm * vector.inverse_norm;
                if cosine < least || vector.is_zero() {
                    continue;
                }
                let near = Near { key, cosine };
                let full = best.len() == count;
                if full && best.peek().is_some_and(|worst| near <= worst.0) || !allowed(key) {
                    continue;
                }
                if full {
                    best.pop();
                }
                best.push(std::cmp::Reverse(near));
                if let (true, Some(worst)) = (best.len() == count, best.peek()) {
                    least = worst.0.cosine;
                }
            }
        }
        let mut found: Vec<Near> = best.into_iter().map(|reversed| reversed.0).collect();
        found.sort_unstable_by(|first, second| second.cmp(first));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn vector(numbers: &[f32]) -> Vector {
        let mut all = [0.0; DIMS];
        all[..numbers.len()].copy_from_slice(numbers);
        Vector::quantise(&all)
    }

    #[test]
    fn cosine_is_of_directions() {
        let (east, north) = (vector(&[1.0]), vector(&[0.0, 0.2]));
        assert_eq!(east.cosine(&vector(&[300.0])), 1.0);
        assert_eq!(east.cosine(&north), 0.0);
        assert_eq!(east.cosine(&vector(&[-2.0])), -1.0);
    }

    #[test]
    fn the_zero_vector_is_like_nothing() {
        for zero in [
            vector(&[]),
            vector(&[f32::NAN, 1.0]),
            vector(&[f32::INFINITY]),
        ] {
            assert!(zero.is_zero() && zero == Vector::ZERO);
            assert_eq!(zero.cosine(&vector(&[1.0])), 0.0);
        }
    }

    #[test]
    fn bytes_come_back_and_other_lengths_do_not() {
        let kept = vector(&[0.5, -1.0, 0.25]).to_bytes();
        assert_eq!(kept[..3], [64, 129, 32]);
        assert_eq!(Vector::from_bytes(&kept), Some(vector(&[0.5, -1.0, 0.25])));
        assert_eq!(
            Vector::from_bytes(&Vector::ZERO.to_bytes()),
            Some(Vector::ZERO)
        );
        assert_eq!(Vector::from_bytes(&kept[1..]), None);
        assert_eq!(Vector::from_bytes(&[]), None);
    }

    #[test]
    fn a_lying_length_in_stored_bytes_changes_nothing() {
        let mut bytes = vector(&[1.0]).to_bytes();
        bytes[DIMS..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert_eq!(Vector::from_bytes(&bytes), Some(vector(&[1.0])));
    }

    fn three() -> Vectors {
        let mut vectors = Vectors::default();
        vectors.put(1, &vector(&[1.0]));
        vectors.put(2, &vector(&[1.0, 1.0]));
        vectors.put(3, &vector(&[0.0, 1.0]));
        vectors.put(4, &Vector::ZERO);
        vectors
    }

    fn keys(found: &[Near]) -> Vec<i64> {
        found.iter().map(|near| near.key).collect()
    }

    #[test]
    fn the_nearest_come_best_first() {
        let vectors = three();
        let near =
            |count, floor| keys(&vectors.nearest(&vector(&[1.0, 0.1]), count, floor, |_| true));
        assert_eq!(near(9, -1.0), [1, 2, 3]);
        assert_eq!(near(1, -1.0), [1]);
        assert_eq!(near(9, 0.5), [1, 2]);
        assert_eq!(near(0, -1.0), [0; 0]);
        assert!(vectors.nearest(&Vector::ZERO, 9, -1.0, |_| true).is_empty());
    }

    #[test]
    fn what_is_not_allowed_takes_no_place() {
        let found = three().nearest(&vector(&[1.0]), 1, -1.0, |key| key != 1);
        assert_eq!(keys(&found), [2]);
    }

    #[test]
    fn putting_again_replaces_and_removing_removes() {
        let mut vectors = three();
        vectors.put(3, &vector(&[1.0]));
        assert_eq!(vectors.get(3), &vector(&[1.0]));
        vectors.remove(1);
        vectors.remove(1_000_000);
        assert!(vectors.get(1).is_zero() && vectors.get(1_000_000).is_zero());
        assert_eq!(
            keys(&vectors.nearest(&vector(&[1.0]), 9, -1.0, |_| true)),
            [3, 2]
        );
    }

    #[test]
    fn vectors_of_other_stretches_are_found_too() {
        let mut vectors = Vectors::default();
        vectors.put(5 * STRETCH + 7, &vector(&[1.0]));
        let found = vectors.nearest(&vector(&[1.0]), 9, 0.0, |_| true);
        assert_eq!(keys(&found), [5 * STRETCH as i64 + 7]);
        assert_eq!(vectors.bytes(), 6 * STRETCH * VECTOR_BYTES);
    }

    #[test]
    fn equals_come_in_the_order_of_their_keys() {
        let mut vectors = Vectors::default();
        for key in [5, 1, 9, 3usize] {
            vectors.put(key, &vector(&[1.0]));
        }
        assert_eq!(
            keys(&vectors.nearest(&vector(&[1.0]), 3, 0.0, |_| true)),
            [1, 3, 5]
        );
    }

    proptest! {
        #[test]
        fn quantising_hardly_moves_a_cosine(first in proptest::array::uniform32(-1f32..1.0), second in proptest::array::uniform32(-1f32..1.0)) {
            let product = |a: &[f32; 32], b: &[f32; 32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
            let exact = product(&first, &second) / (product(&first, &first) * product(&second, &second)).sqrt();
            prop_assert!((vector(&first).cosine(&vector(&second)) - exact).abs() < 0.004);
        }

        #[test]
        fn the_nearest_are_those_sorting_finds(numbers in proptest::collection::vec((-9f32..9.0, -9f32..9.0), 0..40), count in 1usize..9) {
            let mut vectors = Vectors::default();
            let asked = vector(&[1.0, 2.0]);
            let mut all = Vec::new();
            for (key, (x, y)) in numbers.iter().enumerate() {
                let one = vector(&[*x, *y]);
                vectors.put(key, &one);
                if !one.is_zero() {
                    all.push(Near { key: key as i64, cosine: one.cosine(&asked) });
                }
            }
            all.sort_by(|first, second| second.cmp(first));
            all.truncate(count);
            prop_assert_eq!(keys(&vectors.nearest(&asked, count, -2.0, |_| true)), keys(&all));
        }
    }
}
