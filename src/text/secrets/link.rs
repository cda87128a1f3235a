//! From a cue to the place where its value begins: a sign directly behind it, a sign or a verb after a few words of the same
//! sentence. Where another clause begins, or the cue turns out to be part of something else ("password manager"), there
//! is no value.

use std::ops::Range;

use super::blocks::{behind, bounded};
use super::cues::{ADVERBS, CHANGED, CLAUSES, COPULAS, Cue, OTHER_THING, TO};
use super::values::is_password;

/// Bytes after a cue in which its value must begin.
pub(super) const REACH: usize = 160;
/// Words between a cue and its verb: "password for the guest Wi-Fi upstairs is".
const FILLER: usize = 7;
/// Words before a cue in which a change may be told: "I changed the old Wi-Fi password to".
const BEFORE_TO: usize = 6;

/// What carries the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    /// A sign directly behind the cue: "password: x", `PASSWORD=x`.
    Direct,
    /// A blank behind an option: `--password x`.
    Option,
    /// A sign after other words: "password for the router: x".
    Sign,
    /// A verb: "the password is x".
    Verb,
}

/// Whether the cue is an option of a command (`--password x`) or follows "login x" as in `.netrc`.
pub(super) fn is_option(text: &str, word: &Range<usize>) -> bool {
    let before = behind(text, word.start, REACH);
    let name = before.trim_end_matches(|character: char| {
        character.is_ascii_alphanumeric() || character == '-' || character == '_'
    });
    let dashes = before
        .get(name.len()..)
        .is_some_and(|option| option.starts_with("--"));
    let mut words = before
        .rsplit([' ', '\t', '\n'])
        .filter(|word| !word.is_empty())
        .take(3);
    let netrc = words.nth(1) == Some("login") && words.next().is_some();
    let sql = before.to_ascii_lowercase().ends_with("identified ");
    dashes || netrc || sql
}

/// Where the value after a cue begins, and what carries it.
pub(super) fn link(text: &str, end: usize, cue: Cue, option: bool) -> Option<(usize, Link)> {
    let rest = bounded(text.get(end..)?, REACH);
    let name_end =
        rest.trim_start_matches(['"', '\'', '`', '*', '_', ')', ']', '~', '-', '”', '»', '」']);
    let spaced = name_end.trim_start_matches([' ', '\t']);
    let place = |tail: &str| end + rest.len() - tail.len();
    if spaced.starts_with("::") || spaced.starts_with("://") {
        return None;
    }
    // An element of XML, not a placeholder in angle brackets.
    if spaced.starts_with('>')
        && !spaced
            .split('\n')
            .next()
            .is_some_and(|line| line.contains("</"))
    {
        return None;
    }
    // The cue is only the beginning of a name: `API_KEY_2=…`.
    if rest.starts_with(['_', '-']) {
        let name =
            |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
        let after = rest.trim_start_matches(name);
        let parts = rest.get(..rest.len() - after.len())?.to_ascii_lowercase();
        let tail = after.trim_start_matches(['"', '\'', ' ']);
        if parts
            .split(['_', '-'])
            .any(|part| OTHER_THING.contains(&part))
        {
            return None;
        }
        if let Some(tail) = tail.strip_prefix([':', '=']) {
            return Some((place(tail), Link::Direct));
        }
    }
    if let Some(tail) = spaced.strip_prefix([':', '=', '>']) {
        let tail = tail.trim_start_matches(['=', '>', ':']);
        return Some((place(tail), Link::Direct));
    }
    let unspaced = UNSPACED_COPULAS
        .iter()
        .find_map(|copula| Some((copula, spaced.strip_prefix(copula)?)));
    if let Some((copula, tail)) = unspaced {
        let tail = tail.strip_prefix([':', '=']).unwrap_or(tail);
        let link = if copula.is_ascii() {
            Link::Direct
        } else {
            Link::Verb
        };
        return Some((place(tail), link));
    }
    if option && spaced.len() < name_end.len() {
        return Some((place(spaced), Link::Option));
    }
    let line = spaced.get(..spaced.find('\n').unwrap_or(spaced.len()))?;
    // "I changed my password to …"
    let mut changed = behind(text, end, REACH)
        .rsplit('\n')
        .next()
        .is_some_and(|before| {
            before
                .split_whitespace()
                .rev()
                .take(BEFORE_TO)
                .any(|word| CHANGED.contains(&word.to_lowercase().as_str()))
        });
    let mut left = line;
    for index in 0..=FILLER {
        left = left.trim_start_matches([' ', '\t']);
        let (token, tail) = left.split_at_checked(left.find([' ', '\t']).unwrap_or(left.len()))?;
        let here = place(spaced) + line.len() - tail.len();
        let plain = token
            .trim_matches(['(', ')', '"', '*', '`', '[', ']', '_'])
            .to_lowercase();
        let word = plain.trim_end_matches([':', '=', '.', ',']);
        let is_to = changed && TO.contains(&word);
        if token.is_empty()
            || (is_other_thing(word, tail) && !is_to && (index == 0 || plain.ends_with(':')))
        {
            return None;
        }
        if plain.ends_with([':', '=']) && word != "http" && word != "https" {
            return Some((
                here,
                if index == 0 && word.is_empty() {
                    Link::Direct
                } else {
                    Link::Sign
                },
            ));
        }
        // Numbers after a dash are common: "PIN table - 2026".
        if cue == Cue::Pin && index > 0 && matches!(word, "-" | "--" | "–" | "—") {
            return None;
        }
        if is_to || COPULAS.contains(&word) {
            // "lautet" carries nothing but the value itself.
            let link = if word == "lautet" {
                Link::Direct
            } else {
                Link::Verb
            };
            return Some((skip_adverbs(text, here), link));
        }
        if CLAUSES.contains(&word) || plain.ends_with(['.', '!', '?', ';', ',']) {
            return None;
        }
        changed = CHANGED.contains(&word);
        left = tail;
    }
    None
}

/// Verbs and particles of languages written without blanks, and the arrow.
#[rustfmt::skip]
const UNSPACED_COPULAS: &[&str] = &[
    "=>", "->", "→", "改成了", "改成", "改为", "改為", "设为", "設為", "就是", "是", "为", "為", "は", "が", "를", "을", "는", "은", "이", "가", "คือ",
];

fn is_other_thing(word: &str, tail: &str) -> bool {
    let next = tail.split_whitespace().next().unwrap_or_default();
    OTHER_THING.contains(&word)
        && !(CHANGED.contains(&word) && TO.contains(&next.trim_end_matches(':')))
}

fn skip_adverbs(text: &str, from: usize) -> usize {
    let mut at = from;
    for _ in 0..2 {
        let rest = bounded(text.get(at..).unwrap_or_default(), REACH);
        let trimmed = rest.trim_start_matches([' ', '\t', ':']);
        let word = trimmed.split([' ', '\t', ':']).next().unwrap_or_default();
        let lower = word.to_lowercase();
        let next = trimmed
            .get(word.len()..)
            .and_then(|rest| rest.split_whitespace().next());
        let changed = CHANGED.contains(&lower.as_str())
            && next.is_some_and(|next| TO.contains(&next.trim_end_matches(':')));
        if !changed && !ADVERBS.contains(&lower.as_str()) {
            break;
        }
        at += rest.len() - trimmed.len() + word.len();
    }
    at
}

/// Words between a verb and a cue that follows it: "hunter2 is my new Wi-Fi password".
#[rustfmt::skip]
const OWNERS: &[&str] = &[
    "my", "our", "the", "his", "her", "their", "your", "new", "old", "current", "wifi", "wi-fi", "wlan", "master", "admin", "root", "login",
    "default", "mein", "unser", "das", "le", "mon", "mi", "a", "email", "router", "guest", "laptop", "bank", "neues", "la",
];

/// The password in "hunter2 is my password" and "use hunter2 as the password".
pub(super) fn before_cue(text: &str, word: &Range<usize>) -> Option<Range<usize>> {
    let next = bounded(text.get(word.end..)?, 40).trim_start_matches([' ', '-', '_']);
    let next = next
        .split(|character: char| !character.is_alphanumeric())
        .next()
        .unwrap_or_default();
    if OTHER_THING.contains(&next.to_lowercase().as_str()) {
        return None;
    }
    let mut left = behind(text, word.start, REACH);
    let first = word.start - left.len();
    for _ in 0..5 {
        left = left.trim_end_matches([' ', '\t', '-', '_']);
        let from = left.rfind([' ', '\t', '\n']).map_or(0, |at| at + 1);
        let token = left.get(from..)?.to_lowercase();
        left = left.get(..from)?;
        if matches!(
            token.as_str(),
            "is" | "was" | "as" | "ist" | "als" | "est" | "comme" | "es" | "como" | "="
        ) {
            let before = left.trim_end_matches([' ', '\t']);
            let start = before.rfind([' ', '\t', '\n']).map_or(0, |at| at + 1);
            let raw = before.get(start..)?;
            let opened = raw.trim_start_matches(['"', '\'', '`', '“', '(', '*']);
            let value = opened.trim_end_matches(['"', '\'', '`', '”', ')', '*', ',']);
            let start = start + raw.len() - opened.len();
            let start = first + start;
            return is_password(value).then_some(start..start + value.len());
        }
        if !OWNERS.contains(&token.as_str()) {
            return None;
        }
    }
    None
}
