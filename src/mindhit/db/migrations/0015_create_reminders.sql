-- why:   saved pages come back as reminders, ever more rarely
-- locks: pages and folders, against writes, for a moment (foreign keys of new, empty tables)
-- takes: milliseconds
-- when:  before the code

create table alarms (
  page_id              uuid primary key,
  user_id              uuid not null references users on delete cascade,
  title                text not null,
  body                 text not null default '',
  next_alarm_time      timestamptz not null default now(),
  -- The number of the coming sending.
  sent_count           int not null default 1,
  last_notification_id text,
  -- Since when it is being sent; null: it is not.
  processed_at         timestamptz,
  status               text not null default 'active',
  -- The person chose the time: neither rounded nor moved.
  is_chosen            boolean not null default false,
  last_sent_at         timestamptz,
  last_error           text,
  created_at           timestamptz not null default now(),
  updated_at           timestamptz not null default now(),

  foreign key (user_id, page_id) references pages (user_id, id) on delete cascade,
  constraint alarms_status check (status in ('active', 'paused', 'failing')),
  constraint alarms_count check (sent_count >= 1),
  constraint alarms_texts check (length(title) <= 2000 and length(body) <= 2000)
);
comment on table alarms is 'reminders: when a saved page comes back';
create index alarms_due on alarms (next_alarm_time, page_id) where status = 'active';
create index alarms_of_user on alarms (user_id, next_alarm_time, page_id);
create index alarms_failing on alarms (user_id) where status = 'failing';

create table reminder_preferences (
  user_id    uuid primary key references users on delete cascade,
  -- Where pages are saved that are not in the library yet.
  folder_id  uuid references folders on delete set null,
  updated_at timestamptz not null default now()
);
comment on table reminder_preferences is 'reminders: in which folder a page is saved that somebody wants to be reminded of';
create index reminder_preferences_folder on reminder_preferences (folder_id) where folder_id is not null;
