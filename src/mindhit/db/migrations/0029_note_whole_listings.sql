-- why:   what a whole listing lacked is counted by a job; when the queue gave that job up, nothing knew of it any
--        more. And a product that is still listed while its own page is missing was never gone: each
--        listing took the count back
-- locks: crawl_tasks and crawled_products, exclusively, while the index is built (over no rows) and not rewritten
-- takes: one scan of crawl_tasks, under a second for a million rows
-- when:  before the code

alter table crawl_tasks add column listed_at timestamptz;
comment on column crawl_tasks.listed_at is
  'of the first task of a run: when its listing was read to its end; null once what it lacked is counted';
create index crawl_tasks_listed on crawl_tasks (listed_at) where listed_at is not null;

alter table crawled_products add column not_found int not null default 0;
comment on column crawled_products.missed is 'how many whole listings in a row did not show it';
comment on column crawled_products.not_found is 'how often in a row its own page was missing';
