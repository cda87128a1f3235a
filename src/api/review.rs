//! Handlers of the review queue beyond one decision.

use serde::Deserialize;

use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::error::Result;
use crate::vault::review::ReviewAction;
use crate::vault::{self, Vault};

/// `POST /api/memories/:id/undecide`
pub fn undecide(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let memory = vault::undecide::undecide(vault, call.actor()?, call.parameter("id"))?;
    Ok(response::json(200, &memory))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ReviewBody {
    action: String,
    ids: Vec<String>,
}

/// `POST /api/review`
pub fn review(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let body: ReviewBody = call.json()?;
    let action = ReviewAction::parse(&body.action)?;
    let reviewed = vault::review::review(vault, call.actor()?, action, body.ids)?;
    Ok(response::json(200, &reviewed))
}
