-- What recall needs of each memory beside its text, made by the model inside the vault: a vector, the words in the form
-- ranking compares them, and small marks. Derived: it can be made anew from memories at any time.
CREATE TABLE memory_sense (
  memory_seq INTEGER PRIMARY KEY REFERENCES memories (seq) ON DELETE CASCADE,
  model TEXT NOT NULL,
  made_from TEXT NOT NULL,
  vector BLOB NOT NULL,
  words BLOB NOT NULL,
  marks INTEGER NOT NULL,
  day INTEGER NOT NULL
) STRICT;

-- Memories that changed since the index in memory was last brought up to date. Triggers write it, so that no writer can
-- forget to, and a transaction that is rolled back leaves nothing here. (No INSERT OR IGNORE: the clause of the statement that
-- fires a trigger overrides it.)
CREATE TABLE memory_changes (
  memory_seq INTEGER PRIMARY KEY
) STRICT;
CREATE TRIGGER memory_stored AFTER INSERT ON memory_sense BEGIN INSERT INTO memory_changes (memory_seq) SELECT new.memory_seq WHERE NOT EXISTS (SELECT 1 FROM memory_changes WHERE memory_seq = new.memory_seq); END;
CREATE TRIGGER memory_sensed_anew AFTER UPDATE ON memory_sense BEGIN INSERT INTO memory_changes (memory_seq) SELECT new.memory_seq WHERE NOT EXISTS (SELECT 1 FROM memory_changes WHERE memory_seq = new.memory_seq); END;
CREATE TRIGGER memory_changed AFTER UPDATE ON memories BEGIN INSERT INTO memory_changes (memory_seq) SELECT new.seq WHERE NOT EXISTS (SELECT 1 FROM memory_changes WHERE memory_seq = new.seq); END;
CREATE TRIGGER memory_destroyed AFTER DELETE ON memories BEGIN INSERT INTO memory_changes (memory_seq) SELECT old.seq WHERE NOT EXISTS (SELECT 1 FROM memory_changes WHERE memory_seq = old.seq); END;

-- The memories that are there already get theirs from the alarm, some hundred at a time.
INSERT INTO jobs (kind, key, due_at) SELECT 'refresh_sense', '', 0 WHERE EXISTS (SELECT 1 FROM memories);
