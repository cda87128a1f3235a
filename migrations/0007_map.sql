-- The map of the vault: where each memory lies, and the hills and their names. Derived: it can be drawn anew from
-- memory_sense at any time.
CREATE TABLE map_points (
  memory_seq INTEGER PRIMARY KEY REFERENCES memories (seq) ON DELETE CASCADE,
  x INTEGER NOT NULL,
  y INTEGER NOT NULL,
  hill INTEGER,
  late INTEGER NOT NULL
) STRICT;
CREATE TABLE map_hills (
  hill INTEGER PRIMARY KEY,
  x INTEGER NOT NULL,
  y INTEGER NOT NULL,
  name TEXT
) STRICT;
CREATE TABLE map_drawn (
  only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
  model TEXT NOT NULL,
  points INTEGER NOT NULL,
  drawn_at INTEGER NOT NULL
) STRICT;

-- A name is made of words of memories. None outlives a text it came from: names are found anew when one is destroyed or changed.
CREATE TRIGGER map_forgets AFTER DELETE ON memories BEGIN UPDATE map_hills SET name = NULL WHERE name IS NOT NULL; END;
CREATE TRIGGER map_reads_anew AFTER UPDATE OF content ON memories BEGIN UPDATE map_hills SET name = NULL WHERE name IS NOT NULL; END;
