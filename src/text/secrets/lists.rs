//! Secrets that are several words or numbers: recovery phrases, recovery codes, PINs.

use std::ops::Range;

use super::blocks::{behind, bounded};
use super::values::is_fact;
use super::words::PROSE;

/// Words of the shortest recovery phrase (BIP-39: 12, 15, 18, 21 or 24).
pub(super) const SEED: usize = 12;
/// Words of the shortest passphrase.
pub(super) const PASSPHRASE: usize = 4;
/// Words of the longest recovery phrase; what follows is prose.
const LONGEST: usize = 24;
/// Letters of a word of a phrase (BIP-39).
const LETTERS: std::ops::RangeInclusive<usize> = 3..=8;
/// Bytes in which a phrase or a list of codes is looked for.
const REACH: usize = 640;
/// Letters and digits of the shortest recovery code; a shorter one may be one half of it.
const CODE: usize = 8;
const HALF_CODE: usize = 4;
/// Digits of a PIN or PUK; of a card verification code.
const PIN: std::ops::RangeInclusive<usize> = 4..=8;
const CARD_CODE: std::ops::RangeInclusive<usize> = 3..=4;

/// At least `least` words in a row as a generator picks them.
pub(super) fn phrase(text: &str, from: usize, least: usize) -> Option<Range<usize>> {
    let rest = bounded(text.get(from..)?, REACH);
    let mut words: Vec<(&str, usize)> = Vec::new();
    let mut start = None;
    let mut at = 0;
    while words.len() < LONGEST {
        let left = rest.get(at..)?;
        // Numbers of a list, commas and quotation marks between the words.
        let skipped = left.trim_start_matches(|character: char| {
            character.is_ascii_digit()
                || character.is_whitespace()
                || ":.,;)(\"'`*-=|“”「」".contains(character)
        });
        let word_start = at + left.len() - skipped.len();
        let length = skipped
            .find(|character: char| !character.is_ascii_alphabetic())
            .unwrap_or(skipped.len());
        let word = skipped.get(..length)?;
        let gap = rest.get(at..word_start).unwrap_or_default();
        // A full stop without a number is the end of a sentence.
        let ends_sentence = !words.is_empty()
            && gap.trim_start().starts_with('.')
            && !gap.contains(|character: char| character.is_ascii_digit());
        if !LETTERS.contains(&length)
            || ends_sentence
            || PROSE.contains(&word.to_ascii_lowercase().as_str())
        {
            break;
        }
        start.get_or_insert(word_start);
        at = word_start + length;
        words.push((word, at));
    }
    let enough = words.len() >= least && are_random_words(words.iter().map(|(word, _)| *word));
    let (start, (_, end)) = (start?, words.last()?);
    enough.then_some(from + start..from + end)
}

/// Whether words are a choice and no sentence: none of them holds sentences together, few are inflected.
pub(super) fn are_random_words<'a>(words: impl Iterator<Item = &'a str>) -> bool {
    let (mut count, mut inflected) = (0, 0);
    for word in words {
        let lower = word.to_ascii_lowercase();
        if !LETTERS.contains(&word.len())
            || !lower.bytes().all(|byte| byte.is_ascii_lowercase())
            || PROSE.contains(&lower.as_str())
        {
            return false;
        }
        count += 1;
        inflected += usize::from(
            ["s", "ed", "ing", "ly"]
                .iter()
                .any(|ending| lower.ends_with(ending)),
        );
    }
    inflected * 4 <= count
}

/// Recovery codes in a row, or a recovery key in groups.
pub(super) fn codes(text: &str, from: usize) -> Option<Range<usize>> {
    let rest = bounded(text.get(from..)?, REACH);
    let mut found: Option<Range<usize>> = None;
    let mut solid = 0;
    let mut at = 0;
    loop {
        let left = rest.get(at..).unwrap_or_default();
        let skipped = left.trim_start_matches(|character: char| {
            character.is_whitespace() || ":.,;)(\"'`*|=-•“”「」/".contains(character)
        });
        let start = at + left.len() - skipped.len();
        let length = skipped
            .find(|character: char| !(character.is_ascii_alphanumeric() || character == '-'))
            .unwrap_or(skipped.len());
        let piece = skipped
            .get(..length)
            .unwrap_or_default()
            .trim_end_matches('-');
        let letters = piece.bytes().filter(u8::is_ascii_alphanumeric).count();
        let digits = piece.bytes().filter(u8::is_ascii_digit).count();
        let numbering = (1..=2).contains(&length)
            && digits == length
            && skipped
                .get(length..)
                .is_some_and(|after| after.starts_with(['.', ')', ':']));
        let groups =
            piece.split('-').count() >= 3 && piece.bytes().all(|byte| !byte.is_ascii_lowercase());
        // A date has shorter groups.
        let grouped = piece.split('-').all(|group| group.len() >= HALF_CODE);
        let is_code =
            letters >= HALF_CODE && (digits >= 2 || groups) && (grouped || !is_fact(piece));
        if piece.is_empty() || !(is_code || numbering) {
            break;
        }
        at = start + length;
        if is_code {
            solid += letters;
            let first = found.map_or(from + start, |range| range.start);
            found = Some(first..from + start + piece.len());
        }
    }
    found.filter(|_| solid >= CODE)
}

/// The digits of a PIN.
pub(super) fn pin(text: &str, word: &Range<usize>, from: usize) -> Option<Range<usize>> {
    let rest = bounded(text.get(from..)?, 64);
    let body = rest.trim_start_matches([
        ' ', '\t', '\n', ':', '"', '\'', '`', '*', '“', '„', '«', '「', '(',
    ]);
    let digits = body.bytes().take_while(u8::is_ascii_digit).count();
    let after = body.get(digits..).unwrap_or_default();
    let goes_on = after.starts_with(|next: char| {
        next.is_ascii_alphanumeric() || matches!(next, '-' | '/' | '%' | '_')
    }) || (after.starts_with(['.', ',', ':'])
        && after
            .get(1..)
            .is_some_and(|next| next.starts_with(|digit: char| digit.is_ascii_digit())));
    let card = text
        .get(word.clone())
        .is_some_and(|cue| cue.to_ascii_lowercase().starts_with("cv"));
    let fits = if card {
        CARD_CODE.contains(&digits)
    } else {
        PIN.contains(&digits)
    };
    if !fits || goes_on || (digits == 6 && is_postal(text, word.start)) {
        return None;
    }
    let start = from + rest.len() - body.len();
    Some(start..start + digits)
}

/// Whether the text around is about an address: in India a PIN is a postal code.
fn is_postal(text: &str, at: usize) -> bool {
    let after = bounded(text.get(at..).unwrap_or_default(), 120);
    let around = format!("{}{after}", behind(text, at, 120)).to_lowercase();
    [
        "india",
        "delhi",
        "mumbai",
        "bangalore",
        "bengaluru",
        "chennai",
        "kolkata",
        "hyderabad",
        "pune",
        "postal",
        "district",
        "address",
        "street",
        " road",
        "nagar",
    ]
    .iter()
    .any(|word| around.contains(word))
}
