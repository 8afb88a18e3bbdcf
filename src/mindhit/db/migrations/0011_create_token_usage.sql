-- why:   what models cost is recorded to the token, before a result is used; a person's own provider key;
--        answers that were paid for and not yet used
-- locks: none that anyone could wait for (new tables)
-- takes: milliseconds
-- when:  before the code

create table token_usage (
  id            bigint generated always as identity primary key,
  -- Null where the installation pays for what belongs to nobody.
  user_id       uuid references users on delete cascade,
  -- No foreign key: sessions are above this slice, and deleting one clears this column.
  session_id    uuid,
  operation     text not null,
  provider      text not null,
  ai_model      text not null,
  payer         text not null,
  state         text not null default 'reserved',
  -- What was used; an upper bound while it is reserved or unknown.
  tokens_used   integer not null,
  input_tokens  integer,
  output_tokens integer,
  request_id    text,
  period_start  timestamptz not null,
  created_at    timestamptz not null default now(),
  -- Until when the answer may still arrive; null once it is known what became of the call.
  held_until    timestamptz,

  constraint token_usage_payer check (payer in ('plan', 'own', 'installation')),
  constraint token_usage_owner check ((user_id is null) = (payer = 'installation')),
  constraint token_usage_state check (state in ('reserved', 'used', 'unknown')),
  constraint token_usage_held check ((state = 'reserved') = (held_until is not null)),
  constraint token_usage_counted check (
    tokens_used >= 0
    and (state = 'used') = (input_tokens is not null and output_tokens is not null)
    and (state <> 'used' or tokens_used = input_tokens + output_tokens)
  )
);
comment on table token_usage is 'billing: every call of a model and the tokens it took';
create unique index token_usage_requests on token_usage (provider, request_id) where request_id is not null;
create index token_usage_of_user on token_usage (user_id, period_start);
create index token_usage_of_session on token_usage (user_id, session_id) where session_id is not null;
create index token_usage_held on token_usage (held_until) where held_until is not null;

create table usage_totals (
  user_id      uuid not null references users on delete cascade,
  period_start timestamptz not null,
  used         bigint not null default 0,
  reserved     bigint not null default 0,

  primary key (user_id, period_start),
  constraint usage_totals_counted check (used >= 0 and reserved >= 0)
);
comment on table usage_totals is 'billing: what a person''s plan paid for in a period; locked by every reservation';

create table provider_keys (
  user_id    uuid primary key references users on delete cascade,
  provider   text not null,
  model      text not null,
  base_url   text,
  -- The key, encrypted; null where a server needs none.
  sealed     text,
  -- The last characters of a long key, to recognise it by.
  hint       text not null default '',
  tested_at  timestamptz,
  updated_at timestamptz not null default now(),

  constraint provider_keys_provider check (provider in ('openai', 'gemini', 'claude', 'compatible')),
  constraint provider_keys_base_url check ((provider = 'compatible') = (base_url is not null)),
  constraint provider_keys_sealed check (sealed like 'mh1.%' or (sealed is null and provider = 'compatible'))
);
comment on table provider_keys is 'language: the model provider a person chose, with a key of their own';

create table model_answers (
  key     bytea primary key,
  user_id uuid references users on delete cascade,
  answer  text not null,
  at      timestamptz not null default now()
);
comment on table model_answers is 'language: answers of models that were paid for, until the work they are for is finished';
create index model_answers_of_user on model_answers (user_id);
create index model_answers_old on model_answers (at);
