//! The larger models that run outside of the vault: what each is like, and its vectors as they are kept, one byte a number.
//! Pure: who asks the models is elsewhere. Marks on their cosines are in [`super::thresholds`].

use std::collections::HashMap;

use super::dot::dot;

/// A model of Workers AI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LargeModel {
    /// Its name there, which is also the id kept with its vectors.
    pub id: &'static str,
    /// Numbers in its vectors.
    pub dims: usize,
    /// Largest part of a text it is given at once, in tokens as [`crate::text::parts`] estimates them. Well inside its
    /// window; a vector over more says less about any of it.
    pub part_tokens: usize,
    /// What it wants to see before a question.
    pub question_prefix: &'static str,
}

/// The models that `EMBEDDING_MODEL` may name; the first is the default.
pub const LARGE_MODELS: [LargeModel; 2] = [
    // 8,192 tokens.
    LargeModel {
        id: "@cf/baai/bge-m3",
        dims: 1024,
        part_tokens: 400,
        question_prefix: "",
    },
    // 512 tokens.
    LargeModel {
        id: "@cf/baai/bge-base-en-v1.5",
        dims: 768,
        part_tokens: 380,
        question_prefix: "Represent this sentence for searching relevant passages: ",
    },
];

/// The model of this name.
pub fn model(id: &str) -> Option<&'static LargeModel> {
    LARGE_MODELS.iter().find(|model| model.id == id)
}

/// The model that the setting `EMBEDDING_MODEL` chooses; the default when it is absent or empty.
///
/// # Errors
/// What is wrong with the setting, in a sentence that says what to change.
pub fn chosen(setting: Option<&str>) -> Result<&'static LargeModel, &'static str> {
    match setting.map(str::trim).filter(|id| !id.is_empty()) {
        None => LARGE_MODELS.first().ok_or("there is no model"),
        Some(id) => model(id).ok_or(
            "EMBEDDING_MODEL names no model the vault knows: set it to @cf/baai/bge-m3 or @cf/baai/bge-base-en-v1.5, or remove it",
        ),
    }
}

/// Largest number in a quantised vector.
const LARGEST: f32 = 127.0;

/// One byte for each number of a vector; `None` for one that is zero or not finite, which says nothing.
pub fn quantise(numbers: &[f32]) -> Option<Vec<u8>> {
    let largest = numbers
        .iter()
        .fold(0f32, |most, number| most.max(number.abs()));
    if largest <= 0.0 || !numbers.iter().all(|number| number.is_finite()) {
        return None;
    }
    let scale = LARGEST / largest;
    let byte = |number: &f32| ((number * scale).round_ties_even() as i8).to_le_bytes()[0];
    Some(numbers.iter().map(byte).collect())
}

/// The numbers a quantised vector stands for, up to its length.
pub fn numbers(bytes: &[u8]) -> Vec<f32> {
    let number = |byte: &u8| f32::from(i8::from_le_bytes([*byte])) / LARGEST;
    bytes.iter().map(number).collect()
}

/// A question's vector.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    numbers: Vec<i8>,
    inverse_norm: f32,
}

impl Asked {
    /// From the bytes that [`quantise`] made.
    pub fn new(bytes: &[u8]) -> Asked {
        let numbers: Vec<i8> = bytes
            .iter()
            .map(|byte| i8::from_le_bytes([*byte]))
            .collect();
        Asked {
            inverse_norm: inverse_norm(&numbers),
            numbers,
        }
    }

    /// Likeness of the most alike of a memory's vectors, -1 to 1. `None` unless there is a whole one of the same length.
    pub fn best(&self, vectors: &[u8]) -> Option<f32> {
        let dims = self.numbers.len();
        if dims == 0 || vectors.is_empty() || !vectors.len().is_multiple_of(dims) {
            return None;
        }
        vectors
            .chunks_exact(dims)
            .map(|bytes| {
                let numbers: Vec<i8> = bytes
                    .iter()
                    .map(|byte| i8::from_le_bytes([*byte]))
                    .collect();
                self.cosine(&numbers, inverse_norm(&numbers))
            })
            .reduce(f32::max)
    }

    fn cosine(&self, numbers: &[i8], inverse_norm: f32) -> f32 {
        dot(&self.numbers, numbers) as f32 * self.inverse_norm * inverse_norm
    }
}

fn inverse_norm(numbers: &[i8]) -> f32 {
    let square = dot(numbers, numbers);
    if square > 0 {
        1.0 / (square as f32).sqrt()
    } else {
        0.0
    }
}

/// The vectors of many memories in memory, each memory with one or more.
#[derive(Debug, Default)]
pub struct LargeVectors {
    dims: usize,
    numbers: Vec<i8>,
    /// For each vector: its memory and one over its length.
    rows: Vec<(i64, f32)>,
    /// Where a memory's vectors are.
    places: HashMap<i64, Vec<usize>>,
}

impl LargeVectors {
    /// Empty, for vectors of so many numbers.
    pub fn new(dims: usize) -> Self {
        LargeVectors {
            dims,
            ..LargeVectors::default()
        }
    }

    /// Bytes it takes, roughly.
    pub fn bytes(&self) -> usize {
        self.numbers.len() + self.rows.len() * 64
    }

    /// Memories in it.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Puts a memory's vectors in, over what it had. Bytes that are no whole vectors are left out.
    pub fn put(&mut self, key: i64, vectors: &[u8]) {
        self.remove(key);
        if self.dims == 0 || !vectors.len().is_multiple_of(self.dims) {
            return;
        }
        for bytes in vectors.chunks_exact(self.dims) {
            let start = self.numbers.len();
            self.numbers
                .extend(bytes.iter().map(|byte| i8::from_le_bytes([*byte])));
            let length = inverse_norm(self.numbers.get(start..).unwrap_or_default());
            self.places.entry(key).or_default().push(self.rows.len());
            self.rows.push((key, length));
        }
    }

    /// Takes a memory's vectors out.
    pub fn remove(&mut self, key: i64) {
        let Some(mut places) = self.places.remove(&key) else {
            return;
        };
        // From the last on, so that a place still to come is never the one that moves.
        places.sort_unstable();
        for place in places.into_iter().rev() {
            let last = self.rows.len() - 1;
            if place != last {
                let (from, to) = (last * self.dims, place * self.dims);
                self.numbers.copy_within(from..from + self.dims, to);
                if let Some((moved, _)) = self.rows.get(last)
                    && let Some(places) = self.places.get_mut(moved)
                {
                    for known in places.iter_mut().filter(|known| **known == last) {
                        *known = place;
                    }
                }
            }
            self.rows.swap_remove(place);
            self.numbers.truncate(last * self.dims);
        }
    }

    /// Every memory's likeness to a question: that of the most alike of its vectors.
    pub fn likenesses(&self, asked: &Asked) -> HashMap<i64, f32> {
        let mut best: HashMap<i64, f32> = HashMap::with_capacity(self.places.len());
        if self.dims == 0 || asked.numbers.len() != self.dims {
            return best;
        }
        for (numbers, (key, length)) in self.numbers.chunks_exact(self.dims).zip(&self.rows) {
            let cosine = asked.cosine(numbers, *length);
            best.entry(*key)
                .and_modify(|best| *best = best.max(cosine))
                .or_insert(cosine);
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bytes(numbers: &[f32]) -> Vec<u8> {
        quantise(numbers).unwrap()
    }

    #[test]
    fn the_default_model_comes_first_and_each_has_marks() {
        assert_eq!(LARGE_MODELS[0].id, "@cf/baai/bge-m3");
        for known in LARGE_MODELS {
            assert!(
                super::super::thresholds::of(known.id).is_some(),
                "{}",
                known.id
            );
            assert_eq!(model(known.id), Some(&known));
        }
        assert_eq!(model("@cf/baai/bge-m4"), None);
        for known in LARGE_MODELS {
            assert_eq!(chosen(Some(known.id)), Ok(&known));
            let advice = chosen(Some("bge")).unwrap_err();
            assert!(advice.contains(known.id), "{advice}");
        }
        assert_eq!(chosen(Some(" ")), chosen(None));
    }

    #[test]
    fn a_vector_that_says_nothing_is_none() {
        assert_eq!(quantise(&[0.0, 0.0]), None);
        assert_eq!(quantise(&[1.0, f32::NAN]), None);
        assert_eq!(quantise(&[]), None);
        assert_eq!(bytes(&[0.5, -1.0]), [64, 129]);
        assert_eq!(numbers(&[127, 129, 0]), [1.0, -1.0, 0.0]);
    }

    #[test]
    fn a_memory_is_as_alike_as_the_most_alike_of_its_vectors() {
        let asked = Asked::new(&bytes(&[1.0, 0.0]));
        let two = [bytes(&[0.0, 1.0]), bytes(&[1.0, 0.0])].concat();
        assert_eq!(asked.best(&two), Some(1.0));
        assert_eq!(asked.best(&[]), None);
        assert_eq!(asked.best(&[1]), None, "half a vector");
        let mut many = LargeVectors::new(2);
        many.put(7, &two);
        many.put(8, &bytes(&[-1.0, 0.0]));
        many.put(9, &[1]);
        assert_eq!(
            many.likenesses(&asked),
            HashMap::from([(7, 1.0), (8, -1.0)])
        );
        assert!(
            many.likenesses(&Asked::new(&bytes(&[1.0, 0.0, 0.0])))
                .is_empty(),
            "another model"
        );
    }

    proptest! {
        #[test]
        fn putting_and_removing_leaves_exactly_what_is_in(steps in proptest::collection::vec((0i64..6, 0usize..4), 0..40)) {
            let asked = Asked::new(&bytes(&[1.0, 0.3]));
            let mut many = LargeVectors::new(2);
            let mut known: HashMap<i64, Vec<u8>> = HashMap::new();
            for (step, (key, parts)) in steps.into_iter().enumerate() {
                let vectors: Vec<u8> = (0..parts).flat_map(|part| bytes(&[step as f32 + 1.0, part as f32 - 3.0])).collect();
                many.put(key, &vectors);
                if vectors.is_empty() {
                    known.remove(&key);
                } else {
                    known.insert(key, vectors);
                }
            }
            let expected: HashMap<i64, f32> = known.iter().filter_map(|(key, vectors)| Some((*key, asked.best(vectors)?))).collect();
            prop_assert_eq!(many.likenesses(&asked), expected);
            prop_assert_eq!(many.len(), known.len());
        }
    }
}
