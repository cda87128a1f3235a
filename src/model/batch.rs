//! An import: many items under one id, and what became of each.

use serde::{Deserialize, Serialize};

use crate::model::memory::words;
use crate::model::time::Timestamp;

words! {
    /// What became of an item.
    ItemOutcome("outcome") {
        /// It is stored: active, or in the queue.
        Stored = "stored",
        /// The text was there already.
        Duplicate = "duplicate",
        /// The owner forgot or rejected this text.
        Excluded = "excluded",
        /// Nothing to read in it.
        Blank = "blank",
        /// Something about it is wrong; the reason says what.
        Refused = "refused",
    }
}

/// The answer for one item, in the order given.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemReport {
    /// Its place in the input, from 0.
    pub index: usize,
    /// What became of it.
    pub outcome: ItemOutcome,
    /// The memory stored, or the one that was there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Why it was not stored, or a warning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}

/// How many items had which outcome; they add up to `total`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Counts {
    /// All items.
    pub total: usize,
    /// Stored.
    pub stored: usize,
    /// Already there.
    pub duplicate: usize,
    /// Forgotten or rejected before.
    pub excluded: usize,
    /// Blank.
    pub blank: usize,
    /// Refused.
    pub refused: usize,
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
                ItemOutcome::Excluded => &mut counts.excluded,
                ItemOutcome::Blank => &mut counts.blank,
                ItemOutcome::Refused => &mut counts.refused,
            };
            *place += 1;
        }
        counts
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
    /// The source named for all items.
    pub source: Option<String>,
    /// What became of the items.
    pub counts: Counts,
    /// Memories of it that still wait in the queue.
    pub proposed: i64,
    /// Key in the table.
    #[serde(skip)]
    pub seq: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_a_report_add_up() {
        let outcomes = [
            ItemOutcome::Stored,
            ItemOutcome::Stored,
            ItemOutcome::Duplicate,
            ItemOutcome::Blank,
            ItemOutcome::Refused,
        ];
        let items: Vec<ItemReport> = outcomes
            .iter()
            .enumerate()
            .map(|(index, outcome)| ItemReport {
                index,
                outcome: *outcome,
                id: None,
                reason: None,
            })
            .collect();
        let counts = Counts::of(&items);
        assert_eq!(
            counts,
            Counts {
                total: 5,
                stored: 2,
                duplicate: 1,
                excluded: 0,
                blank: 1,
                refused: 1
            }
        );
    }
}
