//! What makes a test three lines long: a vault to start, a client to ask it, and the flows that recur.

mod answer;
pub mod deployed;
mod internet;
mod mcp;
pub mod oauth;
mod services;
mod vault;
mod workerd;

pub use answer::Answer;
pub use internet::Internet;
pub use mcp::Mcp;
pub use services::Services;
pub use vault::{Vault, encode, id_of, texts};
