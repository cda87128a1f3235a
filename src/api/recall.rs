//! `GET /api/recall`.

use crate::api::call::Call;
use crate::api::query::filter;
use crate::api::response::{self, Response};
use crate::error::{Error, Result};
use crate::model::date_filter;
use crate::model::memory::Status;
use crate::ports::Later;
use crate::vault::recall::Question;
use crate::vault::{self, Vault};

/// Answers `q`. `include_superseded=1` lets history answer too; with `as_of` only what held then answers.
pub fn recall<'a>(vault: &'a Vault<'a>, call: &'a Call<'a>) -> Later<'a, Result<Response>> {
    Box::pin(async move {
        if let Some(text) = call.query("q") {
            vault::meaning::ask(vault, &[text.to_owned()]).await;
        }
        answer(vault, call)
    })
}

fn answer(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let text = call
        .request
        .query
        .iter()
        .find(|(name, _)| name == "q")
        .map(|(_, value)| value.as_str());
    let text =
        text.ok_or_else(|| Error::invalid("q", "is missing; ask a question or give some words"))?;
    let mut filter = filter(vault, call)?;
    if let Some(text) = call.query("as_of") {
        let moment = date_filter::moment(text, vault.now(), &vault.zone()?);
        filter.as_of = Some(moment.map_err(|error| Error::invalid("as_of", error.to_string()))?);
    }
    if call.flag("include_superseded")? {
        if filter.statuses.is_empty() {
            filter.statuses = vec![Status::Active, Status::Proposed];
        }
        filter.statuses.push(Status::Superseded);
    }
    let question = Question {
        text,
        filter,
        limit: call.number("limit")?,
        cursor: call.query("cursor"),
        explain: call.flag("explain")?,
    };
    let named = |error: Error| {
        if error.field.as_deref() == Some("query") {
            error.in_field("q")
        } else {
            error
        }
    };
    Ok(response::json(
        200,
        &vault::recall::recall(vault, call.actor()?, &question).map_err(named)?,
    ))
}
