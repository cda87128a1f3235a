//! The outside world, as the vault sees it: SQL, the clock, randomness. `cloudflare` implements these traits; nothing
//! else in the crate names the platform.

use std::future::Future;
use std::pin::Pin;

use crate::error::{Error, Kind, Result};

/// Something that is answered later, on this one thread.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + 'a>>;

/// A value bound to or read from SQL.
#[derive(Debug, Clone, PartialEq)]
pub enum SqlValue {
    /// SQL NULL.
    Null,
    /// An integer; values beyond ±2^53 are not kept exactly by the platform and must not be stored.
    Integer(i64),
    /// A floating point number.
    Real(f64),
    /// UTF-8 text.
    Text(String),
    /// Bytes.
    Blob(Vec<u8>),
}

macro_rules! sql_value_from {
    ($($from:ty => $make:expr),* $(,)?) => { $(
        impl From<$from> for SqlValue {
            fn from(value: $from) -> Self { $make(value) }
        }
    )* };
}

sql_value_from! {
    i64 => SqlValue::Integer,
    f64 => SqlValue::Real,
    String => SqlValue::Text,
    &str => |text: &str| SqlValue::Text(text.to_owned()),
    &String => |text: &String| SqlValue::Text(text.clone()),
    Vec<u8> => SqlValue::Blob,
    bool => |flag| SqlValue::Integer(i64::from(flag)),
}

impl<T: Into<SqlValue>> From<Option<T>> for SqlValue {
    fn from(value: Option<T>) -> Self {
        value.map_or(SqlValue::Null, Into::into)
    }
}

/// One row of an answer. The getters name the column by position and fail with [`Kind::Internal`] when the column is
/// absent or of another type, since that is a fault of the query's author.
#[derive(Debug, Clone, PartialEq)]
pub struct Row(pub Vec<SqlValue>);

impl Row {
    fn at(&self, column: usize) -> Result<&SqlValue> {
        self.0
            .get(column)
            .ok_or_else(|| Error::internal(format!("column {column} is missing from a row")))
    }

    fn wrong(column: usize, wanted: &str) -> Error {
        Error::internal(format!("column {column} is not {wanted}"))
    }

    /// Text that may not be NULL.
    pub fn text(&self, column: usize) -> Result<String> {
        self.text_or_null(column)?
            .ok_or_else(|| Self::wrong(column, "text"))
    }

    /// Text or NULL.
    pub fn text_or_null(&self, column: usize) -> Result<Option<String>> {
        match self.at(column)? {
            SqlValue::Null => Ok(None),
            SqlValue::Text(text) => Ok(Some(text.clone())),
            _ => Err(Self::wrong(column, "text")),
        }
    }

    /// An integer that may not be NULL.
    pub fn integer(&self, column: usize) -> Result<i64> {
        self.integer_or_null(column)?
            .ok_or_else(|| Self::wrong(column, "an integer"))
    }

    /// An integer or NULL.
    pub fn integer_or_null(&self, column: usize) -> Result<Option<i64>> {
        match self.at(column)? {
            SqlValue::Null => Ok(None),
            SqlValue::Integer(number) => Ok(Some(*number)),
            _ => Err(Self::wrong(column, "an integer")),
        }
    }

    /// Bytes that may not be NULL.
    pub fn blob(&self, column: usize) -> Result<Vec<u8>> {
        match self.at(column)? {
            SqlValue::Blob(bytes) => Ok(bytes.clone()),
            _ => Err(Self::wrong(column, "bytes")),
        }
    }

    /// A number, whole or not (the platform hands whole floats over as integers).
    pub fn real_or_null(&self, column: usize) -> Result<Option<f64>> {
        match self.at(column)? {
            SqlValue::Null => Ok(None),
            SqlValue::Integer(number) => Ok(Some(*number as f64)),
            SqlValue::Real(number) => Ok(Some(*number)),
            _ => Err(Self::wrong(column, "a number")),
        }
    }
}

/// Parameters of one statement (the platform's limit).
pub const SQL_PARAMETERS: usize = 100;

/// The vault's SQLite database.
pub trait Sql {
    /// Runs one statement and returns all its rows. At most [`SQL_PARAMETERS`] parameters.
    fn query(&self, statement: &str, parameters: &[SqlValue]) -> Result<Vec<Row>>;

    /// Runs one statement that returns no row, or none that matters.
    fn run(&self, statement: &str, parameters: &[SqlValue]) -> Result<()> {
        self.query(statement, parameters).map(|_| ())
    }

    /// Runs `body` in one transaction: all of it is kept when it returns `Ok`, none when it returns `Err`. Nests.
    fn transaction(&self, body: &mut dyn FnMut() -> Result<()>) -> Result<()>;

    /// Bytes the database takes.
    fn size(&self) -> u64;
}

impl dyn Sql + '_ {
    /// [`Sql::transaction`] for a body with a result.
    pub fn in_transaction<T>(&self, body: impl FnOnce() -> Result<T>) -> Result<T> {
        let mut body = Some(body);
        let mut answer = None;
        self.transaction(&mut || {
            let body = body
                .take()
                .ok_or_else(|| Error::internal("a transaction ran its body twice"))?;
            answer = Some(body()?);
            Ok(())
        })?;
        answer.ok_or_else(|| Error::new(Kind::Internal, "a transaction did not run its body"))
    }

    /// The first row, if there is one.
    pub fn first(&self, statement: &str, parameters: &[SqlValue]) -> Result<Option<Row>> {
        Ok(self.query(statement, parameters)?.into_iter().next())
    }

    /// A single integer, 0 when there is no row (`SELECT count(*) …`).
    pub fn count(&self, statement: &str, parameters: &[SqlValue]) -> Result<i64> {
        self.first(statement, parameters)?
            .map_or(Ok(0), |row| row.integer(0))
    }
}

/// The time, and what the owner's clock on the wall shows.
pub trait Clock {
    /// Milliseconds since 1970-01-01T00:00:00Z. On Cloudflare it stands still between I/O, so it never measures work.
    fn now_millis(&self) -> i64;

    /// Minutes that the IANA zone is ahead of UTC at that instant; `None` for a zone the platform does not know.
    fn offset_minutes(&self, zone: &str, at_millis: i64) -> Option<i32>;
}

/// Unpredictable bytes.
pub trait Random {
    /// Fills `bytes`; fails only when the platform has no source of randomness.
    fn fill(&self, bytes: &mut [u8]) -> Result<()>;
}

/// A GET over the open internet: no cookies, no credentials, redirects not followed.
#[derive(Debug, Clone, Copy)]
pub struct FetchRequest<'a> {
    /// Absolute address.
    pub url: &'a str,
    /// Headers.
    pub headers: &'a [(&'a str, &'a str)],
    /// Largest body read; a longer one is a failure.
    pub body_bytes: usize,
    /// Time limit for all of it.
    pub milliseconds: u32,
}

/// The answer to a [`FetchRequest`], of whatever status.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fetched {
    /// Status code; a redirect is an answer like any other.
    pub status: u16,
    /// Names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Fetched {
    /// A header by its lower-case name.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Why there is no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FetchFailure {
    /// No connection, no such host, or a broken answer.
    Unreachable,
    /// The body is larger than allowed.
    TooLarge,
    /// It took too long.
    Late,
}

/// The open internet.
pub trait Fetch {
    /// Gets an address.
    fn get<'a>(
        &'a self,
        request: FetchRequest<'a>,
    ) -> Later<'a, std::result::Result<Fetched, FetchFailure>>;
}

/// Why a service of the platform gave nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ServiceFailure {
    /// It took longer than it was given.
    Late,
    /// It could not be reached, or broke.
    Unreachable,
    /// It has too much to do; a little later it may take the same.
    Busy,
    /// What it gives away in a day is used up, until midnight UTC.
    Quota,
    /// It will not take this, however often it is asked. Says why, in words free of what was sent.
    Refused(String),
}

/// Turns texts into vectors (Workers AI).
pub trait Embedder {
    /// One vector for each text, in their order, made by the model of this name.
    fn embed<'a>(
        &'a self,
        model: &'a str,
        texts: &'a [String],
        milliseconds: u32,
    ) -> Later<'a, std::result::Result<Vec<Vec<f32>>, ServiceFailure>>;
}

/// A vector on its way into a [`VectorIndex`].
#[derive(Debug, Clone, PartialEq)]
pub struct IndexVector {
    /// At most 64 bytes.
    pub id: String,
    /// Its numbers.
    pub values: Vec<f32>,
}

/// What a [`VectorIndex`] says of itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct IndexShape {
    /// Numbers in each vector; `None` when it does not say.
    pub dimensions: Option<u64>,
    /// Vectors in it, as far as it has counted.
    pub vectors: Option<u64>,
}

/// Finds the vectors most like one (Vectorize). What is written becomes visible some time later, and what is deleted
/// stays visible as long. Its limits are the caller's to keep.
pub trait VectorIndex {
    /// Writes vectors over what was under their ids.
    fn upsert<'a>(
        &'a self,
        namespace: &'a str,
        vectors: &'a [IndexVector],
        milliseconds: u32,
    ) -> Later<'a, std::result::Result<(), ServiceFailure>>;

    /// Removes vectors. Ids that are not there do no harm.
    fn delete<'a>(
        &'a self,
        ids: &'a [String],
        milliseconds: u32,
    ) -> Later<'a, std::result::Result<(), ServiceFailure>>;

    /// The ids of the `count` vectors of a namespace that are most like `values`, best first.
    fn query<'a>(
        &'a self,
        namespace: &'a str,
        values: &'a [f32],
        count: usize,
        milliseconds: u32,
    ) -> Later<'a, std::result::Result<Vec<String>, ServiceFailure>>;

    /// Its shape.
    fn describe(
        &self,
        milliseconds: u32,
    ) -> Later<'_, std::result::Result<IndexShape, ServiceFailure>>;
}
