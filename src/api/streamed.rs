//! Answers and uploads too long for memory: what a handler of such a route gives back, for the platform to drive.

use crate::api::response::Response;
use crate::error::{Error, Kind, Result};
use crate::vault::Vault;
use crate::vault::chunks::Chunks;

/// An answer that is sent while it is made.
pub struct Streamed {
    /// Headers beside the security headers.
    pub headers: Vec<(&'static str, String)>,
    /// The body.
    pub chunks: Box<dyn Chunks>,
}

/// What takes a body piece by piece.
pub trait Sink {
    /// The next bytes.
    ///
    /// # Errors
    /// The rest is not wanted; the error is the answer.
    fn take(&mut self, vault: &Vault<'_>, bytes: &[u8]) -> Result<()>;

    /// All of the body is there; the answer.
    fn finish(self: Box<Self>, vault: &Vault<'_>) -> Result<Response>;

    /// The body did not come to its end, or was refused.
    fn abandon(&mut self, vault: &Vault<'_>);
}

/// A file to keep, under this name.
pub fn download(media_type: &str, file_name: &str, chunks: impl Chunks + 'static) -> Streamed {
    Streamed {
        headers: vec![
            ("Content-Type", media_type.to_owned()),
            (
                "Content-Disposition",
                format!("attachment; filename=\"{file_name}\""),
            ),
        ],
        chunks: Box::new(chunks),
    }
}

/// What a route answers that was not driven by the platform; does not happen.
pub(crate) fn not_here() -> Error {
    Error::new(
        Kind::Internal,
        "this route's body is a stream, which was not expected here",
    )
}

/// The outcome of beginning.
pub type Begun = Result<Streamed>;
