//! Secrets in a text: tokens, private keys, passwords, recovery phrases. The vault refuses memories that contain one and
//! masks them in transcripts. A safety net, not a proof: a secret that looks like a word and that the text does not call
//! one passes.
//!
//! The search is made for what people and agents really paste: wrapped at line ends, with characters of no width inside,
//! in full width, with letters of other alphabets that look alike, in quotation marks, percent-encoded; and it leaves alone what only looks similar: commit ids, UUIDs,
//! checksums, public keys, placeholders, program text that reads a secret from elsewhere, prose about passwords.
//!
//! Linear in the length of the text. No finding and no error carries the value.
//!
//! ```
//! use memory_vault::text::secrets::{find, masked};
//!
//! assert!(find("I changed my password manager").is_none());
//! assert_eq!(masked("The Wi-Fi password is hunter2!"), "The Wi-Fi password is [secret: password]");
//! ```

mod alike;
mod blocks;
mod context;
mod cues;
mod folded;
mod kind;
mod link;
mod links;
mod lists;
mod scan;
mod shapes;
mod values;
mod walk;
mod words;

use std::ops::Range;

pub use kind::SecretKind;

use folded::Folded;

/// Something in a text that looks like a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// What it looks like.
    pub kind: SecretKind,
    /// Its bytes in the text as given, between character boundaries, never empty. Covers line ends and hidden characters
    /// inside the value; of a sentence or an address only the value.
    pub range: Range<usize>,
}

/// The first secret of a text.
pub fn find(text: &str) -> Option<Finding> {
    all(text).into_iter().next()
}

/// All secrets of a text, in the order of the text, without overlaps.
pub fn all(text: &str) -> Vec<Finding> {
    let folded = Folded::new(text);
    let mut found: Vec<Finding> = scan::scan(folded.text())
        .into_iter()
        .map(|(kind, range)| Finding {
            kind,
            range: folded.original(range),
        })
        .filter(|finding| !finding.range.is_empty())
        .collect();
    found.sort_by_key(|finding| (finding.range.start, std::cmp::Reverse(finding.range.end)));
    let mut apart: Vec<Finding> = Vec::with_capacity(found.len());
    for finding in found {
        match apart
            .last_mut()
            .filter(|last| finding.range.start < last.range.end)
        {
            Some(last) => {
                last.range.end = last.range.end.max(finding.range.end);
                if exactness(finding.kind) < exactness(last.kind) {
                    last.kind = finding.kind;
                }
            }
            None => apart.push(finding),
        }
    }
    apart
}

/// Of two kinds for one value the one with the smaller number says more.
fn exactness(kind: SecretKind) -> u8 {
    match kind {
        SecretKind::PrivateKey => 0,
        SecretKind::ApiToken(_) | SecretKind::Jwt | SecretKind::ConnectionString => 1,
        SecretKind::HighEntropy => 4,
        SecretKind::NamedSecret => 3,
        _ => 2,
    }
}

/// The text with each secret replaced by `[secret: <word>]` (see [`SecretKind::word`]). Everything else stays as it was.
pub fn masked(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut from = 0;
    for finding in all(text) {
        masked.push_str(text.get(from..finding.range.start).unwrap_or_default());
        masked.push_str("[secret: ");
        masked.push_str(finding.kind.word());
        masked.push(']');
        from = finding.range.end;
    }
    masked.push_str(text.get(from..).unwrap_or_default());
    masked
}

#[cfg(test)]
mod tests;
