//! The tables of the authorization server: one file a table, and one for what is asked of two at every call.

pub mod admission;
pub mod clients;
pub mod codes;
pub mod grants;
pub mod keys;
pub mod requests;
pub mod tokens;

use crate::error::Result;
use crate::model::time::Timestamp;
use crate::ports::{Sql, SqlValue};

/// An instant that may be absent, for binding.
fn millis(at: Option<Timestamp>) -> SqlValue {
    at.map(Timestamp::millis).into()
}

/// Whether any table holds a row that will expire one day.
pub fn anything_expires(sql: &dyn Sql) -> Result<bool> {
    let statement = "SELECT EXISTS (SELECT 1 FROM oauth_clients) OR EXISTS (SELECT 1 FROM rates)";
    Ok(sql.count(statement, &[])? != 0)
}
