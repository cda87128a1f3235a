-- What an import's report says beside the outcome of each item.

-- What was not taken as it was given: the field, what was found, what was taken.
ALTER TABLE batch_items ADD COLUMN warning TEXT;
-- The files an import was read from, as JSON: how many, and the names of the first.
ALTER TABLE batches ADD COLUMN sources TEXT;
