//! The staged tables take the place of the vault's own: they are renamed, which costs the same however much is in them. Indexes
//! and triggers, which belong to a table by name, are made anew by their own definitions.

use crate::error::Result;
use crate::ports::Sql;
use crate::store::backup::tables::{EXCUSED, Excuse};
use crate::store::restore::staging::{self, staged, tables};

/// Swaps. Part of the caller's transaction: all of it happens or nothing.
pub fn swap(sql: &dyn Sql) -> Result<()> {
    sql.run("PRAGMA defer_foreign_keys = ON", &[])?;
    let mut made_anew = Vec::new();
    // A trigger that refers to a table which is missing for a moment would stop the renaming, so all of them step aside.
    for row in sql.query(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
        &[],
    )? {
        sql.run(&format!("DROP TRIGGER {}", row.text(0)?), &[])?;
        made_anew.push(row.text(1)?);
    }
    // What is remembered of the rows that went.
    let derived = EXCUSED
        .iter()
        .filter(|(name, excuse)| *excuse == Excuse::Derived && !staging::DERIVED.contains(name));
    for table in derived.map(|(name, _)| *name).chain(["idempotency_keys"]) {
        sql.run(&format!("DELETE FROM {table}"), &[])?;
    }
    for table in tables().rev() {
        for row in sql.query(
            "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ? AND sql IS NOT NULL",
            &[table.into()],
        )? {
            made_anew.push(row.text(0)?);
        }
        sql.run(&format!("DROP TABLE {table}"), &[])?;
    }
    for table in tables() {
        sql.run(
            &format!("ALTER TABLE {} RENAME TO {table}", staged(table)),
            &[],
        )?;
    }
    for definition in made_anew {
        sql.run(&definition, &[])?;
    }
    Ok(())
}

/// Whether the vault holds nothing that a restore would replace. Its audit log, its settings and the default guide do not
/// count: every vault has them.
pub fn is_empty(sql: &dyn Sql) -> Result<bool> {
    for table in tables() {
        let condition = match table {
            "audit" | "settings" => continue,
            "guide_versions" => "version > 1 OR created_by <> 'vault'",
            _ => "1",
        };
        let statement = format!("SELECT EXISTS (SELECT 1 FROM {table} WHERE {condition})");
        if sql.count(&statement, &[])? != 0 {
            return Ok(false);
        }
    }
    Ok(true)
}
