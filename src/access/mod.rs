//! Who may enter: which host this is, which origins may write, and who is signed in. Pure; the edge asks, before
//! anything reaches the vault.

pub mod config;
pub mod dev_owner;
pub mod host;
pub mod origin;
