-- why:   notices of a page are found when it is deleted, and when its reminders start over
-- locks: writes of notices
-- takes: as long as reading all notices once
-- when:  before the code

create index notices_of_page on notices (user_id, page_id) where page_id is not null;
