//! End-to-end tests: the real Worker and Durable Object in a real workerd, spoken to over HTTP as any client would.
//! `./scripts/test` builds what they need and says where it is; see `support::workerd`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::panic
)]

mod support;

mod access;
mod agenda;
mod apps;
mod backup;
mod backup_script;
mod bulk;
mod client_documents;
mod connection;
mod corrections;
mod durability;
mod edge;
mod erasing;
mod export;
mod forgetting;
mod hindsight;
mod import_cases;
mod import_forms;
mod import_kills;
mod import_reports;
mod imports;
mod imports_undo;
mod index_models;
mod index_outages;
mod index_queue;
mod index_vectorize;
mod injection;
mod injection_real;
mod likeness;
mod likeness_report;
mod map;
mod mcp_answers;
mod mcp_wire;
mod meaning;
mod memories;
mod memory_requests;
mod numbers;
mod oauth_abuse;
mod oauth_authorize;
mod oauth_client_auth;
mod oauth_consent;
mod oauth_cors;
mod oauth_discovery;
mod oauth_expiry;
mod oauth_limits;
mod oauth_mcp;
mod oauth_refresh;
mod oauth_register;
mod oauth_revoke;
mod oauth_token;
mod oauth_walks;
mod openapi;
mod owner;
mod public_routes;
mod query_plans;
mod recall;
mod recall_cases;
mod recall_floors;
mod recall_languages;
mod recall_pages;
mod recall_scripts;
mod restore;
mod restore_any;
mod restore_faults;
mod restore_steps;
mod restore_unsound;
mod retention;
mod retention_kills;
mod review;
mod review_queue;
mod secrets;
mod traces;
mod typed_again;
mod upgrades;
