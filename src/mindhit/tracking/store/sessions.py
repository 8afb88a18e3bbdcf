"""Sessions themselves: started, stopped, renamed, deleted."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.tracking.model import RunningSession, Session

_COLUMNS = """id, status, title, started_at, ended_at, month, next_seq, max_seq, last_seq,
       stopped_at, is_end_guessed, parked, holes"""

# No row where the id is taken; BY_ID says whether by the same person.
ADD = Write(
    Session,
    f"""
insert into sessions (id, user_id, device_id, title, title_by, started_at, month, is_over_limit)
values ($1, $2, $3, $4::text, case when $4 is not null then 'reader' end, $5, $6, $7)
on conflict do nothing
returning {_COLUMNS}""",
)
# Starts of one person wait for each other where their plan has a limit.
LOCK_STARTS = Write(Nothing, "select pg_advisory_xact_lock(7503, hashtext($1::uuid::text))")
# What is recording and was heard of in the last $2 seconds (sessions_recording).
RUNNING = Query(
    RunningSession,
    """
select s.id as session_id, s.title, s.started_at, s.last_event_at, d.name as device
  from sessions s left join devices d on d.id = s.device_id
 where s.user_id = $1 and s.status = 'recording'
   and s.heard_at > now() - make_interval(secs => $2)
 order by s.started_at, s.id""",
)
BY_ID = Query(Session, f"select {_COLUMNS} from sessions where id = $1 and user_id = $2")
LOCK = Write(
    Session, f"select {_COLUMNS} from sessions where id = $1 and user_id = $2 for no key update"
)
# The id of a deleted session is taken for everybody: another person's session under it would tell the
# first one's browser that its own still exists.
IS_DELETED_OWN = Query(
    bool,
    "select user_id = $2 as is_own from deleted_sessions where session_id = $1",
    across_users="an id is taken for everybody; the answer is only whether it was this person's",
)
# Which of these ids are a person's sessions; and which were.
EXISTING = Query(UUID, "select id from sessions where user_id = $1 and id = any ($2::uuid[])")
DELETED = Query(
    UUID,
    "select session_id from deleted_sessions where user_id = $1 and session_id = any ($2::uuid[])",
)
# Where no event has arrived and the client did not say when it started, the end it reports is all that is
# known of its clock: the start is no later, and the events will show how much earlier.
STOP = Write(
    Session,
    f"""
update sessions
   set status = 'processing', stopped_at = now(),
       ended_at = greatest(least($3, now() + interval '1 day'), likely.start),
       started_at = likely.start,
       last_seq = $4, is_end_guessed = $5, version = version + 1, updated_at = now()
  from (select case when event_count = 0 and started_at > created_at - interval '1 minute'
                    then least(started_at, greatest($3, timestamptz '2010-01-01Z'))
                    else started_at end as start
          from sessions where id = $1) as likely
 where id = $1 and user_id = $2
returning {_COLUMNS}""",
)
# A second stop only adds what the first did not say.
AMEND = Write(
    Session,
    f"""
update sessions
   set last_seq = greatest(last_seq, $3),
       ended_at = case when $4::timestamptz is null then ended_at
                       else greatest(least($4, now() + interval '1 day'), started_at) end,
       is_end_guessed = is_end_guessed and $4 is null,
       version = version + 1, updated_at = now()
 where id = $1 and user_id = $2
returning {_COLUMNS}""",
)
RENAME = Write(
    UUID,
    """
update sessions
   set title = $3::text, title_by = case when $3 is not null then 'reader' end,
       version = version + 1, updated_at = now()
 where id = $1 and user_id = $2
returning id""",
)
REPROCESS = Write(
    Nothing,
    """
update sessions set status = 'processing', error = null, version = version + 1, updated_at = now()
 where id = $1 and user_id = $2""",
)

# Texts that were read in the session are no longer current; what the server fetched, or could not
# fetch, stays. In one order, since batches lock the same rows. Returns the URLs that have no text now;
# `cleanup.RESTORE_TEXTS` looks up what other sessions read there.
DELETE_TEXTS_READ = Write(
    UUID,
    """
with
read_there as (
  select url_id, content_status = 'extracted' as is_text from reader_urls
   where user_id = $2 and session_id = $1
   order by url_id for update),
changed as (
  update reader_urls r
     set content_id = case when is_text then null else r.content_id end,
         content_status = case when is_text then null else r.content_status end,
         session_id = null, read_at = null, updated_at = now()
    from read_there
   where r.user_id = $2 and r.url_id = read_there.url_id)
select url_id from read_there where is_text""",
)
# Everything else of a session, and a note that its id is taken.
DELETE = Write(
    Nothing,
    """
with
gone as (delete from sessions where id = $1 and user_id = $2 returning id, user_id),
visits as (delete from page_visits v using gone where v.session_id = gone.id),
pauses as (delete from session_pauses p using gone where p.session_id = gone.id),
marked as (delete from highlights h using gone where h.session_id = gone.id)
insert into deleted_sessions (session_id, user_id) select id, user_id from gone
on conflict do nothing""",
)
