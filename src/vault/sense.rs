//! The sense of memories: made with every write, kept beside the text, and gathered in the index that recall searches.

use std::cell::RefCell;
use std::collections::HashSet;

use sha2::{Digest as _, Sha256};
use time::Date;

use crate::embed::tokens::Words;
use crate::embed::vector::Vector;
use crate::embed::{self, MODEL_ID};
use crate::error::{Error, Result};
use crate::limits;
use crate::model::memory::{Memory, Status};
use crate::model::sense::Sense;
use crate::model::time::local_date;
use crate::recall::Mode;
use crate::recall::index::{Entry, Index};
use crate::recall::rank::{Day, Marks, words_of};
use crate::store;
use crate::store::sense::Sensed;
use crate::vault::agenda::{self, JobKind, Next};
use crate::vault::likeness::Texts;
use crate::vault::{Vault, Zone};

/// What is kept in memory of the memories, and outlives a request.
#[derive(Default)]
pub struct Held {
    /// The index, `None` until the first question fills it.
    pub index: RefCell<Option<Index>>,
    /// Texts read for comparison.
    pub texts: RefCell<Texts>,
}

impl Held {
    /// Lets go of it all.
    pub fn forget(&self) {
        self.index.replace(None);
        self.texts.replace(Texts::default());
    }

    /// Bytes that the index takes.
    pub fn index_bytes(&self) -> usize {
        self.index.borrow().as_ref().map_or(0, Index::bytes)
    }
}

/// Rows read at once while the index is filled.
const PAGE: usize = 1_000;
/// The same while it is brought up to date.
const CHANGES: usize = 200;

/// Makes a memory's sense and writes it. Part of the caller's transaction.
pub(crate) fn write(vault: &Vault<'_>, memory: &Memory) -> Result<()> {
    store::sense::put(vault.sql, memory.seq, &of(vault, memory)?)
}

/// Makes a memory's sense.
pub(crate) fn of(vault: &Vault<'_>, memory: &Memory) -> Result<Sense> {
    let zone = vault.zone()?;
    let date = local_date(memory.dated_at, &zone);
    let embedder = embed::embedder();
    let words = words_of(embedder, &memory.content, said_on(memory, date));
    Ok(Sense {
        model: MODEL_ID.to_owned(),
        made_from: made_from(memory, &zone),
        vector: embedder.embed(&said_by(memory)).to_bytes().to_vec(),
        words: words.as_bytes().to_vec(),
        marks: Marks::of(&memory.content).to_byte(),
        day: date.to_julian_day() - EPOCH_JULIAN_DAY,
    })
}

/// Only a date that somebody gave is part of what the memory says.
fn said_on(memory: &Memory, date: Date) -> Option<Day> {
    memory.source_date.is_some().then(|| day(date))
}

fn said_by(memory: &Memory) -> String {
    match &memory.author {
        Some(author) => format!("{author}: {}", memory.content),
        None => memory.content.clone(),
    }
}

/// SHA-256 of what a memory's sense is made from: another one belongs to another text.
pub(crate) fn made_from(memory: &Memory, zone: &Zone<'_>) -> String {
    let said = said_on(memory, local_date(memory.dated_at, zone));
    let by = said_by(memory);
    let hash = Sha256::digest(format!("{said:?} {by}").as_bytes());
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The note that says for which model every memory's sense was asked for.
const NOTE: &str = "sense_model";

/// Has the senses of an older table made anew, once, when a version with another one begins. Until then words find those
/// memories.
pub(crate) fn ensure(vault: &Vault<'_>) -> Result<()> {
    let note: Option<String> = store::notes::get(vault.sql, NOTE)?;
    if note.as_deref() == Some(MODEL_ID) {
        return Ok(());
    }
    vault.sql.in_transaction(|| {
        if store::sense::count_missing(vault.sql, MODEL_ID)? > 0 {
            agenda::schedule(vault, JobKind::RefreshSense, vault.now())?;
        }
        store::notes::put(vault.sql, NOTE, &MODEL_ID.to_owned())
    })
}

/// After a restore: lets go of the index in memory, and has what is missing made. Returns how many memories lack their sense.
pub(crate) fn restored(vault: &Vault<'_>) -> Result<i64> {
    vault.held.forget();
    let missing = store::sense::count_missing(vault.sql, MODEL_ID)?;
    if missing > 0 {
        agenda::schedule(vault, JobKind::RefreshSense, vault.now())?;
    }
    Ok(missing)
}

/// 1970-01-01 as a Julian day.
const EPOCH_JULIAN_DAY: i32 = 2_440_588;

fn day(date: Date) -> Day {
    Day {
        year: date.year(),
        month: u8::from(date.month()),
        day: date.day(),
    }
}

/// Puts a memory into the index as far as it can answer.
fn take_in(index: &mut Index, sensed: Sensed) {
    let seq = sensed.seq;
    if sensed.hidden || sensed.status == Status::Rejected {
        index.set_aside(seq);
    } else if let Some(entry) = entry(sensed) {
        index.put(entry);
    } else {
        index.remove(seq);
    }
}

/// `None` for a sense of another model, or one that is broken.
fn entry(sensed: Sensed) -> Option<Entry> {
    let date = Date::from_julian_day(sensed.sense.day + EPOCH_JULIAN_DAY).ok();
    Some(Entry {
        seq: sensed.seq,
        status: sensed.status,
        sitting: sensed
            .stored_by
            .filter(|_| sensed.session.is_none())
            .map(|by| (by, sensed.stored_at)),
        session: sensed.session,
        author: sensed.author,
        tags: sensed.tags,
        replaced_by: sensed.replaced_by,
        dated_at: sensed.dated_at,
        day: date.map(day),
        vector: Vector::from_bytes(&sensed.sense.vector)?,
        words: Words::from_bytes(sensed.sense.words)?,
        marks: Marks::from_byte(sensed.sense.marks),
    })
    .filter(|_| sensed.sense.model == MODEL_ID)
}

/// Runs `body` with the index, brought up to date. `None` when the memories are more than fit its budget.
pub(crate) fn with_index<T>(
    vault: &Vault<'_>,
    body: impl FnOnce(&Index) -> T,
) -> Result<Option<T>> {
    let mut held = vault
        .held
        .index
        .try_borrow_mut()
        .map_err(|_| Error::internal("the index is in use already"))?;
    let changes = store::sense::take_changes(vault.sql)?;
    let mut texts = vault.held.texts.borrow_mut();
    let index = match held.take() {
        Some(mut index) => {
            for seqs in changes.chunks(CHANGES) {
                let mut found = store::sense::with_keys(vault.sql, seqs)?;
                // Sittings go by the order in which memories were stored.
                found.sort_unstable_by_key(|sensed| sensed.seq);
                let there: HashSet<i64> = found.iter().map(|sensed| sensed.seq).collect();
                for seq in seqs {
                    if there.contains(seq) {
                        texts.changed(*seq);
                    } else {
                        texts.forget(*seq);
                        index.remove(*seq);
                    }
                }
                found
                    .into_iter()
                    .for_each(|sensed| take_in(&mut index, sensed));
            }
            index
        }
        None => {
            changes.iter().for_each(|seq| texts.forget(*seq));
            filled(vault)?
        }
    };
    drop(texts);
    let fits = index.bytes() <= vault.index_bytes;
    let answer = fits.then(|| body(&index));
    *held = Some(index);
    Ok(answer)
}

/// How recall answers, as far as is known before a question is asked.
pub fn mode(vault: &Vault<'_>) -> Mode {
    if vault.held.index_bytes() <= vault.index_bytes {
        Mode::Local
    } else {
        Mode::KeywordOnly
    }
}

/// An index of these memories alone, however many there are in the vault.
pub(crate) fn index_of(vault: &Vault<'_>, seqs: &[i64]) -> Result<Index> {
    let mut index = Index::default();
    let mut found = store::sense::with_keys(vault.sql, seqs)?;
    found.sort_unstable_by_key(|sensed| sensed.seq);
    found
        .into_iter()
        .for_each(|sensed| take_in(&mut index, sensed));
    Ok(index)
}

fn filled(vault: &Vault<'_>) -> Result<Index> {
    let mut index = Index::default();
    let mut after = 0;
    while index.bytes() <= vault.index_bytes {
        let page = store::sense::page(vault.sql, after, PAGE)?;
        let Some(last) = page.last() else {
            break;
        };
        after = last.seq;
        page.into_iter()
            .for_each(|sensed| take_in(&mut index, sensed));
    }
    Ok(index)
}

/// Makes the sense of memories that lack it (the alarm's job), some at a time.
pub(crate) fn refresh(vault: &Vault<'_>) -> Result<Next> {
    let missing = store::sense::missing(vault.sql, MODEL_ID, limits::ROWS_PER_JOB)?;
    for seq in &missing {
        if let Some(memory) = store::memories::find_by_seq(vault.sql, *seq)? {
            write(vault, &memory)?;
        }
    }
    Ok(if missing.len() < limits::ROWS_PER_JOB {
        Next::Done
    } else {
        Next::Again(vault.now())
    })
}

/// Lets go of the index in memory; with `reembed` every memory's sense is made anew in the background as well. Recall keeps
/// answering meanwhile, by the old ones.
pub(crate) fn renew(vault: &Vault<'_>, reembed: bool) -> Result<()> {
    if reembed {
        store::sense::mark_all(vault.sql)?;
        agenda::schedule(vault, JobKind::RefreshSense, vault.now())?;
    }
    vault.held.forget();
    Ok(())
}
