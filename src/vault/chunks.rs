//! Answers too long to hold in memory: made piece by piece while the caller reads.

use crate::error::Result;
use crate::model::time::Timestamp;
use crate::ports::Sql;

/// An answer in pieces. It outlives the request's [`crate::vault::Vault`], so the ports come with each call.
pub trait Chunks {
    /// The next piece; `None` at the end.
    ///
    /// # Errors
    /// The answer cannot be finished; what was sent so far must not pass for the whole.
    fn next(&mut self, sql: &dyn Sql, now: Timestamp) -> Result<Option<Vec<u8>>>;

    /// Nobody reads on, or all is read. May be called more than once.
    fn end(&mut self, sql: &dyn Sql);
}
