"""URLs and texts that nothing refers to any more."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from mindhit.db import Nothing, Query, Write

_SHARED: Final = "a URL is deleted when nobody has visited it"

READERS = Query(
    UUID,
    "select distinct user_id from reader_urls",
    across_users="each person is cleaned up separately",
)

# Batches of this person wait while it is held (see ingesting.LOCK); and batches of everybody.
LOCK_READER = Write(Nothing, "select pg_advisory_xact_lock(7501, hashtext($1::uuid::text))")
LOCK_URLS = Write(Nothing, "select pg_advisory_xact_lock(7501, 0)")

# Delete the URLs that none of the person's sessions refers to, and return them. One pass over the
# person's raw events.
FORGET_URLS = Write(
    UUID,
    """
with visited as (
  select e.url_id from sessions s join raw_events e on e.month = s.month and e.session_id = s.id
   where s.user_id = $1 and e.url_id is not null
  union
  select v.url_id from sessions s join page_visits v on v.session_id = s.id where s.user_id = $1
  union
  select v.from_url_id from sessions s join page_visits v on v.session_id = s.id
   where s.user_id = $1 and v.from_url_id is not null
  union
  select h.url_id from sessions s join highlights h on h.session_id = s.id where s.user_id = $1)
delete from reader_urls r
 where r.user_id = $1 and r.holders = '{}'
   and not exists (select from visited where visited.url_id = r.url_id)
returning r.url_id""",
)


def _restore(textless: str, sessions: str) -> str:
    return f"""
with
textless as materialized (
  select r.url_id from reader_urls r
   where r.user_id = $1 and r.content_status is null and {textless}),
looked_at as materialized (
  select s.id, s.month from sessions s where s.user_id = $1 and {sessions}),
known as (
  select e.url_id, (e.payload ->> 'contentId')::uuid as content_id, s.id as session_id,
         timestamptz 'epoch' + e.t * interval '1 millisecond' as read_at
    from looked_at s
    join raw_events e on e.month = s.month and e.session_id = s.id
    join textless on textless.url_id = e.url_id
   where e.payload ? 'extractionOk'
  union all
  select v.url_id, v.content_id, s.id, v.entered_at
    from looked_at s
    join page_visits v on v.session_id = s.id
    join textless on textless.url_id = v.url_id
   where v.content_id is not null),
latest as (
  select distinct on (t.url_id) t.url_id, c.id as content_id, t.session_id, t.read_at
    from known t left join page_contents c on c.id = t.content_id and c.user_id = $1
   order by t.url_id, c.id is null, t.read_at desc)
update reader_urls r
   set content_id = l.content_id,
       content_status = case when l.content_id is null then 'pending' else 'extracted' end,
       session_id = l.session_id, read_at = l.read_at, updated_at = now()
  from latest l
 where r.user_id = $1 and r.url_id = l.url_id
returning r.url_id"""


# A URL whose text was deleted with a session gets the latest that the person's other sessions read
# there; where their raw events are gone, the one of a visit; and where reading it failed, it waits
# for a text again. At once for the URLs $2 of a deleted session, in the sessions that visited them: one
# pass over the person's visits. The cleanup also finds what was read in tabs that were never in front.
RESTORE_TEXTS_OF = Write(
    UUID,
    _restore(
        "r.url_id = any ($2::uuid[])",
        """exists (select from page_visits v
                    where v.session_id = s.id and v.url_id = any ($2::uuid[]))""",
    ),
)
RESTORE_TEXTS = Write(UUID, _restore("true", "true"))
# The person's texts that no URL, visit or event of theirs refers to. Only the log refers to one that was
# read in a background tab, or is behind a hole.
FORGET_TEXTS = Write(
    Nothing,
    """
with known as (
  select distinct (e.payload ->> 'contentId')::uuid as id
    from sessions s join raw_events e on e.month = s.month and e.session_id = s.id
   where s.user_id = $1 and e.payload ? 'contentId')
delete from page_contents c
 where c.user_id = $1
   and not exists (select from known where known.id = c.id)
   and not exists (select from reader_urls r where r.user_id = $1 and r.content_id = c.id)
   and not exists (select from sessions s join page_visits v on v.session_id = s.id
                    where s.user_id = $1 and v.content_id = c.id)""",
)
# URLs that nobody has visited, and public texts of none. Searched without a lock, then checked again
# with it.
UNVISITED = Query(
    UUID,
    """
select u.id from urls u
 where u.id > $1 and not exists (select from reader_urls r where r.url_id = u.id)
 order by u.id limit 500""",
    across_users=_SHARED,
)
DELETE_UNVISITED = Write(
    Nothing,
    """
delete from urls u
 where u.id = any ($1::uuid[]) and not exists (select from reader_urls r where r.url_id = u.id)""",
    across_users=_SHARED,
)
# One that was fetched just now may be about to be referred to: that is one short transaction.
DELETE_PUBLIC_TEXTS = Write(
    Nothing,
    """
delete from page_contents c
 where c.user_id is null and c.created_at < now() - interval '1 minute'
   and not exists (select from reader_urls r where r.content_id = c.id)""",
)
