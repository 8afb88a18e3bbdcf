"""Erasing a person's library."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Nothing, Write

# Links that nobody else saved. What is known of them says that somebody did.
DELETE_LINKS = Write(
    UUID,
    """
with theirs as (select distinct url_id from pages where user_id = $1 and url_id is not null)
delete from link_metadata m using theirs
 where m.url_id = theirs.url_id
   and not exists (select from pages p where p.url_id = m.url_id and p.user_id <> $1)
returning m.url_id""",
    across_users="a link's metadata is deleted only when nobody else has saved it",
)
DELETE_PAGES = Write(Nothing, "delete from pages where user_id = $1")
DELETE_FOLDERS = Write(Nothing, "delete from folders where user_id = $1")
DELETE_IMPORTS = Write(Nothing, "delete from import_jobs where user_id = $1")
DELETE_TOMBSTONES = Write(Nothing, "delete from sync_tombstones where user_id = $1")
DELETE_COUNTER = Write(Nothing, "delete from user_sync_state where user_id = $1")
DELETE_DOCS = Write(Nothing, "delete from search_docs where user_id = $1")
DELETE_TOPICS = Write(Nothing, "delete from search_topics where user_id = $1")
DELETE_SEARCHES = Write(Nothing, "delete from saved_searches where user_id = $1")
DELETE_PROGRESS = Write(Nothing, "delete from search_progress where user_id = $1")
