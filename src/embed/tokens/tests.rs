//! How texts become words that can be compared.

use super::*;
use crate::embed::embedder;
use proptest::prelude::*;

fn texts(text: &str) -> Vec<String> {
    query_words(embedder(), text)
        .into_iter()
        .map(|word| word.text)
        .collect()
}

fn known(word: &str) -> bool {
    Words::of(embedder(), word)
        .iter()
        .any(|word| word.pieces().count() > 0)
}

#[test]
fn words_are_letters_and_digits_between_anything_else() {
    assert_eq!(
        texts("[3 May 2023] Maria's snake_case, 5kg!"),
        ["3", "may", "2023", "maria", "snake", "case", "5kg"]
    );
    assert_eq!(texts("one One ONE"), ["one"]);
    assert_eq!(texts("🚀 — …"), [""; 0]);
}

#[test]
fn chinese_is_cut_into_the_tables_pieces_and_thai_into_pairs() {
    assert_eq!(texts("我喜欢音乐。"), ["喜欢", "音乐"]);
    assert_eq!(texts("กาแฟ"), ["กา", "าแ", "แฟ"]);
}

#[test]
fn a_word_of_crumbs_or_unknown_letters_has_no_pieces() {
    assert!(known("coffee") && known("стол") && known("학교"));
    assert!(!known("xqzvkw") && !known("ሰላም") && !known(&"a".repeat(WORD_CHARS + 1)));
}

#[test]
fn stored_words_come_back_and_broken_ones_do_not() {
    let words = Words::of(embedder(), "Maria is allergic to peanuts");
    let bytes = words.as_bytes().to_vec();
    assert_eq!(Words::from_bytes(bytes.clone()), Some(words.clone()));
    assert_eq!(words.iter().count(), 3);
    assert_eq!(Words::from_bytes(bytes[..bytes.len() - 1].to_vec()), None);
    assert_eq!(Words::from_bytes(Vec::new()), None);
    assert_eq!(Words::from_bytes(vec![2]), None);
    assert_eq!(
        Words::from_bytes(vec![FORM]).map(|words| words.iter().count()),
        Some(0)
    );
}

#[test]
fn capitals_within_a_sentence_are_names() {
    let names = |text: &str| {
        let words = Words::of(embedder(), text);
        let asked = texts(text);
        words
            .iter()
            .zip(asked)
            .filter(|(word, _)| word.is_name)
            .map(|(_, text)| text)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names("Paris. I read “Dune” in Rome, Oslo and a TV"),
        ["dune", "rome", "oslo"]
    );
    assert_eq!(names("Paris is old. We like Paris! Now I know."), ["paris"]);
    assert_eq!(names("Мы были в Москве"), ["москве"]);
    assert_eq!(names("I think I'm fine; Then? no"), [""; 0]);
}

#[test]
fn a_long_text_keeps_its_first_words() {
    let text = |count: usize| {
        (0..count)
            .map(|number| format!("n{number} "))
            .collect::<String>()
    };
    assert_eq!(
        Words::of(embedder(), &text(MAX_WORDS)).iter().count(),
        MAX_WORDS
    );
    assert_eq!(
        Words::of(embedder(), &text(MAX_WORDS + 1)),
        Words::of(embedder(), &text(MAX_WORDS))
    );
}

#[test]
fn stop_words_and_what_apostrophes_leave_are_left_out() {
    for text in ["the is not", "Maria's", "I'd", "のは", "der und"] {
        let expected = usize::from(text.contains("Maria"));
        assert_eq!(
            Words::of(embedder(), text).iter().count(),
            expected,
            "{text}"
        );
    }
}

#[test]
fn rare_words_weigh_more_than_common_ones() {
    let words = query_words(embedder(), "good peanut xqzvkw");
    assert!(words[0].weight < words[1].weight && words[1].weight > 0.5 && words[2].weight == 1.0);
}

proptest! {
    #[test]
    fn words_of_any_text_come_back(text in "\\PC{0,120}") {
        let words = Words::of(embedder(), &text);
        prop_assert_eq!(Words::from_bytes(words.as_bytes().to_vec()), Some(words));
    }
}

#[test]
fn codes_are_told_from_versions_amounts_and_words() {
    for code in [
        "goneq11x01",
        "k4t2",
        "jx9d2kt",
        "ord99871",
        "ab123",
        "lh415",
        "4432",
        "h2o",
        "k8s",
    ] {
        assert!(is_code(code), "{code}");
    }
    for word in [
        "covid19",
        "windows11",
        "mp3",
        "4k",
        "500g",
        "10000km",
        "80s",
        "42",
        "goat",
        "염소",
        "",
    ] {
        assert!(!is_code(word), "{word}");
    }
}

#[test]
fn a_text_without_its_codes_keeps_the_rest() {
    for (text, rest) in [
        ("When does LH415 leave?", "When does  leave?"),
        ("goneq11x01", ""),
        ("covid19, 4k and 12 goats", "covid19, 4k and 12 goats"),
        ("QQZX-7781 の請求書", "QQZX- の請求書"),
        ("２０２４年の予算", "年の予算"),
    ] {
        assert_eq!(without_codes(text), rest);
    }
}
