-- What lists show and count, in the order of lists: without it a page of two statuses sorts every memory of both.
CREATE INDEX memories_listed ON memories (status, seq) WHERE forget_requested_at IS NULL;
