-- Backups under way. Each keeps, in tables and triggers of its own (before_<id>_…), what rows were before they changed, so
-- that all of it shows the moment it began. They go when it ends; read_at says when somebody last read on.
CREATE TABLE backup_runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  began_at INTEGER NOT NULL,
  read_at INTEGER NOT NULL
) STRICT;
