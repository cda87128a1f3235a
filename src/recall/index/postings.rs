//! Which memories have a word: for each stem the places of its memories, in the order they came.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The places of one stem. Most stems are of one memory only.
#[derive(Debug)]
enum Places {
    One(u32),
    Many(Vec<u32>),
}

/// Stems are hashes already.
#[derive(Debug, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32(u32::from(*byte));
        }
    }

    fn write_u32(&mut self, number: u32) {
        // The table looks at the upper bits too.
        self.0 = (self.0 ^ u64::from(number)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// Stems and their places.
#[derive(Debug, Default)]
pub(super) struct Postings {
    places: HashMap<u32, Places, BuildHasherDefault<AsItIs>>,
    more: usize,
}

impl Postings {
    /// Bytes of memory taken, roughly.
    pub(super) fn bytes(&self) -> usize {
        self.places.capacity() * 21 + self.more * 6
    }

    /// Notes that a memory has a word. Once for each stem of it.
    pub(super) fn add(&mut self, stem: u32, place: u32) {
        match self.places.get_mut(&stem) {
            None => {
                self.places.insert(stem, Places::One(place));
            }
            Some(Places::Many(places)) => {
                places.push(place);
                self.more += 1;
            }
            Some(one) => {
                if let Places::One(first) = *one {
                    *one = Places::Many(vec![first, place]);
                    self.more += 2;
                }
            }
        }
    }

    /// Takes that back.
    pub(super) fn remove(&mut self, stem: u32, place: u32) {
        let is_last = match self.places.get_mut(&stem) {
            Some(Places::Many(places)) => {
                let before = places.len();
                places.retain(|known| *known != place);
                self.more -= before - places.len();
                places.is_empty()
            }
            Some(Places::One(known)) => *known == place,
            None => false,
        };
        if is_last {
            self.places.remove(&stem);
        }
    }

    /// The places of a stem.
    pub(super) fn of(&self, stem: u32) -> &[u32] {
        match self.places.get(&stem) {
            None => &[],
            Some(Places::One(place)) => std::slice::from_ref(place),
            Some(Places::Many(places)) => places,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_and_go() {
        let mut postings = Postings::default();
        for place in [4, 7, 9] {
            postings.add(1, place);
        }
        postings.add(2, 4);
        assert_eq!(
            (postings.of(1), postings.of(2), postings.of(3)),
            (&[4, 7, 9][..], &[4][..], &[][..])
        );
        postings.remove(1, 7);
        postings.remove(2, 9);
        postings.remove(3, 9);
        assert_eq!((postings.of(1), postings.of(2)), (&[4, 9][..], &[4][..]));
        for place in [4, 9] {
            postings.remove(1, place);
        }
        postings.remove(2, 4);
        assert_eq!((postings.places.len(), postings.more), (0, 0));
    }
}
