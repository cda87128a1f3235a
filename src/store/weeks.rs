//! Active memories by the week in which they came, over `memories`.

use crate::error::Result;
use crate::model::time::Timestamp;
use crate::ports::{Sql, SqlValue};

/// For each span of time from one bound to the next: `(span, type, how many)`. At most 98 bounds, which is what the
/// platform binds.
pub fn count(sql: &dyn Sql, bounds: &[Timestamp]) -> Result<Vec<(usize, String, i64)>> {
    let spans: Vec<(usize, &Timestamp, &Timestamp)> = bounds
        .iter()
        .zip(bounds.iter().skip(1))
        .enumerate()
        .map(|(number, (start, end))| (number, start, end))
        .collect();
    if spans.is_empty() {
        return Ok(Vec::new());
    }
    let rows: Vec<String> = spans
        .iter()
        .map(|(number, _, _)| format!("({number}, ?, ?)"))
        .collect();
    // Left to itself, SQLite reads every active memory once for each span.
    let statement = format!(
        "WITH span (number, start, stop) AS (VALUES {}) \
         SELECT s.number, m.type, count(*) FROM span s CROSS JOIN memories m INDEXED BY memories_by_week \
         ON m.created_at >= s.start AND m.created_at < s.stop AND m.status = 'active' AND m.forget_requested_at IS NULL \
         GROUP BY s.number, m.type ORDER BY s.number, m.type",
        rows.join(", ")
    );
    let parameters: Vec<SqlValue> = spans
        .iter()
        .flat_map(|(_, start, end)| [start.millis().into(), end.millis().into()])
        .collect();
    sql.query(&statement, &parameters)?
        .iter()
        .map(|row| {
            let number = usize::try_from(row.integer(0)?).unwrap_or_default();
            Ok((number, row.text(1)?, row.integer(2)?))
        })
        .collect()
}
