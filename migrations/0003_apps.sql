-- Apps: who may ask (clients), what the owner allowed (grants), and what was given out. Of secrets only SHA-256 is kept.

-- Registered by the client itself, or read from the address that is its id. `fresh_until` belongs to the latter.
CREATE TABLE oauth_clients (
  client_id TEXT PRIMARY KEY,
  kind TEXT NOT NULL CHECK (kind IN ('registered', 'document')),
  name TEXT NOT NULL,
  auth_method TEXT NOT NULL,
  secret_hash TEXT,
  redirect_uris TEXT NOT NULL,
  refreshes INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  fresh_until INTEGER
) STRICT, WITHOUT ROWID;

-- A question to the owner that waits for an answer.
CREATE TABLE oauth_requests (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES oauth_clients (client_id) ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  state TEXT,
  code_challenge TEXT NOT NULL,
  scopes TEXT NOT NULL,
  asked_of TEXT NOT NULL,
  form_hash TEXT NOT NULL,
  browser_hash TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_requests_by_expiry ON oauth_requests (expires_at);
CREATE INDEX oauth_requests_by_client ON oauth_requests (client_id);

-- What the owner allowed. `connected_at` is set when the app first fetched a token.
CREATE TABLE oauth_grants (
  id TEXT PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES oauth_clients (client_id) ON DELETE CASCADE,
  client_name TEXT NOT NULL,
  redirect_uri TEXT NOT NULL,
  scopes TEXT NOT NULL,
  approved_by TEXT NOT NULL,
  approved_at INTEGER NOT NULL,
  connected_at INTEGER,
  last_used_at INTEGER,
  expires_at INTEGER NOT NULL,
  writes INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_grants_by_client ON oauth_grants (client_id);
CREATE INDEX oauth_grants_by_expiry ON oauth_grants (expires_at);

-- A used code stays until it expires, so that its second use is noticed.
CREATE TABLE oauth_codes (
  code_hash TEXT PRIMARY KEY,
  grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  redirect_uri TEXT NOT NULL,
  code_challenge TEXT NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_codes_by_grant ON oauth_codes (grant_id);
CREATE INDEX oauth_codes_by_expiry ON oauth_codes (expires_at);

-- One row a pair of access and refresh token. `parent` is the pair whose refresh token was exchanged for this one.
CREATE TABLE oauth_tokens (
  id TEXT PRIMARY KEY,
  grant_id TEXT NOT NULL REFERENCES oauth_grants (id) ON DELETE CASCADE,
  parent TEXT,
  refresh_hash TEXT UNIQUE,
  scopes TEXT NOT NULL,
  issued_at INTEGER NOT NULL,
  access_expires_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  exchanged_at INTEGER,
  seen_at INTEGER,
  revoked_at INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX oauth_tokens_by_grant ON oauth_tokens (grant_id);
CREATE INDEX oauth_tokens_by_parent ON oauth_tokens (parent) WHERE parent IS NOT NULL;
CREATE INDEX oauth_tokens_by_expiry ON oauth_tokens (expires_at);

-- The vault's own signing keys. The newest signs; older ones verify until what they signed has expired.
CREATE TABLE oauth_keys (
  kid TEXT PRIMARY KEY,
  private BLOB NOT NULL,
  x TEXT NOT NULL,
  y TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Calls counted in windows: `what` by whom (a grant, or a hashed address).
CREATE TABLE rates (
  what TEXT NOT NULL,
  who TEXT NOT NULL,
  window_began_at INTEGER NOT NULL,
  calls INTEGER NOT NULL,
  PRIMARY KEY (what, who)
) STRICT, WITHOUT ROWID;
CREATE INDEX rates_by_window ON rates (window_began_at);

-- One random value a vault, mixed into hashes of addresses so that they cannot be looked up elsewhere.
CREATE TABLE address_salt (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  salt BLOB NOT NULL
) STRICT;
INSERT INTO address_salt (only, salt) VALUES (1, randomblob(32));
