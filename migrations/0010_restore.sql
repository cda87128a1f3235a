-- A backup on its way back in. There is one at a time; its rows are parsed into tables named staged_…, which take the place of
-- the vault's own in one transaction.

CREATE TABLE restores (
  id TEXT PRIMARY KEY,
  state TEXT NOT NULL CHECK (state IN ('receiving', 'checking', 'ready', 'broken', 'restored')),
  created_at INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  changed_at INTEGER NOT NULL,
  -- JSON: how far the check has come and what it found; what the owner asked for with the commit; what came of it.
  progress TEXT NOT NULL DEFAULT '{}',
  wish TEXT,
  outcome TEXT
) STRICT;

-- upload grows each time the part is sent anew, so that two senders of one part do not mix. sha256 is set when it is whole.
CREATE TABLE restore_parts (
  part INTEGER PRIMARY KEY,
  upload INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  sha256 TEXT
) STRICT;

CREATE TABLE restore_pieces (
  part INTEGER NOT NULL,
  piece INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  PRIMARY KEY (part, piece)
) STRICT;
