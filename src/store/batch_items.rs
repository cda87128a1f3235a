//! The table `batch_items`: what became of each item of an import. Ids and reasons, no text.

use crate::error::{Error, Result};
use crate::model::batch::{ItemOutcome, ItemReport};
use crate::model::memory::Status;
use crate::ports::{Row, Sql};
use crate::store::many;

/// Reports in one statement, whose values have to stay under SQLite's 2 MB.
const ROWS: usize = 500;

const COLUMNS: &str =
    "place, outcome, memory_id, reason, similar_to, similarity, replaced, status, warning";

fn report(row: &Row) -> Result<ItemReport> {
    let place = usize::try_from(row.integer(0)?);
    Ok(ItemReport {
        index: place.map_err(|_| Error::internal("an item's place is negative"))?,
        outcome: ItemOutcome::parse(&row.text(1)?)
            .map_err(|_| Error::internal("a stored outcome is unknown"))?,
        id: row.text_or_null(2)?,
        reason: row.text_or_null(3)?,
        similar_to: row.text_or_null(4)?,
        similarity: row.real_or_null(5)?,
        replaced: row.text_or_null(6)?,
        warning: row.text_or_null(8)?,
        text: None,
        status: (row.text_or_null(7)?)
            .map(|word| Status::parse(&word))
            .transpose()
            .map_err(|_| Error::internal("a stored status is unknown"))?,
    })
}

/// Adds the reports of a batch's next items.
pub fn insert(sql: &dyn Sql, batch_id: &str, reports: &[ItemReport]) -> Result<()> {
    let columns = &[
        "batch_id",
        "place",
        "outcome",
        "memory_id",
        "reason",
        "similar_to",
        "similarity",
        "replaced",
        "status",
        "warning",
    ];
    let row = |report: &ItemReport| {
        serde_json::json!([
            batch_id,
            report.index,
            report.outcome.as_str(),
            report.id,
            report.reason,
            report.similar_to,
            report.similarity,
            report.replaced,
            report.status.map(Status::as_str),
            report.warning,
        ])
    };
    for reports in reports.chunks(ROWS) {
        let rows = reports.iter().map(row).collect();
        many::rows(sql, "batch_items", columns, rows)?;
    }
    Ok(())
}

/// Up to `limit` reports from a place on, in order, all or of one outcome.
pub fn list(
    sql: &dyn Sql,
    batch_id: &str,
    outcome: Option<ItemOutcome>,
    from: usize,
    limit: usize,
) -> Result<Vec<ItemReport>> {
    let statement = format!(
        "SELECT {COLUMNS} FROM batch_items WHERE batch_id = ? AND place >= ? AND (? IS NULL OR outcome = ?) ORDER BY place LIMIT ?"
    );
    let outcome = outcome.map(ItemOutcome::as_str);
    let parameters = [
        batch_id.into(),
        (from as i64).into(),
        outcome.into(),
        outcome.into(),
        (limit as i64).into(),
    ];
    sql.query(&statement, &parameters)?
        .iter()
        .map(report)
        .collect()
}

/// The items known already that made a memory take the place of another: `(memory, replaced)`, last first.
pub fn replacing(sql: &dyn Sql, batch_id: &str) -> Result<Vec<(String, String)>> {
    let rows = sql.query(
        "SELECT memory_id, replaced FROM batch_items WHERE batch_id = ? AND replaced IS NOT NULL AND memory_id IS NOT NULL \
         ORDER BY place DESC",
        &[batch_id.into()],
    )?;
    rows.iter()
        .map(|row| Ok((row.text(0)?, row.text(1)?)))
        .collect()
}
