//! The end of everything: every table of the vault, whatever there is, dropped. Part of the caller's transaction.

use crate::error::Result;
use crate::ports::Sql;

/// Tables that are not the platform's own.
const OURS: &str = "type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf%' ESCAPE '\\'";

/// Drops all tables with their rows, indexes and triggers.
pub fn drop_all(sql: &dyn Sql) -> Result<()> {
    // Full-text tables take their shadow tables along.
    drop(sql, "sql LIKE 'CREATE VIRTUAL %'")?;
    drop(sql, "1")
}

/// Children before parents: what refers to a table was made after it.
fn drop(sql: &dyn Sql, which: &str) -> Result<()> {
    let tables = sql.query(
        &format!("SELECT name FROM sqlite_master WHERE {OURS} AND {which} ORDER BY rowid DESC"),
        &[],
    )?;
    for table in tables {
        let name = table.text(0)?.replace('"', "\"\"");
        sql.run(&format!("DROP TABLE IF EXISTS \"{name}\""), &[])?;
    }
    Ok(())
}
