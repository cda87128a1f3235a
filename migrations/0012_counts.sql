-- Which memories have their sense, without reading the vectors beside it: every page of the dashboard counts them.
CREATE INDEX memory_sense_made ON memory_sense (model) WHERE made_from <> '';
