//! What was replaced, in questions about how things were ("what was it before"). Such a question names the topic as it is
//! now, so what was replaced answers as well as what replaced it, and comes before it.

use std::collections::HashMap;

use super::{Document, Ranked, weights};

/// Raises what was replaced above what replaced it.
pub(super) fn lift(documents: &[Document<'_>], ranked: &mut [Ranked]) {
    let replaced_by: HashMap<i64, i64> = documents
        .iter()
        .filter_map(|document| Some((document.key, document.replaced_by?)))
        .collect();
    if replaced_by.is_empty() {
        return;
    }
    // Those that hold now keep their scores, and a chain is gone through from its newest.
    let mut reached: HashMap<i64, (f32, f32)> = HashMap::new();
    ranked.sort_unstable_by_key(|ranked| std::cmp::Reverse(ranked.key));
    for each in ranked.iter_mut() {
        if let Some(by) = replaced_by.get(&each.key) {
            let (score, certainty) = reached.get(by).copied().unwrap_or_default();
            let lent = (score - weights::FORMER_STEP - each.score).max(0.0);
            each.certainty = each.certainty.max(certainty);
            reached.insert(each.key, (each.score + lent, each.certainty));
            each.parts.former = lent + weights::FORMER;
            each.score = each.parts.total();
        } else {
            reached.insert(each.key, (each.score, each.certainty));
        }
    }
}
