//! Recall in a vault of more memories than the index in memory may hold: the full text and a larger model (through Vectorize)
//! name candidates, and the ranking of every other vault orders them. Without a larger model words alone answer, and the answer
//! says so.

use std::collections::HashSet;

use crate::error::Result;
use crate::limits;
use crate::store;
use crate::vault::search::reading::Reading;
use crate::vault::search::{Found, Placed, Search};
use crate::vault::{Vault, sense};

impl Search<'_> {
    /// A page: first the candidates in order, then what else has the words.
    pub(super) fn over_full_index(
        &self,
        vault: &Vault<'_>,
        among: Option<&HashSet<i64>>,
        offset: i64,
        limit: usize,
    ) -> Result<Found> {
        let near = self.likeness.borrow().as_ref().map(|likeness| {
            likeness.nearest(limits::RECALL_NEAREST, |seq| {
                among.is_none_or(|among| among.contains(&seq))
            })
        });
        let Some(near) = near.filter(|near| !near.is_empty()) else {
            return self.by_words_only(vault, offset, limit);
        };
        let look = self.look(self.expression, None);
        let words = store::memory_text::search(vault.sql, look, 0, limits::RECALL_CANDIDATES)?;
        let first: Vec<i64> = words.best.iter().map(|(seq, _)| *seq).collect();
        let candidates: HashSet<i64> = first.iter().chain(&near).copied().collect();
        let index = sense::index_of(vault, &candidates.iter().copied().collect::<Vec<_>>())?;
        let mut found = Reading::new(self, vault, &index, among)
            .of_candidates(first.clone())
            .page(offset, limit)?;
        let others: Vec<i64> = near
            .into_iter()
            .filter(|seq| !first.contains(seq))
            .collect();
        let with_words = self.look(self.expression, Some(&others));
        let both = store::memory_text::search(vault.sql, with_words, 0, 1)?.total;
        let behind = words.total - words.best.len() as i64 - both;
        if found.total == 0 || behind == 0 {
            return Ok(found);
        }
        let wanted = limit - found.placed.len();
        if wanted > 0 {
            let skipped = words.best.len() as i64 + (offset - found.total).max(0);
            let rest = store::memory_text::search(vault.sql, look, skipped, wanted)?;
            let least = found.placed.last().map_or(1.0, |placed| placed.score);
            let rest = rest.best.into_iter();
            // What a larger model named stands among the candidates already.
            let rest = rest.filter(|(seq, _)| !candidates.contains(seq));
            found.placed.extend(rest.map(|(seq, strength)| {
                let placed = Placed::by_strength(seq, strength);
                Placed {
                    score: placed.score.min(least),
                    ..placed
                }
            }));
        }
        found.total += behind;
        Ok(found)
    }
}
