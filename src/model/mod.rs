//! The words of the vault: memories and their states, actors, settings, guide, batches, audit entries, ids, time, pages.
//! Plain values that check themselves when they are made; no SQL, no network, no clock.

pub mod actor;
pub mod app;
pub mod audit;
pub mod backup;
pub mod batch;
pub mod date_filter;
pub mod draft;
pub mod flag;
pub mod guide;
pub mod ids;
pub mod memory;
pub mod page;
pub mod restore;
pub mod scope;
pub mod sense;
pub mod settings;
pub mod source_date;
pub mod time;
