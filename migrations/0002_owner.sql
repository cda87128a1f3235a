-- What the owner says and sees: guide, settings, audit log; and the agenda of work to come.

CREATE TABLE guide_versions (
  version INTEGER PRIMARY KEY,
  content TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL
) STRICT;

-- One row: a JSON object of the settings that differ from their defaults or were ever set.
CREATE TABLE settings (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  json TEXT NOT NULL
) STRICT;

CREATE TABLE audit (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  action TEXT NOT NULL,
  subject TEXT,
  details TEXT
) STRICT;
CREATE INDEX audit_by_subject ON audit (subject, seq) WHERE subject IS NOT NULL;

-- A key belongs to its actor. The answer holds ids and outcomes, never text.
CREATE TABLE idempotency_keys (
  actor TEXT NOT NULL,
  key TEXT NOT NULL,
  request_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (actor, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_by_time ON idempotency_keys (created_at);

-- Work to come. One alarm is set at the earliest due_at of a waiting job.
CREATE TABLE jobs (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  due_at INTEGER NOT NULL,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'dead')),
  PRIMARY KEY (kind, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX jobs_by_due ON jobs (due_at) WHERE state = 'waiting';
