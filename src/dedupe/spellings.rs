//! The usual dresses of a text: with and without quotes, a bullet, a full stop.

use super::wrapper;
use crate::text::identity;

/// Bytes up to which a text is looked for in all its spellings; a longer one is no fact somebody writes with or without its
/// full stop.
const SPELT_BYTES: usize = 2_000;

/// What people and agents put before and behind a text.
const AROUND: [(&str, &str); 20] = [
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

/// The duplicate keys of a text with and without the signs that people and agents put around it or leave out: quotes, bullets,
/// full stops. The key of the text itself may be among them.
pub fn spelling_keys(content: &str) -> Vec<String> {
    let (core, bare) = (wrapper::core(content), wrapper::bare(content));
    let mut keys = vec![identity::duplicate_key(core)];
    let key = identity::duplicate_key(bare);
    if bare.len() <= SPELT_BYTES {
        keys.extend(AROUND.map(|around| dressed(around, bare, &key)));
    }
    if bare.len() < core.len() {
        keys.push(key);
    }
    keys
}

/// The duplicate key of a text in a dress. Signs change nothing in the key of what begins and ends with a letter or digit, so that it
/// is made once and not twenty times; in an address they do ("(/srv" is none).
fn dressed((before, after): (&str, &str), bare: &str, key: &str) -> String {
    let plain = |end: Option<char>| end.is_some_and(char::is_alphanumeric);
    if plain(bare.chars().next()) && plain(bare.chars().next_back()) {
        format!("{before}{key}{after}")
    } else {
        identity::duplicate_key(&format!("{before}{bare}{after}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_is_known_in_its_usual_dresses() {
        let keys = spelling_keys("- \"The rent is due\".");
        for dress in [
            "the rent is due",
            "“the rent is due”",
            "the rent is due…",
            "* the rent is due",
        ] {
            assert!(keys.iter().any(|key| key == dress), "{dress}: {keys:?}");
        }
        assert!(!keys.iter().any(|key| key.contains('?')));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(1_024))]

        #[test]
        fn a_dress_has_the_key_of_the_dressed_text(
            bare in "(\\PC|[a-zA-Z0-9 ._/:]|[\u{300}-\u{330}\u{ff01}-\u{ffee}]){1,24}",
            at in 0..AROUND.len(),
        ) {
            let around = AROUND[at];
            let whole = format!("{}{bare}{}", around.0, around.1);
            prop_assert_eq!(dressed(around, &bare, &identity::duplicate_key(&bare)), identity::duplicate_key(&whole));
        }
    }
}
