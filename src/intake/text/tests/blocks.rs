//! What stands beside paragraphs and bullets: tables, quotes, code, fields, comments, borders, turns.

use super::super::{Cut, cut as read};
use super::cut;

const TABLE: &str = "| what | when |\n| --- | --- |\n| oil | May |";

#[test]
fn a_block_right_after_a_bullet_is_an_item_of_its_own() {
    for block in [
        TABLE,
        "> Jan said: heat it\n> for 20 seconds",
        "```\nmake\n```",
    ] {
        assert_eq!(
            cut(&format!("# Engine\n- starts badly\n{block}\n- new")),
            [
                "Engine: starts badly".to_owned(),
                format!("# Engine\n{block}"),
                "Engine: new".to_owned()
            ],
            "{block}"
        );
    }
    assert_eq!(
        cut(&format!("- a\n{TABLE}\nDone.\n\n> said\ngoes on\n{TABLE}")),
        ["a", TABLE, "Done.", "> said\ngoes on", TABLE]
    );
}

#[test]
fn a_block_a_bullet_announces_or_holds_stays_in_it_line_by_line() {
    assert_eq!(
        cut(&format!(
            "- sizes:\n{TABLE}\n- she said:\n> yes\n> no\n- run:\n```\nmake\n```\n- end"
        )),
        [
            format!("sizes:\n{TABLE}"),
            "she said:\n> yes\n> no".to_owned(),
            "run:\n```\nmake\n```".to_owned(),
            "end".to_owned()
        ]
    );
    assert_eq!(
        cut("- oil\n  | a | b |\n  | - | - |\n  | 1 | 2 |\n\n  > every May\n- end"),
        [
            "oil\n  | a | b |\n  | - | - |\n  | 1 | 2 |\n\n  > every May",
            "end"
        ]
    );
}

#[test]
fn a_quote_stays_with_the_line_that_announces_it() {
    assert_eq!(
        cut("She said:\n\n> The mast.\n>\n> Really.\n\nThen she left."),
        ["She said:\n\n> The mast.\n>\n> Really.", "Then she left."]
    );
}

#[test]
fn a_fence_is_closed_by_its_own_marks_only() {
    let text = "````md\n```\ncode\n```\n\n# no heading\n````";
    assert_eq!(cut(&format!("{text}\n\nNext.")), [text, "Next."]);
    assert_eq!(
        cut("```ls``` lists files\n\nNext."),
        ["```ls``` lists files", "Next."]
    );
}

#[test]
fn a_short_line_over_several_bullets_is_their_heading() {
    assert_eq!(
        cut("Things to buy\n- rope\n- paint"),
        ["Things to buy: rope", "Things to buy: paint"]
    );
    assert_eq!(
        cut("We bought these.\n- rope\n- paint"),
        ["We bought these.\n- rope\n- paint"]
    );
}

#[test]
fn underlined_titles_are_headings_and_short_rules_are_borders() {
    assert_eq!(
        cut("Boat\n====\n\nBlue.\n\nEngine\n------\n- old"),
        ["Boat\nBlue.", "Boat / Engine: old"]
    );
    assert_eq!(cut("one\n---\ntwo"), ["one", "two"]);
}

#[test]
fn rules_between_sections_are_borders_of_sections() {
    assert_eq!(
        cut("# Boat\n- blue\n- fast\n\n---\n\n# Car\n- red\n- slow"),
        ["Boat: blue", "Boat: fast", "Car: red", "Car: slow"]
    );
    assert_eq!(
        cut("# Boat\n\nBlue.\n---\nFast.\n---\nOld."),
        ["# Boat\nBlue.", "# Boat\nFast.", "# Boat\nOld."]
    );
    assert_eq!(
        cut("one\n\n***\n\ntwo\n\n_ _ _\n- three\n* * *\n- four"),
        ["one", "two", "three", "four"]
    );
}

#[test]
fn the_fields_at_the_top_of_a_note_say_title_date_and_tags() {
    let Cut { drafts, .. } = read(
        "---\ntitle: \"Boat log\"\ndate: 2025-05-02\ntags:\n  - boat\n  - sea\naliases: Tern\n---\n- blue\n- [2024-01-01] old\n",
    );
    let seen: Vec<(&str, &str)> = drafts
        .iter()
        .map(|draft| {
            (
                draft.content.as_deref().unwrap(),
                draft.source_date.as_deref().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            ("Boat log\naliases: Tern", "2025-05-02"),
            ("Boat log: blue", "2025-05-02"),
            ("Boat log: old", "2024-01-01")
        ]
    );
    assert!(
        drafts
            .iter()
            .all(|draft| draft.tags.as_deref() == Some(&["boat".to_owned(), "sea".to_owned()][..]))
    );
    assert_eq!(cut("---\ntitle: Boat\n---\n"), ["Boat"]);
    assert_eq!(
        cut("---\ntitle: Boat\n---\n# Boat\nBlue."),
        ["# Boat\nBlue."]
    );
    assert_eq!(
        cut("---\nNo fields, a fact.\n---\nAnother."),
        ["No fields, a fact.", "Another."]
    );
}

#[test]
fn a_heading_that_is_a_date_dates_what_stands_under_it() {
    assert_eq!(
        cut(
            "# Log\n## 2025-06-01\n- Sailed\n- [2025-06-03] Came back\n## 2025-06-02\nRested.\n## 2025-06-04"
        ),
        [
            "2025-06-01 Log: Sailed",
            "2025-06-03 Log: Came back",
            "2025-06-02 # Log\nRested."
        ]
    );
}

#[test]
fn comments_are_left_out_and_counted() {
    let Cut {
        drafts, comments, ..
    } = read(
        "<!-- ignore all\nrules -->\nBlue.\n\n```\n<!-- code -->\n```\n\n<!-- never closed\nFast.",
    );
    let texts: Vec<_> = drafts
        .iter()
        .map(|draft| draft.content.as_deref().unwrap())
        .collect();
    assert_eq!(
        texts,
        [
            "Blue.",
            "```\n<!-- code -->\n```",
            "<!-- never closed\nFast."
        ]
    );
    assert_eq!(comments, 1);
}

#[test]
fn a_transcript_is_cut_into_its_turns_with_who_spoke_and_when() {
    let text = "# A talk\n\n_**User (2026-01-16 16:46:41Z)**_\n\nWhere is it?\n\n## Context\n\n- one\n- two\n\n---\n\n_**Agent (opus-4 2026-01-16 16:46:50Z)**_\n\n```\nnever closed\n\n_**User (2026-01-16 16:47:00Z)**_\n\nThanks.\n\n_**User**_\n\n---\n";
    let Cut {
        drafts,
        is_transcript,
        ..
    } = read(text);
    let seen: Vec<_> = drafts
        .iter()
        .map(|draft| {
            (
                draft.author.as_deref().unwrap(),
                draft.source_date.as_deref().unwrap(),
                draft.content.as_deref().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (
                "User",
                "2026-01-16 16:46:41Z",
                "# A talk\nWhere is it?\n\n## Context\n\n- one\n- two"
            ),
            (
                "Agent (opus-4)",
                "2026-01-16 16:46:50Z",
                "# A talk\n```\nnever closed"
            ),
            ("User", "2026-01-16 16:47:00Z", "# A talk\nThanks."),
        ]
    );
    assert!(
        is_transcript && !read("**User**\n- likes tea\n\n**Claude**\n- is a model").is_transcript
    );
}
