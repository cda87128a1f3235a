//! Terms: what of a text is searched. Full text is kept in two columns, `whole` (words, names, numbers as written) and
//! `parts` (their pieces, and overlapping pairs of scripts written without blanks). The same cutting serves texts and
//! questions, so they meet.
//!
//! A term consists of ASCII letters, digits, the signs of [`JOINERS`] and characters beyond ASCII, nothing else; that is
//! what the full-text table's tokenizer takes as one token. English stemming is the tokenizer's work.

use std::collections::HashSet;

use unicode_normalization::UnicodeNormalization as _;

use crate::text::scripts::{Class, class, is_accent, is_hidden};
use crate::text::stopwords;

/// Signs that may stand inside a name: `C++`, `F#`, `.NET`, `a/b.rs:12`, `x@y`, `post-mortem`, `snake_case`.
pub const JOINERS: [char; 8] = ['+', '#', '.', '@', '/', ':', '_', '-'];
/// Longest term in characters; what is longer (a pasted blob) is found by its beginning.
pub const TERM_CHARS: usize = 64;
/// Longest run of an unspaced script that also counts as one word.
pub const WHOLE_RUN_CHARS: usize = 8;

/// The terms of a text, each column separated by blanks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct IndexTerms {
    /// Words, names and numbers.
    pub whole: String,
    /// Pieces and pairs.
    pub parts: String,
}

/// Which column a term belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TermKind {
    /// A word, name or number.
    Whole,
    /// A piece of one, or a pair.
    Part,
}

/// A term of a question.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Term {
    /// The text.
    pub text: String,
    /// Its column.
    pub kind: TermKind,
}

/// Cuts a text for the index.
pub fn index_terms(text: &str) -> IndexTerms {
    let mut terms = IndexTerms::default();
    cut(text, |kind, term| {
        let column = match kind {
            TermKind::Whole => &mut terms.whole,
            TermKind::Part => &mut terms.parts,
        };
        if !column.is_empty() {
            column.push(' ');
        }
        column.push_str(term);
    });
    terms
}

/// Cuts a question: in order, each term once, stop words left out.
pub fn query_terms(text: &str) -> Vec<Term> {
    let mut seen = HashSet::new();
    let mut terms = Vec::new();
    cut(text, |kind, term| {
        if !stopwords::is_stop_word(term) {
            let term = Term {
                text: term.to_owned(),
                kind,
            };
            if seen.insert(term.clone()) {
                terms.push(term);
            }
        }
    });
    terms
}

/// Case, width and accents folded. Letters that carry their mark in one piece (ø, ł, đ) lose it too.
fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let lower = text.nfkc().flat_map(char::to_lowercase).collect::<String>();
    for character in lower.nfd() {
        match character {
            _ if is_hidden(character) || character == '\u{200d}' || character == '\u{200c}' => {}
            _ if is_accent(character) => {}
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' | 'ð' => folded.push('d'),
            'ı' => folded.push('i'),
            'ħ' => folded.push('h'),
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            'ς' => folded.push('σ'),
            '\u{2018}' | '\u{2019}' | '\u{02bc}' | '\u{ff07}' => folded.push('\''),
            '\u{2010}' | '\u{2011}' => folded.push('-'),
            _ => folded.push(character),
        }
    }
    folded.nfc().collect()
}

/// Whether a character may stand inside a chunk that is looked at as one name.
fn in_chunk(character: char) -> bool {
    matches!(
        class(character),
        Class::Letter | Class::Digit | Class::Mark | Class::Unspaced | Class::Hangul
    ) || JOINERS.contains(&character)
        || matches!(character, '\'' | ',')
}

/// Gives every term of a text to `emit`.
fn cut(text: &str, mut emit: impl FnMut(TermKind, &str)) {
    let folded = fold(text);
    let mut chunk = String::new();
    for character in folded.chars() {
        if in_chunk(character) {
            chunk.push(character);
            continue;
        }
        cut_chunk(&chunk, &mut emit);
        chunk.clear();
        if class(character) == Class::Pictograph {
            emit(TermKind::Whole, character.encode_utf8(&mut [0; 4]));
        }
    }
    cut_chunk(&chunk, &mut emit);
}

/// A run of characters of one kind inside a chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Run {
    Spaced,
    Unspaced,
    Hangul,
    Sign,
}

fn run_of(character: char) -> Run {
    match class(character) {
        Class::Unspaced => Run::Unspaced,
        Class::Hangul => Run::Hangul,
        Class::Letter | Class::Digit | Class::Mark => Run::Spaced,
        _ => Run::Sign,
    }
}

fn cut_chunk(chunk: &str, emit: &mut impl FnMut(TermKind, &str)) {
    if chunk.is_empty() {
        return;
    }
    // Chunks of spaced scripts with signs are names; around unspaced runs the pieces stand for themselves.
    let mut name = String::new();
    let mut run = String::new();
    let mut kind = Run::Sign;
    for character in chunk.chars() {
        let next = match run_of(character) {
            Run::Sign | Run::Spaced => Run::Spaced,
            other => other,
        };
        if next != kind {
            flush(kind, &mut run, &mut name, emit);
            kind = next;
        }
        run.push(character);
    }
    flush(kind, &mut run, &mut name, emit);
}

fn flush(kind: Run, run: &mut String, name: &mut String, emit: &mut impl FnMut(TermKind, &str)) {
    match kind {
        Run::Unspaced => cut_unspaced(run, WHOLE_RUN_CHARS, emit),
        Run::Hangul => cut_unspaced(run, TERM_CHARS, emit),
        Run::Spaced => {
            name.clear();
            name.push_str(run);
            cut_name(name, emit);
        }
        Run::Sign => {}
    }
    run.clear();
}

/// A run of a script without blanks: overlapping pairs, and the whole if it is short.
fn cut_unspaced(run: &str, whole_up_to: usize, emit: &mut impl FnMut(TermKind, &str)) {
    let places: Vec<(usize, char)> = run.char_indices().collect();
    if places.len() <= whole_up_to {
        emit(TermKind::Whole, run);
    }
    for pair in places.windows(2) {
        if let [(start, _), (second, last)] = pair
            && let Some(text) = run.get(*start..second + last.len_utf8())
        {
            emit(TermKind::Part, text);
        }
    }
}

/// A run of letters, digits and signs: the name as written, and the words in it.
fn cut_name(name: &str, emit: &mut impl FnMut(TermKind, &str)) {
    let trimmed = trim_name(name);
    if trimmed.is_empty() {
        return;
    }
    let whole: String = trimmed
        .chars()
        .filter(|character| !matches!(character, '\'' | ','))
        .take(TERM_CHARS)
        .collect();
    if whole
        .chars()
        .any(|character| run_of(character) != Run::Sign)
    {
        emit(TermKind::Whole, &whole);
    }
    let mut pieces: Vec<&str> = trimmed
        .split(|character: char| run_of(character) == Run::Sign)
        .filter(|piece| !piece.is_empty())
        .collect();
    if pieces.len() == 1 && pieces.first() == Some(&whole.as_str()) {
        pieces.clear();
    }
    // `C++` and `F#` are names with a sign that matters: their bare letter says nothing.
    let symbol_name = pieces.len() == 1 && pieces.iter().all(|piece| piece.chars().count() == 1);
    for piece in pieces.iter().filter(|_| !symbol_name) {
        // A possessive's or contraction's tail ("s", "ll") is no word.
        if !(trimmed.contains('\'')
            && piece.chars().count() <= 2
            && pieces.len() > 1
            && pieces.last() == Some(piece))
        {
            emit(
                TermKind::Part,
                &piece.chars().take(TERM_CHARS).collect::<String>(),
            );
        }
    }
    // `v4.11.2` and `4.11.2` name the same version.
    if let Some(version) = whole
        .strip_prefix('v')
        .filter(|rest| rest.starts_with(|first: char| first.is_ascii_digit()))
    {
        emit(TermKind::Part, version);
    }
    // A path or address without its last part's port or line, and a file name at its end.
    if whole.contains(['/', '@', ':']) {
        for piece in whole.split(['/', '@', ':']) {
            let piece = trim_name(piece);
            if piece.contains(['.', '-', '_', '+'])
                && piece
                    .chars()
                    .any(|character| run_of(character) != Run::Sign)
            {
                emit(TermKind::Part, piece);
            }
        }
    }
}

/// Takes the sentence's own punctuation off a name: what trails (but `C++`, `F#` keep theirs) and what leads (but `.NET`
/// and `/srv` keep theirs).
fn trim_name(name: &str) -> &str {
    let name = name.trim_end_matches(['.', ',', ':', '-', '_', '/', '@', '\'']);
    let name = name.trim_start_matches(['\'', ',', '-', '+', '@', ':', '#', '_']);
    let rest = name.trim_start_matches('.');
    let name = if name.len() - rest.len() == 1 && rest.starts_with(char::is_alphabetic) {
        name
    } else {
        rest
    };
    if name.chars().all(|character| run_of(character) == Run::Sign) {
        ""
    } else {
        name
    }
}
