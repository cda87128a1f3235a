//! What rows of a file say of one another, once all of them are staged.

use std::collections::{HashMap, HashSet};

use crate::error::Result;
use crate::ports::Sql;

/// A row that points to what is not there, or a circle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The row's table.
    pub table: &'static str,
    /// Column and value that the row is known by.
    pub known_by: (&'static str, String),
    /// What is wrong with it.
    pub why: String,
}

/// Pointers: table, the column that points, and the table and column pointed to.
const POINTERS: [(&str, &str, &str, &str); 7] = [
    ("memories", "supersedes", "memories", "id"),
    ("memories", "superseded_by", "memories", "id"),
    ("memories", "similar_to", "memories", "id"),
    ("memories", "batch_id", "batches", "id"),
    ("memory_history", "memory_id", "memories", "id"),
    ("decisions", "memory_id", "memories", "id"),
    ("batch_items", "batch_id", "batches", "id"),
];

/// The first broken pointer of what is staged.
pub fn broken(sql: &dyn Sql) -> Result<Option<Broken>> {
    for (table, pointer, other, key) in POINTERS {
        let row = sql.first(
            &format!(
                "SELECT p.{pointer} FROM staged_{table} p WHERE p.{pointer} IS NOT NULL \
                 AND NOT EXISTS (SELECT 1 FROM staged_{other} o WHERE o.{key} = p.{pointer}) LIMIT 1"
            ),
            &[],
        )?;
        if let Some(row) = row {
            let id = row.text(0)?;
            return Ok(Some(Broken {
                table,
                why: format!("{pointer} names {id}, which is not among the {other} of the file"),
                known_by: (pointer, id),
            }));
        }
    }
    for pointer in ["supersedes", "superseded_by"] {
        if let Some(id) = circle(sql, pointer)? {
            return Ok(Some(Broken {
                table: "memories",
                why: format!("{pointer} leads from {id} back to itself"),
                known_by: ("id", id),
            }));
        }
    }
    Ok(None)
}

/// A memory from which the pointers lead back to itself.
fn circle(sql: &dyn Sql, pointer: &str) -> Result<Option<String>> {
    let rows = sql.query(
        &format!(
            "SELECT id, {pointer} FROM staged_memories WHERE {pointer} IS NOT NULL ORDER BY seq"
        ),
        &[],
    )?;
    let mut next = HashMap::with_capacity(rows.len());
    let mut order = Vec::with_capacity(rows.len());
    for row in &rows {
        let id = row.text(0)?;
        order.push(id.clone());
        next.insert(id, row.text(1)?);
    }
    Ok(first_circle(&order, &next))
}

/// Each memory is walked once: a walk ends where an earlier one went.
fn first_circle(order: &[String], next: &HashMap<String, String>) -> Option<String> {
    let mut walked: HashSet<&str> = HashSet::with_capacity(order.len());
    for start in order {
        let mut here: HashSet<&str> = HashSet::new();
        let mut at = Some(start.as_str());
        while let Some(id) = at.filter(|id| !walked.contains(id)) {
            if !here.insert(id) {
                return Some(id.to_owned());
            }
            at = next.get(id).map(String::as_str);
        }
        walked.extend(here);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_circle_is_found_wherever_the_walk_begins() {
        let find = |links: &[(&str, &str)]| {
            let order: Vec<String> = links.iter().map(|(from, _)| (*from).to_owned()).collect();
            let next = links
                .iter()
                .map(|(from, to)| ((*from).to_owned(), (*to).to_owned()))
                .collect();
            first_circle(&order, &next)
        };
        assert_eq!(find(&[("a", "b"), ("b", "c"), ("d", "b")]), None);
        assert_eq!(find(&[("a", "b"), ("b", "a")]).as_deref(), Some("a"));
        assert_eq!(
            find(&[("x", "a"), ("a", "b"), ("b", "c"), ("c", "a")]).as_deref(),
            Some("a")
        );
    }
}
