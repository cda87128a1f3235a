//! Apps: the clients that may ask to be let in, and the grants by which the owner let them in.

use serde::Serialize;

use crate::model::memory::words;
use crate::model::scope::Scopes;
use crate::model::time::Timestamp;

words! {
    /// Where a client's description comes from.
    ClientKind("kind") {
        /// The client registered itself (RFC 7591). Nobody has checked who it is.
        Registered = "registered",
        /// The client's id is the https address of its description, so its host is verified.
        Document = "document",
    }
}

/// A client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Client {
    /// Its id.
    pub client_id: String,
    /// Where its description comes from.
    pub kind: ClientKind,
    /// The name it gives itself, cleaned.
    pub name: String,
    /// How it proves itself at the token endpoint: `none`, `client_secret_post`, `client_secret_basic`.
    pub auth_method: String,
    /// SHA-256 of its secret, if it has one.
    pub secret_hash: Option<String>,
    /// Where answers may be sent to.
    pub redirect_uris: Vec<String>,
    /// Whether it takes refresh tokens.
    pub refreshes: bool,
    /// Since when it is known.
    pub created_at: Timestamp,
    /// When it last asked, or was asked for.
    pub last_used_at: Timestamp,
    /// Until when its document need not be fetched again.
    pub fresh_until: Option<Timestamp>,
}

impl Client {
    /// The host that stands for the client: only a document's address proves one.
    pub fn verified_host(&self) -> Option<&str> {
        verified_host(self.kind, &self.client_id)
    }
}

/// The host of a client's id, if that id proves it.
pub fn verified_host(kind: ClientKind, client_id: &str) -> Option<&str> {
    let rest = client_id
        .strip_prefix("https://")
        .filter(|_| kind == ClientKind::Document)?;
    rest.split('/').next()
}

/// What the owner allowed one app. It ends when it is revoked, idle for too long, or at `expires_at`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// `gra_…`
    pub id: String,
    /// The app's client id.
    pub client_id: String,
    /// Where the client's description came from.
    pub client_kind: ClientKind,
    /// The app's name, as the owner saw it.
    pub client_name: String,
    /// Where the owner let the key be sent to.
    pub redirect_uri: String,
    /// What the app may do.
    pub scopes: Scopes,
    /// Who allowed it.
    pub approved_by: String,
    /// When.
    pub approved_at: Timestamp,
    /// When the app first fetched a token; `None` until then.
    pub connected_at: Option<Timestamp>,
    /// When the app last did something.
    pub last_used_at: Option<Timestamp>,
    /// When it ends whatever happens.
    pub expires_at: Timestamp,
    /// Writes since the beginning.
    pub writes: i64,
}

/// One question to the owner.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorizationRequest {
    /// `ask_…`
    pub id: String,
    /// Who asks.
    pub client_id: String,
    /// Where the answer goes.
    pub redirect_uri: String,
    /// The client's own mark, returned as it came.
    pub state: Option<String>,
    /// Challenge of RFC 7636, S256.
    pub code_challenge: String,
    /// What it asks for.
    pub scopes: Scopes,
    /// The signed-in owner who was asked.
    pub asked_of: String,
    /// SHA-256 of the form's one-use token.
    pub form_hash: String,
    /// SHA-256 of the cookie that binds the form to a browser.
    pub browser_hash: String,
    /// When it was asked.
    pub created_at: Timestamp,
    /// Until when an answer counts.
    pub expires_at: Timestamp,
}

/// An authorization code, by its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Code {
    /// SHA-256 of the code.
    pub code_hash: String,
    /// What it stands for.
    pub grant_id: String,
    /// The redirect URI it was sent to.
    pub redirect_uri: String,
    /// Challenge of RFC 7636, S256.
    pub code_challenge: String,
    /// Until when it may be exchanged.
    pub expires_at: Timestamp,
    /// When it was.
    pub used_at: Option<Timestamp>,
}

/// A pair of access and refresh token.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenPair {
    /// `tok_…`, the access token's `jti`.
    pub id: String,
    /// Whose.
    pub grant_id: String,
    /// The pair whose refresh token was exchanged for this one.
    pub parent: Option<String>,
    /// SHA-256 of the refresh token, if there is one.
    pub refresh_hash: Option<String>,
    /// What the access token allows.
    pub scopes: Scopes,
    /// When it was given out.
    pub issued_at: Timestamp,
    /// Until when the access token holds.
    pub access_expires_at: Timestamp,
    /// Until when the row matters: the refresh token's end, or the access token's if there is none.
    pub expires_at: Timestamp,
    /// When the refresh token was last exchanged.
    pub exchanged_at: Option<Timestamp>,
    /// When somebody first used either token.
    pub seen_at: Option<Timestamp>,
    /// When it was revoked or dropped.
    pub revoked_at: Option<Timestamp>,
}

/// A key pair that signs access tokens. The private half never leaves the vault, so this type has no `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningKey {
    /// Its name: the SHA-256 thumbprint of the public half (RFC 7638).
    pub kid: String,
    /// The private half: PKCS #8, DER.
    pub private: Vec<u8>,
    /// The public half's coordinates in base64url (RFC 7518 section 6.2.1).
    pub x: String,
    /// See `x`.
    pub y: String,
}

/// A client as the owner sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClientView {
    /// Its id.
    pub id: String,
    /// The name it gives itself.
    pub name: String,
    /// Where its description comes from.
    pub kind: ClientKind,
    /// The host that its id proves, if it does.
    pub verified_host: Option<String>,
}

impl ClientView {
    /// Of its parts.
    pub fn of(client_id: &str, name: &str, kind: ClientKind) -> Self {
        ClientView {
            id: client_id.to_owned(),
            name: name.to_owned(),
            kind,
            verified_host: verified_host(kind, client_id).map(str::to_owned),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_documents_address_proves_a_host() {
        let url = "https://claude.ai/oauth/metadata";
        assert_eq!(verified_host(ClientKind::Document, url), Some("claude.ai"));
        assert_eq!(verified_host(ClientKind::Registered, url), None);
        assert_eq!(verified_host(ClientKind::Registered, "app_1"), None);
    }
}
