//! Tests of cutting: which terms a text and a question have.

use super::*;
use crate::text::bm25::finds;

mod cases;
mod properties;

fn whole(text: &str) -> Vec<String> {
    index_terms(text)
        .whole
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

fn parts(text: &str) -> Vec<String> {
    index_terms(text)
        .parts
        .split_whitespace()
        .map(str::to_owned)
        .collect()
}

fn asked(text: &str) -> Vec<String> {
    query_terms(text)
        .into_iter()
        .map(|term| term.text)
        .collect()
}

#[test]
fn sentence_punctuation_never_sticks() {
    assert_eq!(
        whole("\"The (valve) sticks, in the wiki. Really?! *bold* _it_ 'quoted' end..."),
        [
            "the", "valve", "sticks", "in", "the", "wiki", "really", "bold", "it", "quoted", "end",
        ]
    );
    assert_eq!(parts("The valve sticks."), Vec::<String>::new());
    for text in [
        "wiki.",
        "(wiki",
        "wiki*",
        "«wiki»",
        "“wiki”",
        "wiki:",
        "--wiki",
        "wiki–",
        "wiki…",
        "/wiki/",
        "+wiki",
    ] {
        assert_eq!(whole(text), ["wiki"], "{text}");
    }
}

#[test]
fn names_with_signs_are_kept_whole() {
    assert_eq!(
        whole("Milo writes C++, Ada writes F#, Noor writes .NET."),
        [
            "milo", "writes", "c++", "ada", "writes", "f#", "noor", "writes", ".net",
        ]
    );
    assert_eq!(parts("C++ F# .NET Notepad++"), ["net", "notepad"]);
    assert_eq!(asked("C++"), ["c++"]);
    assert_eq!(asked("F#"), ["f#"]);
    assert_eq!(parts("C++17 c++/cli"), ["c++", "c++", "cli"]);
    assert_eq!(asked("R&D"), ["r+d"]);
    assert_eq!(whole("#5 @ada"), ["#5", "@ada"]);
    assert_eq!(parts("#5 @ada"), ["5", "ada"]);
}

#[test]
fn versions_files_and_addresses_are_kept_whole_and_in_parts() {
    assert_eq!(whole("v4.11.2 deploy.conf"), ["v4.11.2", "deploy.conf"]);
    assert_eq!(
        parts("v4.11.2 deploy.conf"),
        ["4.11.2", "4.11", "deploy", "conf", "deployconf"]
    );
    assert_eq!(asked("v4.11.2"), ["v4.11.2", "4.11.2"]);
    assert_eq!(asked("4.11.2"), ["4.11.2"]);
    assert_eq!(
        parts("ada+news@example.org"),
        ["ada+news", "ada", "news", "example.org", "example", "org"]
    );
    assert_eq!(
        whole("https://www.example.org/Boats/?q=1"),
        ["example.org/boats", "q", "1"]
    );
    assert_eq!(whole("/srv/app/main.rs:8420"), ["srv/app/main.rs:8420"]);
    assert_eq!(
        parts("/srv/app/main.rs:8420"),
        [
            "srv",
            "app",
            "main.rs",
            "main",
            "rs",
            "8420",
            "srv/app/main.rs"
        ]
    );
    assert_eq!(parts("C:\\Users\\Ada"), ["users", "ada"]);
    assert_eq!(
        parts("10.0.0.4:8080"),
        ["10.0.0.4", "10.0", "10.0.0", "8080"]
    );
    assert_eq!(
        parts("libtern-4.11.2-rc1"),
        ["libtern", "4.11.2", "4.11", "rc1", "rc"]
    );
}

#[test]
fn joined_words_are_found_together_apart_and_as_one() {
    assert_eq!(
        whole("post-mortem snake_case_name"),
        ["post-mortem", "snake_case_name"]
    );
    assert_eq!(parts("post-mortem"), ["post", "mortem", "postmortem"]);
    assert_eq!(parts("snake_case_name"), ["snake", "case", "name"]);
    assert_eq!(parts("HERON-5512"), ["heron", "5512", "heron5512"]);
    assert_eq!(parts("HERON5512"), ["heron", "5512"]);
    assert_eq!(parts("U.S.A."), ["usa"]);
    assert_eq!(
        parts("getUserName HTTPServer"),
        ["get", "user", "name", "http", "server"]
    );
    assert_eq!(asked("getUserName"), ["getusername", "user", "name"]);
    assert_eq!(asked("GitHub iPhone"), ["github", "iphone"]);
    assert_eq!(parts("APIs"), Vec::<String>::new());
}

#[test]
fn apostrophes_leave_the_word() {
    assert_eq!(
        whole("barge's it’s don't O'Brien l'école dell'arte rock'n'roll dogs' '90s"),
        [
            "barge",
            "it",
            "dont",
            "obrien",
            "ecole",
            "arte",
            "rocknroll",
            "dogs",
            "90s",
        ]
    );
    assert_eq!(
        asked("what's wrong with the barge's fuel valve"),
        ["wrong", "barge", "fuel", "valve"]
    );
}

#[test]
fn numbers_have_one_form() {
    assert_eq!(
        whole("€1,200 12,00 1.5 kg 5kg 1'200"),
        ["1.200", "12.00", "1.5", "kg", "5kg", "1.200"]
    );
    assert_eq!(parts("€1,200 12,00 1.5 kg 5kg"), ["1200", "5", "kg"]);
    assert_eq!(
        asked("1,200.50 1.200,50 1,234,567"),
        ["1.200.50", "1200.50", "1.234.567", "1234567"]
    );
    assert_eq!(whole("1,2,3"), ["1", "2", "3"]);
    assert_eq!(parts("1.5kg"), ["kg", "1.5"]);
    assert_eq!(whole("10² people"), ["10", "2", "people"]);
    assert_eq!(whole("٤٢"), ["42"]);
}

#[test]
fn dates_meet_in_one_form() {
    assert_eq!(parts("2026-03-01"), ["2026", "2026-03"]);
    assert_eq!(
        parts("2026-03-01T10:30:00Z")
            .iter()
            .filter(|term| *term == "2026-03-01")
            .count(),
        1
    );
    for written in ["2026/3/1", "01.03.2026", "2026.03.01"] {
        assert!(
            asked(written).contains(&"2026-03-01".to_owned()),
            "{written}"
        );
        assert!(
            parts(written).contains(&"2026-03-01".to_owned()),
            "{written}"
        );
    }
    assert!(!parts("2026-13-01").contains(&"2026-13".to_owned()));
    assert!(
        !parts("03/04/2026")
            .iter()
            .any(|term| term.starts_with("2026-"))
    );
}

#[test]
fn scripts_without_blanks_are_cut_into_pairs() {
    assert_eq!(whole("花生过敏"), ["花生过敏"]);
    assert_eq!(parts("花生过敏"), ["花生", "生过", "过敏", "敏"]);
    assert_eq!(
        whole("一二三四五六七八，一二三四五六七八九，一二三，一二"),
        ["一二三四五六七八", "一二三"]
    );
    assert_eq!(parts("三階の倉庫"), ["三階", "階の", "の倉", "倉庫", "庫"]);
    assert_eq!(whole("プリンターは三階の倉庫"), ["プリンター"]);
    assert_eq!(parts("笔"), ["笔"]);
    assert_eq!(parts("か\u{3099}き"), ["がき"]);
    assert_eq!(parts("3月5日"), ["3月", "月", "5日", "日"]);
    assert_eq!(asked("3月5日"), ["3", "3月", "5", "5日"]);
    assert_eq!(parts("ดีมาก"), ["ดีม", "มา", "าก", "ก"]);
    assert_eq!(whole("서울역에서"), ["서울역에서"]);
    assert_eq!(
        parts("서울역에서"),
        ["서울", "울역", "역에", "에서", "서울역"]
    );
    assert_eq!(asked("집은"), ["집은", "집"]);
}

#[test]
fn emoji_are_terms() {
    assert_eq!(
        whole("🚀launch 👩🏽\u{200d}🚀 ❤\u{fe0f} 🇬🇷 ✅"),
        ["🚀", "launch", "👩", "🚀", "❤", "🇬🇷", "✅"]
    );
    assert_eq!(whole("→ │ ° ™"), Vec::<String>::new());
}

#[test]
fn long_blobs_are_cut_and_found_by_their_beginning() {
    let blob: String = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
        .chars()
        .cycle()
        .take(4_000)
        .collect();
    assert_eq!(whole(&blob)[0].chars().count(), TERM_CHARS);
    assert_eq!(whole(&"a".repeat(TERM_CHARS)), ["a".repeat(TERM_CHARS)]);
    assert_eq!(whole(&"a".repeat(TERM_CHARS + 1)), ["a".repeat(TERM_CHARS)]);
    for length in [BEGINNING_CHARS, TERM_CHARS, TERM_CHARS + 1, 4_000] {
        assert!(finds(&blob, blob.get(..length).unwrap()), "{length}");
    }
    assert!(!finds(&blob, blob.get(..BEGINNING_CHARS - 1).unwrap()));
}

#[test]
fn pieces_that_say_nothing_are_no_parts() {
    assert_eq!(parts("box-99-x"), ["box"]);
    assert_eq!(parts("box-100-x"), ["box", "100"]);
    assert_eq!(parts("ab+"), Vec::<String>::new());
    assert_eq!(parts("abc+"), ["abc"]);
    assert_eq!(parts("Ab'ed"), Vec::<String>::new());
    assert_eq!(parts("Abc'ed"), ["abc"]);
    let camel = |length: usize| format!("{}Word", "a".repeat(length - 4));
    assert_eq!(parts(&camel(40)), ["a".repeat(36), "word".to_owned()]);
    assert_eq!(parts(&camel(41)), Vec::<String>::new());
    assert_eq!(parts("1.2 1.2.3"), ["1.2"]);
}

#[test]
fn a_name_has_a_bounded_number_of_parts() {
    let path = |folders: u8| {
        (0..folders)
            .map(|number| format!("/d{}", char::from(b'a' + number)))
            .collect::<String>()
    };
    let most = NAME_PARTS as u8;
    assert_eq!(parts(&path(most - 1)).len(), NAME_PARTS - 1);
    assert_eq!(parts(&path(most)).len(), NAME_PARTS);
    assert_eq!(parts(&path(most + 1)).len(), NAME_PARTS);
    let long = "/ab".repeat(NAME_CHARS);
    assert_eq!(
        index_terms(&long),
        index_terms(long.get(..=NAME_CHARS).unwrap())
    );
}

#[test]
fn questions_leave_out_stop_words_and_repeats() {
    assert_eq!(asked("What is the boat, the boat and THE Boat?"), ["boat"]);
    assert_eq!(asked("what is it about the"), Vec::<String>::new());
    assert_eq!(
        asked("How many boats? What kind of boats, what type of?"),
        ["boats"]
    );
    assert_eq!(asked("blood type of a kind man"), ["blood", "kind", "man"]);
    assert_eq!(asked("blood type"), ["blood", "type"]);
    assert_eq!(asked("这是什么"), Vec::<String>::new());
    assert_eq!(asked("これは何ですか"), Vec::<String>::new());
    assert_eq!(
        query_terms("deploy.conf")
            .iter()
            .map(|term| term.kind)
            .collect::<Vec<_>>(),
        [
            TermKind::Whole,
            TermKind::Part,
            TermKind::Part,
            TermKind::Part,
        ]
    );
}
