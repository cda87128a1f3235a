//! Pages that are read rather than called.

use crate::api::consent;
use crate::api::response::{self, Response};
use crate::api::routes::EdgeCall;
use crate::error::Error;

/// `GET /connect`: Markdown for agents. Holds nothing of the vault.
pub fn connect(call: &EdgeCall<'_>) -> Response {
    response::text(
        200,
        "text/markdown",
        include_str!("connect.md").replace("{base_url}", call.origin),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_connect_page_names_the_address_it_was_asked_at() {
        let page = String::from_utf8(
            connect(&EdgeCall {
                origin: "https://vault.example.org",
                path: "/connect",
                accepts_gzip: false,
                if_none_match: None,
            })
            .body,
        )
        .unwrap();
        assert!(page.contains("https://vault.example.org/mcp") && !page.contains("{base_url}"));
    }
}
