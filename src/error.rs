//! One error type for every door, and the one table that says how each kind leaves the vault.
//!
//! An [`Error`] speaks to a caller: it says what was wrong, which field, and what to change. It never carries memory
//! text, secrets or SQL. What an operator needs beside that goes into [`Error::cause`], which is logged once with the
//! request's id and never answered.

use std::fmt;

/// Shorthand for everything that can fail in the vault.
pub type Result<T> = std::result::Result<T, Error>;

/// What kind of failure it is. Each kind has one row in [`Kind::row`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The request is not understood: broken JSON, a wrong type, a value out of range.
    InvalidArgument,
    /// Nobody is signed in where somebody must be.
    Unauthenticated,
    /// Somebody is signed in, but may not do this.
    Forbidden,
    /// No such thing, or not for this caller (the two are not told apart).
    NotFound,
    /// The path exists, the method does not.
    MethodNotAllowed,
    /// Another write came first, or a key was used for something else.
    Conflict,
    /// The very text is stored already; the message names its id.
    Duplicate,
    /// The owner forgot or rejected this text, so it is not stored again.
    Excluded,
    /// More bytes or items than a limit allows.
    TooLarge,
    /// A body in a media type this route does not read.
    UnsupportedMediaType,
    /// The Host header names another site (RFC 9110 section 15.5.20).
    Misdirected,
    /// More calls than a limit allows; the message says when to come again.
    TooManyRequests,
    /// The vault cannot answer now; trying again later may help.
    Unavailable,
    /// A fault of ours.
    Internal,
}

/// How MCP reports a kind: as a result the model can act on, or as a JSON-RPC error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum McpOutcome {
    /// A tool result with `isError: true`.
    ToolError,
    /// A JSON-RPC error with this code.
    ProtocolError(i64),
}

/// One row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// HTTP status of the JSON error.
    pub status: u16,
    /// The stable word scripts may match on.
    pub code: &'static str,
    /// What an MCP tool call answers.
    pub mcp: McpOutcome,
    /// Whether the same request may succeed later without being changed.
    pub retryable: bool,
}

impl Kind {
    /// Every kind, for tests and documents that walk the table.
    pub const ALL: [Kind; 14] = [
        Kind::InvalidArgument,
        Kind::Unauthenticated,
        Kind::Forbidden,
        Kind::NotFound,
        Kind::MethodNotAllowed,
        Kind::Conflict,
        Kind::Duplicate,
        Kind::Excluded,
        Kind::TooLarge,
        Kind::UnsupportedMediaType,
        Kind::Misdirected,
        Kind::TooManyRequests,
        Kind::Unavailable,
        Kind::Internal,
    ];

    /// The table: kind -> HTTP status, API code, MCP outcome, worth retrying.
    pub const fn row(self) -> Row {
        use McpOutcome::{ProtocolError, ToolError};
        let (status, code, mcp, retryable) = match self {
            Kind::InvalidArgument => (400, "invalid_argument", ToolError, false),
            Kind::Unauthenticated => (401, "unauthenticated", ToolError, false),
            Kind::Forbidden => (403, "forbidden", ToolError, false),
            Kind::NotFound => (404, "not_found", ToolError, false),
            Kind::MethodNotAllowed => (405, "method_not_allowed", ToolError, false),
            Kind::Conflict => (409, "conflict", ToolError, false),
            Kind::Duplicate => (409, "duplicate", ToolError, false),
            Kind::Excluded => (409, "excluded", ToolError, false),
            Kind::TooLarge => (413, "too_large", ToolError, false),
            Kind::UnsupportedMediaType => (415, "unsupported_media_type", ToolError, false),
            Kind::Misdirected => (421, "misdirected_request", ToolError, false),
            Kind::TooManyRequests => (429, "too_many_requests", ToolError, false),
            Kind::Unavailable => (503, "unavailable", ToolError, true),
            Kind::Internal => (500, "internal", ProtocolError(-32603), true),
        };
        Row {
            status,
            code,
            mcp,
            retryable,
        }
    }
}

/// A failure on its way to a caller.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    /// The row of the table that applies.
    pub kind: Kind,
    /// A sentence for the caller, saying what to change.
    pub message: String,
    /// The argument at fault, by its name at the door.
    pub field: Option<String>,
    /// For the log only.
    pub cause: Option<String>,
}

impl Error {
    /// An error of any kind.
    pub fn new(kind: Kind, message: impl Into<String>) -> Self {
        Error {
            kind,
            message: message.into(),
            field: None,
            cause: None,
        }
    }

    /// A bad value in the named argument.
    pub fn invalid(field: &str, message: impl Into<String>) -> Self {
        Error {
            field: Some(field.to_owned()),
            ..Error::new(Kind::InvalidArgument, message)
        }
    }

    /// Nothing there (`what` completes "no …").
    pub fn not_found(what: &str) -> Self {
        Error::new(Kind::NotFound, format!("no {what}"))
    }

    /// A state that does not allow the change.
    pub fn conflict(message: impl Into<String>) -> Self {
        Error::new(Kind::Conflict, message)
    }

    /// A fault of ours; `cause` is logged, the caller reads one plain sentence.
    pub fn internal(cause: impl Into<String>) -> Self {
        Error {
            cause: Some(cause.into()),
            ..Error::new(
                Kind::Internal,
                "something went wrong inside the vault; nothing was changed",
            )
        }
    }

    /// The same error about another argument, for example an item of a list.
    #[must_use]
    pub fn in_field(mut self, field: impl Into<String>) -> Self {
        self.field = Some(field.into());
        self
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.field {
            Some(field) => write!(f, "{field}: {}", self.message),
            None => f.write_str(&self.message),
        }
    }
}

impl std::error::Error for Error {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_code_of_its_own_and_an_error_status() {
        let mut codes: Vec<&str> = Kind::ALL.iter().map(|kind| kind.row().code).collect();
        codes.sort_unstable();
        codes.dedup();
        assert_eq!(codes.len(), Kind::ALL.len());
        assert!(
            Kind::ALL
                .iter()
                .all(|kind| (400..=503).contains(&kind.row().status))
        );
    }

    #[test]
    fn the_statuses_scripts_rely_on_stay_as_they_are() {
        let pinned = [
            (Kind::InvalidArgument, 400, "invalid_argument"),
            (Kind::NotFound, 404, "not_found"),
            (Kind::MethodNotAllowed, 405, "method_not_allowed"),
            (Kind::Duplicate, 409, "duplicate"),
            (Kind::TooLarge, 413, "too_large"),
            (Kind::Misdirected, 421, "misdirected_request"),
            (Kind::Unavailable, 503, "unavailable"),
        ];
        for (kind, status, code) in pinned {
            assert_eq!((kind.row().status, kind.row().code), (status, code));
        }
    }

    #[test]
    fn a_fault_of_ours_tells_the_caller_nothing_of_its_cause() {
        let error = Error::internal("no such table: memories");
        assert!(!error.to_string().contains("table"));
    }

    #[test]
    fn the_argument_at_fault_leads_the_sentence() {
        let error = Error::invalid("content", "must not be blank");
        assert_eq!(error.to_string(), "content: must not be blank");
    }
}
