//! `WWW-Authenticate` (RFC 6750 section 3, RFC 9728 section 5.1): tells a client where to learn how to sign in, and
//! what went wrong if it had tried.

use crate::oauth::documents::PROTECTED_RESOURCE_PATH;

/// Why a request with a token is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The token is outlived, revoked, forged or another audience's.
    InvalidToken,
    /// The token is good, but does not allow this.
    InsufficientScope,
    /// The header is not `Bearer` and one token.
    InvalidRequest,
}

impl Reason {
    /// HTTP status of the refusal.
    pub const fn status(self) -> u16 {
        match self {
            Reason::InvalidToken => 401,
            Reason::InsufficientScope => 403,
            Reason::InvalidRequest => 400,
        }
    }

    const fn parts(self) -> (&'static str, &'static str) {
        match self {
            Reason::InvalidToken => (
                "invalid_token",
                "the access token is not valid here (any more); refresh it or sign in again",
            ),
            Reason::InsufficientScope => (
                "insufficient_scope",
                "the owner has not allowed this app to do that",
            ),
            Reason::InvalidRequest => (
                "invalid_request",
                "send one header Authorization: Bearer and the token",
            ),
        }
    }

    /// What the refusal's body says.
    pub const fn description(self) -> &'static str {
        self.parts().1
    }

    /// The RFC's word.
    pub const fn code(self) -> &'static str {
        self.parts().0
    }
}

/// The header's value. Without a reason nothing was wrong: the caller just has not signed in yet, and the header must
/// not carry an error then (RFC 6750 section 3.1).
pub fn header(origin: &str, scope: &str, reason: Option<Reason>) -> String {
    let mut value = "Bearer ".to_owned();
    if let Some(reason) = reason {
        let (code, description) = reason.parts();
        value.push_str(&format!(
            "error=\"{code}\", error_description=\"{description}\", "
        ));
    }
    value.push_str(&format!(
        "resource_metadata=\"{origin}{PROTECTED_RESOURCE_PATH}\", scope=\"{scope}\""
    ));
    value
}

/// The token of an `Authorization` header.
///
/// # Errors
/// [`Reason::InvalidRequest`] for another scheme or a malformed header.
pub fn bearer(authorization: &str) -> Result<&str, Reason> {
    let (scheme, token) = authorization
        .trim()
        .split_once(' ')
        .ok_or(Reason::InvalidRequest)?;
    let token = token.trim();
    // RFC 6750 section 2.1: b64token.
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    if scheme.eq_ignore_ascii_case("Bearer") && !token.is_empty() && token.bytes().all(allowed) {
        Ok(token)
    } else {
        Err(Reason::InvalidRequest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_contact_names_the_metadata_and_no_error() {
        assert_eq!(
            header("https://v.test", "memory.read memory.write", None),
            "Bearer resource_metadata=\"https://v.test/.well-known/oauth-protected-resource/mcp\", scope=\"memory.read memory.write\""
        );
    }

    #[test]
    fn a_refusal_says_why() {
        let value = header(
            "https://v.test",
            "memory.write",
            Some(Reason::InsufficientScope),
        );
        assert!(
            value.starts_with("Bearer error=\"insufficient_scope\", "),
            "{value}"
        );
        assert!(value.ends_with("scope=\"memory.write\""), "{value}");
    }

    #[test]
    fn only_one_bearer_token_is_read() {
        assert_eq!(bearer("bearer  abc.d-e_f "), Ok("abc.d-e_f"));
        for text in [
            "",
            "Bearer",
            "Bearer ",
            "Basic abc",
            "Bearer a b",
            "Bearer a,b",
            "Bearer \u{e9}",
            "abc",
        ] {
            assert_eq!(bearer(text), Err(Reason::InvalidRequest), "{text}");
        }
    }
}
