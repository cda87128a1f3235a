-- What must not come back is known by its text without the quotes, bullets and full stops around it, and with the capitals that
-- say something. Rows from before have no family: their hash is of the text as it stood, in any case.
-- family: the content_hash of the memory that held the text.
ALTER TABLE exclusions ADD COLUMN family TEXT;
