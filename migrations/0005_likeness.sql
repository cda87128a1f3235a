-- How alike a memory and the one in similar_to are, 0 to 1.
ALTER TABLE memories ADD COLUMN similarity REAL;

-- Memories that seem to contradict each other: every pair in both directions. Which of them still hold is asked when a
-- memory is read, so that nothing has to be kept in step when one of the two is replaced or forgotten.
CREATE TABLE memory_conflicts (
  memory_seq INTEGER NOT NULL REFERENCES memories (seq) ON DELETE CASCADE,
  other_seq INTEGER NOT NULL REFERENCES memories (seq) ON DELETE CASCADE,
  PRIMARY KEY (memory_seq, other_seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX memory_conflicts_by_other ON memory_conflicts (other_seq);
