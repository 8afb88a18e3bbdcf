"""Sessions themselves: started, stopped, renamed, deleted."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.tracking.model import Session

_COLUMNS = """id, status, title, started_at, ended_at, month, next_seq, max_seq, last_seq,
       stopped_at, is_end_guessed, parked, holes"""

# No row where the id is taken; BY_ID says whether by the same person.
ADD = Write(
    Session,
    f"""
insert into sessions (id, user_id, device_id, title, started_at, month)
values ($1, $2, $3, $4, $5, $6)
on conflict do nothing
returning {_COLUMNS}""",
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
update sessions set title = $3, version = version + 1, updated_at = now()
 where id = $1 and user_id = $2
returning id""",
)
REPROCESS = Write(
    Nothing,
    """
update sessions set status = 'processing', error = null, version = version + 1, updated_at = now()
 where id = $1 and user_id = $2""",
)

# Texts that were read in the session are no longer current; what the server fetched stays. In one
# order, since batches lock the same rows. The cleanup looks up what other sessions read there.
DELETE_TEXTS_READ = Write(
    Nothing,
    """
with read_there as (
  select url_id from reader_urls
   where user_id = $2 and session_id = $1 and content_status <> 'crawled'
   order by url_id for update)
update reader_urls r
   set content_id = null, content_status = null, session_id = null, updated_at = now()
  from read_there
 where r.user_id = $2 and r.url_id = read_there.url_id""",
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
