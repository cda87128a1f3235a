//! One row of a backup: from its line into its staged table, checked as if it came from a stranger.

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::embed::MODEL_ID;
use crate::embed::tokens::Words;
use crate::embed::vector::Vector;
use crate::error::{Error, Kind, Result};
use crate::limits;
use crate::model::audit::Action;
use crate::model::memory::Memory;
use crate::model::restore::Progress;
use crate::ports::SqlValue;
use crate::store::backup::snapshot::{self, Columns};
use crate::store::restore::staging;
use crate::text::identity::content_hash;
use crate::vault::{Vault, Zone, indexing, sense};

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
}

/// What a file is refused with; the text is for the owner.
pub(super) type Refusal = String;

/// The outcome of a line: refused, or a failure of ours.
pub(super) type Taken = Result<std::result::Result<(), Refusal>>;

impl Tables {
    /// Of the tables in the header; refuses what this version does not know.
    pub fn of(
        vault: &Vault<'_>,
        progress: &Progress,
    ) -> Result<std::result::Result<Self, Refusal>> {
        let mut tables = Tables {
            columns: BTreeMap::new(),
            given: BTreeMap::new(),
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
    pub fn take(&self, vault: &Vault<'_>, progress: &mut Progress, line: &[u8]) -> Taken {
        let Ok(line) = serde_json::from_slice::<Line>(line) else {
            return Ok(Err(
                "is not a row of a backup: broken JSON or another shape".to_owned(),
            ));
        };
        let (Some(columns), Some(given)) =
            (self.columns.get(&line.table), self.given.get(&line.table))
        else {
            return Ok(Err(
                "belongs to a table that the header does not name".to_owned()
            ));
        };
        let values = match values(&line.row, columns, given) {
            Ok(values) => values,
            Err(refusal) => return Ok(Err(refusal)),
        };
        *progress.counts.entry(line.table.clone()).or_default() += 1;
        match line.table.as_str() {
            "memories" => memory(vault, progress, columns, values),
            "memory_sense" => embedding(vault, progress, columns, values),
            "memory_vectors" => vectors(vault, columns, values),
            table => {
                if let Some(refusal) = unreadable(table, &line.row) {
                    return Ok(Err(refusal));
                }
                insert(vault, table, columns, rehashed(table, columns, values))
            }
        }
    }
}

/// The values of a row in the order of the table's columns; `None` where the file's version had no such column.
fn values(
    row: &Map<String, Value>,
    columns: &Columns,
    given: &[bool],
) -> std::result::Result<Vec<Option<SqlValue>>, Refusal> {
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

fn insert(
    vault: &Vault<'_>,
    table: &str,
    columns: &Columns,
    values: Vec<Option<SqlValue>>,
) -> Taken {
    match staging::insert(vault.sql, table, columns, values) {
        Ok(()) => Ok(Ok(())),
        Err(error) => refusal(error).map(Err),
    }
}

/// What SQLite refuses by the table's own rules is the file's fault; anything else is ours.
fn refusal(error: Error) -> Result<Refusal> {
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

fn memory(
    vault: &Vault<'_>,
    progress: &mut Progress,
    columns: &Columns,
    mut values: Vec<Option<SqlValue>>,
) -> Taken {
    let text = |name: &str, values: &[Option<SqlValue>]| match at(columns, values, name) {
        Some(SqlValue::Text(text)) => Some(text.clone()),
        _ => None,
    };
    let Some(content) = text("content", &values) else {
        return Ok(Err("is a memory without a text".to_owned()));
    };
    if content.len() > limits::MEMORY_BYTES {
        return Ok(Err(format!(
            "is a memory of {} bytes; one takes at most {}",
            content.len(),
            limits::MEMORY_BYTES
        )));
    }
    let Some(SqlValue::Integer(seq)) = at(columns, &values, "seq").cloned() else {
        return Ok(Err("is a memory without a key".to_owned()));
    };
    let hash = content_hash(&content);
    if text("content_hash", &values).as_deref() != Some(&hash) {
        progress.hashes_corrected += 1;
        set(columns, &mut values, "content_hash", hash.into());
    }
    if let Err(refusal) = insert(vault, "memories", columns, values)? {
        return Ok(Err(refusal));
    }
    // Reading it back as a memory is the last check: words, tags and times have to be ours.
    match staging::find_memory(vault.sql, seq) {
        Ok(Some(memory)) => match staging::derive(vault.sql, &memory) {
            Ok(()) => Ok(Ok(())),
            Err(error) => refusal(error).map(Err),
        },
        Ok(None) => Err(Error::internal("a staged memory is gone")),
        Err(error) if matches!(error.kind, Kind::InvalidArgument | Kind::Internal) => Ok(Err(
            "is a memory with a type, a status, tags or a time that this version does not know"
                .to_owned(),
        )),
        Err(error) => Err(error),
    }
}

/// An embedding is kept only if it was made from this very text by the model of this vault; otherwise it is made anew.
fn embedding(
    vault: &Vault<'_>,
    progress: &mut Progress,
    columns: &Columns,
    values: Vec<Option<SqlValue>>,
) -> Taken {
    let Some(SqlValue::Integer(seq)) = at(columns, &values, "memory_seq") else {
        return Ok(Err("is an embedding without a memory".to_owned()));
    };
    let Some(memory) = staging::find_memory(vault.sql, *seq)? else {
        return Ok(Err(
            "is the embedding of a memory that is not in the file".to_owned()
        ));
    };
    let zone = vault.zone_named(staging::time_zone(vault.sql)?);
    if !fits(columns, &values, &memory, &zone) {
        return Ok(Ok(()));
    }
    progress.embeddings_kept += 1;
    insert(vault, "memory_sense", columns, values)
}

/// The same for vectors of a model outside of the vault; which model is wanted, the index decides.
fn vectors(vault: &Vault<'_>, columns: &Columns, values: Vec<Option<SqlValue>>) -> Taken {
    let Some(SqlValue::Integer(seq)) = at(columns, &values, "memory_seq") else {
        return Ok(Err("is an embedding without a memory".to_owned()));
    };
    let Some(memory) = staging::find_memory(vault.sql, *seq)? else {
        return Ok(Err(
            "is the embedding of a memory that is not in the file".to_owned()
        ));
    };
    match at(columns, &values, "made_from") {
        Some(SqlValue::Text(hash)) if *hash == indexing::made_from(&memory) => {
            insert(vault, "memory_vectors", columns, values)
        }
        _ => Ok(Ok(())),
    }
}

fn fits(columns: &Columns, values: &[Option<SqlValue>], memory: &Memory, zone: &Zone<'_>) -> bool {
    let is_text = |name: &str, wanted: &str| matches!(at(columns, values, name), Some(SqlValue::Text(text)) if text == wanted);
    let bytes = |name: &str| match at(columns, values, name) {
        Some(SqlValue::Blob(bytes)) => Some(bytes.clone()),
        _ => None,
    };
    is_text("model", MODEL_ID)
        && is_text("made_from", &sense::made_from(memory, zone))
        && bytes("vector").is_some_and(|bytes| Vector::from_bytes(&bytes).is_some())
        && bytes("words").is_some_and(|bytes| Words::from_bytes(bytes).is_some())
}

fn at<'a>(columns: &Columns, values: &'a [Option<SqlValue>], name: &str) -> Option<&'a SqlValue> {
    let place = columns.names.iter().position(|column| column == name)?;
    values.get(place)?.as_ref()
}

fn set(columns: &Columns, values: &mut [Option<SqlValue>], name: &str, value: SqlValue) {
    let place = columns.names.iter().position(|column| column == name);
    if let Some(old) = place.and_then(|place| values.get_mut(place)) {
        *old = Some(value);
    }
}

/// The hash of an earlier text is made anew as well: forgetting goes by it.
fn rehashed(
    table: &str,
    columns: &Columns,
    mut values: Vec<Option<SqlValue>>,
) -> Vec<Option<SqlValue>> {
    if table == "memory_history"
        && let Some(SqlValue::Text(content)) = at(columns, &values, "content")
    {
        let hash = content_hash(content);
        set(columns, &mut values, "content_hash", hash.into());
    }
    values
}

/// Why this program could not read a row that the table itself would take.
fn unreadable(table: &str, row: &Map<String, Value>) -> Option<Refusal> {
    let text = |name: &str| row.get(name).and_then(Value::as_str).unwrap_or_default();
    let is_object = |json: &str| serde_json::from_str::<Map<String, Value>>(json).is_ok();
    let fault = match table {
        "settings" if !is_object(text("json")) => "settings that are no JSON object",
        "batches" if !is_object(text("counts")) => "a batch whose counts are no JSON object",
        "audit" if Action::parse(text("action")).is_err() => {
            "an audit entry of a kind that this version does not know"
        }
        "audit" if !text("details").is_empty() && !is_object(text("details")) => {
            "an audit entry whose details are no JSON object"
        }
        "guide_versions" if text("content").len() > limits::GUIDE_BYTES => {
            "a guide that is too long"
        }
        "exclusions"
            if text("content_hash").len() != 64
                || !text("content_hash")
                    .bytes()
                    .all(|byte| byte.is_ascii_hexdigit()) =>
        {
            "an exclusion without a hash"
        }
        _ => return None,
    };
    Some(format!("is {fault}"))
}
