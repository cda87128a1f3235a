//! Recall: the memories that answer a question, best first. One ranking behind every door.

use serde::Serialize;

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::memory::{Filter, Memory, Status};
use crate::model::page::{self, Cursor};
use crate::recall::query::{self, Query};
use crate::recall::{self, Mode};
use crate::store;
use crate::vault::{Vault, list};

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
}

/// One memory that answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// How well it answers, 0 to 1; comparable within one answer.
    pub score: f64,
    /// `false` while it waits for the owner's word.
    pub approved: bool,
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
    let filter = list::visible(actor, question.filter.clone())?;
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
    let found =
        store::memory_text::search(vault.sql, &expression, &filter, snapshot, offset, limit)?;
    if found.best.is_empty() && offset == 0 {
        return Ok(nothing(
            "Nothing was found. Try other words, or fewer filters.".to_owned(),
        ));
    }
    let (total, results) = (found.total, hits(vault, found.best)?);
    let more = (total - offset - results.len() as i64).max(0);
    let next_cursor = (more > 0 && !results.is_empty()).then(|| position.cursor(results.len()));
    Ok(Recalled {
        results,
        mode: Mode::KeywordOnly,
        total,
        more,
        next_cursor,
        hint: None,
        position,
    })
}

fn hits(vault: &Vault<'_>, best: Vec<(i64, f64)>) -> Result<Vec<Hit>> {
    let mut hits = Vec::with_capacity(best.len());
    for (seq, strength) in best {
        if let Some(memory) = store::memories::find_by_seq(vault.sql, seq)? {
            hits.push(Hit {
                score: recall::score(strength),
                approved: memory.status != Status::Proposed,
                memory,
            });
        }
    }
    Ok(hits)
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
        mode: Mode::KeywordOnly,
        total: 0,
        more: 0,
        next_cursor: None,
        hint: Some(hint),
        position: Position::default(),
    }
}
