//! A small BM25 over the terms of texts, for tests: what the full-text table does, without its stemmer.

use std::collections::HashMap;

use crate::text::tokens::{Term, index_terms, query_terms};

/// Texts, cut into terms.
pub(crate) struct Notes {
    texts: Vec<HashMap<String, f64>>,
    mean_length: f64,
}

impl Notes {
    /// Cuts the texts.
    pub(crate) fn new<'text>(texts: impl IntoIterator<Item = &'text str>) -> Notes {
        let texts: Vec<HashMap<String, f64>> = texts
            .into_iter()
            .map(|text| {
                let terms = index_terms(text);
                let mut counts = HashMap::new();
                for term in terms
                    .whole
                    .split(' ')
                    .chain(terms.parts.split(' '))
                    .filter(|term| !term.is_empty())
                {
                    *counts.entry(term.to_owned()).or_insert(0.0) += 1.0;
                }
                counts
            })
            .collect();
        let total: f64 = texts.iter().flat_map(HashMap::values).sum();
        Notes {
            mean_length: total / texts.len() as f64,
            texts,
        }
    }

    /// Places of the texts that match a question, best first.
    pub(crate) fn rank(&self, question: &str) -> Vec<usize> {
        let mut scores = vec![0.0; self.texts.len()];
        for term in &query_terms(question) {
            let counts: Vec<f64> = self.texts.iter().map(|text| count(text, term)).collect();
            let matching = counts.iter().filter(|count| **count > 0.0).count() as f64;
            let rarity = ((self.texts.len() as f64 - matching + 0.5) / (matching + 0.5))
                .ln()
                .max(1e-6);
            for ((score, count), text) in scores.iter_mut().zip(&counts).zip(&self.texts) {
                let length: f64 = text.values().sum();
                *score += rarity * count * 2.2
                    / (count + 1.2 * (0.25 + 0.75 * length / self.mean_length));
            }
        }
        let mut ranked: Vec<usize> = (0..scores.len())
            .filter(|place| scores[*place] > 0.0)
            .collect();
        ranked.sort_by(|first, second| scores[*second].total_cmp(&scores[*first]));
        ranked
    }
}

fn count(text: &HashMap<String, f64>, term: &Term) -> f64 {
    if term.beginning {
        text.iter()
            .filter(|(known, _)| known.starts_with(&term.text))
            .map(|(_, count)| count)
            .sum()
    } else {
        text.get(&term.text).copied().unwrap_or(0.0)
    }
}

/// Whether a question finds a text at all.
pub(crate) fn finds(text: &str, question: &str) -> bool {
    !Notes::new([text]).rank(question).is_empty()
}
