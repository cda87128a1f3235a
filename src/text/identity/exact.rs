//! The second look at texts that are the same but for the case of letters: which capitals may change what is said, and so
//! stay as written. The first key (see [`super`]) finds whatever might be a text typed again; this one tells `-f` from `-F`,
//! `Key.pem` from `key.pem`, "plan A" from "plan a", "IT" from "it" and "Polish" from "polish".
//!
//! Small and capital letters say the same where a sentence begins, in a text without small letters ("RENT IS DUE"), in a word
//! that nobody takes for another, and in "I". Everything of which that is not certain counts as different: such a text is
//! still compared as a near-duplicate, and the owner may keep both.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization as _;

use super::{clean, fold_widths, is_address, is_identifier, is_word, sha256};

/// Capitals up to which a word may be an abbreviation, which is another word in small letters: IT, US, WHO.
const CAPITALS: usize = 4;
/// Abbreviations up to that length that are other words in small letters, in some language of the vault's.
const ABBREVIATIONS: &str = "it us who or in me he am an la de el en es un ne on so la le mit hat die das war \
    ace act aid aids aim arc art asp bash bat cad can cap cat chip cod cop core dam dart dash dos ear east fat fed fig fit \
    gap gas gem goat ice ill ion ira iris jet lamp lap lax led leap mac mad map mash may mint nat net nice now pac pad pam pan \
    pat pen pet pin pip pit pop post pro put patch get raid ram rap rat rest rip rom sad safe salt sam sap sat sax sim sip soap \
    spa spam stem swap swat tar ten tip tor van vat via wasp wave web win fire home path user host";
/// Single letters that are words, with which a sentence may begin.
const LETTER_WORDS: &str = "a o y e u à è é ó á ê ô ú в с к о у и я а і є";
/// Names that are other words in small letters.
const NAMES: &str = "polish turkey china apple amazon windows word words excel access teams slack rust go java python swift ruby oracle \
    notion signal discord stripe square meta edge chrome safari shell target gap visa delta mars mercury earth \
    may march august will bill mark grace hope faith joy rose lily daisy jack rob sue pat frank art ray dean earl duke king \
    page reading bath nice mobile orange cork split jersey guinea japan sandy rusty dusty chuck nick drew miles iris ivy \
    sie ihr ihnen ihre ihren essen leben morgen weg arm laut reif";
/// The three lists, to look words up.
static LISTED: LazyLock<[HashSet<&str>; 3]> = LazyLock::new(|| {
    [LETTER_WORDS, ABBREVIATIONS, NAMES].map(|list| list.split_whitespace().collect())
});
/// Signs that people put around words.
const AROUND: [char; 27] = [
    '"', '\'', '“', '”', '„', '«', '»', '‘', '’', '`', '*', '(', ')', '[', ']', '{', '}', '「',
    '」', '.', ',', ';', ':', '!', '?', '¿', '¡',
];
/// Signs within or after a word that make it something a program reads.
const OF_CODE: [char; 20] = [
    '.', ',', '/', '\\', '_', '@', '#', '$', '=', ':', '+', '&', '|', '<', '>', '~', '^', '*', '%',
    '!',
];

/// SHA-256 of the [`exact_key`], as [`super::content_hash`] is of the first key.
pub fn exact_hash(text: &str) -> String {
    sha256(&exact_key(text))
}

/// Whether two texts are the same, typed again: equal but for blanks, widths, and capitals that say nothing.
pub fn is_typed_again(one: &str, two: &str) -> bool {
    one == two || exact_key(one) == exact_key(two)
}

/// Whether two texts are equal as written, but for blanks and widths.
pub fn is_as_written(one: &str, two: &str) -> bool {
    let written = |text: &str| {
        let folded = fold_widths(clean(text).text);
        folded.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    one == two || written(one) == written(two)
}

/// The key under which a text is the same as another, capitals that may matter included. The key of a key is that key.
pub fn exact_key(text: &str) -> String {
    let key = walk(text).0;
    if key.is_ascii() {
        key
    } else {
        key.nfc().collect()
    }
}

/// What stays as written in the [`exact_key`] although it is no number, unit or identifier, in order of the alphabet.
pub fn as_written(text: &str) -> Vec<String> {
    let mut kept = walk(text).1;
    kept.sort_unstable();
    kept
}

fn walk(text: &str) -> (String, Vec<String>) {
    let text = fold_widths(clean(text).text);
    let mut walk = Walk {
        shouted: is_shouted(&text),
        key: String::with_capacity(text.len()),
        kept: Vec::new(),
        begins: true,
        after_number: false,
        before_number: false,
    };
    for line in text.lines() {
        walk.begins = true;
        let mut pieces = line.split_whitespace().peekable();
        while let Some(piece) = pieces.next() {
            let next = pieces.peek().and_then(|next| next.chars().next());
            walk.before_number = next.is_some_and(char::is_numeric);
            if !walk.key.is_empty() {
                walk.key.push(' ');
            }
            walk.piece(piece);
        }
    }
    (walk.key, walk.kept)
}

/// Whether a text of several words has no small letter.
fn is_shouted(text: &str) -> bool {
    let words = text.split(|letter: char| !letter.is_alphabetic());
    words.filter(|word| word.chars().nth(1).is_some()).count() > 1
        && !text.chars().any(char::is_lowercase)
}

struct Walk {
    shouted: bool,
    key: String,
    kept: Vec<String>,
    /// Whether the next word is the first of a sentence.
    begins: bool,
    /// Whether the next word may be a unit.
    after_number: bool,
    /// Whether a number follows the piece.
    before_number: bool,
}

impl Walk {
    fn piece(&mut self, piece: &str) {
        let core = piece.trim_end_matches(AROUND);
        // A point before a letter belongs to a name: `.env`.
        let inner = core.trim_start_matches(|sign| AROUND.contains(&sign) && sign != '.');
        if is_address(piece) || is_of_code(inner) {
            if is_address(piece) {
                self.key.push_str(piece);
                self.after_number = false;
            } else {
                self.words(piece, true);
            }
            if !inner.chars().any(char::is_numeric) {
                self.kept.push(inner.to_owned());
            }
            self.begins = false;
        } else {
            self.words(piece, false);
        }
        if core.len() < piece.len() {
            let after = piece.get(core.len()..).unwrap_or_default();
            self.begins = after.contains(['.', '!', '?', ':']);
        }
    }

    /// Takes the words of a piece, of code as written.
    fn words(&mut self, piece: &str, of_code: bool) {
        let mut rest = piece;
        while let Some(first) = rest.chars().next() {
            let in_word = is_word(first);
            let end = rest
                .find(|letter| is_word(letter) != in_word)
                .unwrap_or(rest.len());
            let (run, following) = rest.split_at_checked(end).unwrap_or((rest, ""));
            if !in_word {
                self.key.push_str(run);
                self.after_number &= !run.contains(super::ends_clause);
                rest = following;
                continue;
            }
            let is_unit = self.after_number && run.chars().nth(super::UNIT_LETTERS).is_none();
            if of_code || is_unit || is_identifier(run) {
                self.key.push_str(run);
            } else if self.says_more_in_capitals(run) {
                self.key.push_str(run);
                self.kept.push(run.to_owned());
            } else {
                self.key.push_str(&run.to_lowercase());
            }
            self.after_number = is_unit || run.chars().next_back().is_some_and(char::is_numeric);
            self.begins = false;
            rest = following;
        }
    }

    /// Whether a word might be another one in small letters.
    fn says_more_in_capitals(&self, word: &str) -> bool {
        if self.shouted || !word.chars().next().is_some_and(char::is_uppercase) {
            return false;
        }
        let lower = word.to_lowercase();
        let [letter_words, abbreviations, names] = &*LISTED;
        let (length, capitals) = (word.chars().count(), word.chars().all(char::is_uppercase));
        match length {
            1 => lower != "i" && !(self.begins && letter_words.contains(lower.as_str())),
            2..=CAPITALS if capitals => abbreviations.contains(lower.as_str()),
            _ if capitals => false,
            // "14 March" is a date.
            _ => {
                !(self.begins || self.after_number || self.before_number)
                    && names.contains(lower.as_str())
            }
        }
    }
}

/// Whether a piece is something a program reads: a flag, a path, a name of a file, a list of options.
fn is_of_code(piece: &str) -> bool {
    let mut letters = piece.chars();
    let Some(first) = letters.next() else {
        return false;
    };
    let second = letters.clone().next();
    let begins = !is_word(first) && second.is_some_and(|second| is_word(second) || second == first);
    piece.chars().any(char::is_alphabetic)
        && (begins || letters.any(|sign| OF_CODE.contains(&sign)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::identity::content_hash;
    use proptest::prelude::*;

    /// Texts that differ in case only, and say something else.
    const DIFFERENT: [(&str, &str); 24] = [
        ("use flag -f", "use flag -F"),
        ("Use `grep -v`", "Use `grep -V`"),
        ("run it with --Force", "run it with --force"),
        ("Key.pem", "key.pem"),
        ("edit Makefile.am", "edit makefile.am"),
        ("the file .Env is read", "the file .env is read"),
        ("open C:\\Temp", "open c:\\temp"),
        ("set PATH=/opt", "set path=/opt"),
        ("mail Ada@Example.org", "mail ada@example.org"),
        ("we go with plan A", "we go with plan a"),
        ("take vitamin C daily", "take vitamin c daily"),
        ("Milo works in IT", "Milo works in it"),
        ("Send it to US", "Send it to us"),
        ("the WHO says so", "the who says so"),
        ("she likes Polish food", "she likes polish food"),
        ("he ate in Turkey", "he ate in turkey"),
        ("an Apple a day", "an apple a day"),
        ("we meet in May", "we meet in may"),
        ("ich habe Sie gesehen", "ich habe sie gesehen"),
        ("bis zum Morgen", "bis zum morgen"),
        ("mount Ro,noexec", "mount ro,noexec"),
        ("USE FLAG -F", "USE FLAG -f"),
        ("the tag is #Release", "the tag is #release"),
        ("write to @Ada", "write to @ada"),
    ];

    #[test]
    fn a_capital_that_may_change_what_is_said_makes_another_text() {
        for (one, two) in DIFFERENT {
            assert!(!is_typed_again(one, two), "{one} / {two}");
            assert!(exact_hash(one) != exact_hash(two), "{one} / {two}");
            // The first key brings them together, so that the second look is taken at all.
            assert!(
                content_hash(one) == content_hash(two)
                    || one.contains("PATH")
                    || one.contains("Ada@"),
                "{one} / {two}"
            );
        }
    }

    #[test]
    fn a_text_typed_again_is_the_same() {
        for (one, two) in [
            ("I like tea", "i like tea"),
            ("Rent is due on the 3rd", "rent  IS due\n on the 3rd "),
            ("RENT IS DUE", "rent is due"),
            ("api key", "API KEY"),
            ("the API limit", "the api limit"),
            ("Ada's 12 apples", "ada's 12 Apples"),
            (
                "Milo is allergic to SHELLFISH",
                "milo is allergic to shellfish",
            ),
            (
                "A friend told me. A cat came",
                "a friend told me. a cat came",
            ),
            ("Well-known facts", "well-known facts"),
            ("ＡＰＩキー", "APIキー"),
            ("Милая Ада. Я дома", "милая ада. я дома"),
            ("ΣΟΦΟΣ", "σοφος"),
            ("DO NOT call before 9", "do not call before 9"),
            ("runs on PORT 8080", "runs on port 8080"),
            ("(See the manual)", "(see the manual)"),
            (
                "Team retro every other Thursday",
                "team retro every other thursday",
            ),
            (
                "Die Miete ist am Dritten fällig",
                "die miete ist am dritten fällig",
            ),
        ] {
            assert!(is_typed_again(one, two), "{one} / {two}");
        }
    }

    #[test]
    fn as_written_means_every_letter_and_sign_but_no_blank() {
        assert!(is_as_written("I  like\ntea ", "I like tea"));
        assert!(!is_as_written("I like tea", "i like tea"));
        assert!(!is_as_written("I like tea", "I like tea."));
    }

    #[test]
    fn abbreviations_have_up_to_four_capitals() {
        assert!(!is_typed_again("made of STEM", "made of stem"));
        assert!(is_typed_again("made of STEMS", "made of stems"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(512))]

        #[test]
        fn the_key_of_a_key_is_that_key(text in "(\\PC|[a-zA-Z0-9 ._/-]|[\u{300}-\u{330}\u{ff01}-\u{ffee}]){0,24}") {
            let key = exact_key(&text);
            prop_assert_eq!(exact_key(&key), key);
        }

        /// Whatever the second key takes for the same, the first finds.
        #[test]
        fn texts_with_one_exact_key_have_one_key(text in "([a-zA-Z ]{1,6}|[0-9]{1,2}|\\PC|[ .,:/-]){0,12}") {
            let typed = exact_key(&text);
            prop_assert_eq!(content_hash(&typed), content_hash(&text));
        }
    }
}
