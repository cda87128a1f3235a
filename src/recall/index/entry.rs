//! What the index keeps of a memory, and which memories a search may see.

use std::collections::{HashMap, HashSet};

use crate::embed::dictionary::WordNumber;
use crate::embed::tokens::Words;
use crate::embed::vector::Vector;
use crate::model::memory::Status;
use crate::recall::rank::{Day, Marks};

/// A memory on its way into the index.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Its key: memories stored later have larger ones.
    pub seq: i64,
    /// Where it stands.
    pub status: Status,
    /// Its session.
    pub session: Option<String>,
    /// For one without a session that was stored alone: by whom, and when in milliseconds.
    pub sitting: Option<(String, i64)>,
    /// Its author.
    pub author: Option<String>,
    /// Its tags.
    pub tags: Vec<String>,
    /// The key of the memory that replaced it.
    pub replaced_by: Option<i64>,
    /// Its date in milliseconds.
    pub dated_at: i64,
    /// The day of that date.
    pub day: Option<Day>,
    /// Its vector.
    pub vector: Vector,
    /// Its words.
    pub words: Words,
    /// Its marks.
    pub marks: Marks,
}

/// What is kept of an entry beside its vector.
#[derive(Debug)]
pub(super) struct Kept {
    pub(super) seq: i64,
    pub(super) replaced_by: Option<i64>,
    pub(super) dated_at: i64,
    pub(super) session: Option<u32>,
    /// Its session is only a sitting.
    pub(super) is_loose: bool,
    pub(super) author: Option<u32>,
    pub(super) day: Option<Day>,
    pub(super) status: Status,
    pub(super) marks: Marks,
    pub(super) words: Box<[WordNumber]>,
    /// Stems of tags and author.
    pub(super) labels: Box<[u32]>,
}

/// Bytes a kept entry takes beside its words and vector: the struct, its place in the map, and its share of the others.
pub(super) const ENTRY_BYTES: usize = 112;

/// Names that occur again and again, each kept once.
#[derive(Debug, Default)]
pub(super) struct Names {
    numbers: HashMap<String, u32>,
    pub(super) names: Vec<String>,
}

impl Names {
    pub(super) fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.numbers.insert(name.to_owned(), number);
        self.names.push(name.to_owned());
        number
    }

    pub(super) fn name(&self, number: u32) -> Option<&str> {
        self.names.get(number as usize).map(String::as_str)
    }
}

/// Which memories may answer.
#[derive(Debug, Clone, Copy)]
pub struct Allowed<'a> {
    /// Those that stand so …
    pub statuses: &'a [Status],
    /// … with a key up to this one …
    pub snapshot: i64,
    /// … and, if given, one of these.
    pub among: Option<&'a HashSet<i64>>,
}

impl Allowed<'_> {
    pub(super) fn lets(&self, kept: &Kept) -> bool {
        kept.seq <= self.snapshot
            && self.statuses.contains(&kept.status)
            && self.among.is_none_or(|among| among.contains(&kept.seq))
    }
}
