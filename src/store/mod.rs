//! SQL, one file per table group. Functions here read and write rows; they do not decide, check permissions or open
//! transactions (the operations in `vault` do). Statements name their columns, and every value is bound.

pub mod audit;
pub mod backup;
pub mod batch_items;
pub mod batches;
pub mod conflicts;
pub mod decisions;
pub mod duplicates;
pub mod everything;
pub mod exclusions;
pub mod guide;
pub mod history;
pub mod idempotency;
pub mod index_jobs;
pub mod jobs;
pub mod look_alikes;
pub mod many;
pub mod map;
pub mod memories;
pub mod memory_filter;
pub mod memory_marks;
pub mod memory_rows;
pub mod memory_text;
pub mod migrations;
pub mod notes;
pub mod oauth;
pub mod rates;
pub mod restore;
pub mod retention;
pub mod sense;
pub mod settings;
pub mod vectors;
pub mod weeks;
