-- Imports in several calls, with a report that lasts and a way back.

-- `identity` is who may go on with an open import. The `input_` columns describe the last input: its hash, the place of
-- its first item in the import, how many items of it are taken and how many it has. `more` says that further inputs follow.
ALTER TABLE batches ADD COLUMN state TEXT NOT NULL DEFAULT 'done' CHECK (state IN ('done', 'incomplete', 'undone'));
ALTER TABLE batches ADD COLUMN identity TEXT;
ALTER TABLE batches ADD COLUMN read_as TEXT;
ALTER TABLE batches ADD COLUMN status TEXT NOT NULL DEFAULT 'active';
ALTER TABLE batches ADD COLUMN input_hash TEXT;
ALTER TABLE batches ADD COLUMN input_first INTEGER NOT NULL DEFAULT 0;
ALTER TABLE batches ADD COLUMN input_taken INTEGER NOT NULL DEFAULT 0;
ALTER TABLE batches ADD COLUMN input_total INTEGER NOT NULL DEFAULT 0;
ALTER TABLE batches ADD COLUMN more INTEGER NOT NULL DEFAULT 0;
ALTER TABLE batches ADD COLUMN undone_at INTEGER;
ALTER TABLE batches ADD COLUMN undo_removed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE batches ADD COLUMN undo_restored INTEGER NOT NULL DEFAULT 0;
CREATE INDEX batches_open ON batches (identity, input_hash) WHERE state = 'incomplete';

-- What became of each item: ids and reasons, no text. `replaced` is the memory that an item known already took the place of.
CREATE TABLE batch_items (
  batch_id TEXT NOT NULL,
  place INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  memory_id TEXT,
  reason TEXT,
  status TEXT,
  similar_to TEXT,
  similarity REAL,
  replaced TEXT,
  PRIMARY KEY (batch_id, place)
) STRICT, WITHOUT ROWID;

-- What an undo has to know: when the owner changed a memory by hand, and where a replaced one stood before.
ALTER TABLE memories ADD COLUMN edited_at INTEGER;
ALTER TABLE memories ADD COLUMN status_before TEXT;
UPDATE memories SET edited_at = (SELECT max(at) FROM audit WHERE action = 'edit' AND subject = memories.id) WHERE id IN (SELECT subject FROM audit WHERE action = 'edit');
DROP INDEX memories_by_batch;
CREATE INDEX memories_by_batch ON memories (batch_id, status, forget_requested_at) WHERE batch_id IS NOT NULL;
