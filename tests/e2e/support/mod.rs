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

/// How often a test kills the process: a few times by default, as often as `VAULT_KILLS` says in a long run.
pub fn kills(default: usize) -> usize {
    let wanted = std::env::var("VAULT_KILLS").ok();
    wanted
        .and_then(|wanted| wanted.parse().ok())
        .unwrap_or(default)
}
