//! From a question to a full-text expression. The question is data: every term is quoted, any of them may match, and
//! nothing in a question is an operator. A leading minus, quotation marks, colons, stars and brackets have no meaning;
//! `AND`, `OR`, `NOT` and `NEAR` are the words they spell.
//!
//! `invoices -Odile deploy.conf` becomes `"invoices" OR "odile" OR "deploy.conf" OR "deploy" OR "conf" OR "deployconf"`.
//! Every term looks in every column: a word asked for may be a piece of a name in a text, and the other way round.

use crate::embed::tokens::stem_hash;
use crate::text::clean;
use crate::text::scripts::{Class, class};
use crate::text::tokens::{IndexTerms, Term, TermKind, index_terms, query_terms};

/// Most terms of one question; the rest is dropped from its end. SQLite would take more, but each costs a look-up, and
/// what a question of a page is about is said by then.
pub const TERMS: usize = 64;

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// Nothing can match; the answer is an empty list with [`Reason::hint`], never everything.
    Nothing(Reason),
    /// An FTS5 MATCH expression, valid whatever the question was.
    Match(String),
}

/// Why nothing can match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// Nothing that can be seen.
    Empty,
    /// No letter, digit or emoji.
    OnlyPunctuation,
    /// Only words that nearly every text has, such as "what is the".
    OnlyStopWords,
}

impl Reason {
    /// A sentence that tells the caller what to change.
    pub const fn hint(self) -> &'static str {
        match self {
            Reason::Empty => "The question is empty; ask with some words.",
            Reason::OnlyPunctuation => {
                "The question has no word in it, only punctuation; ask with some words."
            }
            Reason::OnlyStopWords => {
                "The question has only words that nearly every text has, such as \"what\" or \"the\"; add a word that names \
                 what you look for."
            }
        }
    }
}

/// Builds the expression for a question.
pub fn build(text: &str) -> Query {
    match joined(&terms(text), " OR ") {
        Some(expression) => Query::Match(expression),
        None => Query::Nothing(reason(text)),
    }
}

/// The expression for a question without the words that `is_common` says of (by the hash of their stems); `None` if nothing
/// is left.
pub fn build_without(text: &str, is_common: impl Fn(u32) -> bool) -> Option<String> {
    let mut terms = terms(text);
    terms.retain(|term| term.beginning || !is_common(stem_hash(&term.text)));
    joined(&terms, " OR ")
}

/// An expression that matches only what has every term of the question; `None` when it has none.
pub fn every_word(text: &str) -> Option<String> {
    joined(&terms(text), " AND ")
}

/// An expression for the names in a question that are more than letters and digits, such as "C++", "deploy.conf",
/// "ana@example.org" or "v2.1"; `None` when it has none. Whoever writes one means exactly that.
pub fn labels(text: &str) -> Option<String> {
    let is_label = |term: &Term| {
        term.kind == TermKind::Whole && term.text.contains(|sign: char| "+#.@/:_-".contains(sign))
    };
    joined(
        &terms(text).into_iter().filter(is_label).collect::<Vec<_>>(),
        " OR ",
    )
}

/// An expression for any of some words, which are letters only.
pub fn any_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    quoted.join(" OR ")
}

/// Whether the question is written, in part at least, in a script that puts no blanks between words. How such a text is
/// cut into words is a guess, so its pairs of characters say more.
pub fn has_no_blanks(text: &str) -> bool {
    text.chars()
        .any(|character| matches!(class(character), Class::East(_) | Class::SouthEast))
}

fn terms(text: &str) -> Vec<Term> {
    let terms = query_terms(text);
    if terms.is_empty() && is_written_as_a_name(text) {
        name_terms(text)
    } else {
        terms
    }
}

fn joined(terms: &[Term], operator: &str) -> Option<String> {
    let mut expression = String::new();
    for term in terms.iter().take(TERMS) {
        if !expression.is_empty() {
            expression.push_str(operator);
        }
        push_quoted(term, &mut expression);
    }
    Some(expression).filter(|expression| !expression.is_empty())
}

/// Longest name made of function words only.
const NAME_WORDS: usize = 4;

/// "WHO", "IT", "Ha Noi", "An", "The Who": a few words that all begin with a capital are meant as a name, even where each
/// is a function word of some language. A question in a sentence's spelling is not.
fn is_written_as_a_name(text: &str) -> bool {
    let words: Vec<&str> = text
        .split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let begins_large = |word: &&str| word.chars().next().is_some_and(char::is_uppercase);
    let is_operator = |word: &&str| matches!(*word, "AND" | "OR" | "NOT");
    (1..=NAME_WORDS).contains(&words.len())
        && words
            .iter()
            .all(|word| begins_large(word) && !is_operator(word))
}

/// The words of a name, function words included.
fn name_terms(text: &str) -> Vec<Term> {
    let words = index_terms(text).whole;
    words
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(|word| Term {
            text: word.to_owned(),
            kind: TermKind::Whole,
            beginning: false,
        })
        .collect()
}

/// An FTS5 string; a star after it stands for any ending (<https://www.sqlite.org/fts5.html>, section 3).
fn push_quoted(term: &Term, expression: &mut String) {
    expression.push('"');
    expression.push_str(&term.text);
    expression.push('"');
    if term.beginning {
        expression.push_str(" *");
    }
}

fn reason(text: &str) -> Reason {
    if clean::is_blank(text) {
        Reason::Empty
    } else if index_terms(text) == IndexTerms::default() {
        Reason::OnlyPunctuation
    } else {
        Reason::OnlyStopWords
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::bm25::Notes;
    use proptest::prelude::*;

    fn expression(question: &str) -> String {
        match build(question) {
            Query::Match(expression) => expression,
            Query::Nothing(reason) => panic!("{question}: {reason:?}"),
        }
    }

    #[test]
    fn every_term_is_quoted_and_any_may_match() {
        assert_eq!(
            expression("invoices Odile export"),
            r#""invoices" OR "odile" OR "export""#
        );
        assert_eq!(
            expression("deploy.conf"),
            r#""deploy.conf" OR "deploy" OR "conf" OR "deployconf""#
        );
        assert_eq!(expression("笔"), r#""笔" *"#);
    }

    #[test]
    fn common_words_can_be_left_out() {
        let common = |word: &'static str| move |stem| stem == stem_hash(word);
        assert_eq!(
            build_without("boats of Odile", common("boat")).as_deref(),
            Some(r#""odile""#)
        );
        assert_eq!(build_without("boats", common("boat")), None);
        assert_eq!(
            build_without("笔", common("笔")).as_deref(),
            Some(r#""笔" *"#)
        );
    }

    #[test]
    fn any_of_some_words_is_asked_for_with_each_in_quotes() {
        assert_eq!(any_of(&["und", "nicht"]), r#""und" OR "nicht""#);
    }

    #[test]
    fn function_words_written_as_a_name_are_looked_for() {
        assert_eq!(expression("WHO"), r#""who""#);
        assert_eq!(expression("Hà Nội"), r#""ha" OR "noi""#);
        assert_eq!(expression("The Who"), r#""the" OR "who""#);
        for question in ["what is it about the", "What is it", "is it"] {
            assert_eq!(
                build(question),
                Query::Nothing(Reason::OnlyStopWords),
                "{question}"
            );
        }
    }

    #[test]
    fn operators_and_signs_are_text() {
        assert_eq!(
            expression("DO NOT RESTART PUMP AND / OR FAN"),
            r#""restart" OR "pump" OR "fan""#
        );
        assert_eq!(expression("tariff -amber"), r#""tariff" OR "amber""#);
        assert_eq!(expression("NEAR("), r#""near""#);
        assert_eq!(expression("say \"hi"), r#""say" OR "hi""#);
        assert_eq!(expression("(valve"), expression("valve*"));
        assert_eq!(expression("^valve"), r#""valve""#);
        assert_eq!(expression("a{b}"), r#""b""#);
        assert_eq!(
            expression("region:north"),
            r#""region:north" OR "region" OR "north""#
        );
        assert_eq!(expression("🚀 launch\0"), r#""🚀" OR "launch""#);
    }

    #[test]
    fn a_question_without_a_word_says_why_it_finds_nothing() {
        for (question, reason) in [
            ("", Reason::Empty),
            (" \n\u{200b}\u{202e}", Reason::Empty),
            ("*", Reason::OnlyPunctuation),
            ("\"", Reason::OnlyPunctuation),
            ("\\", Reason::OnlyPunctuation),
            ("?! ++ -- ::", Reason::OnlyPunctuation),
            ("。、？", Reason::OnlyPunctuation),
            ("what is it about the", Reason::OnlyStopWords),
            ("What's it about?", Reason::OnlyStopWords),
            ("AND OR NOT", Reason::OnlyStopWords),
            ("这是什么", Reason::OnlyStopWords),
            ("où et quand", Reason::OnlyStopWords),
        ] {
            assert_eq!(build(question), Query::Nothing(reason), "{question}");
        }
        for reason in [
            Reason::Empty,
            Reason::OnlyPunctuation,
            Reason::OnlyStopWords,
        ] {
            assert!(reason.hint().ends_with('.') && reason.hint().contains("word"));
        }
    }

    #[test]
    fn a_long_question_keeps_its_first_terms() {
        let question = |words: usize| {
            (0..words)
                .map(|word| format!("word{word}x "))
                .collect::<String>()
        };
        assert_eq!(
            expression(&question(TERMS)).matches(" OR ").count(),
            TERMS - 1
        );
        assert_eq!(
            expression(&question(TERMS)),
            expression(&question(TERMS + 1))
        );
        assert_ne!(
            expression(&question(TERMS)),
            expression(&question(TERMS - 1))
        );
    }

    #[test]
    fn shouting_changes_nothing() {
        let notes = Notes::new([
            "Never restart the pump from the roof",
            "The pump is red",
            "Tea",
            "The crane",
            "A boat",
        ]);
        let shouted = notes.rank("DO NOT RESTART PUMP AND / OR FAN");
        assert_eq!(shouted.first(), Some(&0));
        assert_eq!(shouted, notes.rank("do not restart pump and / or fan"));
    }

    proptest! {
        #[test]
        fn no_question_breaks_out_of_its_quotes(text in r#"(\PC|["'*():^{}\-+ \u{0}]|AND |NEAR/2|[a-z]{1,3}){0,40}"#) {
            if let Query::Match(expression) = build(&text) {
                for clause in expression.split(" OR ") {
                    let term = clause.strip_suffix(" *").unwrap_or(clause);
                    let inner = term.strip_prefix('"').and_then(|term| term.strip_suffix('"'));
                    prop_assert!(inner.is_some_and(|inner| !inner.is_empty() && !inner.contains(['"', '\0', ' '])), "{}", clause);
                }
            }
        }
    }
}
