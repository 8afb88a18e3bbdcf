-- why:   plans, who has which, what Stripe said of it, and what people were told of their usage
-- locks: token_usage, shared, while its index is built: calls of models wait
-- takes: milliseconds; a second per million calls of models
-- when:  before the code

create table plans (
  id                      text primary key,
  name                    text not null,
  -- Null: on request.
  price_cents             integer,
  billing_period          text not null default 'monthly',
  -- Null: no limit.
  token_limit             bigint,
  session_retention_days  integer,
  max_concurrent_sessions integer,
  features                jsonb not null default '[]',
  -- Ids at Stripe: the first is sold, the others are recognised.
  stripe_prices           text[] not null default '{}',
  -- In the configuration, and at which place. A plan that left it stays for those who have it.
  is_offered              boolean not null default true,
  place                   integer not null default 0,
  created_at              timestamptz not null default now(),

  constraint plans_billing_period check (billing_period in ('monthly', 'yearly')),
  constraint plans_limits check (
    price_cents >= 0 and token_limit >= 0 and session_retention_days > 0 and max_concurrent_sessions > 0
  ),
  constraint plans_features check (jsonb_typeof(features) = 'array')
);
comment on table plans is 'billing: what people may use, from the configuration';

create table subscriptions (
  id                     uuid primary key default gen_random_uuid(),
  user_id                uuid not null references users on delete cascade,
  plan_id                text not null references plans,
  status                 text not null default 'active',
  current_period_start   timestamptz not null,
  current_period_end     timestamptz not null,
  cancel_at_period_end   boolean not null default false,
  -- Null: granted by hand.
  stripe_subscription_id text unique,
  stripe_customer_id     text,
  created_at             timestamptz not null default now(),
  updated_at             timestamptz not null default now(),

  constraint subscriptions_status check (status in ('active', 'trialing', 'past_due', 'canceled')),
  constraint subscriptions_period check (current_period_start < current_period_end),
  constraint subscriptions_stripe check ((stripe_subscription_id is null) = (stripe_customer_id is null))
);
comment on table subscriptions is 'billing: who has which plan, and until when';
create unique index subscriptions_live on subscriptions (user_id) where status in ('active', 'trialing', 'past_due');
create index subscriptions_of_user on subscriptions (user_id, created_at);

create table invoices (
  id                uuid primary key default gen_random_uuid(),
  user_id           uuid not null references users on delete cascade,
  subscription_id   uuid references subscriptions on delete set null,
  amount_cents      bigint not null,
  currency          text not null default 'USD',
  status            text not null default 'pending',
  stripe_invoice_id text unique,
  -- Where Stripe shows it.
  url               text,
  paid_at           timestamptz,
  created_at        timestamptz not null default now(),

  constraint invoices_status check (status in ('pending', 'paid', 'failed', 'refunded'))
);
comment on table invoices is 'billing: what people were charged, as Stripe has it';
create index invoices_of_user on invoices (user_id, created_at desc, id desc);
create index invoices_of_subscription on invoices (subscription_id);

create table stripe_customers (
  user_id     uuid primary key references users on delete cascade,
  customer_id text not null unique,
  -- Grows when somebody begins to read the customer at Stripe: what was read before is out of date.
  reading     bigint not null default 0,
  read_at     timestamptz,
  created_at  timestamptz not null default now()
);
comment on table stripe_customers is 'billing: under which id Stripe knows a person';

create table stripe_events (
  id          text primary key,
  type        text not null,
  -- Null where it is nobody's we know.
  customer_id text references stripe_customers (customer_id) on delete cascade,
  created_at  timestamptz not null,
  received_at timestamptz not null default now(),
  handled_at  timestamptz,
  error       text
);
comment on table stripe_events is 'billing: what Stripe told us, so that a repeat changes nothing; no payload is kept';
create index stripe_events_open on stripe_events (customer_id) where customer_id is not null;
create index stripe_events_old on stripe_events (received_at);

create table usage_notices (
  user_id      uuid not null references users on delete cascade,
  period_start timestamptz not null,
  percent      integer not null,
  told_at      timestamptz not null default now(),

  primary key (user_id, period_start, percent)
);
comment on table usage_notices is 'billing: which share of their tokens people were told of, once a period';

create index token_usage_by_day on token_usage (user_id, created_at);
