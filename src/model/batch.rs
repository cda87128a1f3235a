//! An import: many items under one id, and what became of each.

use serde::{Deserialize, Serialize};

use crate::limits;
use crate::model::memory::{Status, words};
use crate::model::time::Timestamp;

words! {
    /// What became of an item.
    ItemOutcome("outcome") {
        /// It is stored: active, or in the queue.
        Stored = "stored",
        /// The text was there already.
        Duplicate = "duplicate",
        /// The same was said in other words; the reason names the memory kept and how alike they are.
        NearDuplicate = "near_duplicate",
        /// The owner forgot or rejected this text.
        Excluded = "excluded",
        /// Nothing to read in it.
        Blank = "blank",
        /// Something about it is wrong; the reason says what.
        Refused = "refused",
    }
}

words! {
    /// Where an import stands.
    BatchState("state") {
        /// All of it is in.
        Done = "done",
        /// More of it is to come.
        Incomplete = "incomplete",
        /// The owner took it back.
        Undone = "undone",
    }
}

/// The answer for one item, in the order given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ItemReport {
    /// Its place in the import, from 0, counted over all its calls.
    pub index: usize,
    /// What became of it.
    pub outcome: ItemOutcome,
    /// The memory stored, or the one that was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Why it was not stored, or what it resembles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was not taken as it was given: which field, what was found, and what was taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<String>,
    /// How its text begins, in a dry run, where there is no memory to read it in. Never kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Where it stands, if not where the report's `status` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// A memory the stored one resembles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similar_to: Option<String>,
    /// How alike the item is to the memory it resembles or repeats, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
    /// The memory that one known already took the place of because of this item; an undo needs it.
    #[serde(skip)]
    pub replaced: Option<String>,
}

impl ItemReport {
    /// A report that says nothing but what became of the item.
    pub fn new(index: usize, outcome: ItemOutcome) -> Self {
        ItemReport {
            index,
            outcome,
            id: None,
            reason: None,
            warning: None,
            text: None,
            status: None,
            similar_to: None,
            similarity: None,
            replaced: None,
        }
    }
}

/// How many items had which outcome; the outcomes add up to `total`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// All items.
    pub total: usize,
    /// Stored.
    pub stored: usize,
    /// Already there.
    pub duplicate: usize,
    /// Already there in other words.
    #[serde(default)]
    pub near_duplicate: usize,
    /// Forgotten or rejected before.
    pub excluded: usize,
    /// Blank.
    pub blank: usize,
    /// Refused.
    pub refused: usize,
    /// How many of the stored resemble another memory and are linked to it.
    #[serde(default)]
    pub similar: usize,
    /// How many have a warning: something about them was not taken as it was given.
    #[serde(default)]
    pub warned: usize,
}

impl Counts {
    /// Counts the reports.
    pub fn of(items: &[ItemReport]) -> Self {
        let mut counts = Counts {
            total: items.len(),
            ..Counts::default()
        };
        for item in items {
            let place = match item.outcome {
                ItemOutcome::Stored => &mut counts.stored,
                ItemOutcome::Duplicate => &mut counts.duplicate,
                ItemOutcome::NearDuplicate => &mut counts.near_duplicate,
                ItemOutcome::Excluded => &mut counts.excluded,
                ItemOutcome::Blank => &mut counts.blank,
                ItemOutcome::Refused => &mut counts.refused,
            };
            *place += 1;
            counts.similar += usize::from(item.similar_to.is_some());
            counts.warned += usize::from(item.warning.is_some());
        }
        counts
    }

    /// The counts of two parts together.
    pub fn plus(self, other: Self) -> Self {
        Counts {
            total: self.total + other.total,
            stored: self.stored + other.stored,
            duplicate: self.duplicate + other.duplicate,
            near_duplicate: self.near_duplicate + other.near_duplicate,
            excluded: self.excluded + other.excluded,
            blank: self.blank + other.blank,
            refused: self.refused + other.refused,
            similar: self.similar + other.similar,
            warned: self.warned + other.warned,
        }
    }
}

/// The last input of an import, for going on where it stands.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Input {
    /// Of its items and their source; empty in imports older than this column.
    pub hash: String,
    /// Place of its first item in the import.
    pub first: usize,
    /// How many of its items are taken.
    pub taken: usize,
    /// How many it has.
    pub total: usize,
    /// Whether the caller said that further inputs follow.
    pub more: bool,
}

/// The files an import was read from; where a caller names none, the sources its calls named.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sources {
    /// How many there are.
    pub count: usize,
    /// The first [`limits::BATCH_SOURCES`] of them, in the order they came.
    pub names: Vec<String>,
    /// The last one, by which a file that comes in several calls is known where its name is not among those.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    last: String,
}

impl Sources {
    /// Adds one, unless it is there.
    pub fn add(&mut self, name: &str) {
        if self.last == name || self.names.iter().any(|known| known == name) {
            return;
        }
        self.count += 1;
        if self.names.len() < limits::BATCH_SOURCES {
            self.names.push(name.to_owned());
        } else {
            self.last = name.to_owned();
        }
    }

    /// Whether nobody named any.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// One import in the list of imports.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Batch {
    /// `bat_…`.
    pub id: String,
    /// Who imported.
    pub created_by: String,
    /// When.
    pub created_at: Timestamp,
    /// The source named first; items whose call named another have that one.
    pub source: Option<String>,
    /// All files or sources named.
    #[serde(skip_serializing_if = "Sources::is_empty")]
    pub sources: Sources,
    /// How the input was understood, such as `text` or `mem0`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub read_as: Option<String>,
    /// Where it stands.
    pub state: BatchState,
    /// When it was taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub undone_at: Option<Timestamp>,
    /// What became of the items.
    pub counts: Counts,
    /// Memories of it that still wait in the queue.
    pub proposed: i64,
    /// Memories of it that hold.
    pub active: i64,
    /// The status stored items began with.
    #[serde(skip)]
    pub status: Status,
    /// Whose it is, as [`crate::model::actor::Actor::identity`] says.
    #[serde(skip)]
    pub identity: Option<String>,
    /// The last input.
    #[serde(skip)]
    pub input: Input,
    /// What its undo removed and restored so far.
    #[serde(skip)]
    pub undo: (usize, usize),
    /// Key in the table.
    #[serde(skip)]
    pub seq: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_named_once_and_counted_beyond_the_names_kept() {
        let mut sources = Sources::default();
        for number in 0..limits::BATCH_SOURCES {
            sources.add(&format!("{number}.md"));
        }
        sources.add("0.md");
        assert_eq!(
            (sources.count, sources.names.len()),
            (limits::BATCH_SOURCES, limits::BATCH_SOURCES)
        );
        for name in ["more.md", "more.md", "0.md", "last.md"] {
            sources.add(name);
        }
        assert_eq!(
            (sources.count, sources.names.len()),
            (limits::BATCH_SOURCES + 2, limits::BATCH_SOURCES)
        );
    }

    #[test]
    fn the_numbers_of_a_report_add_up() {
        let outcomes = [
            ItemOutcome::Stored,
            ItemOutcome::Stored,
            ItemOutcome::Duplicate,
            ItemOutcome::NearDuplicate,
            ItemOutcome::Blank,
            ItemOutcome::Refused,
        ];
        let mut items: Vec<ItemReport> = outcomes
            .iter()
            .enumerate()
            .map(|(index, outcome)| ItemReport::new(index, *outcome))
            .collect();
        items[0].similar_to = Some("mem_a".to_owned());
        items[1].warning = Some("no date".to_owned());
        let counts = Counts::of(&items);
        assert_eq!(
            counts,
            Counts {
                total: 6,
                stored: 2,
                duplicate: 1,
                near_duplicate: 1,
                excluded: 0,
                blank: 1,
                refused: 1,
                similar: 1,
                warned: 1,
            }
        );
        let both = counts.plus(counts);
        assert_eq!((both.total, both.stored, both.refused), (12, 4, 2));
    }
}
