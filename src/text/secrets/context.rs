//! Values that the text itself calls secret: "password: …", "mi contraseña es …", "PIN 4821", "密码是…". From a cue word
//! the parser looks for a sign or a verb that carries a value, within one sentence, and then judges the value: prose about
//! passwords has cues and verbs as well, but no value.

use std::ops::Range;

use super::blocks::{behind, bounded};
use super::cues::Cue;
use super::kind::SecretKind;
use super::link::{Link, REACH, is_option, link};
use super::lists;
use super::values::{is_digest_or_uuid, is_fact, is_password, is_reference, is_token_like};
use super::words::{ENDINGS, NO_PASSWORD};

/// The longest value looked at.
const VALUE: usize = 512;
/// Shortest word that is a password because it stands alone after "password:".
const WORD: usize = 4;
/// Shortest token taken for one on the word of the text; a shorter one must have signs in it ([`SIGNED`]).
const TOKEN: usize = 12;
const SIGNED: usize = 8;
/// Length from which a value is no name of something in a program.
const NAME: usize = 30;
/// Shortest token behind nothing but a blank: "session token 0a1b…".
const BARE_TOKEN: usize = 24;

/// The secret that follows a cue ending at a place.
pub(super) fn after_cue(
    text: &str,
    end: usize,
    cue: Cue,
    word: &Range<usize>,
) -> Option<(SecretKind, Range<usize>)> {
    let option =
        matches!(cue, Cue::Password | Cue::ShortPassword | Cue::Token) && is_option(text, word);
    let (start, link) = match link(text, end, cue, option) {
        Some(found) => found,
        // "PIN 4821", and lists below a heading.
        None if cue == Cue::Pin
            && text
                .get(word.clone())
                .is_some_and(|pin| pin.bytes().all(|byte| !byte.is_ascii_lowercase())) =>
        {
            (end, Link::Direct)
        }
        None if matches!(cue, Cue::Recovery | Cue::Phrase) => (end, Link::Direct),
        None => return bare(text, end, cue, word),
    };
    match cue {
        Cue::Pin => lists::pin(text, word, start).map(|range| (SecretKind::Pin, range)),
        Cue::Recovery => lists::codes(text, start).map(|range| (SecretKind::RecoveryCode, range)),
        Cue::Phrase => {
            lists::phrase(text, start, lists::SEED).map(|range| (SecretKind::SeedPhrase, range))
        }
        Cue::Login if link == Link::Direct => {
            login(text, start).map(|range| (SecretKind::Password, range))
        }
        Cue::Login => None,
        Cue::ShortPassword if link == Link::Sign => None,
        Cue::Password | Cue::ShortPassword | Cue::Token => {
            let value = value(text, start, word)?;
            // "--- PASS: TestName" is the report of a test.
            let report = text.get(word.clone()) == Some("PASS")
                && text
                    .get(word.end..)
                    .is_some_and(|rest| rest.starts_with(':'));
            if cue == Cue::ShortPassword
                && (report
                    || !value
                        .text
                        .contains(|character: char| !character.is_alphabetic() && character != '_'))
            {
                return None;
            }
            judge(text, cue, link, &value, text.get(word.clone())?)
                .or_else(|| bare(text, end, cue, word))
        }
    }
}

/// A value behind nothing but a blank, which must be unmistakable: "pw hunter2", "session token 0a1b…".
fn bare(
    text: &str,
    end: usize,
    cue: Cue,
    word: &Range<usize>,
) -> Option<(SecretKind, Range<usize>)> {
    let rest = text.get(end..)?;
    if !rest.starts_with([' ', '\t']) {
        return None;
    }
    let value = value(text, end, word)?;
    let letter = value.text.contains(char::is_alphabetic);
    let digit = value
        .text
        .contains(|character: char| character.is_ascii_digit());
    match cue {
        Cue::Password if letter && digit && is_password(value.text) => {
            Some((SecretKind::Password, value.range))
        }
        Cue::ShortPassword
            if letter
                && digit
                && is_password(value.text)
                && text
                    .get(word.clone())
                    .is_some_and(|word| word.eq_ignore_ascii_case("pw")) =>
        {
            Some((SecretKind::Password, value.range))
        }
        Cue::Token
            if value.text.len() >= BARE_TOKEN
                && is_named_token(value.text, Link::Verb)
                && !(is_digest_or_uuid(value.text) && value.text.len() != 32) =>
        {
            Some((SecretKind::NamedSecret, value.range))
        }
        _ => None,
    }
}

/// A value as written, without quotation marks.
struct Value<'a> {
    text: &'a str,
    range: Range<usize>,
    quoted: bool,
    /// Whether nothing but punctuation follows in its line or clause.
    closed: bool,
}

const QUOTES: [(char, char); 11] = [
    ('"', '"'),
    ('\'', '\''),
    ('`', '`'),
    ('“', '”'),
    ('„', '“'),
    ('«', '»'),
    ('‘', '’'),
    ('「', '」'),
    ('『', '』'),
    ('»', '«'),
    ('”', '”'),
];

fn value<'a>(text: &'a str, from: usize, word: &Range<usize>) -> Option<Value<'a>> {
    let rest = bounded(text.get(from..)?, VALUE);
    let mut body = rest.trim_start_matches([' ', '\t', ':']);
    // One line end: "Password:\n  x".
    if let Some(below) = body
        .strip_prefix("\r\n")
        .or_else(|| body.strip_prefix('\n'))
    {
        body = below.trim_start_matches([' ', '\t', '>', '-']);
    }
    if body.starts_with("</") {
        body = body.get(body.find('>')? + 1..)?.trim_start();
    }
    body = body.trim_start_matches('\\');
    body = body.trim_start_matches("**").trim_start_matches(' ');
    let mut quoted = false;
    let mut end = None;
    if let Some((open, close)) = QUOTES.iter().find(|(open, _)| body.starts_with(*open)) {
        body = body.get(open.len_utf8()..)?;
        let line = body.get(..body.find('\n').unwrap_or(body.len()))?;
        end = line.find(*close).or_else(|| line.find(['"', '”', '“']));
        quoted = end.is_some();
    }
    let name =
        |character: char| character.is_ascii_alphanumeric() || matches!(character, '_' | '-');
    let query = behind(text, word.start, REACH)
        .trim_end_matches(name)
        .ends_with(['?', '&']);
    let wide = text
        .get(word.clone())
        .is_some_and(|cue| !cue.is_ascii() && cue.chars().any(|letter| letter >= '\u{e00}'));
    let end = end.unwrap_or_else(|| {
        body.find(|character: char| {
            character.is_whitespace()
                || matches!(
                    character,
                    '<' | ',' | ';' | '|' | '」' | '』' | '”' | '»' | '。' | '、'
                )
                || (query && character == '&')
                || (wide && !character.is_ascii())
        })
        .unwrap_or(body.len())
    });
    let whole = body.get(..end)?;
    let after = body.get(end..)?;
    let trimmed = if quoted {
        whole
    } else {
        whole.trim_end_matches([
            '.', ',', ';', ':', ')', ']', '}', '"', '\'', '`', '*', '>', '\\',
        ])
    };
    let after = after.trim_start_matches(['"', '\'', '`', ' ', '\t', '*', '_']);
    let closed = trimmed.len() < whole.len()
        || after.is_empty()
        || after.starts_with(['\n', '\r', ',', '.', ';', ')', '/', '|', '}', '<']);
    let start = from + rest.len() - body.len();
    (!trimmed.is_empty()).then_some(Value {
        text: trimmed,
        range: start..start + trimmed.len(),
        quoted,
        closed,
    })
}

fn judge(
    text: &str,
    cue: Cue,
    link: Link,
    value: &Value<'_>,
    word: &str,
) -> Option<(SecretKind, Range<usize>)> {
    let found = |kind| Some((kind, value.range.clone()));
    let lower = value.text.to_lowercase();
    let lower = lower.trim_matches(|character: char| !character.is_alphanumeric());
    if cue == Cue::Token {
        return if is_named_token(value.text, link) {
            found(SecretKind::NamedSecret)
        } else {
            None
        };
    }
    if value.text.contains(char::is_whitespace) {
        let words = value.text.split_whitespace().count();
        return if words >= lists::PASSPHRASE
            && lists::are_random_words(value.text.split_whitespace())
        {
            found(SecretKind::SeedPhrase)
        } else {
            None
        };
    }
    if is_password(value.text) {
        return found(SecretKind::Password);
    }
    let lower_word = word.to_lowercase();
    if link == Link::Direct
        && (lower_word.ends_with("phrase") || lower_word == "parola")
        && !value.quoted
        && !value.closed
        && let Some(range) = lists::phrase(text, value.range.start, lists::PASSPHRASE)
    {
        return Some((SecretKind::SeedPhrase, range));
    }
    if is_reference(value.text) || is_fact(value.text) || NO_PASSWORD.contains(&lower) {
        return None;
    }
    let length = value.text.chars().count();
    let digits = value.text.bytes().all(|byte| byte.is_ascii_digit());
    if digits {
        let year = link != Link::Direct && length == 4 && value.text.starts_with(['1', '2']);
        return if length >= WORD && value.closed && !(year && value.text.starts_with("20")) {
            found(SecretKind::Password)
        } else {
            None
        };
    }
    let alone = cue == Cue::Password
        && length >= WORD
        && lower == value.text.trim_end_matches(['!', '?']).to_lowercase()
        && (value.quoted
            || (link == Link::Direct
                && value.closed
                && !ENDINGS.iter().any(|ending| lower.ends_with(ending))));
    if alone {
        found(SecretKind::Password)
    } else {
        None
    }
}

/// Whether a value that is called a key or token is one: made of the signs of tokens, with digits, and no name.
fn is_named_token(value: &str, link: Link) -> bool {
    let digits = value.bytes().filter(u8::is_ascii_digit).count();
    let foreign = |character: char| {
        !(character.is_ascii_alphanumeric()
            || matches!(
                character,
                '_' | '-'
                    | '+'
                    | '/'
                    | '='
                    | '.'
                    | '~'
                    | ':'
                    | '!'
                    | '#'
                    | '$'
                    | '@'
                    | '^'
                    | '&'
                    | '*'
                    | '%'
            ))
    };
    if digits == 0
        || value.contains(foreign)
        || is_reference(value)
        || is_fact(value)
        || is_own_id(value)
        || names_a_digest(value)
    {
        return false;
    }
    let sign = value.contains(['!', '#', '$', '@', '^', '&', '*', '%', '~', '+']);
    let letter = value.contains(|character: char| character.is_ascii_alphabetic());
    if link == Link::Direct && letter && sign && value.len() >= SIGNED {
        return true;
    }
    value.len() >= TOKEN && is_token_like(value.as_bytes()) && !is_name(value)
}

/// A name in camel case with one number inside: `base64EncodedToken`.
fn is_name(value: &str) -> bool {
    let groups = value
        .split(|character: char| !character.is_ascii_digit())
        .filter(|group| !group.is_empty())
        .count();
    let hex = value.bytes().all(|byte| byte.is_ascii_hexdigit());
    let plain = value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    groups == 1
        && plain
        && value.len() < NAME
        && !hex
        && !value.ends_with(|last: char| last.is_ascii_digit())
        && value.bytes().filter(u8::is_ascii_digit).count() < 4
}

/// An id of the vault: three letters, `_`, and what ids are made of.
fn is_own_id(value: &str) -> bool {
    value.split_once('_').is_some_and(|(kind, id)| {
        kind.len() == 3
            && id.starts_with("01")
            && id.len() <= 32
            && id
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    })
}

fn names_a_digest(value: &str) -> bool {
    ["sha1", "sha256", "sha384", "sha512", "md5", "blake3"]
        .iter()
        .any(|name| value.to_ascii_lowercase().starts_with(name))
}

/// The password in "login: ada / …".
fn login(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = bounded(text.get(from..)?, REACH);
    let line = rest.get(..rest.find('\n').unwrap_or(rest.len()))?;
    if line.contains("://") || line.contains(['"', '{']) {
        return None;
    }
    let user = line.trim_start();
    let user_end = user.find([' ', '/', ':', '|']).filter(|end| *end > 0)?;
    let after_user = user.get(user_end..)?.trim_start();
    let password = after_user.strip_prefix(['/', ':', '|'])?.trim_start();
    let start = from + line.len() - password.len();
    let password = password.split([' ', ',', ';']).next()?;
    let bare = password.trim_end_matches(['.', ')', '"', '\'', '`']);
    is_password(bare).then_some(start..start + bare.len())
}
