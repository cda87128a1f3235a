//! Pages that are read rather than called.

use crate::api::consent;
use crate::api::reading;
use crate::api::response::{self, Response};
use crate::api::routes::EdgeCall;
use crate::error::Error;

/// What stands above the page for people.
const FOR_AGENTS: &str = "<p class=\"note\">For people. An agent that asks for this address gets the same in Markdown.</p>";

/// `GET /connect`: Markdown for agents, the same as a page for browsers. Holds nothing of the vault.
pub fn connect(call: &EdgeCall<'_>) -> Response {
    let markdown = include_str!("connect.md").replace("{base_url}", call.origin);
    let mut response = if reading::prefers_page(call.accept.as_deref()) {
        let mut page = response::text(200, "text/html", reading::page(&markdown, FOR_AGENTS));
        let policy = (
            "Content-Security-Policy",
            reading::content_security_policy(),
        );
        page.headers.push(policy);
        page
    } else {
        response::text(200, "text/markdown", markdown)
    };
    response.headers.push(("Vary", "Accept".to_owned()));
    response
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

    fn asked(accept: Option<&str>) -> (String, String) {
        let response = connect(&EdgeCall {
            origin: "https://vault.example.org",
            path: "/connect",
            accepts_gzip: false,
            if_none_match: None,
            accept: accept.map(str::to_owned),
        });
        let header = |name: &str| {
            let found = response.headers.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.clone()).unwrap_or_default()
        };
        assert_eq!(header("Vary"), "Accept");
        (
            header("Content-Type"),
            String::from_utf8(response.body).unwrap(),
        )
    }

    #[test]
    fn the_connect_page_names_the_address_it_was_asked_at() {
        for (accept, media_type) in [
            (None, "text/markdown; charset=utf-8"),
            (Some("*/*"), "text/markdown; charset=utf-8"),
            (Some("text/html,*/*;q=0.8"), "text/html; charset=utf-8"),
        ] {
            let (given, page) = asked(accept);
            assert_eq!(given, media_type);
            assert!(page.contains("https://vault.example.org/mcp") && !page.contains("{base_url}"));
        }
    }
}
