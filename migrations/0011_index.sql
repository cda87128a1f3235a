-- Vectors made by Workers AI, the queue of what is still to be made or told to Vectorize, and what Vectorize was told.
-- All of it is derived from memories and can be made anew.

-- One row a memory: all vectors of its text (long texts have several), one byte a number, one behind the other. A row is
-- there only as long as it is of the text as it stands: triggers below remove it with the first change.
CREATE TABLE memory_vectors (
  memory_seq INTEGER PRIMARY KEY REFERENCES memories (seq) ON DELETE CASCADE,
  model TEXT NOT NULL,
  made_from TEXT NOT NULL,
  parts INTEGER NOT NULL,
  vectors BLOB NOT NULL,
  made_at INTEGER NOT NULL
) STRICT;

-- Vectors that changed since those in memory were last brought up to date (compare memory_changes).
CREATE TABLE vector_changes (
  memory_seq INTEGER PRIMARY KEY
) STRICT;
CREATE TRIGGER vectors_made AFTER INSERT ON memory_vectors BEGIN INSERT INTO vector_changes (memory_seq) SELECT new.memory_seq WHERE NOT EXISTS (SELECT 1 FROM vector_changes WHERE memory_seq = new.memory_seq); END;
CREATE TRIGGER vectors_made_anew AFTER UPDATE ON memory_vectors BEGIN INSERT INTO vector_changes (memory_seq) SELECT new.memory_seq WHERE NOT EXISTS (SELECT 1 FROM vector_changes WHERE memory_seq = new.memory_seq); END;
CREATE TRIGGER vectors_removed AFTER DELETE ON memory_vectors BEGIN INSERT INTO vector_changes (memory_seq) SELECT old.memory_seq WHERE NOT EXISTS (SELECT 1 FROM vector_changes WHERE memory_seq = old.memory_seq); END;

-- What the index is made with. Without a model nothing is queued. `rebuild_total` is set while everything is made anew, to how
-- much that is; `text_next` while the full text is, to the first key that is not done.
CREATE TABLE index_state (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  model TEXT,
  vectorize INTEGER NOT NULL DEFAULT 0,
  rebuild_total INTEGER,
  text_next INTEGER
) STRICT;
INSERT INTO index_state (only) VALUES (1);

-- A service that failed is left alone until then.
CREATE TABLE index_pauses (
  service TEXT PRIMARY KEY CHECK (service IN ('ai', 'vectorize')),
  until INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  reason TEXT NOT NULL
) STRICT, WITHOUT ROWID;

-- One row a memory, written by triggers in the transaction of the change itself. `token` tells the change, so that work done for
-- an earlier one does not take this one off.
CREATE TABLE index_jobs (
  memory_id TEXT PRIMARY KEY,
  stage TEXT NOT NULL CHECK (stage IN ('embed', 'push')),
  due_at INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  last_error TEXT,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'dead')),
  token INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX index_jobs_by_due ON index_jobs (stage, due_at) WHERE state = 'waiting';

-- Written before Vectorize is told, so that nothing is there that this table does not know; outlives the memory until Vectorize
-- was told to remove it.
CREATE TABLE vectorize_rows (
  memory_id TEXT PRIMARY KEY,
  model TEXT NOT NULL,
  made_from TEXT NOT NULL,
  parts INTEGER NOT NULL,
  told_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE TRIGGER memory_to_index AFTER INSERT ON memories WHEN (SELECT model FROM index_state) IS NOT NULL BEGIN DELETE FROM index_jobs WHERE memory_id = new.id; INSERT INTO index_jobs (memory_id, stage, token) VALUES (new.id, 'embed', random() >> 12); END;
CREATE TRIGGER memory_text_to_index AFTER UPDATE OF content, author ON memories WHEN old.content IS NOT new.content OR old.author IS NOT new.author BEGIN DELETE FROM memory_vectors WHERE memory_seq = new.seq; DELETE FROM index_jobs WHERE memory_id = new.id; INSERT INTO index_jobs (memory_id, stage, token) SELECT new.id, 'embed', random() >> 12 WHERE (SELECT model FROM index_state) IS NOT NULL; END;
-- A change of status makes no new vector. Without one (a rejected memory has none) it is made now.
CREATE TRIGGER memory_status_to_index AFTER UPDATE OF status, forget_requested_at ON memories WHEN (SELECT model FROM index_state) IS NOT NULL AND (old.status IS NOT new.status OR (old.forget_requested_at IS NULL) IS NOT (new.forget_requested_at IS NULL)) AND NOT EXISTS (SELECT 1 FROM index_jobs WHERE memory_id = new.id AND stage = 'embed' AND state = 'waiting') BEGIN DELETE FROM index_jobs WHERE memory_id = new.id; INSERT INTO index_jobs (memory_id, stage, token) SELECT new.id, CASE WHEN EXISTS (SELECT 1 FROM memory_vectors WHERE memory_seq = new.seq) THEN 'push' ELSE 'embed' END, random() >> 12 WHERE (SELECT vectorize FROM index_state) = 1 OR NOT EXISTS (SELECT 1 FROM memory_vectors WHERE memory_seq = new.seq); END;
CREATE TRIGGER memory_out_of_index AFTER DELETE ON memories BEGIN DELETE FROM index_jobs WHERE memory_id = old.id; INSERT INTO index_jobs (memory_id, stage, token) SELECT old.id, 'push', random() >> 12 WHERE EXISTS (SELECT 1 FROM vectorize_rows WHERE memory_id = old.id); END;
