//! Texts that are longer than one memory.

use super::super::{parts, split};
use crate::limits;
use proptest::prelude::*;

fn sentence(number: usize) -> String {
    format!("Sentence {number} says something of the boat. ")
}

fn contents(text: &str) -> Vec<String> {
    let drafts = split(text);
    drafts
        .into_iter()
        .map(|draft| draft.content.unwrap())
        .collect()
}

/// `text` has that many bytes or a few more.
fn paragraphs(bytes: usize) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() < bytes {
        text.extend((0..20).map(|place| sentence(number + place)));
        text.push_str("\n\n");
        number += 20;
    }
    text
}

#[test]
fn a_text_is_cut_only_beyond_what_a_memory_takes() {
    let head = "# B\n";
    let text = "x".repeat(limits::MEMORY_BYTES - head.len());
    assert_eq!(contents(&format!("{head}{text}")).len(), 1);
    assert_eq!(contents(&format!("{head}{text}y")).len(), 3);
}

#[test]
fn sections_between_borders_are_cut_at_paragraphs_with_their_headings_and_nothing_is_lost() {
    let long = format!(
        "## Engine\n\n{}### Oil\n\n{}",
        paragraphs(40_000),
        paragraphs(50_000)
    );
    let drafts = split(&format!("# Boat\n\nBlue.\n---\n{long}\n---\nFast."));
    let count = drafts.len() - 2;
    assert!(count >= 3, "{count}");
    let mut words = String::new();
    for (place, draft) in drafts[1..=count].iter().enumerate() {
        let text = draft.content.as_deref().unwrap();
        assert!(
            text.len() <= limits::MEMORY_BYTES && text.starts_with("# Boat\n## Engine\n"),
            "{}",
            &text[..40]
        );
        assert!(text.trim_end().ends_with('.'));
        assert_eq!(draft.warnings.len(), 1);
        assert!(
            draft.warnings[0].starts_with(&format!("part {} of {count} ", place + 1)),
            "{:?}",
            draft.warnings
        );
        words.push_str(text);
    }
    for line in long.lines() {
        assert!(words.contains(line.trim()), "{line}");
    }
    let last = drafts[count].content.as_deref().unwrap();
    assert!(
        last.starts_with("# Boat\n## Engine\n### Oil\n"),
        "{}",
        &last[..60]
    );
}

#[test]
fn parts_of_code_are_code_and_parts_of_a_table_have_its_head() {
    let rows: String = (0..4_000)
        .map(|row| format!("| row {row} | yes |\n"))
        .collect();
    for (number, part) in contents(&format!("| a | b |\n| --- | --- |\n{rows}"))
        .iter()
        .enumerate()
    {
        assert!(
            part.starts_with("| a | b |\n| --- | --- |\n| row "),
            "{number}"
        );
    }
    let lines: String = (0..9_000).map(|line| format!("call {line};\n\n")).collect();
    let parts = contents(&format!("```rust\n{lines}```"));
    assert!(parts.len() > 2);
    for part in &parts {
        assert!(
            part.starts_with("```rust\n") && part.ends_with("\n```"),
            "{}",
            &part[..20]
        );
    }
    let calls: Vec<&str> = parts
        .iter()
        .flat_map(|part| part.lines())
        .filter(|line| line.starts_with("call"))
        .collect();
    assert!((0..9_000).map(|line| format!("call {line};")).eq(calls));
}

#[test]
fn a_line_without_end_is_cut_after_sentences_words_or_anywhere() {
    let sentences: String = (0..3_000).map(sentence).collect();
    let parts = contents(&sentences);
    assert!(parts.len() > 2 && parts.iter().all(|part| part.ends_with('.')));
    let parts = contents(&"word ".repeat(20_000));
    assert!(
        parts
            .iter()
            .all(|part| part.starts_with("word") && part.ends_with("word"))
    );
    let parts = contents(&"語".repeat(400_000));
    assert_eq!(
        parts.iter().map(|part| part.chars().count()).sum::<usize>(),
        400_000
    );
    assert!(parts.iter().all(|part| part.len() <= limits::MEMORY_BYTES));
}

#[test]
fn the_time_a_text_takes_grows_with_its_length_only() {
    // Each would take hours if every line were looked at from every other.
    for line in [
        "```a\n", "<!--\n", "- \n", "# a\n", "a:\n", "t\n- a\n", "[\n", ">|\n", "  - a\n", "=\n",
        "a\n===\n",
    ] {
        let text = line.repeat(20_000);
        let longest = split(&text)
            .iter()
            .filter_map(|draft| Some(draft.content.as_ref()?.len()))
            .max();
        assert!(
            longest.unwrap_or_default() <= limits::MEMORY_BYTES,
            "{line}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn no_part_is_too_long_and_no_word_is_lost(lines in proptest::collection::vec("(# |## |- |  - |\\| |> |```|)[a-z]{1,8}( [a-z.]{1,9}){0,40}|", 0..200), times in 1..12_usize) {
        let text = lines.join("\n");
        let long = vec![text.as_str(); times].join("\n");
        let parts = parts::cut(&long);
        let all: std::collections::HashSet<&str> = parts.iter().flat_map(|part| part.split_whitespace()).collect();
        for word in text.split_whitespace() {
            prop_assert!(all.contains(word), "{word}");
        }
        for part in &parts {
            prop_assert!(part.len() <= parts::PART_BYTES + 2_048, "{}", part.len());
        }
    }
}
