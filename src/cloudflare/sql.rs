//! The port `Sql` on the Durable Object's own SQLite.

use std::cell::Cell;
use std::rc::Rc;

use wasm_bindgen::prelude::*;
use worker::{SqlCursor, SqlStorage, SqlStorageValue, Storage};

use crate::error::{Error, Result};
use crate::ports::{Row, Sql, SqlValue};

#[wasm_bindgen]
extern "C" {
    /// The part of `DurableObjectStorage` that the worker crate does not wrap.
    type TransactionalStorage;

    #[wasm_bindgen(structural, method, catch, js_name = transactionSync)]
    fn transaction_sync(
        this: &TransactionalStorage,
        body: &mut dyn FnMut() -> std::result::Result<JsValue, JsValue>,
    ) -> std::result::Result<JsValue, JsValue>;
}

/// The object's database.
pub struct PlatformSql {
    sql: SqlStorage,
    storage: TransactionalStorage,
    written: Rc<Cell<bool>>,
}

impl PlatformSql {
    /// Over the object's storage.
    pub fn new(storage: &Storage) -> Self {
        let raw: &JsValue = storage.as_raw().as_ref();
        PlatformSql {
            sql: storage.sql(),
            storage: raw.clone().unchecked_into(),
            written: Rc::new(Cell::new(true)),
        }
    }

    /// The same database, for a body that is sent after its request has ended.
    pub fn again(&self, storage: &Storage) -> Self {
        PlatformSql {
            written: Rc::clone(&self.written),
            ..PlatformSql::new(storage)
        }
    }

    /// Whether anything but a `SELECT` was run since this was last asked; at first `true`.
    pub fn take_written(&self) -> bool {
        self.written.replace(false)
    }

    /// Has [`PlatformSql::take_written`] answer `true` once more.
    pub fn note_written(&self) {
        self.written.set(true);
    }

    fn exec(&self, statement: &str, parameters: &[SqlValue]) -> Result<SqlCursor> {
        if !statement.starts_with("SELECT") {
            self.note_written();
        }
        let parameters: Vec<SqlStorageValue> = parameters.iter().map(to_platform).collect();
        self.sql
            .exec(statement, parameters)
            .map_err(|error| failed(&error.to_string()))
    }
}

impl Sql for PlatformSql {
    fn query(&self, statement: &str, parameters: &[SqlValue]) -> Result<Vec<Row>> {
        self.exec(statement, parameters)?
            .raw()
            .map(|row| {
                let row = row.map_err(|error| failed(&error.to_string()))?;
                Ok(Row(row.into_iter().map(from_platform).collect()))
            })
            .collect()
    }

    // The platform has run a statement without rows when it hands over the cursor.
    fn run(&self, statement: &str, parameters: &[SqlValue]) -> Result<()> {
        self.exec(statement, parameters).map(|_| ())
    }

    fn transaction(&self, body: &mut dyn FnMut() -> Result<()>) -> Result<()> {
        // The error travels beside the JavaScript exception, which only tells the platform to roll back.
        let mut outcome: Result<()> = Ok(());
        let finished = self.storage.transaction_sync(&mut || {
            outcome = body();
            outcome
                .as_ref()
                .map(|()| JsValue::UNDEFINED)
                .map_err(|_| JsValue::from_str("rolled back"))
        });
        match (outcome, finished) {
            (Err(error), _) => Err(error),
            (Ok(()), Ok(_)) => Ok(()),
            (Ok(()), Err(_)) => Err(Error::internal("the platform refused a transaction")),
        }
    }

    fn size(&self) -> u64 {
        self.sql.database_size() as u64
    }
}

fn to_platform(value: &SqlValue) -> SqlStorageValue {
    match value {
        SqlValue::Null => SqlStorageValue::Null,
        SqlValue::Integer(number) => SqlStorageValue::Integer(*number),
        SqlValue::Real(number) => SqlStorageValue::Float(*number),
        SqlValue::Text(text) => SqlStorageValue::String(text.clone()),
        SqlValue::Blob(bytes) => SqlStorageValue::Blob(bytes.clone()),
    }
}

fn from_platform(value: SqlStorageValue) -> SqlValue {
    match value {
        SqlStorageValue::Null => SqlValue::Null,
        SqlStorageValue::Boolean(flag) => SqlValue::Integer(i64::from(flag)),
        SqlStorageValue::Integer(number) => SqlValue::Integer(number),
        SqlStorageValue::Float(number) => SqlValue::Real(number),
        SqlStorageValue::String(text) => SqlValue::Text(text),
        SqlStorageValue::Blob(bytes) => SqlValue::Blob(bytes),
    }
}

/// SQLite's words may quote a bound value, so only what stands before the first quotation mark is kept.
fn failed(message: &str) -> Error {
    let safe: String = message
        .chars()
        .take_while(|character| !matches!(character, '"' | '\'' | '`'))
        .take(160)
        .collect();
    Error::internal(format!("sql: {safe}"))
}
