//! Recall: the memories that answer a question, best first. One ranking behind every door; `search` finds and orders.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::memory::{Filter, Memory, Status};
use crate::model::page::{self, Cursor};
use crate::model::time::DAY_MILLIS;
use crate::recall::Mode;
use crate::recall::query::{self, Query};
use crate::recall::rank;
use crate::store;
use crate::vault::search::{Placed, Search};
use crate::vault::{Vault, list, meaning};

/// A question.
#[derive(Debug, Clone, Default)]
pub struct Question<'a> {
    /// The text, as the person or agent put it: data, never syntax.
    pub text: &'a str,
    /// Which memories may answer; without a status the active and proposed ones.
    pub filter: Filter,
    /// How many results.
    pub limit: Option<i64>,
    /// Where to go on.
    pub cursor: Option<&'a str>,
    /// Whether to say where each score comes from.
    pub explain: bool,
}

/// One memory that answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// How well it answers, 0 to 1; comparable within one answer.
    pub score: f64,
    /// `false` while it waits for the owner's word.
    pub approved: bool,
    /// What each part gave to the score, if asked for. Parts that gave nothing are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explanation: Option<BTreeMap<&'static str, f64>>,
    /// The memory.
    #[serde(flatten)]
    pub memory: Memory,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Recalled {
    /// Best first.
    pub results: Vec<Hit>,
    /// How it was found.
    pub mode: Mode,
    /// What could not be used, when the answer is poorer for it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unavailable: Vec<String>,
    /// Memories that match at all.
    pub total: i64,
    /// Matches after the last one shown here.
    pub more: i64,
    /// Where the next page begins; absent on the last.
    pub next_cursor: Option<String>,
    /// A sentence when there is nothing to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    #[serde(skip)]
    position: Position,
}

/// Answers a question. Pages are stable: memories stored after the first page do not move its successors.
///
/// # Errors
/// `invalid_argument` or `too_large` for the question, the limit or the cursor; `forbidden` as [`list::visible`] says.
pub fn recall(vault: &Vault<'_>, actor: &Actor, question: &Question<'_>) -> Result<Recalled> {
    actor.require(Permission::Read)?;
    if question.text.chars().count() > limits::QUERY_CHARS {
        let message = format!(
            "is longer than {} characters; ask with the words that matter",
            limits::QUERY_CHARS
        );
        return Err(Error::new(Kind::TooLarge, message).in_field("query"));
    }
    let mut filter = question.filter.clone();
    if filter.statuses.is_empty() {
        filter.statuses = statuses(question);
    }
    let mut filter = list::visible(actor, filter)?;
    // What is withheld answers nobody; only the owner, asking for flags, finds it.
    filter.without_withheld |= filter.flag.is_none();
    let limit = page::limit(question.limit, limits::RECALL_DEFAULT, limits::RECALL_MAX)?;
    let expression = match query::build(question.text) {
        Query::Match(expression) => expression,
        Query::Nothing(reason) => return Ok(nothing(reason.hint().to_owned())),
    };
    let ranking = format!("recall {} {}", question.text, filter.fingerprint());
    let (offset, snapshot) = match question.cursor {
        Some(cursor) => {
            Cursor::decode(cursor, &ranking).map(|cursor| (cursor.key, cursor.snapshot))?
        }
        None => (0, store::memories::newest_seq(vault.sql)?),
    };
    let position = Position {
        ranking,
        offset,
        snapshot,
    };
    let unavailable = meaning::missing(vault, question.text)?;
    let search = Search {
        likeness: &RefCell::new(meaning::likeness(vault, question.text)?),
        text: question.text,
        expression: &expression,
        filter: &filter,
        snapshot,
    };
    let found = search.run(vault, offset, limit)?;
    if found.placed.is_empty() && offset == 0 {
        return Ok(Recalled {
            mode: found.mode,
            unavailable: found.unavailable.into_iter().chain(unavailable).collect(),
            ..nothing("Nothing was found. Try other words, or fewer filters.".to_owned())
        });
    }
    let (total, results) = (found.total, hits(vault, found.placed, question.explain)?);
    let more = (total - offset - results.len() as i64).max(0);
    let next_cursor = (more > 0 && !results.is_empty()).then(|| position.cursor(results.len()));
    Ok(Recalled {
        results,
        mode: found.mode,
        unavailable: found.unavailable.into_iter().chain(unavailable).collect(),
        total,
        more,
        next_cursor,
        hint: None,
        position,
    })
}

/// Who may answer when the caller does not say: what held at the time that is asked for; what was replaced as well if the
/// question is about how things were; and otherwise what [`list::visible`] takes.
fn statuses(question: &Question<'_>) -> Vec<Status> {
    if question.filter.forget_requested {
        Vec::new()
    } else if question.filter.as_of.is_some() {
        vec![Status::Active, Status::Superseded]
    } else if rank::asks_for_what_was(question.text) {
        vec![Status::Active, Status::Proposed, Status::Superseded]
    } else {
        Vec::new()
    }
}

fn hits(vault: &Vault<'_>, placed: Vec<Placed>, explain: bool) -> Result<Vec<Hit>> {
    let seqs: Vec<i64> = placed.iter().map(|placed| placed.seq).collect();
    let memories = store::memories::with_keys(vault.sql, &seqs)?;
    let mut memories: HashMap<i64, Memory> = (memories.into_iter())
        .map(|memory| (memory.seq, memory))
        .collect();
    let mut hits = Vec::with_capacity(placed.len());
    for placed in placed {
        if let Some(memory) = memories.remove(&placed.seq) {
            hits.push(Hit {
                score: placed.score,
                approved: memory.status != Status::Proposed,
                explanation: explain.then(|| placed.explanation()),
                memory,
            });
        }
    }
    newer_of_two_first(&mut hits);
    Ok(hits)
}

/// Of two that contradict each other and answer about as well, the newer one, by a day at least, comes first. The scores stay where they are.
fn newer_of_two_first(hits: &mut [Hit]) {
    for first in 0..hits.len() {
        for second in first + 1..hits.len() {
            let (Some(one), Some(other)) = (hits.get(first), hits.get(second)) else {
                continue;
            };
            let (above, below) = (one.score, other.score);
            if above - below <= crate::recall::NEAR_TIE
                && one.memory.may_conflict_with.contains(&other.memory.id)
                && other.memory.dated_at.millis() - one.memory.dated_at.millis() >= DAY_MILLIS
            {
                hits.swap(first, second);
                for (place, score) in [(first, above), (second, below)] {
                    if let Some(hit) = hits.get_mut(place) {
                        hit.score = score;
                    }
                }
            }
        }
    }
}

/// Where an answer stands in its ranking.
#[derive(Debug, Clone, Default, PartialEq)]
struct Position {
    ranking: String,
    offset: i64,
    snapshot: i64,
}

impl Position {
    fn cursor(&self, shown: usize) -> String {
        Cursor::new(&self.ranking, self.offset + shown as i64, self.snapshot).encode()
    }
}

impl Recalled {
    /// Keeps only the first `count` results, for a door whose answers are bounded in bytes; `more` and `next_cursor`
    /// follow, so the next page begins with the first one dropped.
    pub fn truncate(&mut self, count: usize) {
        if count < self.results.len() {
            self.more += (self.results.len() - count) as i64;
            self.results.truncate(count);
            self.next_cursor = Some(self.position.cursor(count));
        }
    }
}

fn nothing(hint: String) -> Recalled {
    Recalled {
        results: Vec::new(),
        mode: Mode::Local,
        unavailable: Vec::new(),
        total: 0,
        more: 0,
        next_cursor: None,
        hint: Some(hint),
        position: Position::default(),
    }
}
