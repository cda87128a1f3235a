//! Memory Vault: one long-term memory for all of a person's AI agents, in the person's own Cloudflare account.
//!
//! A request comes in at the edge (`cloudflare::edge`), which checks host, caller and origin with the rules in `access`
//! and forwards it to the one Durable Object (`cloudflare::object`). There `api` finds the route, `mcp` answers if it is
//! an agent's, and either calls one operation in `vault`, which decides and writes through `store`.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`error`] | the one error type and its table: kind → HTTP status, code, MCP outcome |
//! | [`limits`] | every limit, once: enforced and published from there |
//! | [`ports`] | the outside world as traits: SQL, clock, randomness |
//! | [`model`] | the words: memories, actors, settings, guide, batches, audit entries, ids, time, pages |
//! | [`text`] | pure: cleaning, the identity of a text, terms of all scripts |
//! | [`embed`] | pure: the model inside the vault: text becomes vectors and comparable words |
//! | [`dedupe`] | pure: whether two texts say the same, something alike, or contradict each other |
//! | [`recall`] | pure: what a question asks for, and how strongly a memory answers |
//! | [`map`] | pure: memories as points on a sheet, and names for where they lie densely |
//! | [`intake`] | pure: what people paste or import, cut into drafts |
//! | [`access`] | pure: host, origin and sign-in rules: who may enter |
//! | [`oauth`] | pure: clients, redirect rules, PKCE, scopes, token stages, documents and errors of the authorization server |
//! | [`store`] | SQL, one file per table group, and the schema's migrations |
//! | [`vault`] | the operations: one file per operation, one public function each |
//! | [`mcp`] | the Model Context Protocol in both of its eras: envelope, tools, prompts, resources |
//! | [`api`] | the HTTP door: route table, handlers, pages, OpenAPI |
//! | [`cloudflare`] | the platform: Worker, Durable Object, and the ports made of it |
//!
//! **Imports point one way**: cloudflare → api → mcp → vault → store, map, recall, embed, intake, oauth, access → model → text → ports,
//! limits, error. `api` and `mcp` never see `store`; pure modules never see SQL, the network or the clock. A test
//! (`tests/architecture.rs`) holds this.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::string_slice,
        clippy::panic
    )
)]

pub mod access;
pub mod api;
pub mod cloudflare;
pub mod dedupe;
pub mod embed;
pub mod error;
pub mod intake;
pub mod limits;
pub mod map;
pub mod mcp;
pub mod model;
pub mod oauth;
pub mod ports;
pub mod recall;
pub mod store;
pub mod text;
pub mod vault;
