//! Each text with a secret is found, each look-alike passes; and what holds for all texts.

mod alike;
mod negatives;
mod positives;

use proptest::prelude::*;

use super::*;
use negatives::NEGATIVES;
use positives::POSITIVES;

/// Characters of a secret that may survive together in a masked text.
const SURVIVE: usize = 7;

struct Row {
    text: String,
    secrets: Vec<String>,
}

fn row(template: &str) -> Row {
    let joined = template.replace('¦', "");
    let secrets = joined
        .split('⟦')
        .skip(1)
        .map(|rest| rest.split('⟧').next().unwrap().to_owned())
        .collect();
    Row {
        text: joined.replace(['⟦', '⟧'], ""),
        secrets,
    }
}

#[test]
fn every_secret_is_found_under_its_name() {
    let mut wrong = Vec::new();
    for (name, word, template) in POSITIVES {
        let row = row(template);
        match find(&row.text) {
            Some(finding) if finding.kind.word() == *word => {}
            other => wrong.push(format!("{name}: {other:?}")),
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        POSITIVES.len(),
        wrong.join("\n")
    );
    assert!(POSITIVES.len() >= 150);
}

#[test]
fn what_only_looks_like_a_secret_passes() {
    let wrong: Vec<String> = NEGATIVES
        .iter()
        .filter_map(|(name, text)| {
            let text = text.replace('¦', "");
            let finding = find(&text)?;
            Some(format!(
                "{name}: {:?} {:?}",
                finding.kind, &text[finding.range]
            ))
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "{} of {}:\n{}",
        wrong.len(),
        NEGATIVES.len(),
        wrong.join("\n")
    );
    assert!(NEGATIVES.len() >= 150);
}

fn leaks(masked: &str, secret: &str) -> bool {
    let letters: Vec<char> = secret.chars().collect();
    letters
        .windows(SURVIVE + 1)
        .any(|window| masked.contains(&window.iter().collect::<String>()))
}

#[test]
fn a_masked_text_holds_nothing_of_its_secrets_and_all_of_the_rest() {
    for (name, word, template) in POSITIVES {
        let row = row(template);
        let masked = masked(&row.text);
        assert!(
            masked.contains(&format!("[secret: {word}]")),
            "{name}: {masked}"
        );
        for secret in &row.secrets {
            assert!(!leaks(&masked, secret), "{name}: {masked}");
        }
        assert_eq!(find(&masked), None, "{name}: {masked}");
        let before = template.split('⟦').next().unwrap().replace('¦', "");
        assert!(masked.starts_with(&before), "{name}: {masked}");
    }
}

#[test]
fn no_sentence_about_a_finding_holds_its_value() {
    for (name, _, template) in POSITIVES {
        let row = row(template);
        let sentence = find(&row.text).unwrap().kind.sentence();
        for secret in row.secrets.iter().filter(|secret| secret.len() > SURVIVE) {
            assert!(!leaks(&sentence, secret), "{name}");
        }
    }
    assert_eq!(
        SecretKind::ApiToken("GitHub").sentence(),
        "looks like an API token of GitHub"
    );
}

#[test]
fn several_secrets_are_all_found_in_order() {
    let text = row("PIN: 4¦821, password: hun¦ter2, and AK¦IA3XMPLZ7QWERTY2AB").text;
    let words: Vec<&str> = all(&text)
        .iter()
        .map(|finding| finding.kind.word())
        .collect();
    assert_eq!(words, ["pin", "password", "api_token"]);
    assert_eq!(
        masked(&text),
        "PIN: [secret: pin], password: [secret: password], and [secret: api_token]"
    );
}

#[test]
fn of_a_wrapped_value_the_range_covers_all_pieces() {
    let text = row("é gh¦p_16C7e42F292c6912E\n  77¦10c838347Ae178B4a é").text;
    let finding = find(&text).unwrap();
    assert_eq!(finding.range, 3..text.len() - 3);
}

/// Tokens that are known by their shape, and stand in one piece.
fn tokens() -> Vec<String> {
    POSITIVES
        .iter()
        .filter(|(_, word, _)| matches!(*word, "api_token" | "jwt"))
        .flat_map(|(_, _, template)| row(template).secrets)
        .filter(|secret| {
            secret.is_ascii()
                && !secret
                    .contains(|sign: char| sign.is_whitespace() || matches!(sign, '\\' | '"' | '%'))
        })
        .collect()
}

#[test]
fn a_character_of_no_width_anywhere_in_a_token_hides_nothing() {
    for token in tokens() {
        for at in 0..=token.len() {
            for hidden in ["\u{200b}", "\u{200d}", "\u{ad}"] {
                let text = format!("so {}{hidden}{} there", &token[..at], &token[at..]);
                assert!(find(&text).is_some(), "{token} at {at}");
                assert!(
                    !leaks(&masked(&text).replace(hidden, ""), &token),
                    "{token} at {at}"
                );
            }
        }
    }
}

#[test]
fn a_line_end_anywhere_in_a_token_hides_nothing() {
    let mut missed = Vec::new();
    for token in tokens() {
        for at in 1..token.len() {
            for wrap in ["\n", "\r\n", "\n    ", "\\\n", "\n> "] {
                let text = format!("so {}{wrap}{} there", &token[..at], &token[at..]);
                if find(&text).is_none() || leaks(&masked(&text), &token) {
                    missed.push(format!("{token} at {at} {wrap:?} {}", masked(&text)));
                }
            }
        }
    }
    assert!(
        missed.is_empty(),
        "{} of {}:\n{}",
        missed.len(),
        tokens().len(),
        missed.join("\n")
    );
}

// No number of four digits: after a word that happens to be "pin" it is one.
#[rustfmt::skip]
const PROSE_WORDS: &[&str] = &[
    "the", "password", "manager", "is", "token", "key", "a", "of", "secret", "in", "and", "harbour", "we", "changed", "my", "API", "for", "to", "was",
    "PIN", "recovery", "code", "phrase", "seed", "Odile", "GitHub", "with", "login", "account", "safe", "PostgreSQL", "on", "Tuesday", "read", "about",
    "crane", "tariff", "iPhone", "Passwort", "ist", "le", "mot", "de", "passe", "est", "contraseña", "es", "Bearer", "Basic", "authorization", "data",
    "wallet", "backup", "not", "12", "v2", "it", "should", "be", "long", "from", "his", "her", "their", "which", "should", "work", "now",
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

    #[test]
    fn prose_is_never_a_secret(words in proptest::collection::vec((proptest::sample::select(PROSE_WORDS), "[a-z]{1,9}", "( |, |\\. |\n| - )"), 1..40)) {
        let text: String = words.iter().map(|(word, other, sign)| format!("{word} {other}{sign}")).collect();
        prop_assert_eq!(find(&text), None, "{}", text);
    }

    #[test]
    fn any_text_is_searched_without_harm(text in "(\\PC|[ -~\n]|password[:=]|gh[p]_|eyJ|://|@|[\u{200b}\u{300}\u{ff01}-\u{ffee}]|%[0-9a-f]{2}|密码|-----BEGIN){0,60}") {
        let mut end = 0;
        for finding in all(&text) {
            prop_assert!(finding.range.start >= end && !finding.range.is_empty());
            end = finding.range.end;
            prop_assert!(text.get(finding.range).is_some());
        }
        let _ = masked(&text);
    }

    #[test]
    fn a_token_is_found_in_any_text(before in "\\PC{0,20}", after in "\\PC{0,20}", which in 0usize..1000) {
        static TOKENS: std::sync::LazyLock<Vec<String>> = std::sync::LazyLock::new(tokens);
        let token = &TOKENS[which % TOKENS.len()];
        let text = format!("{before} {token} {after}");
        prop_assert!(find(&text).is_some());
        prop_assert!(!leaks(&masked(&text), token), "{}", masked(&text));
    }
}
