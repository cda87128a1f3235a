//! What recall by a larger model keeps in memory between requests: the last questions' vectors, those of all memories as far as
//! they fit, and which services are left alone.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};

use crate::embed::large::{LargeModel, LargeVectors};
use crate::error::Result;
use crate::limits;
use crate::ports::ServiceFailure;
use crate::store;
use crate::vault::{Vault, indexing};

/// Rows read at once while the vectors in memory are filled.
pub(super) const PAGE: usize = 500;

/// What is kept in memory between requests; lost with the process at no cost but time.
#[derive(Default)]
pub struct Held {
    /// Until when a turn of the index's work may run.
    pub(crate) busy_until: Cell<i64>,
    /// Whether Vectorize's dimensions were compared with the model's.
    pub(crate) shape_checked: Cell<bool>,
    /// Vectors of the last questions, newest first.
    questions: RefCell<VecDeque<(String, Vec<u8>)>>,
    /// Services that failed a question: until when they are left alone, and why.
    resting: RefCell<HashMap<&'static str, (i64, String)>>,
    pub(super) large: RefCell<Option<Large>>,
}

/// The vectors of all memories by one model; without `vectors` there are too many.
pub(super) struct Large {
    /// Its name.
    model: &'static str,
    /// The vectors.
    pub(super) vectors: Option<LargeVectors>,
}

impl Held {
    /// Lets go of everything that is of memories.
    pub(crate) fn forget(&self) {
        self.large.replace(None);
        self.questions.borrow_mut().clear();
    }

    pub(super) fn question(&self, key: &str) -> Option<Vec<u8>> {
        let questions = self.questions.borrow();
        let found = questions.iter().find(|(known, _)| known == key)?;
        Some(found.1.clone())
    }

    pub(super) fn keep_question(&self, key: String, vector: Vec<u8>) {
        let mut questions = self.questions.borrow_mut();
        questions.push_front((key, vector));
        questions.truncate(limits::QUESTIONS_KEPT);
    }

    pub(super) fn rest(&self, service: &'static str, now: i64, failure: &ServiceFailure) {
        let until = now + limits::SERVICE_REST_SECONDS * 1_000;
        let rest = (until, indexing::reason(failure));
        self.resting.borrow_mut().insert(service, rest);
    }

    /// Why a service is left alone at this time, if it is.
    pub(super) fn rests(&self, service: &str, now: i64) -> Option<String> {
        let resting = self.resting.borrow();
        let (until, reason) = resting.get(service)?;
        (now < *until).then(|| reason.clone())
    }
}

/// Fills the vectors in memory, or brings them up to date.
pub(super) fn bring_up(vault: &Vault<'_>, held: &Held, model: &'static LargeModel) -> Result<()> {
    let mut large = held.large.borrow_mut();
    let changes = store::vectors::take_changes(vault.sql)?;
    if let Some(known) = large.as_mut().filter(|known| known.model == model.id) {
        if let Some(vectors) = &mut known.vectors {
            for seq in changes {
                let stored = store::vectors::find(vault.sql, seq)?;
                match stored.filter(|stored| stored.model == model.id) {
                    Some(stored) => vectors.put(seq, &stored.vectors),
                    None => vectors.remove(seq),
                }
            }
            if vectors.bytes() > limits::LARGE_VECTORS_BYTES {
                known.vectors = None;
            }
        }
        return Ok(());
    }
    let bytes = store::vectors::bytes(vault.sql, model.id)?;
    let fits = usize::try_from(bytes).is_ok_and(|bytes| bytes <= limits::LARGE_VECTORS_BYTES);
    *large = Some(Large {
        model: model.id,
        vectors: if fits {
            Some(filled(vault, model)?)
        } else {
            None
        },
    });
    Ok(())
}

fn filled(vault: &Vault<'_>, model: &LargeModel) -> Result<LargeVectors> {
    let mut vectors = LargeVectors::new(model.dims);
    let mut after = 0;
    loop {
        let page = store::vectors::page(vault.sql, model.id, after, PAGE)?;
        let Some(last) = page.last() else {
            return Ok(vectors);
        };
        after = last.seq;
        for stored in page {
            vectors.put(stored.seq, &stored.vectors);
        }
    }
}
