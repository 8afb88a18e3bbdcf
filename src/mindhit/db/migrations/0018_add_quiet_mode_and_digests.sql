-- why:   whoever has not chosen quiet hours has those that MindHit suggests, which may change; what quiet
--        hours held back can come as one message
-- locks: user_settings, deliveries and reminder_preferences, exclusively
-- takes: one pass over user_settings
-- when:  before the code; a server of the version before can no longer change quiet hours

-- Where they come from: `default` are those that sign-up writes, `own` the person's; `off`: none.
alter table user_settings add column quiet_mode text not null default 'default';
update user_settings set quiet_mode = case
  when quiet_from is null then 'off'
  when quiet_from = time '22:00' and quiet_until = time '07:00' then 'default'
  else 'own' end;
alter table user_settings add constraint user_settings_quiet_mode
  check (quiet_mode in ('default', 'own', 'off') and (quiet_mode = 'off') = (quiet_from is null));

-- Deliveries that go as one message have the same one.
alter table deliveries add column digest_id uuid;
create index deliveries_of_digest on deliveries (digest_id) where digest_id is not null;

-- What quiet hours held back comes as one message at their end.
alter table reminder_preferences add column digest boolean not null default false;
alter table reminder_preferences add column created_at timestamptz not null default now();
