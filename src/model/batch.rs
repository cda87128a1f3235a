//! An import: many items under one id, and what became of each.

use serde::{Deserialize, Serialize};

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

/// The answer for one item, in the order given.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Where it stands, if not where the report's `status` says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status: Option<Status>,
    /// A memory the stored one resembles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similar_to: Option<String>,
    /// How alike the item is to the memory it resembles or repeats, 0 to 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub similarity: Option<f64>,
}

impl ItemReport {
    /// A report that says nothing but what became of the item.
    pub fn new(index: usize, outcome: ItemOutcome) -> Self {
        ItemReport {
            index,
            outcome,
            id: None,
            reason: None,
            status: None,
            similar_to: None,
            similarity: None,
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
            }
        );
    }
}
