//! How the token, registration and revocation endpoints refuse (RFC 6749 section 5.2, RFC 7591 section 3.2.2).

use std::fmt;

/// A refusal. `code` is one of the words of the RFCs, `description` says what to change; neither holds a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OAuthError {
    /// HTTP status.
    pub status: u16,
    /// The RFC's word.
    pub code: &'static str,
    /// A sentence for whoever reads the client's log.
    pub description: String,
    /// Seconds to wait, with status 429.
    pub retry_after_seconds: Option<i64>,
    /// A fault of ours behind it, for the log.
    pub cause: Option<Box<crate::error::Error>>,
}

impl OAuthError {
    fn new(status: u16, code: &'static str, description: impl Into<String>) -> Self {
        OAuthError {
            status,
            code,
            description: description.into(),
            retry_after_seconds: None,
            cause: None,
        }
    }

    /// A parameter is missing, given twice or malformed.
    pub fn invalid_request(description: impl Into<String>) -> Self {
        Self::new(400, "invalid_request", description)
    }

    /// The client is unknown or did not prove itself. On this clients register anew, so the status is always 401.
    pub fn invalid_client(description: impl Into<String>) -> Self {
        Self::new(401, "invalid_client", description)
    }

    /// The code or refresh token is used up, outlived, revoked, or another client's.
    pub fn invalid_grant(description: impl Into<String>) -> Self {
        Self::new(400, "invalid_grant", description)
    }

    /// No scope of those asked for can be given.
    pub fn invalid_scope(description: impl Into<String>) -> Self {
        Self::new(400, "invalid_scope", description)
    }

    /// The token is wanted for another resource (RFC 8707 section 2).
    pub fn invalid_target() -> Self {
        Self::new(
            400,
            "invalid_target",
            "this server gives tokens for its own MCP endpoint only",
        )
    }

    /// Not one of our grant types.
    pub fn unsupported_grant_type() -> Self {
        Self::new(
            400,
            "unsupported_grant_type",
            "use authorization_code or refresh_token",
        )
    }

    /// Any other code of the RFCs, with status 400.
    pub fn bad_request(code: &'static str, description: impl Into<String>) -> Self {
        Self::new(400, code, description)
    }

    /// Too many calls from one address.
    pub fn slow_down(retry_after_seconds: i64) -> Self {
        OAuthError {
            retry_after_seconds: Some(retry_after_seconds),
            ..Self::new(
                429,
                "temporarily_unavailable",
                format!(
                    "too many requests from this address; try again in {retry_after_seconds} seconds"
                ),
            )
        }
    }
}

/// A fault of ours while answering a client.
impl From<crate::error::Error> for OAuthError {
    fn from(error: crate::error::Error) -> Self {
        OAuthError {
            cause: Some(Box::new(error)),
            ..Self::new(500, "server_error", "something went wrong inside the vault")
        }
    }
}

impl fmt::Display for OAuthError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.description)
    }
}

impl std::error::Error for OAuthError {}
