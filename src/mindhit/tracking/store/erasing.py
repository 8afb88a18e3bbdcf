"""Erasing a person."""

from __future__ import annotations

from mindhit.db import Nothing, Write

DELETE_EVENTS = Write(
    Nothing,
    """
delete from raw_events e using sessions s
 where s.user_id = $1 and e.month = s.month and e.session_id = s.id""",
)
DELETE_SESSIONS = Write(
    Nothing,
    """
with
gone as (delete from sessions where user_id = $1 returning id),
visits as (delete from page_visits v using gone where v.session_id = gone.id),
pauses as (delete from session_pauses p using gone where p.session_id = gone.id)
delete from highlights h using gone where h.session_id = gone.id""",
)
DELETE_DELETED_SESSIONS = Write(Nothing, "delete from deleted_sessions where user_id = $1")
DELETE_FORGOTTEN_RANGES = Write(Nothing, "delete from forgotten_ranges where user_id = $1")
DELETE_READER_URLS = Write(Nothing, "delete from reader_urls where user_id = $1")
DELETE_TEXTS = Write(Nothing, "delete from page_contents where user_id = $1")
# URLs that nobody else has visited go too: a URL alone can say something about a person.
DELETE_URLS = Write(
    Nothing,
    """
with theirs as (select url_id from reader_urls where user_id = $1)
delete from urls u using theirs
 where u.id = theirs.url_id
   and not exists (select from reader_urls r where r.url_id = u.id and r.user_id <> $1)""",
    across_users="a URL is deleted only when nobody else has visited it",
)
