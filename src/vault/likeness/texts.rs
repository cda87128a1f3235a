//! Memories' texts, read for comparison and kept between writes: whoever writes about a thing meets the same few memories again
//! and again, and reading one anew takes longer than comparing it.

use std::collections::{HashMap, HashSet};
use std::mem;
use std::rc::Rc;

use crate::dedupe::Text;

/// Bytes of text whose readings one generation keeps. By the size of what is made of a word, a reading takes some twenty-five times
/// its text, so the two generations take about 3 MB.
const BYTES: usize = 64_000;

/// Readings by the memory's key. What is kept is only used for the text it was made from; of changes it is told so that nothing stays
/// that is gone.
#[derive(Default)]
pub struct Texts {
    young: HashMap<i64, Rc<Text>>,
    /// The generation before, which goes when the young one is full; what is asked for again gets into the young one.
    old: HashMap<i64, Rc<Text>>,
    /// Bytes of text in the young one.
    bytes: usize,
    /// Memories that were stored with their reading, and of whose storing nobody was told yet.
    stored: HashSet<i64>,
}

impl Texts {
    /// The reading of a memory's text.
    pub(super) fn read(
        &mut self,
        seq: i64,
        content: &str,
        author: Option<&str>,
        date: Option<&str>,
    ) -> Rc<Text> {
        let is_same = |text: &Rc<Text>| text.is_of(content, author, date);
        if let Some(kept) = self.young.get(&seq).filter(|text| is_same(text)) {
            return Rc::clone(kept);
        }
        let kept = self.old.remove(&seq).filter(is_same);
        let text = kept.unwrap_or_else(|| Rc::new(Text::new(content, author, date)));
        self.keep(seq, content.len(), &text);
        text
    }

    /// Keeps the reading of a memory that is being stored, of a text of so many bytes.
    pub(super) fn keep_stored(&mut self, seq: i64, bytes: usize, text: &Rc<Text>) {
        self.keep(seq, bytes, text);
        self.stored.insert(seq);
    }

    fn keep(&mut self, seq: i64, bytes: usize, text: &Rc<Text>) {
        if bytes > BYTES {
            return;
        }
        if self.bytes + bytes > BYTES {
            self.old = mem::take(&mut self.young);
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.young.insert(seq, Rc::clone(text));
    }

    /// Lets go of the text of a memory that has changed. That it was stored is no change to what was kept as it was.
    pub(crate) fn changed(&mut self, seq: i64) {
        if !self.stored.remove(&seq) {
            self.forget(seq);
        }
    }

    /// Lets go of a memory's text.
    pub(crate) fn forget(&mut self, seq: i64) {
        self.stored.remove(&seq);
        self.young.remove(&seq);
        self.old.remove(&seq);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the memory's reading is the one that was kept.
    fn is_kept(texts: &mut Texts, seq: i64, content: &str, known: &Rc<Text>) -> bool {
        Rc::ptr_eq(&texts.read(seq, content, None, None), known)
    }

    #[test]
    fn a_text_is_read_once() {
        let mut texts = Texts::default();
        let milo = texts.read(1, "Milo likes cheese", None, None);
        assert!(is_kept(&mut texts, 1, "Milo likes cheese", &milo));
    }

    #[test]
    fn what_changed_is_read_anew() {
        let mut texts = Texts::default();
        let milo = texts.read(1, "Milo likes cheese", None, None);
        assert!(!is_kept(&mut texts, 1, "Milo likes bread", &milo));
        let anna = texts.read(2, "I like cheese", Some("Anna"), Some("2024-05-01"));
        for (author, date) in [
            (None, Some("2024-05-01")),
            (Some("Ben"), Some("2024-05-01")),
            (Some("Anna"), None),
        ] {
            let other = texts.read(2, "I like cheese", author, date);
            assert!(!Rc::ptr_eq(&anna, &other), "{author:?} {date:?}");
        }
    }

    #[test]
    fn what_is_forgotten_is_let_go_of() {
        let mut texts = Texts::default();
        let milo = texts.read(1, "Milo likes cheese", None, None);
        texts.forget(1);
        assert_eq!(Rc::strong_count(&milo), 1);
    }

    #[test]
    fn a_memory_that_was_just_stored_has_changed_with_the_second_change() {
        let mut texts = Texts::default();
        let milo = Rc::new(Text::new("Milo likes cheese", None, None));
        texts.keep_stored(1, 17, &milo);
        texts.changed(1);
        assert!(is_kept(&mut texts, 1, "Milo likes cheese", &milo));
        texts.changed(1);
        assert_eq!(Rc::strong_count(&milo), 1);
        texts.keep_stored(2, 17, &milo);
        texts.forget(2);
        assert_eq!(Rc::strong_count(&milo), 1);
    }

    #[test]
    fn two_generations_are_kept_and_what_is_asked_for_stays() {
        let mut texts = Texts::default();
        let long = "a".repeat(BYTES / 4);
        let first = texts.read(0, &long, None, None);
        let second = texts.read(1, &long, None, None);
        for seq in 2..=7 {
            texts.read(seq, &long, None, None);
            assert!(is_kept(&mut texts, 0, &long, &first), "{seq}");
        }
        assert_eq!(Rc::strong_count(&first), 2);
        texts.read(8, &long, None, None);
        texts.read(9, &long, None, None);
        assert_eq!(Rc::strong_count(&second), 1);
    }

    #[test]
    fn a_text_larger_than_all_that_is_kept_is_read_and_not_kept() {
        let mut texts = Texts::default();
        let kept = texts.read(1, &"a".repeat(BYTES), None, None);
        let not = texts.read(2, &"a".repeat(BYTES + 1), None, None);
        assert_eq!((Rc::strong_count(&kept), Rc::strong_count(&not)), (2, 1));
    }
}
