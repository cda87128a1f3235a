//! The table compiled in, against what its teacher's own tools make of the same texts: pieces by the `tokenizers` package,
//! cosines in 32-bit numbers by a reader in Python.

use sha2::{Digest as _, Sha256};

use super::{TABLE, embedder, thresholds};

#[test]
fn the_table_is_the_one_its_notice_describes() {
    let hash: String = Sha256::digest(TABLE)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    assert!(include_str!("NOTICE.md").contains(&hash), "{hash}");
}

#[test]
fn texts_are_cut_as_the_teacher_cuts_them() {
    for (text, pieces) in [
        (
            "Maria is allergic to peanuts.",
            "▁maria ▁is ▁allergi c ▁to ▁pe anut s .",
        ),
        (
            "¿Qué comida no puede comer María?",
            "▁¿ qué ▁comida ▁no ▁puede ▁comer ▁ma ría ?",
        ),
        (
            "マリアはピーナッツにアレルギーがあります。",
            "▁ マリア は ピー ナ ッツ に アレ ルギー が あります 。",
        ),
        ("玛丽亚对花生过敏。", "▁ 玛 丽 亚 对 花 生 过 敏 。"),
        (
            "PostgreSQL 16 supports partial indexes",
            "▁post gres q l ▁16 ▁supports ▁partial ▁index es",
        ),
        ("서울역에서 만나요", "▁서울 역에서 ▁만나 요"),
        ("Книга на столе", "▁книга ▁на ▁стол е"),
    ] {
        let find = |piece: &str| embedder().model().find(piece).unwrap();
        assert_eq!(
            embedder().pieces(text),
            pieces.split(' ').map(find).collect::<Vec<_>>(),
            "{text}"
        );
    }
}

#[test]
fn cosines_are_those_of_the_reference() {
    for (first, second, expected) in [
        (
            "Maria is allergic to peanuts.",
            "What food can't Maria eat?",
            0.4205,
        ),
        (
            "Maria is allergic to peanuts.",
            "¿Qué comida no puede comer María?",
            0.1195,
        ),
        (
            "マリアはピーナッツにアレルギーがあります。",
            "What food can't Maria eat?",
            0.3419,
        ),
        ("玛丽亚对花生过敏。", "What food can't Maria eat?", 0.2289),
        (
            "Maria is allergic to peanuts.",
            "PostgreSQL 16 supports partial indexes",
            -0.1365,
        ),
        ("서울역에서 만나요", "Книга на столе", 0.0498),
    ] {
        let cosine = embedder().embed(first).cosine(&embedder().embed(second));
        assert!(
            (cosine - expected).abs() < 0.003,
            "{first} | {second}: {cosine}"
        );
    }
}

#[test]
fn text_beyond_the_limit_changes_nothing() {
    use super::embedding::MAX_PIECES;
    let pieces = |count| embedder().pieces(&("coffee ".repeat(count) + "firewall"));
    assert_eq!(
        pieces(MAX_PIECES),
        embedder().pieces(&"coffee ".repeat(MAX_PIECES))
    );
    assert_eq!(
        pieces(MAX_PIECES - 1).last(),
        embedder().pieces("firewall").first()
    );
}

#[test]
fn a_text_of_unknown_characters_has_no_vector() {
    for text in ["", " ", "\u{10ffff}", "ሰላም"] {
        assert!(embedder().embed(text).is_zero(), "{text}");
    }
}

#[test]
fn the_marks_tell_the_measured_pairs_apart() {
    let marks = thresholds::of(super::MODEL_ID).unwrap();
    let cosine =
        |first: &str, second: &str| embedder().embed(first).cosine(&embedder().embed(second));
    let reworded = cosine(
        "Bob lives in Jakarta and works at Gojek.",
        "Bob lives in Jakarta; he works at Gojek.",
    );
    let paraphrase = cosine(
        "Anna moved from Berlin to Madrid for work.",
        "Anna relocated to Madrid from Berlin because of her job.",
    );
    let related = cosine("Maria is allergic to peanuts.", "Maria loves Thai food.");
    let other = cosine(
        "She is learning to play the guitar.",
        "The firewall blocks port 22.",
    );
    assert!(reworded >= marks.near_duplicate, "{reworded}");
    assert!(
        (marks.similar..marks.near_duplicate).contains(&paraphrase),
        "{paraphrase}"
    );
    assert!((marks.floor..marks.similar).contains(&related), "{related}");
    assert!(other < marks.floor, "{other}");
}

#[test]
fn unknown_models_have_no_marks() {
    assert_eq!(thresholds::of("u40"), None);
    assert!(thresholds::of("@cf/baai/bge-m3").is_some_and(|marks| !marks.measured));
}
