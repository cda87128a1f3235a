//! What the pages say and hold, read the way a browser would: as tags with attributes, and text between them.

use std::collections::HashMap;

use super::*;

mod foreign;
mod look;

struct Tag {
    name: String,
    attributes: HashMap<String, String>,
}

impl Tag {
    fn get(&self, attribute: &str) -> Option<&str> {
        self.attributes.get(attribute).map(String::as_str)
    }
}

/// The tags that open, in order, and all text, its references decoded. Takes only markup in which every attribute's value
/// stands in double quotes, so that a quote out of place makes the test fail rather than pass.
fn read(html: &str) -> (Vec<Tag>, String) {
    let (mut tags, mut text, mut rest) = (Vec::new(), String::new(), html);
    while let Some((before, after)) = rest.split_once('<') {
        text.push_str(before);
        let (mut attributes, mut inside) = (HashMap::new(), after);
        let name_end = inside
            .find(|c: char| c == '>' || c.is_whitespace())
            .unwrap();
        let name;
        (name, inside) = inside.split_at(name_end);
        loop {
            inside = inside.trim_start().trim_start_matches('/');
            if let Some(after) = inside.strip_prefix('>') {
                rest = after;
                break;
            }
            let end = inside
                .find(|c: char| c == '=' || c == '>' || c.is_whitespace())
                .unwrap();
            let key;
            (key, inside) = inside.split_at(end);
            assert!(
                key.chars()
                    .all(|c| c.is_ascii_alphabetic() || "-!".contains(c)),
                "{key}"
            );
            let mut value = String::new();
            if let Some(quoted) = inside.strip_prefix("=\"") {
                let (inner, after) = quoted.split_once('"').unwrap();
                (value, inside) = (decoded(inner), after);
            }
            assert!(
                attributes.insert(key.to_owned(), value).is_none(),
                "{key} twice"
            );
        }
        if name == "style" {
            rest = rest.split_once("</style>").unwrap().1;
        }
        if !name.starts_with('/') && name != "!doctype" {
            tags.push(Tag {
                name: name.to_owned(),
                attributes,
            });
        }
    }
    text.push_str(rest);
    (tags, decoded(&text))
}

fn decoded(text: &str) -> String {
    text.replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&#39;", "'")
        .replace("&amp;", "&")
}

fn boxes() -> Vec<ScopeBox> {
    let offered = |scope, title: &str, ticked| ScopeBox {
        scope,
        title: title.to_owned(),
        explanation: format!("What {title} means."),
        ticked,
        asked: ticked,
    };
    vec![
        offered("memory.read", "Read your memories", true),
        offered("archive.read", "Read conversations", false),
    ]
}

fn view(scopes: &[ScopeBox]) -> ConsentView<'_> {
    ConsentView {
        client_name: "Claude",
        client_id: "https://claude.ai/oauth/mcp-oauth-client-metadata",
        verified_host: Some("claude.ai"),
        redirect_uri: "https://claude.ai/api/mcp/auth_callback",
        redirect_host: "claude.ai",
        loopback: false,
        opens_app: None,
        signed_in_as: "owner@example.test",
        scopes,
        request: "r-1",
        token: "t-1",
        minutes: 10,
        problem: None,
    }
}

#[test]
fn the_page_names_the_app_the_host_the_address_and_who_vouches() {
    let scopes = boxes();
    let (_, text) = read(&consent_page(&view(&scopes)));
    for said in [
        "“Claude” asks to use your memory",
        "You are signed in as owner@example.test.",
        "https://claude.ai/api/mcp/auth_callback",
        "verified: claude.ai",
        "https://claude.ai/oauth/mcp-oauth-client-metadata",
        "This page waits for 10 minutes.",
    ] {
        assert!(text.contains(said), "{said}");
    }
    assert!(
        consent_page(&view(&scopes))
            .contains("<p class=\"host\"><bdi dir=\"ltr\">claude.ai</bdi></p>")
    );
}

#[test]
fn a_client_nobody_vouches_for_is_shown_as_not_verified() {
    let scopes = boxes();
    let page = consent_page(&ConsentView {
        verified_host: None,
        redirect_uri: "https://evil.test/cb",
        redirect_host: "evil.test",
        ..view(&scopes)
    });
    let (_, text) = read(&page);
    assert!(text.contains("not verified") && !text.contains("verified:"));
    assert!(page.contains("<bdi dir=\"ltr\">evil.test</bdi>"));
}

#[test]
fn the_only_hidden_fields_are_request_and_token() {
    let scopes = boxes();
    let (tags, _) = read(&consent_page(&view(&scopes)));
    let hidden: Vec<_> = tags
        .iter()
        .filter(|tag| tag.get("type") == Some("hidden"))
        .map(|tag| (tag.get("name"), tag.get("value")))
        .collect();
    assert_eq!(
        hidden,
        [(Some("request"), Some("r-1")), (Some("token"), Some("t-1"))]
    );
    let forms: Vec<_> = tags
        .iter()
        .filter(|tag| tag.name == "form")
        .map(|tag| (tag.get("method"), tag.get("action")))
        .collect();
    assert_eq!(forms, [(Some("post"), Some("/authorize"))]);
}

#[test]
fn enter_in_a_tick_box_would_deny() {
    let scopes = boxes();
    let (tags, _) = read(&consent_page(&view(&scopes)));
    let buttons: Vec<_> = tags
        .iter()
        .filter(|tag| tag.name == "button")
        .map(|tag| (tag.get("type"), tag.get("name"), tag.get("value")))
        .collect();
    assert_eq!(
        buttons,
        [
            (Some("submit"), Some("decision"), Some("deny")),
            (Some("submit"), Some("decision"), Some("approve")),
        ]
    );
    assert!(tags.iter().all(|tag| tag.get("required").is_none()));
}

#[test]
fn a_box_is_ticked_only_if_it_is_to_be() {
    let scopes = boxes();
    let (tags, text) = read(&consent_page(&view(&scopes)));
    let found: Vec<_> = tags
        .iter()
        .filter(|tag| tag.get("type") == Some("checkbox"))
        .map(|tag| {
            (
                tag.get("name"),
                tag.get("value"),
                tag.get("checked").is_some(),
            )
        })
        .collect();
    assert_eq!(
        found,
        [
            (Some("scope"), Some("memory.read"), true),
            (Some("scope"), Some("archive.read"), false)
        ]
    );
    assert!(text.contains("What Read conversations means. It did not ask for this."));
    assert!(!text.contains("What Read your memories means. It did not ask for this."));
}

#[test]
fn every_label_and_description_points_at_something() {
    let scopes = boxes();
    let page = consent_page(&ConsentView {
        problem: Some("Tick something."),
        ..view(&scopes)
    });
    let (tags, _) = read(&page);
    for tag in &tags {
        for attribute in ["aria-labelledby", "aria-describedby"] {
            let Some(id) = tag.get(attribute) else {
                continue;
            };
            assert_eq!(
                tags.iter().filter(|tag| tag.get("id") == Some(id)).count(),
                1,
                "{id}"
            );
        }
    }
}

#[test]
fn the_warning_about_this_computer_stands_only_where_it_is_true() {
    let scopes = boxes();
    let warning = "A program on this computer gets the key.";
    let (_, text) = read(&consent_page(&view(&scopes)));
    assert!(!text.contains(warning) && !text.contains("this computer"));
    let (_, text) = read(&consent_page(&ConsentView {
        loopback: true,
        redirect_host: "127.0.0.1",
        redirect_uri: "http://127.0.0.1:49152/callback",
        ..view(&scopes)
    }));
    assert!(text.contains(warning) && text.contains("this computer, 127.0.0.1"));
    assert!(text.contains("verified: claude.ai") && !text.contains("vouches"));
}

#[test]
fn an_address_that_opens_an_app_shows_its_scheme_and_no_host() {
    let scopes = boxes();
    let page = consent_page(&ConsentView {
        opens_app: Some("cursor"),
        redirect_host: "claude.ai",
        redirect_uri: "cursor://claude.ai/oauth/callback",
        ..view(&scopes)
    });
    let (_, text) = read(&page);
    assert!(
        text.contains("cursor: an app on this device")
            && text.contains("An app on this device gets the key.")
    );
    assert!(!page.contains("<bdi dir=\"ltr\">claude.ai</bdi></p>"));
    assert!(
        !read(&consent_page(&view(&scopes)))
            .1
            .contains("An app on this device gets the key.")
    );
}

#[test]
fn a_problem_is_shown_above_the_form_and_only_if_there_is_one() {
    let scopes = boxes();
    let page = consent_page(&ConsentView {
        problem: Some("Tick at least one thing, or deny."),
        ..view(&scopes)
    });
    assert!(page.find("Tick at least one thing, or deny.").unwrap() < page.find("<form").unwrap());
    assert!(!consent_page(&view(&scopes)).contains("role=\"alert\""));
}

#[test]
fn time_is_counted_in_whole_minutes_and_never_below_one() {
    let scopes = boxes();
    for (minutes, said) in [
        (2, "for 2 minutes."),
        (1, "for 1 minute."),
        (0, "for 1 minute."),
        (-5, "for 1 minute."),
    ] {
        let (_, text) = read(&consent_page(&ConsentView {
            minutes,
            ..view(&scopes)
        }));
        assert!(text.contains(said), "{minutes}");
    }
}
