//! Bulk remember: many items in one transaction under one batch id, with an answer for each.

use serde::{Deserialize, Serialize};

use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::actor::{Actor, Permission};
use crate::model::audit::Action;
use crate::model::batch::{Batch, Counts, ItemOutcome, ItemReport};
use crate::model::draft::{self, Draft};
use crate::model::ids::IdKind;
use crate::store;
use crate::text;
use crate::vault::Vault;
use crate::vault::encounter::Bringer;
use crate::vault::idempotency::Key;
use crate::vault::likeness::{self, Likeness};
use crate::vault::remember;

/// One item as it arrived: a draft, or why it is none.
pub type Item = Result<Draft>;

/// The answer. The counts add up to the number of items, and `items` has one report for each, in their order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BulkReport {
    /// The import's id; absent when nothing was stored.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch_id: Option<String>,
    /// The status stored items have.
    pub status: String,
    /// Numbers.
    #[serde(flatten)]
    pub counts: Counts,
    /// What could not be done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What became of each item.
    pub items: Vec<ItemReport>,
}

/// Stores the items that can be stored and says why the others were not. `source` names where all of them come from;
/// an item's own source wins.
///
/// # Errors
/// `invalid_argument` for no items, `too_large` for more than [`limits::BULK_ITEMS`]; a bad item is no error.
pub fn bulk_remember(
    vault: &Vault<'_>,
    actor: &Actor,
    items: Vec<Item>,
    source: Option<String>,
    idempotency_key: Option<&str>,
) -> Result<BulkReport> {
    actor.require(Permission::Import)?;
    let source = draft::check_label("source", source)?;
    if items.is_empty() {
        return Err(Error::invalid(
            "items",
            "is empty; give at least one item, as a text or an object with `content`",
        ));
    }
    if items.len() > limits::BULK_ITEMS {
        let message = format!(
            "has {} items; one call takes at most {}, so send the rest in further calls",
            items.len(),
            limits::BULK_ITEMS
        );
        return Err(Error::new(Kind::TooLarge, message).in_field("items"));
    }
    let key = idempotency_key
        .map(|key| Key::new(key, &format!("bulk_remember {source:?} {items:?}")))
        .transpose()?;
    vault.sql.in_transaction(|| {
        if let Some(report) = key
            .as_ref()
            .map(|key| key.answered::<BulkReport>(vault, actor))
            .transpose()?
            .flatten()
        {
            return Ok(report);
        }
        let report = store_items(vault, actor, items, source)?;
        if let Some(key) = &key {
            key.remember(vault, actor, &report)?;
        }
        Ok(report)
    })
}

fn store_items(
    vault: &Vault<'_>,
    actor: &Actor,
    items: Vec<Item>,
    source: Option<String>,
) -> Result<BulkReport> {
    let status = remember::initial_status(vault, actor, false)?;
    let bringer = if actor.is_owner() {
        Bringer::OwnerImport
    } else {
        Bringer::Agent
    };
    let batch_id = vault.new_id(IdKind::Batch)?;
    let mut likeness = Likeness::begin(vault)?;
    let mut reports = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        if is_blank(&item) {
            reports.push(ItemReport {
                reason: Some("nothing to read in it".to_owned()),
                ..ItemReport::new(index, ItemOutcome::Blank)
            });
            continue;
        }
        let (item, warning) = without_bad_date(item);
        let checked = item.and_then(|mut item| {
            item.source = item.source.or_else(|| source.clone());
            item.check()
        });
        let outcome = checked.and_then(|checked| {
            remember::store_draft(
                vault,
                actor,
                checked,
                status,
                bringer,
                Some(&batch_id),
                &mut likeness,
            )
        });
        reports.push(match outcome {
            Ok(remembered) => remembered.report(index, status, warning),
            // A fault of ours ends the whole import, which the transaction then undoes.
            Err(error) if error.kind == Kind::Internal || error.kind == Kind::Unavailable => {
                return Err(error);
            }
            Err(error) => ItemReport {
                reason: Some(error.to_string()),
                ..ItemReport::new(index, outcome_of(&error))
            },
        });
    }
    let counts = Counts::of(&reports);
    if counts.stored > 0 {
        let batch = Batch {
            id: batch_id.clone(),
            created_by: actor.label(),
            created_at: vault.now(),
            source,
            counts,
            proposed: 0,
            seq: 0,
        };
        store::batches::insert(vault.sql, &batch)?;
        vault.audit(
            actor,
            Action::Import,
            Some(&batch_id),
            serde_json::to_value(counts).ok(),
        )?;
    }
    let batch_id = (counts.stored > 0).then_some(batch_id);
    Ok(BulkReport {
        batch_id,
        status: status.as_str().to_owned(),
        counts,
        note: (!likeness.is_available()).then(|| likeness::NOT_LOOKED_FOR.to_owned()),
        items: reports,
    })
}

/// An impossible date costs an imported item its date, not its life.
fn without_bad_date(item: Item) -> (Item, Option<String>) {
    let Ok(mut item) = item else {
        return (item, None);
    };
    match draft::check_source_date(item.source_date.clone()) {
        Ok(_) => (Ok(item), None),
        Err(error) => {
            item.source_date = None;
            (Ok(item), Some(format!("stored without its date: {error}")))
        }
    }
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
