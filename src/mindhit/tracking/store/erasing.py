"""Forgetting a reader."""

from __future__ import annotations

from mindhit.db import Nothing, Write

DROP_EVENTS = Write(
    Nothing,
    """
delete from raw_events e using sessions s
 where s.user_id = $1 and e.month = s.month and e.session_id = s.id""",
)
DROP_SESSIONS = Write(
    Nothing,
    """
with
gone as (delete from sessions where user_id = $1 returning id),
visits as (delete from page_visits v using gone where v.session_id = gone.id),
pauses as (delete from session_pauses p using gone where p.session_id = gone.id)
delete from highlights h using gone where h.session_id = gone.id""",
)
DROP_TOMBSTONES = Write(Nothing, "delete from deleted_sessions where user_id = $1")
DROP_PAGES = Write(Nothing, "delete from reader_urls where user_id = $1")
DROP_TEXTS = Write(Nothing, "delete from page_contents where user_id = $1")
# Pages that nobody else has met go too: an address alone can tell of a person.
DROP_URLS = Write(
    Nothing,
    """
with theirs as (select url_id from reader_urls where user_id = $1)
delete from urls u using theirs
 where u.id = theirs.url_id
   and not exists (select from reader_urls r where r.url_id = u.id and r.user_id <> $1)""",
    across_users="a page goes only when nobody else has met it",
)
