-- why:   documents are found by decades and centuries too, so that no date is too old or too far ahead to be
--        searched for; and what was too long to be indexed is indexed as far as there is room
-- locks: the rows of two small tables of search
-- takes: milliseconds; what is there is indexed again afterwards, by jobs in the low lane
-- when:  before the code

update search_backfill set done_at = null;
delete from search_progress;
