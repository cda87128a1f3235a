//! One reading of the index in memory: who matches, who is a candidate, in which order.

use std::collections::HashSet;

use crate::embed;
use crate::error::Result;
use crate::limits;
use crate::model::memory::Status;
use crate::recall::index::{Allowed, Index, Matched};
use crate::recall::rank::{self, Document, Question, Ranking, weights};
use crate::recall::{self, Mode, query};
use crate::store;
use crate::text::language::Language;
use crate::text::writing::Writing;
use crate::vault::Vault;
use crate::vault::search::{Found, Placed, Search, placed};

/// A search over the index as it stands.
pub(super) struct Reading<'a> {
    search: &'a Search<'a>,
    vault: &'a Vault<'a>,
    index: &'a Index,
    allowed: Allowed<'a>,
    question: Question,
    /// What the full text found first, where the index holds nothing but candidates; `None` where it holds all.
    first: Option<Vec<i64>>,
}

/// What has a word of the question.
struct ByWords<'a> {
    matched: Matched<'a>,
    /// Those that the index does not hold: a sense still to be made, or rejected and hidden ones that are asked for.
    strangers: Vec<(i64, f64)>,
    /// Those found by pieces of words or pairs of characters, which the index does not know.
    by_pieces: Vec<i64>,
    /// The question as the full text was asked it.
    expression: Option<String>,
}

impl<'a> Reading<'a> {
    pub(super) fn new(
        search: &'a Search<'a>,
        vault: &'a Vault<'a>,
        index: &'a Index,
        among: Option<&'a HashSet<i64>>,
    ) -> Self {
        let mut question = Question::new(embed::embedder(), search.text);
        question.respell(|stem| {
            index.containing(stem, search.snapshot) + index.labelled(stem, search.snapshot) > 0
        });
        Reading {
            search,
            vault,
            index,
            allowed: Allowed {
                statuses: &search.filter.statuses,
                snapshot: search.snapshot,
                among,
            },
            question,
            first: None,
        }
    }

    /// The same over an index of candidates, of which the full text found these.
    pub(super) fn of_candidates(self, first: Vec<i64>) -> Self {
        Reading {
            first: Some(first),
            ..self
        }
    }

    /// A page of all results.
    pub(super) fn page(&self, offset: i64, limit: usize) -> Result<Found> {
        let found = self.all(usize::try_from(offset).unwrap_or(usize::MAX), limit)?;
        let (placed, total) = found.unwrap_or_default();
        Ok(Found {
            placed,
            total: total as i64,
            mode: match *self.search.likeness.borrow() {
                Some(_) => Mode::Hybrid,
                None => Mode::Local,
            },
            unavailable: Vec::new(),
        })
    }

    /// A page and the number of all; `None` when nothing answers.
    fn all(&self, offset: usize, limit: usize) -> Result<Option<(Vec<Placed>, usize)>> {
        if self.question.words().next().is_none() {
            // "WHO": a name that is no word to the ranking. The full text knows it.
            let found = self
                .search
                .by_words_only(self.vault, offset as i64, limit)?;
            return Ok(Some((found.placed, found.total as usize)));
        }
        let by_words = self.by_words()?;
        let labelled = self.labelled()?;
        let (placed, ranking) = self.ranked(&by_words, &labelled)?;
        let certain = !labelled.is_empty() || !by_words.strangers.is_empty();
        if !certain
            && ranking.margin < 0.0
            && (by_words.matched.is_empty() || !query::has_no_blanks(self.search.text))
            && ranking.margin_among(self.in_its_language()?) < 0.0
            && !self.search.every_word_is_somewhere(self.vault)?
        {
            return Ok(None);
        }
        let shown: HashSet<i64> = placed.iter().map(|placed| placed.seq).collect();
        let matched_too = shown.iter().filter(|seq| by_words.matched.has(**seq));
        let behind = by_words.matched.len() - matched_too.count();
        let total = placed.len() + behind;
        let least = placed.last().map_or(1.0, |placed| placed.score);
        let ranked = placed.len();
        let mut page: Vec<Placed> = placed.into_iter().skip(offset).take(limit).collect();
        if page.len() < limit && behind > 0 {
            let rest = by_words.matched.in_order(|seq| !shown.contains(&seq));
            let rest = rest.into_iter().skip(offset.saturating_sub(ranked));
            page.extend(rest.take(limit - page.len()).map(|(seq, strength)| {
                let placed = Placed::by_strength(seq, f64::from(strength));
                Placed {
                    score: placed.score.min(least),
                    ..placed
                }
            }));
        }
        Ok(Some((page, total)))
    }

    /// Everything that has a word of the question. The full text finds it, but for words so common that counting them there
    /// would take most of the time.
    fn by_words(&self) -> Result<ByWords<'a>> {
        let mut matched = self.index.matched(self.allowed);
        let snapshot = self.search.snapshot;
        for (stem, containing) in self.question.stems().zip(self.containing()) {
            matched.add_said(stem, weights::rarity(containing, self.memories()));
        }
        // Of what is hidden or was turned down the index knows no words.
        let asks_for_strangers = self.asks_for_strangers();
        let is_common = |stem: u32| {
            let said = self.index.containing(stem, snapshot);
            !asks_for_strangers
                && said + self.index.labelled(stem, snapshot) > limits::RECALL_COMMON
        };
        for stem in self.question.stems().filter(|stem| is_common(*stem)) {
            matched.add_labelled(stem);
        }
        let (mut by_pieces, mut unknown) = (Vec::new(), Vec::new());
        let expression = match self.first {
            Some(_) => None,
            None => query::build_without(self.search.text, is_common),
        };
        let keys = match (&self.first, &expression) {
            (Some(first), _) => first.clone(),
            (None, Some(expression)) => {
                store::memory_text::keys(self.vault.sql, expression, snapshot)?
            }
            (None, None) => Vec::new(),
        };
        for seq in keys {
            let before = matched.len();
            if !matched.add_key(seq) {
                unknown.push(seq);
            } else if matched.len() > before {
                by_pieces.push(seq);
            }
        }
        Ok(ByWords {
            strangers: self.strangers(&unknown)?,
            matched,
            by_pieces,
            expression,
        })
    }

    /// Whether what the index sets aside may answer.
    fn asks_for_strangers(&self) -> bool {
        let filter = self.search.filter;
        filter.forget_requested
            || filter.flag.is_some()
            || filter.statuses.contains(&Status::Rejected)
    }

    /// Of what the full text found beside the index, what may answer.
    fn strangers(&self, unknown: &[i64]) -> Result<Vec<(i64, f64)>> {
        let asks_for_them = self.asks_for_strangers();
        let keys = unknown.iter().copied();
        let keys: Vec<i64> = keys
            .filter(|seq| asks_for_them || !self.index.knows(*seq))
            .collect();
        if keys.is_empty() {
            return Ok(Vec::new());
        }
        let look = self.search.look(self.search.expression, Some(&keys));
        let found = store::memory_text::search(self.vault.sql, look, 0, limits::RECALL_CANDIDATES)?;
        Ok(found.best)
    }

    /// Those that have a name the question writes with signs.
    fn labelled(&self) -> Result<HashSet<i64>> {
        let Some(expression) = query::labels(self.search.text) else {
            return Ok(HashSet::new());
        };
        let keys = store::memory_text::keys(self.vault.sql, &expression, self.search.snapshot)?;
        let mut keys: HashSet<i64> = keys.into_iter().collect();
        keys.retain(|seq| self.index.may(*seq, &self.allowed));
        Ok(keys)
    }

    /// How many memories the question is asked of. Where the index holds candidates only, the newest key stands for a count that
    /// would take longer than the rest; such a vault is beyond every threshold.
    fn memories(&self) -> u64 {
        match self.first {
            Some(_) => u64::try_from(self.search.snapshot).unwrap_or_default(),
            None => self.index.len_at(self.search.snapshot) as u64,
        }
    }

    /// How many of them are in the question's language; all where it cannot be told. Those in Latin letters are told by their
    /// function words, the others by their writing.
    fn in_its_language(&self) -> Result<u64> {
        let writing = self.question.writing();
        match (writing, Language::of(self.search.text)) {
            (Writing::Latin, Some(language)) => {
                let expression = query::any_of(&language.own_words());
                let (snapshot, enough) = (self.search.snapshot, weights::Floor::MANY as u64);
                store::memory_text::count(self.vault.sql, &expression, snapshot, enough)
            }
            (Writing::Latin | Writing::Unknown, _) => Ok(self.memories()),
            _ if self.first.is_some() => Ok(self.memories()),
            _ => Ok(self.index.in_writing(writing, self.search.snapshot)),
        }
    }

    fn containing(&self) -> Vec<u64> {
        let stems = self.question.stems();
        stems
            .map(|stem| self.index.containing(stem, self.search.snapshot))
            .collect()
    }

    /// The memories to rank.
    fn candidates(&self, by_words: &ByWords<'_>) -> Result<Vec<i64>> {
        if self.index.len() <= limits::RECALL_ALL {
            let mut all = self.index.keys(&self.allowed);
            all.sort_unstable();
            return Ok(all);
        }
        let mut hits = by_words.matched.strongest(limits::RECALL_CANDIDATES);
        match &by_words.expression {
            Some(expression) if by_words.by_pieces.len() > limits::RECALL_CANDIDATES => {
                let look = self.search.look(expression, None);
                let best =
                    store::memory_text::search(self.vault.sql, look, 0, limits::RECALL_CANDIDATES)?;
                hits.extend(best.best.into_iter().map(|(seq, _)| seq));
            }
            _ => hits.extend(&by_words.by_pieces),
        }
        let near = self.index.nearest(
            self.question.vector(),
            limits::RECALL_NEAREST,
            weights::NEAR_FROM,
            |seq| self.index.may(seq, &self.allowed),
        );
        hits.extend(near.iter().map(|near| near.key));
        if let Some(likeness) = self.search.likeness.borrow().as_ref() {
            let may = |seq| self.index.may(seq, &self.allowed);
            hits.extend(likeness.nearest(limits::RECALL_NEAREST, may));
        }
        if self.question.asks_for_what_was() {
            let mut replaced = self.index.replaced(&hits);
            replaced.retain(|seq| self.index.may(*seq, &self.allowed));
            hits.extend(replaced);
        }
        Ok(self.index.with_neighbours(&hits, &self.allowed))
    }

    /// What a larger model says; for memories without its vector the one inside goes on speaking.
    fn add_likeness(&self, documents: &mut [Document<'_>]) -> Result<()> {
        let mut likeness = self.search.likeness.borrow_mut();
        let Some(likeness) = likeness.as_mut() else {
            return Ok(());
        };
        let keys: Vec<i64> = documents.iter().map(|document| document.key).collect();
        likeness.complete(self.vault, &keys)?;
        for document in documents {
            document.likeness = likeness.of(document.key);
        }
        Ok(())
    }

    /// The candidates that answer in order, and the ranking of all.
    fn ranked(
        &self,
        by_words: &ByWords<'_>,
        labelled: &HashSet<i64>,
    ) -> Result<(Vec<Placed>, Ranking)> {
        let snapshot = self.search.snapshot;
        let dates = if self.question.asks_for_a_time_state() {
            self.index.dates(snapshot)
        } else {
            Vec::new()
        };
        let candidates = self.candidates(by_words)?;
        let mut documents = self
            .index
            .documents(&candidates, snapshot, |at| age_rank(&dates, at));
        self.add_likeness(&mut documents)?;
        let about = rank::Vault {
            dictionary: self.index.dictionary(),
            memories: self.memories(),
            containing: self.containing(),
            authors: self.index.authors(),
        };
        let ranking = rank::rank(embed::embedder(), &self.question, &about, &documents);
        let now = self.vault.now().millis();
        let alike_from = weights::ALIKE_FROM.max(weights::ALIKE_SHARE * ranking.certainty);
        let shown = ranking
            .ranked
            .iter()
            .filter(|ranked| ranked.certainty >= alike_from || by_words.matched.has(ranked.key));
        let mut placed: Vec<Placed> = shown
            .map(|ranked| {
                let label = if labelled.contains(&ranked.key) {
                    weights::LABEL
                } else {
                    0.0
                };
                let age = self.index.dated_at(ranked.key).map(|at| now - at);
                let approved = self.index.stands(ranked.key, &[Status::Active]);
                let order = recall::settled(f64::from(ranked.score + label), age, approved);
                Placed {
                    seq: ranked.key,
                    score: recall::shown(order),
                    order,
                    parts: Some(ranked.parts),
                    label,
                    breadth: 0.0,
                    session: ranked.session,
                    topic: ranked.topic,
                }
            })
            .collect();
        let strangers = by_words.strangers.iter();
        placed.extend(strangers.map(|(seq, strength)| Placed::by_strength(*seq, *strength)));
        placed::sort(&mut placed);
        placed::broaden(&mut placed);
        Ok((placed, ranking))
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
