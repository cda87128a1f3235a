//! Pages that are read rather than called.

use crate::api::call::Call;
use crate::api::response::{self, Response};
use crate::error::Result;
use crate::vault::Vault;

/// `GET /`: until the dashboard is here, a signpost to what is.
pub fn home(_vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    call.actor()?;
    Ok(html(include_str!("home.html"), &call.request.base_url))
}

/// `GET /connect`: Markdown for agents. Holds nothing of the vault.
pub fn connect(_vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    Ok(connect_page(&call.request.base_url))
}

/// The same without a vault, so that the edge can answer it alone.
pub fn connect_page(base_url: &str) -> Response {
    response::text(
        200,
        "text/markdown",
        include_str!("connect.md").replace("{base_url}", base_url),
    )
}

fn html(page: &str, base_url: &str) -> Response {
    let mut response = response::text(200, "text/html", page.replace("{base_url}", base_url));
    let policy = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
    response
        .headers
        .push(("Content-Security-Policy", policy.to_owned()));
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connect_page_names_the_address_it_was_asked_at() {
        let page = String::from_utf8(connect_page("https://vault.example.org").body).unwrap();
        assert!(page.contains("https://vault.example.org/mcp") && !page.contains("{base_url}"));
    }
}
