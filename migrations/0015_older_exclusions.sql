-- Whether there are any is asked before an import or an agent's write is looked for in every spelling.
CREATE INDEX exclusions_older ON exclusions (content_hash) WHERE family IS NULL;
