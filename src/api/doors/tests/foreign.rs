//! Names, ids and addresses that try to be more than text.

use super::*;

const HOSTILE: [&str; 6] = [
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onfocus=alert(1) x='",
    "</style></form><form action=https://evil.test>",
    "\u{202e}edualC\u{202c}\u{2066}\u{200b}\u{e0041}",
    "{{scopes}} {{token}} &lt;b&gt;",
];

fn names(tags: &[Tag]) -> Vec<&str> {
    tags.iter()
        .map(|tag| tag.name.as_str())
        .filter(|name| *name != "span")
        .collect()
}

#[test]
fn foreign_text_makes_no_markup_wherever_it_stands() {
    let scopes = boxes();
    let usual = ConsentView {
        problem: Some("Tick something."),
        ..view(&scopes)
    };
    let (expected, _) = read(&consent_page(&usual));
    for hostile in HOSTILE {
        let page = consent_page(&ConsentView {
            client_name: hostile,
            client_id: hostile,
            verified_host: Some(hostile),
            redirect_uri: hostile,
            redirect_host: hostile,
            signed_in_as: hostile,
            request: hostile,
            token: hostile,
            problem: Some(hostile),
            ..view(&scopes)
        });
        let (tags, _) = read(&page);
        assert_eq!(names(&tags), names(&expected), "{hostile}");
        let token = tags
            .iter()
            .find(|tag| tag.get("name") == Some("token"))
            .unwrap();
        assert_eq!(token.get("value"), Some(hostile));
        for tag in &tags {
            assert!(
                tag.attributes
                    .keys()
                    .all(|key| !key.starts_with("on") && key != "style"),
                "{hostile}"
            );
            assert!(
                tag.get("action")
                    .is_none_or(|action| action == "/authorize")
            );
        }
    }
}

#[test]
fn a_name_is_shown_as_it_was_given() {
    let scopes = boxes();
    for hostile in [HOSTILE[0], HOSTILE[1], HOSTILE[2], HOSTILE[3], HOSTILE[5]] {
        let (_, text) = read(&consent_page(&ConsentView {
            client_name: hostile,
            ..view(&scopes)
        }));
        assert!(text.contains(&format!("“{hostile}” asks")), "{text}");
    }
    let (_, text) = read(&consent_page(&ConsentView {
        client_name: " \n ",
        ..view(&scopes)
    }));
    assert!(text.contains("An app without a name asks"));
}

#[test]
fn characters_nobody_can_see_are_shown_by_their_code() {
    let scopes = boxes();
    let page = consent_page(&ConsentView {
        client_name: "Cl\u{202e}au\u{200b}de\u{7}",
        client_id: &format!("\u{2066}{}", "x".repeat(2_000)),
        redirect_host: "clau\u{ad}de.ai",
        ..view(&scopes)
    });
    assert!(
        !page
            .chars()
            .any(|c| ['\u{202e}', '\u{200b}', '\u{7}', '\u{2066}', '\u{ad}'].contains(&c))
    );
    let (_, text) = read(&page);
    assert!(text.contains("“ClU+202EauU+200BdeU+0007”") && text.contains("clauU+00ADde.ai"));
}

#[test]
fn long_texts_are_cut_and_hosts_are_not() {
    let scopes = boxes();
    let (name, id) = ("長".repeat(5_000), format!("{}END", "a".repeat(5_000)));
    let host = format!("claude.ai.{}evil.test", "a.".repeat(110));
    let page = consent_page(&ConsentView {
        client_name: &name,
        client_id: &id,
        redirect_host: &host,
        ..view(&scopes)
    });
    let (tags, text) = read(&page);
    assert!(text.contains(&format!("“{}…”", "長".repeat(120))));
    assert!(!text.contains(&"長".repeat(121)) && !text.contains(&"a".repeat(65)));
    assert!(text.contains(&format!("{} … {}END", "a".repeat(64), "a".repeat(29))));
    assert!(text.contains(&host));
    for full in [&name, &id] {
        assert_eq!(
            tags.iter()
                .filter(|tag| tag.get("title") == Some(full))
                .count(),
            1
        );
    }
    let (_, text) = read(&consent_page(&ConsentView {
        client_name: &"n".repeat(120),
        client_id: &"i".repeat(96),
        ..view(&scopes)
    }));
    assert!(!text.contains('…'));
}
