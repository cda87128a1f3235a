//! The authorization server's operations: how an app registers, asks, is let in, gets tokens, and is let go.
//!
//! What a client must read is an [`OAuthError`]; what must hold even when the client is refused (a grant that ends
//! because its token was stolen) is committed all the same, which is why these return a result inside a result.

pub mod admit;
pub mod ask;
pub mod clients;
pub mod decide;
pub mod exchange;
pub mod grants;
pub mod keys;
pub mod refresh;
pub mod register;
pub mod revoke;
pub mod sweep;
pub mod token;

use crate::error::Result;
use crate::oauth::error::OAuthError;

/// An operation's outcome: a fault of ours, a refusal for the client, or the answer.
pub type Outcome<T> = Result<std::result::Result<T, OAuthError>>;
