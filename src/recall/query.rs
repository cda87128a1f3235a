//! From a question to a full-text expression. The question is data: every term is quoted, nothing in it is an operator.
//! A leading minus, quotes, `AND`, `OR`, `NOT` and `NEAR` have no meaning beyond their words.

use crate::text::tokens::{TermKind, query_terms};

/// Most terms of one question; the rest is dropped from the end.
pub const TERMS: usize = 64;

/// What to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Query {
    /// Nothing can match.
    Nothing(Reason),
    /// An FTS5 MATCH expression.
    Match(String),
}

/// Why nothing can match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// No character at all.
    Empty,
    /// No letter, digit or pictograph.
    OnlyPunctuation,
    /// Only words such as "what is the".
    OnlyStopWords,
}

impl Reason {
    /// A sentence for the caller.
    pub const fn hint(self) -> &'static str {
        match self {
            Reason::Empty => "The question is empty; ask with some words.",
            Reason::OnlyPunctuation => "There is no word in the question; ask with some words.",
            Reason::OnlyStopWords => {
                "The question has only words like \"what\" and \"the\"; add a word that names what you look for."
            }
        }
    }
}

/// Builds the expression: any of the terms, each wherever it may stand.
pub fn build(text: &str) -> Query {
    let terms = query_terms(text);
    if terms.is_empty() {
        let reason = if text.trim().is_empty() {
            Reason::Empty
        } else if crate::text::tokens::index_terms(text) == Default::default() {
            Reason::OnlyPunctuation
        } else {
            Reason::OnlyStopWords
        };
        return Query::Nothing(reason);
    }
    // A word of the question may be a part of a name in the text, so words look in every column; pieces of a name in the
    // question only count as pieces.
    let clauses = terms.iter().take(TERMS).map(|term| match term.kind {
        TermKind::Whole => format!("\"{}\"", term.text),
        TermKind::Part => format!("\"{}\"", term.text),
    });
    Query::Match(clauses.collect::<Vec<_>>().join(" OR "))
}
