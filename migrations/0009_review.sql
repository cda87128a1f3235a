-- What the owner's review needs: what was noticed in a text, since when a memory stands where it stands, what a decision
-- changed (so that it can be taken back), and the vault's own notes for its daily work.

-- Words from model/flag.rs, separated by commas.
ALTER TABLE memories ADD COLUMN flags TEXT NOT NULL DEFAULT '';
-- When the status last changed. A trigger writes it, so that no writer can forget to; NULL means "see updated_at".
ALTER TABLE memories ADD COLUMN status_at INTEGER;
CREATE TRIGGER memory_status_changed AFTER UPDATE OF status ON memories WHEN new.status IS NOT old.status BEGIN UPDATE memories SET status_at = new.updated_at WHERE seq = new.seq; END;
CREATE INDEX memories_by_flag ON memories (flags) WHERE flags <> '';
CREATE INDEX memories_by_end ON memories (status, coalesce(status_at, updated_at));
-- The shelf of weeks.
CREATE INDEX memories_by_week ON memories (created_at, type) WHERE status = 'active' AND forget_requested_at IS NULL;
CREATE INDEX audit_by_time ON audit (at);

-- The last decision about a memory. No text.
CREATE TABLE decisions (
  memory_id TEXT PRIMARY KEY,
  decision TEXT NOT NULL CHECK (decision IN ('approved', 'rejected')),
  decided_at INTEGER NOT NULL,
  decided_by TEXT NOT NULL,
  -- What the proposal said it would replace, before the decision.
  supersedes_before TEXT,
  -- What the approval replaced, and how that stood before.
  replaced_id TEXT,
  replaced_status TEXT CHECK (replaced_status IN ('proposed', 'active')),
  replaced_valid_until INTEGER
) STRICT, WITHOUT ROWID;

-- What the vault has to remember about its own work, by name: the last clean-up, an erasure that was asked for.
CREATE TABLE vault_notes (
  name TEXT PRIMARY KEY,
  json TEXT NOT NULL
) STRICT, WITHOUT ROWID;
