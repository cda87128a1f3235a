//! What makes a test three lines long: a vault to start, a client to ask it, and the flows that recur.

mod answer;
mod mcp;
mod vault;
mod workerd;

pub use vault::{Vault, encode};
