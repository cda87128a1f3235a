//! The memories that have a word of a question, each with a strength: the weights of the words it has, added up.

use super::entry::Kept;
use super::{Allowed, Index};

/// What a search by words has found so far.
#[derive(Debug)]
pub struct Matched<'a> {
    index: &'a Index,
    allowed: Allowed<'a>,
    /// By place; 0 where nothing was found.
    strengths: Vec<f32>,
    found: Vec<u32>,
}

/// The strength of a memory that has nothing but a piece of a word.
const LEAST: f32 = f32::MIN_POSITIVE;

impl<'a> Matched<'a> {
    pub(super) fn new(index: &'a Index, allowed: Allowed<'a>) -> Matched<'a> {
        Matched {
            index,
            allowed,
            strengths: vec![0.0; index.kept.len()],
            found: Vec::new(),
        }
    }

    /// Adds the memories that say a word with this stem.
    pub fn add_said(&mut self, stem: u32, weight: f32) {
        for place in self.index.said.of(stem) {
            self.add(*place, weight);
        }
    }

    /// Adds the memories with a tag or an author of this stem; it adds nothing to the strength of those found already.
    pub fn add_labelled(&mut self, stem: u32) {
        for place in self.index.labels.of(stem) {
            self.add(*place, LEAST);
        }
    }

    /// Adds a memory that something else found; likewise. `false` if the index does not hold it.
    pub fn add_key(&mut self, seq: i64) -> bool {
        let place = self.index.places.get(&seq).copied();
        if let Some(place) = place {
            self.add(place, LEAST);
        }
        place.is_some()
    }

    fn add(&mut self, place: u32, weight: f32) {
        let Some(strength) = self.strengths.get_mut(place as usize) else {
            return;
        };
        if *strength == 0.0 {
            let kept = self.index.at(place);
            if !kept.is_some_and(|kept| self.allowed.lets(kept)) {
                return;
            }
            self.found.push(place);
        }
        *strength += weight.max(LEAST);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Whether a memory is among them.
    pub fn has(&self, seq: i64) -> bool {
        let place = self.index.places.get(&seq);
        let strength = place.and_then(|place| self.strengths.get(*place as usize));
        strength.is_some_and(|strength| *strength > 0.0)
    }

    /// The keys of the strongest, in no order.
    pub fn strongest(&self, count: usize) -> Vec<i64> {
        let mut all = self.all(|_| true);
        if count < all.len() {
            all.select_nth_unstable_by(count, stronger);
            all.truncate(count);
        }
        all.into_iter().map(|(seq, _)| seq).collect()
    }

    /// All but some, the strongest first, ties by newest.
    pub fn in_order(&self, wanted: impl Fn(i64) -> bool) -> Vec<(i64, f32)> {
        let mut all = self.all(wanted);
        all.sort_unstable_by(stronger);
        all
    }

    fn all(&self, wanted: impl Fn(i64) -> bool) -> Vec<(i64, f32)> {
        let of = |place: &u32| {
            let Kept { seq, .. } = self.index.at(*place)?;
            let strength = self.strengths.get(*place as usize)?;
            wanted(*seq).then_some((*seq, *strength))
        };
        self.found.iter().filter_map(of).collect()
    }
}

fn stronger(first: &(i64, f32), second: &(i64, f32)) -> std::cmp::Ordering {
    second.1.total_cmp(&first.1).then(second.0.cmp(&first.0))
}
