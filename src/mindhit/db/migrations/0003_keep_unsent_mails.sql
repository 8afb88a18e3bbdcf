-- why:   mails that no mail server takes wait here for the owner to pass on
-- locks: none that anyone could wait for (a new table)
-- takes: milliseconds
-- when:  before the code

create table kept_mails (
  id         bigint generated always as identity primary key,
  user_id    uuid,
  recipient  text not null,
  subject    text not null,
  text       text not null,
  message_id text,
  created_at timestamptz not null default now()
);
comment on table kept_mails is 'mail: mails that could not be sent for want of a mail server';

-- A repeat of the same mail is the same mail.
create unique index kept_mails_once on kept_mails (message_id) where message_id is not null;
