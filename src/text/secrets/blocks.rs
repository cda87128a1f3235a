//! Secrets with a structure of their own: private key blocks, JSON Web Tokens, bot tokens of Telegram and Discord, client
//! secrets of Azure.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

use super::kind::SecretKind;
use super::shapes::{after_prefix, is_base64, is_url};
use super::values::is_token_like;
use super::walk::{GAP, byte, gap, walk};

/// Bytes of a key block that are looked at for its end. A 16384-bit RSA key has about 13,000.
const BLOCK: usize = 16_384;
/// The longest label between `-----BEGIN ` and the dashes (RFC 7468 has no limit; "ENCRYPTED PRIVATE KEY" has 21).
const LABEL: usize = 48;
/// The longest header and the longest rest of a JSON Web Token that are read.
const JWT_HEADER: usize = 2048;
const JWT_REST: usize = 8192;
/// Base64 of the shortest header that names an algorithm, and the shortest claims and signature taken for real.
const JWT_PART: usize = 10;

/// A private key block that begins at a place, and where it ends: at its END line, or after the lines that belong to it
/// if that is missing.
pub(super) fn key_block(text: &str, from: usize) -> Option<(SecretKind, usize)> {
    let rest = text.get(from..)?;
    if rest.starts_with("PuTTY-User-Key-File-") {
        let lines = bounded(rest, BLOCK);
        let secret = lines.find("Private-Lines:")?;
        let end = lines
            .get(secret..)
            .and_then(|tail| tail.find("\n\n"))
            .map_or(lines.len(), |end| secret + end);
        return Some((SecretKind::PrivateKey, from + end));
    }
    let label = rest.strip_prefix("-----BEGIN")?;
    let label = bounded(label, LABEL);
    let label = label.get(..label.find("-----")?)?;
    let squeezed: String = label
        .chars()
        .filter(char::is_ascii_alphabetic)
        .map(|letter| letter.to_ascii_uppercase())
        .collect();
    if !squeezed.contains("PRIVATEKEY") {
        return None;
    }
    let body = "-----BEGIN".len() + label.len() + "-----".len();
    let window = bounded(rest, BLOCK);
    if let Some(end) = window.find("-----END") {
        let after = window.get(end + "-----END".len()..).unwrap_or_default();
        let close = bounded(after, LABEL)
            .find("-----")
            .map_or(0, |at| at + "-----".len());
        return Some((
            SecretKind::PrivateKey,
            from + end + "-----END".len() + close,
        ));
    }
    let key = walk(text.as_bytes(), from + body, is_base64, BLOCK, BLOCK);
    Some((SecretKind::PrivateKey, key.end.max(from + body)))
}

/// The beginning of a text, at most so many bytes.
pub(super) fn bounded(text: &str, most: usize) -> &str {
    let mut end = most.min(text.len());
    while !text.is_char_boundary(end) {
        end = end.saturating_sub(1);
    }
    text.get(..end).unwrap_or_default()
}

/// What stands before a place, at most so many bytes.
pub(super) fn behind(text: &str, end: usize, most: usize) -> &str {
    let mut from = end.saturating_sub(most);
    while !text.is_char_boundary(from) {
        from = from.saturating_sub(1);
    }
    text.get(from..end).unwrap_or_default()
}

/// What a structured token at a place is, and where it ends. The place must be the beginning of a word.
pub(super) fn structured(text: &[u8], from: usize) -> Option<(SecretKind, usize)> {
    match byte(text, from) {
        b'e' => jwt(text, from).map(|end| (SecretKind::Jwt, end)),
        b'0'..=b'9' => telegram(text, from).map(|end| (SecretKind::ApiToken("Telegram"), end)),
        b'M' | b'N' | b'O' => discord(text, from).map(|end| (SecretKind::ApiToken("Discord"), end)),
        _ => None,
    }
}

fn jwt(text: &[u8], from: usize) -> Option<usize> {
    after_prefix(text, from, "eyJ")?;
    let header = walk(text, from, is_url, JWT_HEADER, JWT_HEADER);
    if !names_an_algorithm(&header.value) {
        return None;
    }
    let dot = dot_at(text, header.end)?;
    let accepts = |byte: u8| is_url(byte) || byte == b'.';
    let rest = walk(text, dot + 1, accepts, 2 * JWT_PART, JWT_REST);
    let mut parts = rest.value.split(|byte| *byte == b'.');
    let claims = parts.next()?;
    // An unsigned token has an empty signature; an encrypted one has five parts.
    let signature = parts.next()?;
    (claims.len() >= JWT_PART && (signature.is_empty() || signature.len() >= JWT_PART))
        .then_some(rest.end)
}

/// A dot, directly or after a gap.
fn dot_at(text: &[u8], at: usize) -> Option<usize> {
    let next = match byte(text, at) {
        b'.' => at,
        _ => gap(text, at, |next| next == b'.')?.0,
    };
    (byte(text, next) == b'.').then_some(next)
}

fn names_an_algorithm(header: &[u8]) -> bool {
    // A header cut off by a gap may end inside a group of four.
    let whole = header.len() - if header.len() % 4 == 1 { 1 } else { 0 };
    let Some(Ok(json)) = header.get(..whole).map(|part| URL_SAFE_NO_PAD.decode(part)) else {
        return false;
    };
    [&b"\"alg\""[..], b"\"typ\"", b"\"enc\"", b"\"kid\""]
        .iter()
        .any(|name| json.windows(name.len()).any(|window| window == *name))
}

/// `<bot id>:<35 characters>`.
fn telegram(text: &[u8], from: usize) -> Option<usize> {
    let id = walk(text, from, |byte| byte.is_ascii_digit(), 11, 11);
    if id.value.len() < 8 || id.blanks > 0 {
        return None;
    }
    let colon = match byte(text, id.end) {
        b':' => id.end,
        _ => gap(text, id.end, |next| next == b':')
            .map(|(next, _)| next)
            .filter(|next| byte(text, *next) == b':')?,
    };
    let key = walk(text, colon + 1, is_url, 35, 35);
    let real = key.value.len() == 35
        && key.blanks == 0
        && is_token_like(&key.value)
        && key.value.iter().any(u8::is_ascii_uppercase);
    real.then_some(key.end)
}

/// Three parts, the first being the base64 of a number.
fn discord(text: &[u8], from: usize) -> Option<usize> {
    let token = walk(text, from, |byte| is_url(byte) || byte == b'.', 57, 110);
    let lengths: Vec<usize> = token
        .value
        .split(|byte| *byte == b'.')
        .map(<[u8]>::len)
        .collect();
    let [id, time, key] = lengths.as_slice() else {
        return None;
    };
    let whole = (23..=28).contains(id) && (5..=7).contains(time) && *key >= 27;
    (whole && is_token_like(&token.value)).then_some(token.end)
}

/// The client secret of Azure around a tilde: `abc8Q~` and 31 to 34 characters more. Gives its beginning and end.
pub(super) fn azure(text: &[u8], tilde: usize) -> Option<(usize, usize)> {
    const HEAD: usize = 5;
    let (mut head, mut start) = (Vec::with_capacity(HEAD), tilde);
    let mut skipped = 0;
    while head.len() < HEAD && start > 0 && skipped < GAP {
        start -= 1;
        match byte(text, start) {
            letter if letter.is_ascii_alphanumeric() => head.push(letter),
            b'\n' | b'\r' | b' ' | b'\t' | b'\\' | b'>' => skipped += 1,
            _ => return None,
        }
    }
    let fits = matches!(head.as_slice(), [b'Q', b'7' | b'8' | b'9', _, _, _]);
    let accepts = |byte: u8| is_url(byte) || matches!(byte, b'~' | b'.');
    let tail = walk(text, tilde + 1, accepts, 31, 34);
    (fits && tail.value.len() >= 31 && is_token_like(&tail.value)).then_some((start, tail.end))
}
