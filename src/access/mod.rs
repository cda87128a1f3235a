//! Who may enter: which host this is, which origins may write, and who is signed in. Pure; the edge asks, before
//! anything reaches the vault. It fetches no keys and reads no clock: the edge brings both.
//!
//! In production Cloudflare Access signs people and programs in and sends a signed assertion with every request.
//! [`config`] says whether that is set up, [`keys`] holds the public keys and says when to fetch them, [`assertion`]
//! decides. An Access application in front is not enough: a request may come around it, so the assertion is checked here.

pub mod assertion;
pub mod config;
pub mod dev_owner;
pub mod host;
pub mod keys;
pub mod origin;
pub mod readiness;
#[cfg(test)]
mod test_keys;
