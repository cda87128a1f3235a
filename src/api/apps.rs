//! Connected apps and clients, and the check whether apps outside can reach the vault.

use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::error::Result;
use crate::ports::Later;
use crate::vault::Vault;
use crate::vault::check_connection as checking;
use crate::vault::oauth::{clients as known, grants as connected};

/// `GET /api/oauth/grants`
pub fn grants(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &connected::list_grants(vault, call.actor()?)?,
    ))
}

/// `GET /api/oauth/grants/:id`
pub fn grant(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let grant = connected::get_grant(vault, call.actor()?, call.parameter("id"))?;
    Ok(response::json(200, &grant))
}

/// `DELETE /api/oauth/grants/:id`
pub fn revoke_grant(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    connected::revoke_grant(vault, call.actor()?, call.parameter("id"))?;
    Ok(response::empty(204))
}

/// `GET /api/oauth/clients`
pub fn clients(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(response::json(
        200,
        &known::list_clients(vault, call.actor()?)?,
    ))
}

/// `GET /api/oauth/clients/:id`
pub fn client(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    let client = known::get_client(vault, call.actor()?, call.parameter("id"))?;
    Ok(response::json(200, &client))
}

/// `DELETE /api/oauth/clients/:id`
pub fn remove_client(vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    known::remove_client(vault, call.actor()?, call.parameter("id"))?;
    Ok(response::empty(204))
}

/// `GET /api/status/connection`
pub fn check_connection<'a>(
    vault: &'a Vault<'a>,
    call: &'a Call<'a>,
) -> Later<'a, Result<Response>> {
    Box::pin(async move {
        let report =
            checking::check_connection(vault, call.actor()?, &call.request.base_url).await?;
        Ok(response::json(200, &report))
    })
}
