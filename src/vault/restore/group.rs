//! Rows of one table that were read one by one and go into their staged table together. A statement costs more than what is in
//! it, in time and in what it leaves behind for the runtime to clear away.

use std::collections::BTreeMap;

use crate::embed::MODEL_ID;
use crate::embed::tokens::Words;
use crate::embed::vector::Vector;
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::memory::Memory;
use crate::model::restore::{Fault, Progress};
use crate::ports::SqlValue;
use crate::store::backup::snapshot::Columns;
use crate::store::restore::staging::{self, StagedRow};
use crate::vault::restore::row::{Taken, at};
use crate::vault::{Vault, Zone, indexing, sense};

/// The group under way.
#[derive(Debug, Default)]
pub(super) struct Group {
    table: String,
    /// The lines the rows came from.
    lines: Vec<i64>,
    rows: Vec<StagedRow>,
    bytes: usize,
}

impl Group {
    /// Whether a row of this table may join.
    pub fn has_room_for(&self, table: &str) -> bool {
        self.rows.is_empty()
            || (self.table == table
                && self.rows.len() < limits::RESTORE_GROUP_ROWS
                && self.bytes < limits::RESTORE_GROUP_BYTES)
    }

    /// Takes a row, whose line is so long.
    pub fn push(&mut self, table: &str, line: i64, bytes: usize, row: StagedRow) {
        if self.rows.is_empty() {
            table.clone_into(&mut self.table);
        }
        self.lines.push(line);
        self.rows.push(row);
        self.bytes += bytes;
    }

    /// The table of the rows.
    pub fn table(&self) -> &str {
        &self.table
    }

    /// Stages the rows, whose table has these columns. The fault names the first row that is refused.
    pub fn stage(&mut self, vault: &Vault<'_>, progress: &mut Progress, of: &Columns) -> Taken {
        let Group {
            table, lines, rows, ..
        } = std::mem::take(self);
        let together = vault
            .sql
            .in_transaction(|| staged(vault, &table, of, &rows));
        match together {
            Ok(kept) => {
                progress.embeddings_kept += kept;
                return Ok(Ok(()));
            }
            Err(error) => refusal(error)?,
        };
        // Alone, each says for itself.
        for (line, row) in lines.iter().zip(&rows) {
            match staged(vault, &table, of, std::slice::from_ref(row)) {
                Ok(kept) => progress.embeddings_kept += kept,
                Err(error) => {
                    let message = refusal(error)?;
                    return Ok(Err(Fault {
                        line: *line,
                        message,
                    }));
                }
            }
        }
        Ok(Ok(()))
    }
}

/// Stages rows; says how many embeddings of this vault's model there were.
fn staged(vault: &Vault<'_>, table: &str, of: &Columns, rows: &[StagedRow]) -> Result<i64> {
    match table {
        "memories" => memories(vault, of, rows).map(|()| 0),
        "memory_sense" => {
            let zone = vault.zone_named(staging::time_zone(vault.sql)?);
            embeddings(vault, table, of, rows, |row, memory| {
                fits(of, row, memory, &zone)
            })
        }
        // Which model outside of the vault is wanted, the index decides.
        "memory_vectors" => {
            let fits = |row: &StagedRow, memory: &Memory| matches!(at(of, row, "made_from"), Some(SqlValue::Text(hash)) if *hash == indexing::made_from(memory));
            embeddings(vault, table, of, rows, fits).map(|_| 0)
        }
        _ => staging::insert(vault.sql, table, of, rows).map(|()| 0),
    }
}

fn refused(message: &str) -> Error {
    Error::invalid("row", message)
}

/// What SQLite refuses by the table's own rules, and what we do, is the file's fault; anything else is ours.
fn refusal(error: Error) -> Result<String> {
    if error.kind == Kind::InvalidArgument {
        return Ok(error.message);
    }
    let cause = error.cause.clone().unwrap_or_default();
    let by_rule = ["constraint failed", "cannot store", "datatype mismatch"]
        .iter()
        .find(|rule| cause.contains(**rule));
    match by_rule {
        Some(_) => {
            let shown = cause.trim_start_matches("sql: ").replace("staged_", "");
            Ok(format!("does not fit its table: {shown}"))
        }
        None => Err(error),
    }
}

fn key(of: &Columns, row: &StagedRow, name: &str) -> Option<i64> {
    match at(of, row, name) {
        Some(SqlValue::Integer(key)) => Some(*key),
        _ => None,
    }
}

fn memories(vault: &Vault<'_>, of: &Columns, rows: &[StagedRow]) -> Result<()> {
    staging::insert(vault.sql, "memories", of, rows)?;
    let keys: Vec<i64> = rows.iter().filter_map(|row| key(of, row, "seq")).collect();
    // Reading them back as memories is the last check: words, tags and times have to be ours.
    let read: Result<Vec<Memory>> = staging::find_memories(vault.sql, &keys)?
        .into_iter()
        .collect();
    let read = read.map_err(|_| {
        refused("is a memory with a type, a status, tags or a time that this version does not know")
    })?;
    if read.len() != rows.len() {
        return Err(Error::internal("a staged memory is gone"));
    }
    staging::derive(vault.sql, &read)
}

/// An embedding is kept only if it `fits` the very text it stands beside; otherwise it is made anew.
fn embeddings(
    vault: &Vault<'_>,
    table: &str,
    of: &Columns,
    rows: &[StagedRow],
    fits: impl Fn(&StagedRow, &Memory) -> bool,
) -> Result<i64> {
    let keys: Vec<i64> = rows
        .iter()
        .filter_map(|row| key(of, row, "memory_seq"))
        .collect();
    if keys.len() != rows.len() {
        return Err(refused("is an embedding without a memory"));
    }
    let memories: Vec<Memory> = staging::find_memories(vault.sql, &keys)?
        .into_iter()
        .collect::<Result<_>>()?;
    let memories: BTreeMap<i64, &Memory> = memories.iter().map(|one| (one.seq, one)).collect();
    let mut kept = Vec::new();
    for (key, row) in keys.iter().zip(rows) {
        let memory = memories
            .get(key)
            .ok_or_else(|| refused("is the embedding of a memory that is not in the file"))?;
        if fits(row, memory) {
            kept.push(row.clone());
        }
    }
    staging::insert(vault.sql, table, of, &kept)?;
    Ok(kept.len() as i64)
}

fn fits(of: &Columns, row: &StagedRow, memory: &Memory, zone: &Zone<'_>) -> bool {
    let is_text = |name: &str, wanted: &str| matches!(at(of, row, name), Some(SqlValue::Text(text)) if text == wanted);
    let bytes = |name: &str| match at(of, row, name) {
        Some(SqlValue::Blob(bytes)) => Some(bytes.clone()),
        _ => None,
    };
    is_text("model", MODEL_ID)
        && is_text("made_from", &sense::made_from(memory, zone))
        && bytes("vector").is_some_and(|bytes| Vector::from_bytes(&bytes).is_some())
        && bytes("words").is_some_and(|bytes| Words::from_bytes(bytes).is_some())
}
