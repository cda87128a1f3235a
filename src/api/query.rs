//! Query parameters: read by name, typed, and refused when misspelt. A filter that is ignored because of a typing error
//! would show everything and look like an answer.

use crate::api::call::Call;
use crate::error::{Error, Result};
use crate::model::date_filter::{self, Edge};
use crate::model::memory::{Filter, MemoryType, Status, Tier};
use crate::model::time::Timestamp;
use crate::vault::Vault;

/// Parameters of [`filter`], beside `limit` and `cursor`.
pub const FILTER_PARAMETERS: [&str; 10] = [
    "status",
    "type",
    "tier",
    "tag",
    "source",
    "session",
    "batch",
    "after",
    "before",
    "forget_requested",
];

impl Call<'_> {
    /// Refuses parameters that the route does not know.
    pub fn only(&self, known: &[&str]) -> Result<()> {
        match self
            .request
            .query
            .iter()
            .find(|(name, _)| !known.contains(&name.as_str()))
        {
            None => Ok(()),
            Some((name, _)) => {
                let message = if known.is_empty() {
                    "is not known here".to_owned()
                } else {
                    format!("is not known here; known are {}", known.join(", "))
                };
                Err(Error::invalid(name, message))
            }
        }
    }

    /// A parameter's value; empty counts as absent, the last of several wins.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.request
            .query
            .iter()
            .rev()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// A whole number.
    pub fn number(&self, name: &str) -> Result<Option<i64>> {
        let parse = |text: &str| {
            text.parse()
                .map_err(|_| Error::invalid(name, "must be a whole number"))
        };
        self.query(name).map(parse).transpose()
    }

    /// `1`, `true`, `yes` or `0`, `false`, `no`; absent is `false`.
    pub fn flag(&self, name: &str) -> Result<bool> {
        match self.query(name).map(str::to_ascii_lowercase).as_deref() {
            None | Some("0" | "false" | "no") => Ok(false),
            Some("1" | "true" | "yes") => Ok(true),
            Some(_) => Err(Error::invalid(name, "must be 1 or 0")),
        }
    }
}

/// The filter that a list's parameters ask for.
pub fn filter(vault: &Vault<'_>, call: &Call<'_>) -> Result<Filter> {
    let edge = |name: &str, edge: Edge| -> Result<Option<Timestamp>> {
        let Some(text) = call.query(name) else {
            return Ok(None);
        };
        let parsed = date_filter::parse_edge(text, edge, vault.now(), &vault.zone()?);
        parsed
            .map(Some)
            .map_err(|error| Error::invalid(name, error.to_string()))
    };
    let owned = |name: &str| call.query(name).map(str::to_owned);
    Ok(Filter {
        statuses: statuses(call.query("status"))?,
        memory_type: call.query("type").map(MemoryType::parse).transpose()?,
        tier: call.query("tier").map(Tier::parse).transpose()?,
        tag: call.query("tag").map(str::to_lowercase),
        source: owned("source"),
        session: owned("session"),
        batch_id: owned("batch"),
        after: edge("after", Edge::After)?,
        before: edge("before", Edge::Before)?,
        forget_requested: call.flag("forget_requested")?,
    })
}

/// A comma-separated list of statuses; `all` is each of them.
fn statuses(text: Option<&str>) -> Result<Vec<Status>> {
    match text {
        None => Ok(Vec::new()),
        Some("all") => Ok(vec![
            Status::Proposed,
            Status::Active,
            Status::Superseded,
            Status::Rejected,
        ]),
        Some(text) => text.split(',').map(Status::parse).collect(),
    }
}
