-- why:   shops are watched: schedules, what they fetch, and the products with their prices that come of it
-- locks: users, against writes, for a moment (foreign keys of new, empty tables)
-- takes: milliseconds
-- when:  before the code

create table crawl_schedulers (
  id          uuid primary key default gen_random_uuid(),
  user_id     uuid not null references users on delete cascade,
  name        text not null,
  seller      text,
  site        text not null,
  target      text not null,
  url         text not null,
  domain      text not null,
  cron        text not null,
  timezone    text not null,
  status      text not null default 'ACTIVE',
  -- What the person wants to be told of this one; null: as their preferences say.
  alerts      jsonb,
  next_run_at timestamptz not null,
  last_run_at timestamptz,
  created_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),

  constraint crawl_schedulers_target check (target in ('listing', 'product')),
  constraint crawl_schedulers_status check (status in ('ACTIVE', 'INACTIVE')),
  constraint crawl_schedulers_url unique (user_id, url)
);
comment on table crawl_schedulers is 'crawl: pages of shops that are fetched again and again';
create index crawl_schedulers_due on crawl_schedulers (next_run_at, id) where status = 'ACTIVE';
create index crawl_schedulers_of_user on crawl_schedulers (user_id, created_at, id);

create table crawl_tasks (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null references users on delete cascade,
  scheduler_id uuid not null references crawl_schedulers on delete cascade,
  -- The first task of the run; null: this is it.
  parent_id    uuid references crawl_tasks on delete cascade,
  type         text not null,
  -- Of a listing: the number of its page.
  item_key     text not null,
  url          text not null,
  domain       text not null,
  status       text not null default 'WAITING',
  retry_count  int not null default 0,
  last_error   text,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),
  finished_at  timestamptz,

  constraint crawl_tasks_type check (type in ('SEARCH', 'MINI_SHOP', 'DETAIL', 'OPTION')),
  constraint crawl_tasks_status check (
    status in ('WAITING', 'PUBLISHED', 'RUNNING', 'SUCCESS', 'FAILED', 'RETRY')),
  constraint crawl_tasks_finished check ((finished_at is not null) = (status in ('SUCCESS', 'FAILED')))
);
comment on table crawl_tasks is 'crawl: one page that is to be fetched';
create unique index crawl_tasks_once on crawl_tasks (scheduler_id, type, item_key) where finished_at is null;
create index crawl_tasks_of_user on crawl_tasks (user_id, created_at, id);
create index crawl_tasks_of_scheduler on crawl_tasks (scheduler_id, created_at, id);
create index crawl_tasks_of_run on crawl_tasks (parent_id) where parent_id is not null;
create index crawl_tasks_dead on crawl_tasks (user_id, finished_at, id) where status = 'FAILED';
create index crawl_tasks_under_way on crawl_tasks (updated_at) where status in ('PUBLISHED', 'RUNNING');
create index crawl_tasks_old on crawl_tasks (finished_at) where finished_at is not null;

create table crawl_task_outbox (
  id              uuid primary key default gen_random_uuid(),
  user_id         uuid not null references users on delete cascade,
  task_id         uuid not null unique references crawl_tasks on delete cascade,
  -- outbox-{task}-{attempt}: what a consumer tells a repeat by.
  idempotency_key text not null unique,
  payload         jsonb not null,
  status          text not null default 'PENDING',
  retry_count     int not null default 0,
  last_error      text,
  -- When it may be published; of one being published: when it may be taken again.
  available_at    timestamptz not null default now(),
  locked_at       timestamptz,
  sent_at         timestamptz,
  created_at      timestamptz not null default now(),
  updated_at      timestamptz not null default now(),

  constraint crawl_task_outbox_status check (
    status in ('PENDING', 'PROCESSING', 'SENT', 'FAILED', 'DEAD'))
);
comment on table crawl_task_outbox is 'crawl: the message that a task is to be executed, until it is sent';
create index crawl_task_outbox_due on crawl_task_outbox (available_at)
  where status in ('PENDING', 'PROCESSING', 'FAILED');
create index crawl_task_outbox_dead on crawl_task_outbox (user_id, updated_at, id) where status = 'DEAD';

create table user_agents (
  id         uuid primary key default gen_random_uuid(),
  user_agent text not null unique,
  status     text not null default 'AVAILABLE',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),

  constraint user_agents_status check (status in ('AVAILABLE', 'BLOCKED'))
);
comment on table user_agents is 'crawl: how requests introduce themselves';

create table user_agent_health (
  domain          text not null,
  user_agent_id   uuid not null references user_agents on delete cascade,
  health_score    int not null default 100,
  suspended_until timestamptz,
  last_used_at    timestamptz,
  updated_at      timestamptz not null default now(),

  primary key (domain, user_agent_id),
  constraint user_agent_health_score check (health_score between 0 and 100)
);
comment on table user_agent_health is 'crawl: how well each user agent is received by each site';

create table site_breakers (
  domain        text primary key,
  state         text not null default 'CLOSED',
  probe_at      timestamptz,
  probe_task_id uuid,
  trips         int not null default 0,
  reason        text,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),

  constraint site_breakers_state check (state in ('CLOSED', 'OPEN', 'HALF_OPEN'))
);
comment on table site_breakers is 'crawl: sites that are left alone for a while';

create table crawl_executions (
  id            uuid primary key default gen_random_uuid(),
  user_id       uuid not null references users on delete cascade,
  task_id       uuid not null references crawl_tasks on delete cascade,
  attempt       int not null,
  user_agent_id uuid references user_agents on delete set null,
  status        text not null default 'RUNNING',
  http_status   int,
  duration_ms   int,
  error         text,
  started_at    timestamptz not null default now(),
  finished_at   timestamptz,
  created_at    timestamptz not null default now(),
  updated_at    timestamptz not null default now(),

  constraint crawl_executions_status check (status in ('RUNNING', 'SUCCESS', 'FAILED'))
);
comment on table crawl_executions is 'crawl: one try of a task';
create index crawl_executions_of_task on crawl_executions (task_id, started_at);
create index crawl_executions_of_user on crawl_executions (user_id);
create index crawl_executions_of_agent on crawl_executions (user_agent_id) where user_agent_id is not null;

create table crawled_raws (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null references users on delete cascade,
  task_id      uuid not null references crawl_tasks on delete cascade,
  scheduler_id uuid not null references crawl_schedulers on delete cascade,
  type         text not null,
  site         text not null,
  site_version int not null,
  item_key     text not null,
  url          text not null,
  -- gzip
  body         bytea not null,
  -- Which type of the same run has to be applied first, and since when that run goes on.
  follows      text,
  run_at       timestamptz not null,
  status       text not null default 'PENDING',
  retry_count  int not null default 0,
  last_error   text,
  available_at timestamptz not null default now(),
  processed_at timestamptz,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),

  constraint crawled_raws_type check (type in ('MINI_SHOP', 'DETAIL', 'OPTION')),
  constraint crawled_raws_status check (status in ('PENDING', 'PROCESSED', 'FAILED', 'DEAD')),
  constraint crawled_raws_once unique (task_id, type, item_key)
);
comment on table crawled_raws is 'crawl: what a site said of a product, until it is applied; kept for 30 days';
create index crawled_raws_pending on crawled_raws (user_id, site, item_key) where status in ('PENDING', 'FAILED');
create index crawled_raws_waiting on crawled_raws (available_at) where status in ('PENDING', 'FAILED');
create index crawled_raws_dead on crawled_raws (user_id, updated_at, id) where status = 'DEAD';
create index crawled_raws_of_scheduler on crawled_raws (scheduler_id);

create table crawled_products (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null references users on delete cascade,
  scheduler_id uuid not null references crawl_schedulers on delete cascade,
  site         text not null,
  item_key     text not null,
  url          text not null,
  title        text,
  brand        text,
  image        text,
  sku          text,
  gtin         text,
  price_min    numeric(18, 4),
  price_max    numeric(18, 4),
  currency     text,
  availability text,
  mini_shop_at timestamptz,
  detail_at    timestamptz,
  option_at    timestamptz,
  -- How often in a row it was not there.
  missed       int not null default 0,
  gone_at      timestamptz,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),

  constraint crawled_products_once unique (user_id, site, item_key)
);
comment on table crawled_products is 'crawl: products as shops show them';
create index crawled_products_of_user on crawled_products (user_id, created_at, id);
create index crawled_products_of_scheduler on crawled_products (scheduler_id, created_at, id);

create table crawled_product_options (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null references users on delete cascade,
  product_id   uuid not null references crawled_products on delete cascade,
  option_key   text not null,
  name         text,
  attributes   jsonb not null default '{}',
  sku          text,
  price        numeric(18, 4),
  currency     text,
  availability text,
  quantity     int,
  -- The price that the next one is compared with: the first, then that of the last alert.
  baseline     numeric(18, 4),
  gone_at      timestamptz,
  created_at   timestamptz not null default now(),
  updated_at   timestamptz not null default now(),

  constraint crawled_product_options_once unique (product_id, option_key)
);
comment on table crawled_product_options is 'crawl: what one can buy of a product, with its price';
create index crawled_product_options_of_user on crawled_product_options (user_id);

create table crawled_product_history (
  id           uuid primary key default gen_random_uuid(),
  user_id      uuid not null references users on delete cascade,
  product_id   uuid not null references crawled_products on delete cascade,
  option_id    uuid not null references crawled_product_options on delete cascade,
  -- No foreign key: raws are deleted after 30 days.
  raw_id       uuid not null,
  at           timestamptz not null,
  price        numeric(18, 4),
  currency     text,
  availability text,
  quantity     int,
  created_at   timestamptz not null default now(),

  constraint crawled_product_history_once unique (option_id, raw_id)
);
comment on table crawled_product_history is 'crawl: prices and stock, one row where one of them changed';
create index crawled_product_history_of_product on crawled_product_history (product_id, at);
create index crawled_product_history_of_user on crawled_product_history (user_id);

create table crawl_alerts (
  product_id uuid not null references crawled_products on delete cascade,
  kind       text not null,
  day        date not null,
  user_id    uuid not null references users on delete cascade,
  notice_id  uuid,
  created_at timestamptz not null default now(),

  primary key (product_id, kind, day)
);
comment on table crawl_alerts is 'crawl: what a person was told of a product, once per kind and day';
create index crawl_alerts_of_user on crawl_alerts (user_id);

create table crawl_preferences (
  user_id    uuid primary key references users on delete cascade,
  alerts     jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table crawl_preferences is 'crawl: what a person wants to be told of';
