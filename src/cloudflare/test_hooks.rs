//! Routes for the end-to-end tests, compiled only with the feature `test-hooks`, which no shipped build has.
//!
//! - `POST /test/panic` panics inside the object.
//! - `POST /test/clock {"shift_millis": n}` moves the object's clock; `{"fixed_millis": n}` stops it there.
//! - `POST /test/sql {"statement", "parameters"?}` runs SQL and answers `{"rows": [[…]]}`.
//! - `POST /test/index_bytes {"bytes": n}` makes the index in memory smaller.
//! - `POST /test/held` answers `{"index_bytes"}`, what the indexes of this process take, those of objects put away included.
//! - `POST /test/alarm` runs what is due now.

use std::cell::Cell;

use serde::Deserialize;
use serde_json::{Value, json};
use worker::{Request, Response};

use crate::cloudflare::clock::PlatformClock;
use crate::cloudflare::held;
use crate::ports::SqlValue;
use crate::vault::{Vault, agenda, indexing};

/// What test routes begin with.
pub const PREFIX: &str = "/test/";

/// Whether a request was one of ours.
pub enum Hook {
    /// It was.
    Answered(Response),
    /// It was not.
    NotMine(Request),
}

#[derive(Deserialize)]
struct ClockBody {
    #[serde(default)]
    shift_millis: i64,
    fixed_millis: Option<i64>,
}

#[derive(Deserialize)]
struct IndexBody {
    bytes: usize,
}

#[derive(Deserialize)]
struct SqlBody {
    statement: String,
    #[serde(default)]
    parameters: Vec<Value>,
}

/// Answers test routes.
#[allow(clippy::panic)]
pub async fn answer(
    vault: &Vault<'_>,
    clock: &PlatformClock,
    index_bytes: &Cell<usize>,
    mut request: Request,
) -> worker::Result<Hook> {
    let path = request.path();
    let Some(name) = path.strip_prefix(PREFIX) else {
        return Ok(Hook::NotMine(request));
    };
    let answer = match name {
        "panic" => panic!("a test asked for a panic"),
        "clock" => {
            let body: ClockBody = request.json().await?;
            clock.shift(body.shift_millis);
            if let Some(millis) = body.fixed_millis {
                clock.fix(millis);
            }
            json!({})
        }
        "index_bytes" => {
            let body: IndexBody = request.json().await?;
            index_bytes.set(body.bytes);
            json!({})
        }
        "held" => json!({ "index_bytes": held::index_bytes() }),
        "sql" => {
            let body: SqlBody = request.json().await?;
            let parameters: Vec<SqlValue> = body.parameters.iter().map(value).collect();
            let rows = vault
                .sql
                .query(&body.statement, &parameters)
                .map_err(|error| worker::Error::RustError(format!("{error:?}")))?;
            let rows: Vec<Vec<Value>> = rows
                .into_iter()
                .map(|row| row.0.into_iter().map(json_value).collect())
                .collect();
            json!({ "rows": rows })
        }
        "alarm" => {
            let failures = agenda::run_due(vault)
                .map_err(|error| worker::Error::RustError(format!("{error:?}")))?;
            let index = indexing::work(vault)
                .await
                .map_err(|error| worker::Error::RustError(format!("{error:?}")))?;
            json!({ "failures": failures.len(), "index_failures": index.len() })
        }
        _ => return Response::error("no such hook", 404).map(Hook::Answered),
    };
    Response::from_json(&answer).map(Hook::Answered)
}

fn value(value: &Value) -> SqlValue {
    match value {
        Value::Null => SqlValue::Null,
        Value::Bool(flag) => SqlValue::Integer(i64::from(*flag)),
        Value::Number(number) => number.as_i64().map_or_else(
            || SqlValue::Real(number.as_f64().unwrap_or_default()),
            SqlValue::Integer,
        ),
        Value::String(text) => SqlValue::Text(text.clone()),
        other => SqlValue::Text(other.to_string()),
    }
}

fn json_value(value: SqlValue) -> Value {
    match value {
        SqlValue::Null => Value::Null,
        SqlValue::Integer(number) => number.into(),
        SqlValue::Real(number) => number.into(),
        SqlValue::Text(text) => text.into(),
        SqlValue::Blob(bytes) => bytes.len().into(),
    }
}
