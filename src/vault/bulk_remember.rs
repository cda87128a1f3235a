//! Bulk remember: many items under one batch id, with an answer for each. One call is one transaction over at most
//! [`limits::BULK_ITEMS`] items, so a crash leaves whole calls behind and never part of one; what is longer goes on where
//! it stands when the same call comes again.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Kind, Result};
use crate::intake::{self, Intake};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::batch::{BatchState, Counts, ItemOutcome, ItemReport};
use crate::model::draft::{self, CheckedDraft, Draft};
use crate::model::memory::Status;
use crate::store;
use crate::text;
use crate::vault::Vault;
use crate::vault::bulk_preview;
use crate::vault::bulk_resume::{self, Open, Place};
use crate::vault::encounter::Bringer;
use crate::vault::idempotency::Key;
use crate::vault::likeness::{self, Likeness};
use crate::vault::queue::Queue;
use crate::vault::rates;
use crate::vault::remember::{self, Incoming, Outcome};
use crate::vault::twins;

/// One item as it arrived: a draft, or why it is none.
pub type Item = Result<Draft>;

/// What to import, and how.
#[derive(Debug)]
pub struct Import {
    /// The items, and how they were read.
    pub intake: Intake,
    /// Where all of them come from; an item's own source wins.
    pub source: Option<String>,
    /// The name of the file they were read from. It is their source where nothing else is.
    pub file: Option<String>,
    /// The import to go on with.
    pub batch_id: Option<String>,
    /// Whether further calls follow.
    pub more: bool,
    /// Say what would happen, and write nothing.
    pub dry_run: bool,
}

/// The answer. The counts add up to the number of items, and `items` has one report for each, in their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BulkReport {
    /// The import's id; absent when nothing was stored and nothing is to come.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_id: Option<String>,
    /// Where the import stands after this call.
    pub state: BatchState,
    /// Whether nothing was written; ids of memories that would be made are left out then.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dry_run: bool,
    /// The status stored items have.
    pub status: String,
    /// How the input was understood.
    pub read_as: String,
    /// Numbers of this call's items.
    #[serde(flatten)]
    pub counts: Counts,
    /// Items of the input that this call did not come to; the same call again goes on with them.
    #[serde(default)]
    pub remaining: usize,
    /// What could not be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What became of each item.
    pub items: Vec<ItemReport>,
}

/// Stores the items that can be stored and says why the others were not.
///
/// # Errors
/// `invalid_argument` for no items; `too_large` for more than [`limits::BULK_ITEMS`] given one by one, or more than
/// [`limits::BATCH_ITEMS`] in one import; `not_found` and `conflict` on `batch_id`. A bad item is no error.
pub fn bulk_remember(
    vault: &Vault<'_>,
    actor: &Actor,
    mut import: Import,
    idempotency_key: Option<&str>,
) -> Result<BulkReport> {
    actor.require(Permission::Import)?;
    let named = draft::check_label("source", import.source.take())?;
    import.file = draft::check_label("file", import.file.take())?;
    let source = (named.clone())
        .or_else(|| import.file.clone())
        .or_else(|| import.intake.source.map(str::to_owned));
    import.source = named;
    check_size(&import.intake)?;
    let hash = bulk_resume::fingerprint(
        source.as_deref(),
        import.file.as_deref(),
        &import.intake.items,
    );
    if import.dry_run {
        return bulk_preview::preview(vault, || take_step(vault, actor, import, source, hash));
    }
    let key = idempotency_key
        .map(|key| {
            let (batch_id, more) = (&import.batch_id, import.more);
            Key::new(key, &format!("bulk_remember {batch_id:?} {more} {hash}"))
        })
        .transpose()?;
    vault.sql.in_transaction(|| {
        let answered = key
            .as_ref()
            .map(|key| key.answered::<BulkReport>(vault, actor));
        if let Some(report) = answered.transpose()?.flatten() {
            let report = not_undone(vault, report)?;
            if report.remaining == 0 {
                return Ok(report);
            }
        }
        let report = take_step(vault, actor, import, source, hash)?;
        if let Some(key) = key {
            // A key whose import has more steps to go stands for the steps to come, not for the one just done: it only
            // names the import, so that one that was undone meanwhile does not begin anew.
            let is_last = report.remaining == 0;
            let names_only = || BulkReport {
                items: Vec::new(),
                ..report.clone()
            };
            let kept = if is_last {
                report.clone()
            } else {
                names_only()
            };
            key.remember(vault, actor, &kept)?;
        }
        Ok(report)
    })
}

fn check_size(intake: &Intake) -> Result<()> {
    let count = intake.items.len();
    if count == 0 {
        return Err(Error::invalid(
            "items",
            "is empty; give at least one item, as a text or an object with `content`",
        ));
    }
    if !intake.in_steps && count > limits::BULK_ITEMS {
        let message = format!(
            "has {count} items; one call takes at most {}, so send the rest in further calls with the batch_id of the first",
            limits::BULK_ITEMS
        );
        return Err(Error::new(Kind::TooLarge, message).in_field("items"));
    }
    bulk_resume::check_total(count)
}

/// A key's first answer, unless the owner took that import back: then its memories are gone, and saying "stored" is wrong.
fn not_undone(vault: &Vault<'_>, report: BulkReport) -> Result<BulkReport> {
    let batch = match &report.batch_id {
        Some(id) => store::batches::find(vault.sql, id)?,
        None => None,
    };
    if batch.is_some_and(|batch| batch.state == BatchState::Undone) {
        return Err(
            Error::conflict("was used for an import that was undone since; use a new key")
                .in_field("idempotency_key"),
        );
    }
    Ok(report)
}

/// Takes the next items of an import. Part of the caller's transaction.
fn take_step(
    vault: &Vault<'_>,
    actor: &Actor,
    import: Import,
    source: Option<String>,
    hash: String,
) -> Result<BulkReport> {
    let Open {
        mut batch,
        is_new,
        left_behind,
    } = match bulk_resume::place(vault, actor, &import, &source, hash)? {
        Place::Answered(report) => return Ok(*report),
        Place::Open(open) => *open,
    };
    let run = Run {
        vault,
        actor,
        status: batch.status,
        bringer: if actor.is_owner() {
            Bringer::OwnerImport
        } else {
            Bringer::Agent
        },
        is_dry: import.dry_run,
        batch_id: batch.id.clone(),
        source,
    };
    let mut likeness = Likeness::begin(vault)?;
    let first = batch.input.first + batch.input.taken;
    let items = import.intake.items.into_iter().skip(batch.input.taken);
    let mut reports = Vec::new();
    let items: Vec<Prepared> = (items.take(limits::BULK_ITEMS))
        .map(|item| run.prepare(item))
        .collect();
    let mut queue = Queue::default();
    let unwanted = queue.has_unwanted(vault)?;
    let hashes: Vec<String> = (items.iter())
        .flat_map(|item| item.hashes(unwanted))
        .collect();
    queue.look_ahead(
        vault,
        &hashes.iter().map(String::as_str).collect::<Vec<_>>(),
    )?;
    for (place, item) in items.into_iter().enumerate() {
        reports.push(run.store_item(first + place, item, &mut likeness, &mut queue)?);
    }
    queue.flush(vault)?;
    let counts = Counts::of(&reports);
    batch.input.taken += reports.len();
    batch.counts = batch.counts.plus(counts);
    batch.state = bulk_resume::state(&batch.input);
    let changed = counts.stored > 0 || reports.iter().any(|report| report.replaced.is_some());
    let is_kept = !is_new || changed || batch.state == BatchState::Incomplete;
    if is_kept {
        store::batches::save(vault.sql, &batch)?;
        store::batch_items::insert(vault.sql, &batch.id, &reports)?;
        let details = serde_json::to_value(counts).ok();
        vault.audit(actor, Action::Import, Some(&batch.id), details)?;
        rates::note_written(vault, actor, counts.stored)?;
    }
    Ok(BulkReport {
        batch_id: is_kept.then_some(batch.id),
        state: batch.state,
        dry_run: false,
        status: batch.status.as_str().to_owned(),
        read_as: import.intake.read_as.to_owned(),
        counts,
        remaining: batch.input.total - batch.input.taken,
        note: note(import.intake.note, left_behind, !likeness.is_available()),
        items: reports,
    })
}

/// What is to be said of the input as a whole.
fn note(of_input: Option<String>, left_behind: usize, alone: bool) -> Option<String> {
    let of_change = (left_behind > 0).then(|| {
        format!(
            "The call before this one left {left_behind} items to go on with; this is another input, so it was read from its \
             beginning and those were not taken."
        )
    });
    let of_likeness = alone.then(|| likeness::NOT_LOOKED_FOR.to_owned());
    let notes: Vec<String> = [of_input, of_change, of_likeness]
        .into_iter()
        .flatten()
        .collect();
    (!notes.is_empty()).then(|| notes.join(" "))
}

/// What is the same for all items of a step.
struct Run<'a> {
    vault: &'a Vault<'a>,
    actor: &'a Actor,
    status: Status,
    bringer: Bringer,
    is_dry: bool,
    batch_id: String,
    source: Option<String>,
}

/// An item that was looked at.
enum Prepared {
    /// There is nothing in it.
    Blank,
    /// What there is, or why it cannot be taken; and what had to be left out.
    Checked(Result<Box<CheckedDraft>>, Option<String>),
}

impl Prepared {
    /// The duplicate hashes that will be asked for; those of other spellings only if something unwanted is there.
    fn hashes(&self, unwanted: bool) -> Vec<String> {
        let Prepared::Checked(Ok(draft), _) = self else {
            return Vec::new();
        };
        let mut hashes = Vec::new();
        if unwanted {
            hashes = likeness::spelling_hashes(&draft.content);
        }
        hashes.push(draft.content_hash.clone());
        hashes.push(twins::mark(&draft.content).exact);
        hashes
    }
}

impl Run<'_> {
    /// Checks one item by itself.
    fn prepare(&self, item: Item) -> Prepared {
        if is_blank(&item) {
            return Prepared::Blank;
        }
        let mut warnings = Vec::new();
        let checked = item.and_then(|mut item| {
            warnings = std::mem::take(&mut item.warnings);
            warnings.extend(take_bad_date(&mut item));
            item.source = item.source.or_else(|| self.source.clone());
            item.check().map(Box::new)
        });
        Prepared::Checked(checked, (!warnings.is_empty()).then(|| warnings.join("; ")))
    }

    /// Decides about one item and stores it if it is to be stored.
    ///
    /// # Errors
    /// Only faults of ours; they end the whole call, which its transaction then undoes.
    fn store_item(
        &self,
        index: usize,
        item: Prepared,
        likeness: &mut Likeness,
        queue: &mut Queue,
    ) -> Result<ItemReport> {
        let Prepared::Checked(checked, warning) = item else {
            return Ok(ItemReport {
                reason: Some("nothing to read in it".to_owned()),
                ..ItemReport::new(index, ItemOutcome::Blank)
            });
        };
        let text = match &checked {
            Ok(draft) if self.is_dry => {
                Some(draft.content.chars().take(limits::PREVIEW_CHARS).collect())
            }
            _ => None,
        };
        let outcome = checked.and_then(|draft| {
            let supersedes = draft.supersedes.clone();
            let incoming = Incoming {
                draft: *draft,
                status: self.status,
                bringer: self.bringer,
                batch_id: Some(&self.batch_id),
            };
            let stored = remember::store_draft(self.vault, self.actor, incoming, likeness, queue)?;
            Ok((stored, supersedes))
        });
        match outcome {
            Ok((remembered, supersedes)) => {
                let is_known = remembered.outcome == Outcome::Duplicate;
                Ok(ItemReport {
                    replaced: supersedes.filter(|_| is_known),
                    text,
                    ..remembered.report(index, self.status, warning)
                })
            }
            Err(error) if matches!(error.kind, Kind::Internal | Kind::Unavailable) => Err(error),
            Err(error) => Ok(ItemReport {
                reason: Some(error.to_string()),
                ..ItemReport::new(index, outcome_of(&error))
            }),
        }
    }
}

/// An impossible date costs an imported item its date, not its life.
fn take_bad_date(item: &mut Draft) -> Option<String> {
    let error = draft::check_source_date(item.source_date.clone()).err()?;
    let found = item.source_date.take().unwrap_or_default();
    Some(format!(
        "stored without its date {}: {error}",
        intake::quoted(&found)
    ))
}

fn is_blank(item: &Item) -> bool {
    item.as_ref()
        .is_ok_and(|draft| draft.content.as_deref().is_some_and(text::clean::is_blank))
}

fn outcome_of(error: &Error) -> ItemOutcome {
    match error.kind {
        Kind::Excluded => ItemOutcome::Excluded,
        _ => ItemOutcome::Refused,
    }
}
