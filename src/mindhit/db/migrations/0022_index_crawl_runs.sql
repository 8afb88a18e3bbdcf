-- why:   runs are listed without walking through every page that they fetched
-- locks: crawl_tasks, against writes; while the index is built
-- takes: a second per million tasks
-- when:  before the code

create index crawl_tasks_first on crawl_tasks (user_id, created_at, id) where parent_id is null;
