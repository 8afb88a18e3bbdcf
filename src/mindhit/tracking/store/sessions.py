"""Sessions themselves: started, stopped, named, deleted."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.tracking.model import Begun

_BEGUN = """id, status, title, started_at, ended_at, month, next_seq, max_seq, last_seq,
       stopped_at, is_end_guessed, parked, holes"""

# No row where the id is known already; whose it is, OF says.
ADD = Write(
    Begun,
    f"""
insert into sessions (id, user_id, device_id, title, started_at, month)
values ($1, $2, $3, $4, $5, $6)
on conflict do nothing
returning {_BEGUN}""",
)
OF = Query(Begun, f"select {_BEGUN} from sessions where id = $1 and user_id = $2")
LOCKED = Write(
    Begun, f"select {_BEGUN} from sessions where id = $1 and user_id = $2 for no key update"
)
# An id is spent when its session is deleted, for everybody: another reader's session under it would
# tell the first one's browser that its own is not gone.
DELETED_THEIRS = Query(
    bool,
    "select user_id = $2 as is_theirs from deleted_sessions where session_id = $1",
    across_users="an id is spent for everybody; the answer is only whether it was this person's",
)
# Of these ids, those that are a person's sessions; and those that were.
THERE = Query(UUID, "select id from sessions where user_id = $1 and id = any ($2::uuid[])")
GONE = Query(
    UUID,
    "select session_id from deleted_sessions where user_id = $1 and session_id = any ($2::uuid[])",
)
# Where no event has come yet and the start was not told, the browser's end is all that is known of its
# clock: the start is no later, and the events will say how much earlier.
STOP = Write(
    Begun,
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
returning {_BEGUN}""",
)
# A second stop only adds what the first did not know.
AMEND = Write(
    Begun,
    f"""
update sessions
   set last_seq = greatest(last_seq, $3),
       ended_at = case when $4::timestamptz is null then ended_at
                       else greatest(least($4, now() + interval '1 day'), started_at) end,
       is_end_guessed = is_end_guessed and $4 is null,
       version = version + 1, updated_at = now()
 where id = $1 and user_id = $2
returning {_BEGUN}""",
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

# What was read in the session is no page's text any more; what the server fetched stays. In one
# order, as batches take the same rows. What other sessions read of those pages, a sweep looks up.
DELETE_READINGS = Write(
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
DELETE_EVENTS = Write(
    Nothing,
    """
delete from raw_events e using sessions s
 where e.month = $1 and e.session_id = s.id and s.id = $2 and s.user_id = $3""",
)
# Everything else of a session, and a note that its id is spent.
DELETE = Write(
    Nothing,
    """
with
gone as (delete from sessions where id = $1 and user_id = $2 returning id, user_id),
visits as (delete from page_visits v using gone where v.session_id = gone.id),
pauses as (delete from session_pauses p using gone where p.session_id = gone.id),
marks as (delete from highlights h using gone where h.session_id = gone.id)
insert into deleted_sessions (session_id, user_id) select id, user_id from gone
on conflict do nothing""",
)
