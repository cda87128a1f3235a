//! Pages that are read rather than called.

use crate::api::call::Call;
use crate::api::consent;
use crate::api::response::{self, Response};
use crate::error::{Error, Result};
use crate::vault::Vault;

/// `GET /`: until the dashboard is here, a signpost to what is.
pub fn home(_vault: &Vault<'_>, call: &Call<'_>) -> Result<Response> {
    call.actor()?;
    Ok(html(include_str!("home.html"), &call.request.base_url))
}

/// `GET /connect`: Markdown for agents. Holds nothing of the vault.
pub fn connect(base_url: &str) -> Response {
    response::text(
        200,
        "text/markdown",
        include_str!("connect.md").replace("{base_url}", base_url),
    )
}

/// What somebody sees who opens a page without being signed in.
pub fn not_signed_in(error: &Error) -> Response {
    let sentence = format!("{}.", capitalised(&error.message));
    let page = consent::message_page(
        "You are not signed in",
        &[
            &sentence,
            "With Cloudflare Access in front of this address, signing in happens before this page; then load it again.",
        ],
        &[
            ("/connect", "How to connect an app"),
            ("/health", "Which settings are missing"),
        ],
    );
    let mut response = response::text(error.kind.row().status, "text/html", page);
    response.headers.push((
        "Content-Security-Policy",
        consent::content_security_policy(),
    ));
    response
}

fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_uppercase().chain(letters).collect()
    })
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
        let page = String::from_utf8(connect("https://vault.example.org").body).unwrap();
        assert!(page.contains("https://vault.example.org/mcp") && !page.contains("{base_url}"));
    }
}
