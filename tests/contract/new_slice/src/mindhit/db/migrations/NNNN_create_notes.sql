-- why:   people write notes
-- locks: none that anyone could wait for (a new table)
-- takes: milliseconds
-- when:  before the code

create table notes (
  id         bigint generated always as identity primary key,
  user_id    uuid not null,
  text       text not null,
  created_at timestamptz not null default now()
);
create index on notes (user_id, id);
comment on table notes is 'notes: one line of text each';
