//! One row of a backup, from its line to the values of its staged table, checked as if it came from a stranger.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::Result;
use crate::model::restore::{Fault, Progress};
use crate::model::settings::{Settings, SettingsPatch};
use crate::ports::SqlValue;
use crate::store::backup::snapshot::{self, Columns};
use crate::store::restore::staging::StagedRow;
use crate::text::identity::content_hash;
use crate::vault::Vault;
use crate::vault::restore::group::Group;
use crate::vault::restore::sound;

/// A row's line.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    table: String,
    row: Map<String, Value>,
}

/// What a step knows of the tables.
pub(super) struct Tables {
    /// The columns of the tables that the header announced.
    columns: BTreeMap<String, Columns>,
    /// For each, whether the file has the column at all.
    given: BTreeMap<String, Vec<bool>>,
    /// Rows that were read and are not staged yet.
    group: Group,
}

/// What a file is refused with; the text is for the owner.
pub(super) type Refusal = String;

/// The outcome of a line: refused, it or one before it; or a failure of ours.
pub(super) type Taken = Result<std::result::Result<(), Fault>>;

impl Tables {
    /// Of the tables in the header; refuses what this version does not know.
    pub fn of(
        vault: &Vault<'_>,
        progress: &Progress,
    ) -> Result<std::result::Result<Self, Refusal>> {
        let mut tables = Tables {
            columns: BTreeMap::new(),
            given: BTreeMap::new(),
            group: Group::default(),
        };
        for announced in progress.header.iter().flat_map(|header| &header.tables) {
            let known = crate::store::backup::tables::TABLES
                .iter()
                .any(|table| table.name == announced.name);
            if !known {
                return Ok(Err(
                    "names a table that this version does not know".to_owned()
                ));
            }
            let columns = snapshot::columns(vault.sql, &announced.name)?;
            if !announced
                .columns
                .iter()
                .all(|column| columns.names.contains(column))
            {
                return Ok(Err(format!(
                    "names a column of {} that this version does not know",
                    announced.name
                )));
            }
            let given = columns
                .names
                .iter()
                .map(|name| announced.columns.contains(name))
                .collect();
            tables.given.insert(announced.name.clone(), given);
            tables.columns.insert(announced.name.clone(), columns);
        }
        Ok(Ok(tables))
    }

    /// Takes one line.
    pub fn take(&mut self, vault: &Vault<'_>, progress: &mut Progress, line: &[u8]) -> Taken {
        let (table, row) = match self.read(vault, progress, line) {
            Ok(read) => read,
            Err(message) => {
                let line = progress.line;
                return Ok(Err(Fault { line, message }));
            }
        };
        *progress.counts.entry(table.clone()).or_default() += 1;
        if !self.group.has_room_for(&table)
            && let Err(fault) = self.stage(vault, progress)?
        {
            return Ok(Err(fault));
        }
        self.group.push(&table, progress.line, line.len(), row);
        Ok(Ok(()))
    }

    /// Stages what was taken and is not staged yet.
    pub fn stage(&mut self, vault: &Vault<'_>, progress: &mut Progress) -> Taken {
        match self.columns.get(self.group.table()) {
            Some(columns) => self.group.stage(vault, progress, columns),
            None => Ok(Ok(())),
        }
    }

    fn read(
        &self,
        vault: &Vault<'_>,
        progress: &mut Progress,
        line: &[u8],
    ) -> std::result::Result<(String, StagedRow), Refusal> {
        let line: Line = serde_json::from_slice(line)
            .map_err(|_| "is not a row of a backup: broken JSON or another shape")?;
        let columns = self
            .columns
            .get(&line.table)
            .zip(self.given.get(&line.table));
        let (columns, given) = columns.ok_or("belongs to a table that the header does not name")?;
        let mut row = values(&line.row, columns, given)?;
        if let Some(refusal) = sound::fault(&line.table, &line.row) {
            return Err(refusal);
        }
        if line.table == "settings" {
            settings(vault, &line.row)?;
        }
        match line.table.as_str() {
            "memories" => memory(progress, columns, &mut row)?,
            "memory_history" => rehash(columns, &mut row),
            _ => {}
        }
        Ok((line.table, row))
    }
}

/// The values of a row in the order of the table's columns; `None` where the file's version had no such column.
fn values(
    row: &Map<String, Value>,
    columns: &Columns,
    given: &[bool],
) -> std::result::Result<StagedRow, Refusal> {
    if let Some(unknown) = row.keys().find(|name| !columns.names.contains(name)) {
        let shown: String = unknown.chars().take(40).collect();
        return Err(format!("has an unknown column, {shown}"));
    }
    let columns = columns.names.iter().zip(&columns.bytes).zip(given);
    columns
        .map(|((name, bytes), given)| {
            if !given {
                return Ok(None);
            }
            let value = match row.get(name) {
                None | Some(Value::Null) => SqlValue::Null,
                Some(Value::String(text)) if *bytes => {
                    let bytes = STANDARD.decode(text);
                    SqlValue::Blob(bytes.map_err(|_| format!("has no base64 in {name}"))?)
                }
                Some(Value::String(text)) => SqlValue::Text(text.clone()),
                Some(Value::Number(number)) => match (number.as_i64(), number.as_f64()) {
                    (Some(whole), _) => SqlValue::Integer(whole),
                    (None, Some(real)) => SqlValue::Real(real),
                    (None, None) => return Err(format!("has no number in {name}")),
                },
                Some(_) => return Err(format!("has neither text nor a number in {name}")),
            };
            Ok(Some(value))
        })
        .collect()
}

/// Checks a memory's text, and sees to its hash.
fn memory(
    progress: &mut Progress,
    columns: &Columns,
    row: &mut StagedRow,
) -> std::result::Result<(), Refusal> {
    let Some(SqlValue::Text(content)) = at(columns, row, "content") else {
        return Err("is a memory without a text".to_owned());
    };
    let hash = content_hash(content);
    if !matches!(at(columns, row, "seq"), Some(SqlValue::Integer(_))) {
        return Err("is a memory without a key".to_owned());
    }
    if !matches!(at(columns, row, "content_hash"), Some(SqlValue::Text(given)) if *given == hash) {
        progress.hashes_corrected += 1;
        set(columns, row, "content_hash", hash.into());
    }
    Ok(())
}

/// A row's value in the named column.
pub(super) fn at<'a>(
    columns: &Columns,
    values: &'a [Option<SqlValue>],
    name: &str,
) -> Option<&'a SqlValue> {
    let place = columns.names.iter().position(|column| column == name)?;
    values.get(place)?.as_ref()
}

fn set(columns: &Columns, values: &mut [Option<SqlValue>], name: &str, value: SqlValue) {
    let place = columns.names.iter().position(|column| column == name);
    if let Some(old) = place.and_then(|place| values.get_mut(place)) {
        *old = Some(value);
    }
}

/// The settings have to be such as the owner could have made.
fn settings(vault: &Vault<'_>, row: &Map<String, Value>) -> std::result::Result<(), Refusal> {
    let json = row.get("json").and_then(Value::as_str).unwrap_or_default();
    let patch: SettingsPatch = serde_json::from_str(json)
        .map_err(|_| "holds settings that this version does not know".to_owned())?;
    crate::vault::settings::changed(vault, &Settings::default(), patch)
        .map(|_| ())
        .map_err(|error| format!("holds a setting that cannot be: {error}"))
}

/// The hash of an earlier text is made anew as well: forgetting goes by it.
fn rehash(columns: &Columns, row: &mut StagedRow) {
    if let Some(SqlValue::Text(content)) = at(columns, row, "content") {
        let hash = content_hash(content);
        set(columns, row, "content_hash", hash.into());
    }
}
