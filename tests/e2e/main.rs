//! End-to-end tests: the real Worker and Durable Object in a real workerd, spoken to over HTTP as any client would.
//! `./scripts/test` builds what they need and says where it is; see `support::workerd`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod support;

mod agenda;
mod bulk;
mod corrections;
mod durability;
mod edge;
mod forgetting;
mod mcp_answers;
mod mcp_wire;
mod memories;
mod openapi;
mod owner;
mod recall;
mod recall_scripts;
