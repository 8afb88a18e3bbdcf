-- why:   a page is shown, linked and fetched at the address at which it was seen, which may not be its
--        identity; sessions say which timeline was processed and what they can be named after; other
--        slices can hold pages; the log says when an event arrived
-- locks: each table exclusively for a moment; sessions while their rows are filled in
-- takes: a second for 100,000 sessions with a million visits
-- when:  before the code

alter table raw_events add column received_at timestamptz;
alter table raw_events alter received_at set default now();
comment on column raw_events.received_at is 'when it arrived; null for what came before there was this column. The fold never reads it';

alter table page_visits add column address text;
comment on column page_visits.address is 'the address last seen in the visit; null: that of urls';

alter table reader_urls
  add column address text,
  add column no_fetch boolean not null default false,
  add column holders text[] not null default '{}',
  add column content_error text;
comment on column reader_urls.address is 'the address at which the reader last saw it; null: that of urls';
comment on column reader_urls.no_fetch is 'the browser said that the server must not fetch it; stays true once it is';
comment on column reader_urls.holders is 'slices that refer to the page, and keep it from being deleted';
comment on column reader_urls.content_error is 'why the page could not be fetched, where content_status is failed';

alter table page_contents add column summarised_by text;

alter table user_settings add column server_fetch boolean not null default true;
comment on column user_settings.server_fetch is 'whether the server may fetch pages whose text the browser could not read';

alter table sessions
  -- Grows when the timeline is closed and with each change afterwards; what was made of an earlier one
  -- is out of date.
  add column timeline_version integer not null default 0,
  add column title_by text,
  -- The page that was read longest, and its title as it was last seen: what the session is called
  -- where it has no title.
  add column main_url_id uuid,
  add column main_title text,
  -- {"step", "done", "total"} while others make something of the timeline.
  add column progress jsonb;
update sessions
   set timeline_version = case when closed_at is null then 0 else 1 end,
       title_by = case when title is not null then 'reader' end
 where closed_at is not null or title is not null;
with
read as (
  select session_id, url_id, sum(duration_ms) as ms, min(visit_order) as first_order,
         (array_agg(title order by visit_order desc) filter (where title is not null))[1] as title
    from page_visits where is_focused group by session_id, url_id),
longest as (
  select distinct on (session_id) session_id, url_id, title
    from read order by session_id, ms desc, first_order)
update sessions s set main_url_id = l.url_id, main_title = l.title
  from longest l where s.id = l.session_id;
alter table sessions
  add constraint sessions_title_by
    check (title_by in ('reader', 'generated') and (title_by is null) = (title is null)),
  add constraint sessions_timeline check (closed_at is null or timeline_version > 0);
