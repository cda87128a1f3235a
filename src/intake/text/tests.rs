//! How pasted texts are cut.

mod blocks;
mod long;

fn cut(text: &str) -> Vec<String> {
    let drafts = super::split(text);
    drafts
        .into_iter()
        .map(|draft| match draft.source_date {
            Some(date) => format!("{date} {}", draft.content.unwrap()),
            None => draft.content.unwrap(),
        })
        .collect()
}

#[test]
fn rules_cut_before_anything_else() {
    assert_eq!(
        cut("one\n\nstill one\n---\ntwo\n- a\n- b"),
        ["one\n\nstill one", "two\n- a\n- b"]
    );
}

#[test]
fn blank_lines_cut_paragraphs() {
    assert_eq!(
        cut("\n\nFirst fact,\non two lines.\n\n\nSecond.\r\n"),
        ["First fact,\non two lines.", "Second."]
    );
}

#[test]
fn bullets_are_items_and_nested_ones_stay_with_their_parent() {
    let text = "- likes tea\n  - green in the morning\n- lives in Ghent\n* has a boat\n1. first\n2) second";
    assert_eq!(
        cut(text),
        [
            "likes tea\n  - green in the morning",
            "lives in Ghent",
            "has a boat",
            "first",
            "second"
        ]
    );
}

#[test]
fn a_list_with_blank_lines_keeps_what_is_indented_with_its_parent() {
    assert_eq!(
        cut(
            "- likes tea\n\n  - green in the morning\n\n  and at night\n\n- lives in Ghent\n\nProse."
        ),
        [
            "likes tea\n\n  - green in the morning\n\n  and at night",
            "lives in Ghent",
            "Prose."
        ]
    );
}

#[test]
fn a_lead_in_line_is_no_item_but_the_lists_heading() {
    assert_eq!(cut("About me:\n- one\n- two"), ["one", "two"]);
    assert_eq!(
        cut("The boat:\n\n- blue\n- 9 m long"),
        ["The boat: blue", "The boat: 9 m long"]
    );
    assert_eq!(cut("# Facts\n- one"), ["one"]);
    assert_eq!(cut("Only this:"), ["Only this:"]);
    assert_eq!(
        cut("The boat:\n- blue\n\nProse.\n\n- red"),
        ["The boat: blue", "Prose.", "red"]
    );
}

#[test]
fn prose_with_a_dash_stays_whole() {
    assert_eq!(
        cut("We tried two ways\n- and neither worked."),
        ["We tried two ways\n- and neither worked."]
    );
    assert_eq!(cut("-5 degrees outside"), ["-5 degrees outside"]);
}

#[test]
fn a_number_that_no_list_counts_to_belongs_to_the_text() {
    assert_eq!(cut("3. Mai: Umzug"), ["3. Mai: Umzug"]);
    assert_eq!(cut("- one\n3. Mai: Umzug"), ["one", "3. Mai: Umzug"]);
    assert_eq!(cut("1. one\n2. two\n5. Juni"), ["one", "two", "5. Juni"]);
    assert_eq!(cut("1. one\n1. two\n\n2. three"), ["one", "two", "three"]);
    assert_eq!(cut("2026. A good year"), ["2026. A good year"]);
}

#[test]
fn fences_and_tables_stay_whole() {
    let code = "Run this:\n```\na\n\n---\n\nb\n- c\n# d\n```";
    assert_eq!(cut(&format!("{code}\n\nNext.")), [code, "Next."]);
    assert_eq!(
        cut("Run this:\n\n~~~ sh\nls\n~~~"),
        ["Run this:\n\n~~~ sh\nls\n~~~"]
    );
    let table = "| a | b |\n| --- | --- |\n| 1 | 2 |";
    assert_eq!(cut(table), [table]);
    assert_eq!(
        cut(&format!("Sizes:\n\n{table}")),
        [format!("Sizes:\n\n{table}")]
    );
    assert_eq!(
        cut("- run\n  ```\n  a\n\n  b\n  ```\n- two"),
        ["run\n  ```\n  a\n\n  b\n  ```", "two"]
    );
    assert_eq!(
        cut("```\nnever closed\n\nstill code"),
        ["```\nnever closed\n\nstill code"]
    );
}

#[test]
fn items_say_under_which_heading_they_stood() {
    assert_eq!(
        cut("# Boat\n\nThe valve sticks.\n\nThe mast too.\n\n# End"),
        [
            "# Boat\nThe valve sticks.",
            "# Boat\nThe mast too.",
            "# End"
        ]
    );
    assert_eq!(
        cut("# Projects\n## Vault\n- written in Rust\n## Boat ##\n- blue\n# Home\n- warm"),
        ["Vault: written in Rust", "Boat: blue", "Home: warm"]
    );
    assert_eq!(
        cut("# Boat\n## Engine\n- starts badly"),
        ["Boat / Engine: starts badly"]
    );
    assert_eq!(
        cut("**Work context**\n\nAda builds clocks.\n\n**Top of mind**\n\nThe fair."),
        [
            "**Work context**\nAda builds clocks.",
            "**Top of mind**\nThe fair."
        ]
    );
    assert_eq!(cut("**This is important.**"), ["**This is important.**"]);
    assert_eq!(cut("# Boat\n# Car\n- red"), ["# Boat", "Car: red"]);
}

#[test]
fn dated_entries_are_items_of_that_date_also_in_a_code_block() {
    assert_eq!(
        cut(
            "[2025-03-01] - Prefers metric units\n[unknown] - Has two cats\n[2025-04-02T10:00:00Z] Moved to Ghent"
        ),
        [
            "2025-03-01 Prefers metric units",
            "Has two cats",
            "2025-04-02T10:00:00Z Moved to Ghent"
        ]
    );
    assert_eq!(
        cut(
            "Here they are:\n\n```\n## Instructions\n[2025-03-01] - Prefers metric units\n\n## Pets\n[unknown] - Has two cats\n```\nThat is all."
        ),
        [
            "2025-03-01 Prefers metric units",
            "Pets: Has two cats",
            "That is all."
        ]
    );
    assert_eq!(
        cut("- [2025-03-01] one\n- [x] done\n- [ ] open"),
        ["2025-03-01 one", "[x] done", "[ ] open"]
    );
    assert_eq!(
        cut("[link](https://example.org) is good"),
        ["[link](https://example.org) is good"]
    );
    let code = "```\nlet a = [1];\n```";
    assert_eq!(cut(code), [code]);
}

#[test]
fn nothing_gives_nothing() {
    assert_eq!(cut(" \n\n---\n"), Vec::<String>::new());
    assert_eq!(cut("\u{feff}- one\n-\n- "), ["one\n-"]);
}

#[test]
fn an_empty_bullet_takes_no_words_away() {
    assert_eq!(cut("2.  b:\n  - \n2. "), ["2.  b:"]);
    assert_eq!(cut("Boats:\n- \n- red\n"), ["Boats: red"]);
}

use proptest::prelude::*;

proptest! {
    #[test]
    fn no_word_is_lost_and_none_is_split(lines in proptest::collection::vec("(  )?([-*] |[0-9]\\. |# |\\| |```|)[a-z]{0,6}( [a-z]{1,6})?:?", 0..12)) {
        let text = lines.join("\n");
        let all = cut(&text).join("\n");
        for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
            let found = all.split(|c: char| !c.is_alphabetic()).any(|other| other == word);
            // A heading of empty words, or a lead-in of them, may go.
            prop_assert!(found || super::context::tests_is_empty_word(word), "{word} of {text:?} in {all:?}");
        }
    }
}
