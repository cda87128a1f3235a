//! The table `vault_notes`: what the vault remembers about its own work, as small JSON values by name. No text of memories.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, Result};
use crate::ports::Sql;

/// A note, if there is one.
pub fn get<T: DeserializeOwned>(sql: &dyn Sql, name: &str) -> Result<Option<T>> {
    let row = sql.first(
        "SELECT json FROM vault_notes WHERE name = ?",
        &[name.into()],
    )?;
    let unreadable = |_| Error::internal("a note of the vault is not readable");
    row.map(|row| serde_json::from_str(&row.text(0)?).map_err(unreadable))
        .transpose()
}

/// Writes a note, over an older one.
pub fn put<T: Serialize>(sql: &dyn Sql, name: &str, value: &T) -> Result<()> {
    let json = serde_json::to_string(value)
        .map_err(|_| Error::internal("a note of the vault does not serialise"))?;
    sql.run(
        "INSERT OR REPLACE INTO vault_notes (name, json) VALUES (?, ?)",
        &[name.into(), json.into()],
    )
}

/// Removes a note.
pub fn delete(sql: &dyn Sql, name: &str) -> Result<()> {
    sql.run("DELETE FROM vault_notes WHERE name = ?", &[name.into()])
}
