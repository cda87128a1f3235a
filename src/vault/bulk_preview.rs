//! A dry run of an import: what would become of each item, and nothing written.

use std::collections::HashMap;

use crate::error::{Error, Result};
use crate::model::batch::ItemOutcome;
use crate::vault::Vault;
use crate::vault::bulk_remember::BulkReport;

/// What a call would do: it is done, and then rolled back.
pub(crate) fn preview(
    vault: &Vault<'_>,
    step: impl FnOnce() -> Result<BulkReport>,
) -> Result<BulkReport> {
    let mut outcome = None;
    let rolled_back: Result<()> = vault.sql.in_transaction(|| {
        outcome = Some(step());
        Err(Error::internal("a dry run"))
    });
    let mut report = match (outcome, rolled_back) {
        (Some(outcome), _) => outcome?,
        (None, Err(error)) => return Err(error),
        (None, Ok(())) => return Err(Error::internal("a dry run did not run")),
    };
    report.dry_run = true;
    if report.remaining > 0 {
        let (seen, rest) = (report.items.len(), report.remaining);
        let more =
            format!("A dry run looks at the first {seen} items; {rest} more were not looked at.");
        report.note = Some(
            report
                .note
                .map_or(more.clone(), |note| format!("{note} {more}")),
        );
    }
    report.batch_id = None;
    let made: HashMap<String, usize> = (report.items.iter())
        .filter(|item| item.outcome == ItemOutcome::Stored)
        .filter_map(|item| Some((item.id.clone()?, item.index)))
        .collect();
    for item in &mut report.items {
        for id in [&mut item.id, &mut item.similar_to] {
            if id.as_ref().is_some_and(|id| made.contains_key(id)) {
                *id = None;
            }
        }
        item.reason = item.reason.take().map(|reason| by_place(reason, &made));
    }
    Ok(report)
}

/// A reason that names items by their place where it named the memories that are not made.
fn by_place(reason: String, made: &HashMap<String, usize>) -> String {
    let words =
        reason.split_inclusive(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
    let named = words.map(|word| {
        let id = word.trim_end_matches(|letter: char| !letter.is_ascii_alphanumeric());
        match made.get(id) {
            Some(place) => word.replace(id, &format!("item {place}")),
            None => word.to_owned(),
        }
    });
    named.collect()
}
