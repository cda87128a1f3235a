-- Memories and what hangs on them. Texts live in memories and memory_history only; memory_text is derived from them
-- and can be rebuilt. Times are milliseconds since 1970 in UTC.

CREATE TABLE memories (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('proposed', 'active', 'superseded', 'rejected')),
  status_reason TEXT CHECK (status_reason IN ('replaced', 'expired')),
  content TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  type TEXT NOT NULL,
  tier TEXT NOT NULL CHECK (tier IN ('long', 'short')),
  importance REAL NOT NULL,
  tags TEXT NOT NULL DEFAULT '[]',
  session TEXT,
  author TEXT,
  source TEXT,
  source_date TEXT,
  dated_at INTEGER NOT NULL,
  supersedes TEXT,
  superseded_by TEXT,
  valid_from INTEGER NOT NULL,
  valid_until INTEGER,
  similar_to TEXT,
  batch_id TEXT,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  expires_at INTEGER,
  forget_requested_at INTEGER,
  forget_requested_by TEXT
) STRICT;

CREATE INDEX memories_by_status ON memories (status, seq);
CREATE INDEX memories_by_hash ON memories (content_hash);
CREATE INDEX memories_by_batch ON memories (batch_id) WHERE batch_id IS NOT NULL;
CREATE INDEX memories_by_session ON memories (session, seq) WHERE session IS NOT NULL;
CREATE INDEX memories_by_expiry ON memories (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX memories_by_forget_request ON memories (forget_requested_at) WHERE forget_requested_at IS NOT NULL;
-- The pointers between memories, for the moment one of them is destroyed.
CREATE INDEX memories_by_supersedes ON memories (supersedes) WHERE supersedes IS NOT NULL;
CREATE INDEX memories_by_superseded_by ON memories (superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX memories_by_similar_to ON memories (similar_to) WHERE similar_to IS NOT NULL;

-- The tags of memories.tags once more, to filter by.
CREATE TABLE memory_tags (
  tag TEXT NOT NULL,
  memory_seq INTEGER NOT NULL REFERENCES memories (seq) ON DELETE CASCADE,
  PRIMARY KEY (tag, memory_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_tags_by_memory ON memory_tags (memory_seq);

-- Earlier texts of edited memories.
CREATE TABLE memory_history (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  memory_id TEXT NOT NULL,
  content TEXT NOT NULL,
  content_hash TEXT NOT NULL,
  replaced_at INTEGER NOT NULL,
  replaced_by TEXT NOT NULL
) STRICT;
CREATE INDEX memory_history_by_memory ON memory_history (memory_id, seq);

-- Full text over terms the vault has cut itself (src/text/tokens.rs): whole words and names, and their parts.
-- rowid = memories.seq. The tokenizer only splits at blanks and stems English words.
CREATE VIRTUAL TABLE memory_text USING fts5 (
  whole, parts, labels,
  tokenize = "porter ascii tokenchars '+#.@/:_-'"
);
-- What is deleted leaves the index at once instead of with a later merge.
INSERT INTO memory_text (memory_text, rank) VALUES ('secure-delete', 1);

-- Texts that must not come back: only their hashes.
CREATE TABLE exclusions (
  content_hash TEXT PRIMARY KEY,
  reason TEXT NOT NULL CHECK (reason IN ('forgotten', 'rejected')),
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX exclusions_by_time ON exclusions (created_at, content_hash);

CREATE TABLE batches (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  created_by TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  source TEXT,
  counts TEXT NOT NULL
) STRICT;
