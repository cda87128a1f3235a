//! Finding and ordering what answers a question. Candidates come by words (full text) and by meaning (the index in memory),
//! with those beside them in their sessions; [`crate::recall::rank`] puts them in order. What only shares a common word
//! with the question follows behind.

use std::collections::{BTreeMap, HashSet};

use crate::embed;
use crate::error::Result;
use crate::limits;
use crate::model::memory::{Filter, Status};
use crate::recall::index::Index;
use crate::recall::rank::{self, Parts, weights};
use crate::recall::{self, Mode, query};
use crate::store;
use crate::store::memory_text::{Look, Matches};
use crate::vault::{Vault, sense};

/// A memory in its place.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    /// Its key.
    pub seq: i64,
    /// 0 to 1.
    pub score: f64,
    parts: Option<Parts>,
    label: f32,
}

impl Placed {
    /// Found by words alone.
    fn by_strength(seq: i64, strength: f64) -> Self {
        Placed {
            seq,
            score: recall::score(strength),
            parts: None,
            label: 0.0,
        }
    }

    /// What each part of the ranking gave to the score.
    pub fn explanation(&self) -> BTreeMap<&'static str, f64> {
        let named = self.parts.map(|parts| parts.named()).into_iter().flatten();
        named
            .chain([("label", self.label)])
            .filter(|(_, value)| *value != 0.0)
            .map(|(name, value)| (name, (f64::from(value) * 1_000.0).round() / 1_000.0))
            .collect()
    }
}

/// One search.
pub(crate) struct Search<'a> {
    /// The question.
    pub text: &'a str,
    /// The question as a full-text expression.
    pub expression: &'a str,
    /// Which memories may answer.
    pub filter: &'a Filter,
    /// The newest key that belongs to this reading.
    pub snapshot: i64,
}

/// A page of what was found.
#[derive(Debug)]
pub(crate) struct Found {
    /// Best first.
    pub placed: Vec<Placed>,
    /// All that match.
    pub total: i64,
    /// How it was found.
    pub mode: Mode,
    /// What could not be used.
    pub unavailable: Vec<&'static str>,
}

impl Found {
    fn by_meaning(placed: Vec<Placed>, total: i64) -> Self {
        Found {
            placed,
            total,
            mode: Mode::Local,
            unavailable: Vec::new(),
        }
    }
}

/// What the full text gave, for the ranking.
struct ByWords {
    matches: Matches,
    /// Those that have a name the question writes with signs.
    labelled: HashSet<i64>,
}

impl Search<'_> {
    /// A page, `offset` results into the whole.
    pub fn run(&self, vault: &Vault<'_>, offset: i64, limit: usize) -> Result<Found> {
        let by_words = ByWords {
            matches: self.by_words(vault, self.expression, 0, limits::RECALL_CANDIDATES)?,
            labelled: self.labelled(vault)?,
        };
        let allowed = self.allowed(vault)?;
        let ranked = sense::with_index(vault, |index| {
            let (placed, certainty) = self.ranked(vault, index, &by_words, allowed.as_ref());
            (
                placed,
                certainty,
                weights::nothing_below(index.len() as u64),
            )
        })?;
        let matches = by_words.matches;
        let Some((ranked, certainty, floor)) = ranked else {
            let page = self.by_words(vault, self.expression, offset, limit)?;
            let placed = page.best.into_iter();
            return Ok(Found {
                placed: placed
                    .map(|(seq, strength)| Placed::by_strength(seq, strength))
                    .collect(),
                total: matches.total,
                mode: Mode::KeywordOnly,
                unavailable: vec![
                    "recall by meaning: there are more memories than the index in memory may hold",
                ],
            });
        };
        if self.is_doubtful(certainty, floor) && !self.every_word_is_somewhere(vault)? {
            return Ok(Found::by_meaning(Vec::new(), 0));
        }
        // Some that were found by meaning have a word of the question as well, too common to count among the best.
        let beside: Vec<i64> = ranked
            .iter()
            .map(|placed| placed.seq)
            .filter(|seq| !matches.has(*seq))
            .collect();
        let candidates = matches.best.len() as i64;
        let among_words = if matches.total > candidates {
            store::memory_text::count_among(vault.sql, self.expression, &beside)?
        } else {
            0
        };
        let total = matches.total + beside.len() as i64 - among_words;
        let skipped = usize::try_from(offset).unwrap_or(usize::MAX);
        let mut page: Vec<Placed> = ranked.iter().skip(skipped).take(limit).cloned().collect();
        let behind = offset + page.len() as i64 - ranked.len() as i64;
        if page.len() < limit && behind >= 0 && matches.total > candidates {
            let least = ranked.last().map_or(1.0, |placed| placed.score);
            let shown: Vec<i64> = ranked.iter().map(|placed| placed.seq).collect();
            let look = self.look(self.expression, &shown);
            let rest = store::memory_text::search(vault.sql, look, behind, limit - page.len())?;
            page.extend(rest.best.into_iter().map(|(seq, strength)| {
                let placed = Placed::by_strength(seq, strength);
                Placed {
                    score: placed.score.min(least),
                    ..placed
                }
            }));
        }
        Ok(Found::by_meaning(page, total))
    }

    fn by_words(
        &self,
        vault: &Vault<'_>,
        expression: &str,
        offset: i64,
        limit: usize,
    ) -> Result<Matches> {
        store::memory_text::search(vault.sql, self.look(expression, &[]), offset, limit)
    }

    fn look<'s>(&'s self, expression: &'s str, except: &'s [i64]) -> Look<'s> {
        Look {
            expression,
            filter: self.filter,
            snapshot: self.snapshot,
            except,
        }
    }

    fn labelled(&self, vault: &Vault<'_>) -> Result<HashSet<i64>> {
        let Some(expression) = query::labels(self.text) else {
            return Ok(HashSet::new());
        };
        let matches = self.by_words(vault, &expression, 0, limits::RECALL_CANDIDATES)?;
        Ok(matches.best.into_iter().map(|(seq, _)| seq).collect())
    }

    /// Keys that pass a filter which the index in memory cannot judge; `None` for the usual one.
    fn allowed(&self, vault: &Vault<'_>) -> Result<Option<HashSet<i64>>> {
        if self.filter.is_only_by_status() {
            return Ok(None);
        }
        let keys = store::memories::keys(vault.sql, self.filter)?;
        Ok(Some(keys.into_iter().collect()))
    }

    /// The candidates in order, and how sure it is that anything answers.
    fn ranked(
        &self,
        vault: &Vault<'_>,
        index: &Index,
        by_words: &ByWords,
        allowed: Option<&HashSet<i64>>,
    ) -> (Vec<Placed>, f64) {
        let embedder = embed::embedder();
        let question = rank::Question::new(embedder, self.text);
        let found = &by_words.matches.best;
        if question.words().next().is_none() {
            // "WHO": a name that is no word to the ranking. The full text knows it.
            let placed = found
                .iter()
                .map(|(seq, strength)| Placed::by_strength(*seq, *strength));
            return (placed.collect(), 1.0);
        }
        let may = |seq: i64| {
            seq <= self.snapshot
                && index.stands(seq, &self.filter.statuses)
                && allowed.is_none_or(|allowed| allowed.contains(&seq))
        };
        let near = index.nearest(
            question.vector(),
            limits::RECALL_NEAREST,
            weights::NEAR_FROM,
            may,
        );
        let mut hits: Vec<i64> = found.iter().map(|(seq, _)| *seq).collect();
        hits.extend(near.iter().map(|near| near.key));
        let candidates = index.with_neighbours(&hits, may);
        let gathered = index.gather(&candidates);
        let dates = if question.asks_for_a_time_state() {
            index.dates()
        } else {
            Vec::new()
        };
        let documents = index.documents(&gathered, |at| age_rank(&dates, at));
        let about = rank::Vault {
            memories: index.len() as u64,
            containing: question
                .stems()
                .map(|stem| index.containing(stem))
                .collect(),
            authors: index.authors(),
        };
        let ranking = rank::rank(embedder, &question, &about, &documents);
        let now = vault.now().millis();
        let alike_from = weights::ALIKE_FROM.max(weights::ALIKE_SHARE * ranking.certainty);
        let shown = ranking
            .ranked
            .iter()
            .filter(|ranked| by_words.matches.has(ranked.key) || ranked.certainty >= alike_from);
        let mut placed: Vec<Placed> = shown
            .map(|ranked| {
                let label = if by_words.labelled.contains(&ranked.key) {
                    weights::LABEL
                } else {
                    0.0
                };
                let age = index.dated_at(ranked.key).map(|at| now - at);
                let approved = index.stands(ranked.key, &[Status::Active]);
                Placed {
                    seq: ranked.key,
                    score: recall::settled(f64::from(ranked.score + label), age, approved),
                    parts: Some(ranked.parts),
                    label,
                }
            })
            .collect();
        // What the full text found and the index does not hold: a sense still to be made, or rejected and hidden rows.
        let known: HashSet<i64> = placed.iter().map(|placed| placed.seq).collect();
        placed.extend(
            found
                .iter()
                .filter(|(seq, _)| !known.contains(seq))
                .map(|(seq, strength)| Placed::by_strength(*seq, *strength)),
        );
        placed.sort_by(|first, second| {
            second
                .score
                .total_cmp(&first.score)
                .then(second.seq.cmp(&first.seq))
        });
        let certain = !by_words.labelled.is_empty() || known.len() < placed.len();
        let certainty = if certain {
            1.0
        } else {
            f64::from(ranking.certainty)
        };
        (placed, certainty)
    }

    /// Whether nothing answers, as far as the ranking can tell. How a text without blanks is cut into words is a guess, so
    /// there its pairs of characters, which the full text goes by, have the last word.
    fn is_doubtful(&self, certainty: f64, floor: f32) -> bool {
        certainty < f64::from(floor) && !query::has_no_blanks(self.text)
    }

    /// Whether some memory has every word that was asked for; then it answers, whatever the ranking thinks.
    fn every_word_is_somewhere(&self, vault: &Vault<'_>) -> Result<bool> {
        let Some(expression) = query::every_word(self.text) else {
            return Ok(false);
        };
        Ok(!self.by_words(vault, &expression, 0, 1)?.best.is_empty())
    }
}

/// A date's place among all, 0 for the oldest to 1 for the newest.
fn age_rank(dates: &[i64], at: i64) -> f32 {
    match dates.len() {
        0 | 1 => 0.5,
        count => dates.partition_point(|date| *date < at) as f32 / (count - 1) as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_in_time_goes_from_the_oldest_to_the_newest() {
        let dates = [10, 20, 30];
        assert_eq!([10, 20, 30].map(|at| age_rank(&dates, at)), [0.0, 0.5, 1.0]);
        assert_eq!(age_rank(&[], 5), 0.5);
    }
}
