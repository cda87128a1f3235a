//! The style and its hash, the colours, and the pages that only say something.

use super::*;

#[test]
fn the_policy_names_the_style_of_the_page_and_lets_the_form_lead_to_the_app() {
    let scopes = boxes();
    for page in [
        consent_page(&view(&scopes)),
        message_page("Already answered", &["Close this page."], &[]),
    ] {
        let style = page
            .split_once("<style>")
            .unwrap()
            .1
            .split_once("</style>")
            .unwrap()
            .0;
        let hash = STANDARD.encode(Sha256::digest(style.as_bytes()));
        assert_eq!(
            content_security_policy(),
            format!(
                "default-src 'none'; style-src 'sha256-{hash}'; frame-ancestors 'none'; base-uri 'none'"
            )
        );
        assert_eq!(page.matches("<style").count(), 1);
        assert!(!page.contains("<script") && !page.contains("style=\"") && !page.contains("{{"));
    }
    assert!(!STYLE.contains("url(") && !STYLE.contains("@import") && !STYLE.contains('\r'));
}

#[test]
fn a_message_is_text_and_its_links_go_to_pages() {
    let page = message_page(
        "<b>No</b>",
        &["a & b", "<i>"],
        &[
            ("/?x=1&y=2", "Open the vault"),
            ("https://example.test/", "Docs"),
            ("javascript:alert(1)", "Run"),
            ("//evil.test", "Elsewhere"),
        ],
    );
    let (tags, text) = read(&page);
    let links: Vec<_> = tags.iter().filter_map(|tag| tag.get("href")).collect();
    assert_eq!(links, ["/?x=1&y=2", "https://example.test/"]);
    for said in [
        "<b>No</b> · Memory Vault",
        "a & b",
        "<i>",
        "Open the vault",
        "Run",
    ] {
        assert!(text.contains(said), "{said}");
    }
    assert!(
        tags.iter()
            .all(|tag| tag.name != "b" && tag.name != "i" && tag.name != "form")
    );
}

#[test]
fn text_can_be_read_on_every_ground_by_day_and_by_night() {
    let (day, night) = STYLE
        .split_once("@media (prefers-color-scheme: dark)")
        .unwrap();
    let night = night.split_once("@media").unwrap().0;
    for (theme, block) in [("day", day), ("night", night)] {
        let colour = |name: &str| {
            let (_, after) = block.split_once(&format!("--{name}: #")).unwrap();
            luminance(after.get(..6).unwrap())
        };
        let pairs = [
            ("ink", "paper"),
            ("ink", "sheet"),
            ("ink", "well"),
            ("ink", "wait-wash"),
            ("ink-2", "paper"),
            ("ink-2", "sheet"),
            ("ink-2", "well"),
            ("ink-3", "paper"),
            ("ink-3", "sheet"),
            ("ink-3", "well"),
            ("accent", "accent-wash"),
            ("wait", "wait-wash"),
            ("wait", "paper"),
            ("on-accent", "accent"),
            ("on-accent", "accent-hover"),
        ];
        for (text, ground) in pairs {
            let ratio = contrast(colour(text), colour(ground));
            assert!(ratio >= 4.5, "{theme}: {text} on {ground} has {ratio:.2}");
        }
        for ground in ["paper", "sheet", "well"] {
            for line in ["edge", "focus"] {
                let ratio = contrast(colour(line), colour(ground));
                assert!(ratio >= 3.0, "{theme}: {line} on {ground} has {ratio:.2}");
            }
        }
    }
}

/// WCAG 2.2, relative luminance.
fn luminance(hex: &str) -> f64 {
    let channel = |at: usize| {
        let value =
            f64::from(u8::from_str_radix(hex.get(at..at + 2).unwrap(), 16).unwrap()) / 255.0;
        match value <= 0.04045 {
            true => value / 12.92,
            false => ((value + 0.055) / 1.055).powf(2.4),
        }
    };
    0.2126 * channel(0) + 0.7152 * channel(2) + 0.0722 * channel(4)
}

/// WCAG 2.2, contrast ratio.
fn contrast(one: f64, other: f64) -> f64 {
    (one.max(other) + 0.05) / (one.min(other) + 0.05)
}
