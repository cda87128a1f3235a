//! Query parameters: read by name, typed, and refused when misspelt. A filter that is ignored because of a typing error
//! would show everything and look like an answer.

use crate::api::call::Call;
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::date_filter::{self, Edge};
use crate::model::flag::Flag;
use crate::model::memory::{Filter, MemoryType, Status, Tier};
use crate::model::time::Timestamp;
use crate::vault::Vault;

impl Call<'_> {
    /// Refuses parameters that the route does not know, and those given twice: which of the two was meant?
    pub fn only(&self, known: &[&str]) -> Result<()> {
        let mut seen: Vec<&str> = Vec::new();
        for (name, _) in &self.request.query {
            if !known.contains(&name.as_str()) {
                let known = if known.is_empty() {
                    "none".to_owned()
                } else {
                    known.join(", ")
                };
                return Err(Error::invalid(
                    name,
                    format!("is not known here; known are: {known}"),
                ));
            }
            if seen.contains(&name.as_str()) {
                return Err(Error::invalid(name, "is given twice; give it once"));
            }
            seen.push(name);
        }
        Ok(())
    }

    /// A parameter's value; empty counts as absent.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.request
            .query
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// A whole number; one too large to count with is as good as the largest.
    pub fn number(&self, name: &str) -> Result<Option<i64>> {
        let Some(text) = self.query(name) else {
            return Ok(None);
        };
        let is_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let parsed = text.parse().ok().or(is_digits.then_some(i64::MAX));
        parsed
            .map(Some)
            .ok_or_else(|| Error::invalid(name, "must be a whole number"))
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

/// A bound in time, in any of the forms that [`date_filter::parse_edge`] reads.
pub fn edge(
    vault: &Vault<'_>,
    call: &Call<'_>,
    name: &str,
    edge: Edge,
) -> Result<Option<Timestamp>> {
    let Some(text) = call.query(name) else {
        return Ok(None);
    };
    let parsed = date_filter::parse_edge(text, edge, vault.now(), &vault.zone()?);
    parsed
        .map(Some)
        .map_err(|error| Error::invalid(name, error.to_string()))
}

/// The filter that a list's parameters ask for.
pub fn filter(vault: &Vault<'_>, call: &Call<'_>) -> Result<Filter> {
    let owned = |name: &str| call.query(name).map(str::to_owned);
    Ok(Filter {
        statuses: statuses(call.query("status"))?,
        memory_type: call.query("type").map(MemoryType::parse).transpose()?,
        tier: call.query("tier").map(Tier::parse).transpose()?,
        tag: call.query("tag").map(str::to_lowercase),
        source: owned("source"),
        session: owned("session"),
        batch_id: owned("batch"),
        after: edge(vault, call, "after", Edge::After)?,
        before: edge(vault, call, "before", Edge::Before)?,
        forget_requested: call.flag("forget_requested")?,
        created_by: owned("created_by"),
        flag: call.query("flag").map(Flag::parse).transpose()?,
        ids: call.query("ids").map(ids).transpose()?,
        without_withheld: false,
        as_of: None,
    })
}

/// A comma-separated list of ids.
fn ids(text: &str) -> Result<Vec<String>> {
    let ids: Vec<String> = text
        .split(',')
        .map(|id| id.trim().to_owned())
        .filter(|id| !id.is_empty())
        .collect();
    if ids.len() > limits::PAGE_MAX {
        let message = format!(
            "names {} memories; at most {} are looked up",
            ids.len(),
            limits::PAGE_MAX
        );
        return Err(Error::new(Kind::TooLarge, message).in_field("ids"));
    }
    Ok(ids)
}

/// A comma-separated list of statuses; `all` is each of them.
pub fn statuses(text: Option<&str>) -> Result<Vec<Status>> {
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
