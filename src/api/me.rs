//! `GET /api/me`: who is signed in, and where they sign out.

use serde_json::json;

use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::error::Result;
use crate::model::actor::Actor;
use crate::vault::Vault;

/// Who calls. `email` is `null` for a program, `sign_out` for whoever did not sign in through Access; `dev` says that
/// nobody signed in at all, since this is the owner's own machine.
pub fn me(_vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let sign_out = &call.request.sign_out;
    let me = match call.actor()? {
        Actor::Owner { email } => json!({
            "email": email, "role": "owner", "sign_out": sign_out, "dev": sign_out.is_none(),
        }),
        Actor::Service { name, role } => json!({
            "email": null, "name": name, "role": role, "sign_out": null, "dev": false,
        }),
        other => json!({ "email": null, "role": other.label(), "sign_out": null, "dev": false }),
    };
    Ok(response::json(200, &me))
}
