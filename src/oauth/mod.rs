//! The authorization server's rules (OAuth 2.1 with the MCP profile), pure: which clients and redirect URIs are taken,
//! what a challenge and a discovery document say, when a refresh token is a retry and when a replay. State lives in
//! `store`, the flow in `vault::oauth`.

pub mod access_token;
pub mod challenge;
pub mod checked_tokens;
pub mod client_document;
pub mod display;
pub mod documents;
pub mod error;
pub mod form;
pub mod pkce;
pub mod redirect;
pub mod refresh;
pub mod registration;
pub mod resource;
pub mod secret;
