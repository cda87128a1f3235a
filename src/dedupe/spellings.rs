//! The usual dresses of a text: with and without quotes, a bullet, a full stop.

use super::wrapper;

/// Bytes up to which a text is looked for in all its [`spellings`]; a longer one is no fact somebody writes with or without its
/// full stop.
const SPELT_BYTES: usize = 2_000;

/// A text with and without the signs that people and agents put around it or leave out: quotes, bullets, full stops. The
/// text itself may be among them.
pub fn spellings(content: &str) -> Vec<String> {
    let (core, bare) = (wrapper::core(content), wrapper::bare(content));
    let mut spellings = vec![core.to_owned()];
    if bare.len() < core.len() {
        spellings.push(bare.to_owned());
    }
    if bare.len() <= SPELT_BYTES {
        let around = [
            ("", "."),
            ("", "!"),
            ("", "。"),
            ("\"", "\""),
            ("\"", ".\""),
            ("- ", ""),
            ("- ", "."),
            ("", "…"),
            ("", ";"),
            ("“", "”"),
            ("„", "“"),
            ("«", "»"),
            ("「", "」"),
            ("'", "'"),
            ("`", "`"),
            ("*", "*"),
            ("**", "**"),
            ("(", ")"),
            ("* ", ""),
            ("• ", ""),
        ];
        spellings.extend(around.map(|(before, after)| format!("{before}{bare}{after}")));
    }
    spellings
}
