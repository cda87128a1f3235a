//! One pass over the folded text from word to word, and one over its long runs.

use std::ops::Range;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;

use super::blocks::{azure, behind, bounded, key_block, structured};
use super::context::after_cue;
use super::cues::{BEFORE, Cue, cue, unspaced};
use super::kind::SecretKind;
use super::link::before_cue;
use super::links::password;
use super::shapes::{is_base64, token};
use super::values::{
    RANDOM, is_digest_or_uuid, is_fact, is_filler, is_password, is_random, is_token_like,
};
use super::walk::{byte, walk};

/// Bytes before a random string in which words about keys are looked for.
const NEAR: usize = 48;
/// Bytes after it: "… is my API key".
const NEAR_AFTER: usize = 32;
/// Shortest credentials after `Bearer` and after `Basic` (the base64 of "ada:pw" has eight).
const BEARER: usize = 16;
const BASIC: usize = 8;
/// First letter of the scripts whose cues are not looked up by word.
const UNSPACED_FROM: char = '\u{590}';

/// What was found at which place of the folded text, in no order.
pub(super) type Found = Vec<(SecretKind, Range<usize>)>;

/// Every secret of a folded text; ranges may overlap.
pub(super) fn scan(text: &str) -> Found {
    let mut found = Found::new();
    by_words(text, &mut found);
    by_runs(text, &mut found);
    found
}

fn by_words(text: &str, found: &mut Found) {
    let bytes = text.as_bytes();
    let mut lower = String::new();
    let mut at = 0;
    while let Some(first) = text.get(at..).and_then(|rest| rest.chars().next()) {
        if !first.is_alphanumeric() {
            at = sign(text, at, first, found);
            continue;
        }
        // The letter of an escaped line end in JSON belongs to no word.
        if matches!(first, 'n' | 'r' | 't') && at > 0 && byte(bytes, at - 1) == b'\\' {
            at += 1;
            continue;
        }
        if first >= UNSPACED_FROM || first == 'A' {
            let rest = text.get(at..).unwrap_or_default();
            if let Some((word, cue)) = unspaced(rest) {
                found.extend(after_cue(
                    text,
                    at + word.len(),
                    cue,
                    &(at..at + word.len()),
                ));
                at += word.len();
                continue;
            }
            if first >= UNSPACED_FROM {
                at += first.len_utf8();
                continue;
            }
        }
        if let Some((kind, end)) = token(bytes, at).or_else(|| structured(bytes, at)) {
            found.push((kind, at..end));
            at = end;
            continue;
        }
        let end = word_end(text, at);
        let word = at..end;
        lower.clear();
        let written = text.get(word.clone()).unwrap_or_default();
        if written.is_ascii() {
            lower.push_str(written);
            lower.make_ascii_lowercase();
        } else {
            lower.extend(written.chars().flat_map(char::to_lowercase));
        }
        at = match lower.as_str() {
            "data" => after_image(text, end),
            "ssh" | "ecdsa" | "sk" => after_public_key(text, word.start, end),
            _ => end,
        };
        about(text, &word, &lower, found);
    }
}

/// The end of the word that begins at a place: letters and digits of one kind of script.
fn word_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut plain = from;
    while byte(bytes, plain).is_ascii_alphanumeric() {
        plain += 1;
    }
    if byte(bytes, plain).is_ascii() {
        return plain;
    }
    let rest = text.get(from..).unwrap_or_default();
    let length = rest
        .find(|character: char| !character.is_alphanumeric() || character >= UNSPACED_FROM)
        .unwrap_or(rest.len());
    from + length.max(1)
}

/// Handles a sign that is no part of a word; gives where to go on.
fn sign(text: &str, at: usize, sign: char, found: &mut Found) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    let bytes = text.as_bytes();
    match sign {
        ':' if rest.starts_with("://") => {
            found.extend(password(text, at).map(|range| (SecretKind::ConnectionString, range)));
        }
        ':' => found.extend(after_mail(text, at).map(|range| (SecretKind::Password, range))),
        '-' if rest.starts_with("-----BEGIN") => {
            if let Some((kind, end)) = key_block(text, at) {
                found.push((kind, at..end));
                return end;
            }
            // A public block is long and random, and no secret.
            if let Some(end) = bounded(rest, 16_384).find("-----END") {
                return at + end;
            }
        }
        '~' => {
            found.extend(
                azure(bytes, at).map(|(start, end)| (SecretKind::ApiToken("Azure"), start..end)),
            );
        }
        _ => {}
    }
    at + sign.len_utf8()
}

/// What a word of the text announces.
fn about(text: &str, word: &Range<usize>, lower: &str, found: &mut Found) {
    match lower {
        "bearer" => found.extend(bearer(text, word.end)),
        "basic" => found.extend(basic(text, word)),
        "p" => found.extend(command_password(text, word.end, word.start, "sshpass")),
        _ if lower.starts_with('p')
            && word.start > 0
            && byte(text.as_bytes(), word.start - 1) == b'-' =>
        {
            found.extend(command_password(text, word.start + 1, word.start, "mysql"));
        }
        "u" | "user" => found.extend(curl_user(text, word)),
        "putty" => {
            if let Some((kind, end)) = key_block(text, word.start) {
                found.push((kind, word.start..end));
            }
        }
        _ => {}
    }
    let before = || lower_before(text, word.start, BEFORE);
    let Some(cue) = cue(lower, before) else {
        return;
    };
    let after = after_cue(text, word.end, cue, word);
    if after.is_none() && cue == Cue::Password {
        found.extend(before_cue(text, word).map(|range| (SecretKind::Password, range)));
    }
    found.extend(after);
}

fn lower_before(text: &str, end: usize, most: usize) -> String {
    behind(text, end, most).to_lowercase()
}

fn bearer(text: &str, end: usize) -> Option<(SecretKind, Range<usize>)> {
    let rest = bounded(text.get(end..)?, 16);
    let start = end + rest.len() - rest.trim_start_matches([' ', ':', '"', '\'', '`']).len();
    let accepts = |byte: u8| is_base64(byte) || matches!(byte, b'.' | b'~' | b'|');
    let value = walk(text.as_bytes(), start, accepts, 0, 4096);
    let real = start > end
        && value.value.len() >= BEARER
        && value.value.iter().any(u8::is_ascii_digit)
        && is_token_like(&value.value)
        && !is_filler(&value.value);
    real.then_some((SecretKind::Authorization, start..value.end))
}

fn basic(text: &str, word: &Range<usize>) -> Option<(SecretKind, Range<usize>)> {
    if !lower_before(text, word.start, BEFORE).contains("authorization") {
        return None;
    }
    let rest = bounded(text.get(word.end..)?, 16);
    let start = word.end + rest.len() - rest.trim_start_matches([' ', ':', '"', '\'', '`']).len();
    let value = walk(text.as_bytes(), start, is_base64, 0, 1024);
    (start > word.end && value.value.len() >= BASIC && is_name_and_password(&value.value))
        .then_some((SecretKind::Authorization, start..value.end))
}

/// The password of `sshpass -p x` and `mysql -px`.
fn command_password(
    text: &str,
    from: usize,
    option: usize,
    command: &str,
) -> Option<(SecretKind, Range<usize>)> {
    let before = behind(text, option, 160);
    if !before.ends_with(" -") || !before.rsplit('\n').next()?.contains(command) {
        return None;
    }
    let rest = bounded(text.get(from..)?, 160);
    let value = rest.trim_start_matches([' ', '"', '\'']);
    let start = from + rest.len() - value.len();
    let value = value.split([' ', '"', '\'', '\n']).next()?;
    is_password(value).then_some((SecretKind::Password, start..start + value.len()))
}

/// The password of a pair "ada@example.com:password" whose colon is at a place.
fn after_mail(text: &str, colon: usize) -> Option<Range<usize>> {
    let mail = behind(text, colon, 80)
        .rsplit([' ', '\n', '\t', '"', '|', ',', '('])
        .next()?;
    let (name, host) = mail.split_once('@')?;
    let is_mail =
        !name.is_empty() && !name.contains([':', '/']) && host.contains('.') && is_fact(mail);
    let rest = bounded(text.get(colon + 1..)?, 80);
    let value = rest.split([' ', '\n', '\t', '"', '|', ',', ')']).next()?;
    // `ada@example.com:notes/2026` is a place on another machine.
    (is_mail && !value.contains(['/', '.', '\\']) && is_password(value))
        .then(|| colon + 1..colon + 1 + value.len())
}

/// Whether a value is the base64 of a name, a colon and a password (RFC 7617).
fn is_name_and_password(value: &[u8]) -> bool {
    let end = value
        .iter()
        .rposition(|byte| *byte != b'=')
        .map_or(0, |last| last + 1);
    let bare: Vec<u8> = value
        .iter()
        .take(end)
        .map(|byte| match byte {
            b'-' => b'+',
            b'_' => b'/',
            other => *other,
        })
        .collect();
    STANDARD_NO_PAD
        .decode(bare)
        .is_ok_and(|plain| plain.contains(&b':'))
}

/// The password of `curl -u name:password`.
fn curl_user(text: &str, word: &Range<usize>) -> Option<(SecretKind, Range<usize>)> {
    let before = lower_before(text, word.start, 160);
    if !before.ends_with('-') || !before.rsplit('\n').next()?.contains("curl") {
        return None;
    }
    let rest = bounded(text.get(word.end..)?, 160);
    let value = rest.trim_start_matches([' ', '=', '"', '\'']);
    let start = word.end + rest.len() - value.len();
    let run = value.get(..value.find([' ', '"', '\'', '\n']).unwrap_or(value.len()))?;
    let (user, password) = run.split_once(':')?;
    let placeholder = password.is_empty()
        || password.starts_with(['$', '<', '{', '['])
        || is_filler(password.as_bytes());
    (!user.is_empty() && !placeholder).then(|| {
        let from = start + user.len() + 1;
        (SecretKind::Authorization, from..from + password.len())
    })
}

/// The end of the base64 of a `data:` address (RFC 2397) whose scheme ends at a place.
fn after_image(text: &str, end: usize) -> usize {
    let head = bounded(text.get(end..).unwrap_or_default(), 96);
    match head.find(";base64,") {
        Some(at) if head.starts_with(':') => base64_end(text, end + at + ";base64,".len()),
        _ => end,
    }
}

/// The end of the base64 of a public SSH key ("ssh-ed25519 AAAA…").
fn after_public_key(text: &str, start: usize, end: usize) -> usize {
    let head = bounded(text.get(start..).unwrap_or_default(), 48);
    match head.find(" AAAA") {
        Some(at) => base64_end(text, start + at + 1),
        None => end,
    }
}

fn base64_end(text: &str, from: usize) -> usize {
    let bytes = text.as_bytes();
    let mut end = from;
    while is_base64(byte(bytes, end)) {
        end += 1;
    }
    end
}

/// Random strings close to words about keys.
fn by_runs(text: &str, found: &mut Found) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        if !is_base64(byte(bytes, at)) {
            at += 1;
            continue;
        }
        let end = base64_end(text, at);
        let run = at..end;
        at = end;
        if run.len() < RANDOM {
            continue;
        }
        let Some(value) = text.get(run.clone()) else {
            continue;
        };
        let value = value.trim_start_matches(['=', '-', '/']);
        let start = run.end - value.len();
        if is_random(value.as_bytes())
            && !is_digest_or_uuid(value)
            && !is_filler(value.as_bytes())
            && is_about_keys(text, start, run.end)
        {
            found.push((SecretKind::HighEntropy, start..run.end));
        }
    }
}

/// Whether the words around a random string say that it is a key, and none says that it is something public.
fn is_about_keys(text: &str, start: usize, end: usize) -> bool {
    let before = lower_before(text, start, 2 * NEAR);
    let word = before.rsplit([' ', '\t', '\n']).next().unwrap_or_default();
    // A part of an address, a data: image, a public key.
    if word.contains("://")
        || word.contains("base64,")
        || word.contains("sha")
        || word.ends_with("h1:")
        || word.contains('@')
        || word.starts_with("www.")
    {
        return false;
    }
    let line = before.rsplit('\n').next().unwrap_or_default();
    let near = line.get(line.len().saturating_sub(NEAR)..).unwrap_or(line);
    let after = bounded(text.get(end..).unwrap_or_default(), NEAR_AFTER).to_lowercase();
    let after = after.split('\n').next().unwrap_or_default();
    let value = text.get(start..end).unwrap_or_default();
    if PUBLIC
        .iter()
        .any(|word| line.contains(word) || after.contains(word) || value.starts_with(word))
    {
        return false;
    }
    KEY_WORDS.iter().any(|word| near.contains(word))
        || (after
            .trim_start_matches(['`', '"', ')', '.'])
            .starts_with([' ', ','])
            && [" is my", " is the", " is our", "as the", "as my"]
                .iter()
                .any(|link| after.contains(link))
            && KEY_WORDS.iter().any(|word| after.contains(word)))
}

#[rustfmt::skip]
const KEY_WORDS: &[&str] = &[
    "key", "token", "secret", "api", "credential", "oauth", "authoriz", "passw", "schlussel", "zugang", "cle ", "clave", "chave", "chiave", "ключ", "токен", "密钥",
    "キー", "トークン", "토큰", "令牌", "bearer",
];

#[rustfmt::skip]
const PUBLIC: &[&str] = &[
    "public key", "pubkey", "public_key", "publickey", "ssh-rsa", "ssh-ed25519", "ecdsa-sha2", "hash", "checksum", "integrity", "digest", "commit",
    "fingerprint", "data:", "base64,", "playlist", "video", "site key", "sitekey", "publishable", "pk_live", "pk_test", "etag", "oeffentlich",
    "offentlich", "cle publique", "clave publica", "公钥", "公開鍵", "открытый ключ",
];
