//! Backups: which tables they hold, and how a table is read as it was at one moment.

pub mod snapshot;
pub mod tables;
