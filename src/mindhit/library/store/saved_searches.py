"""Searches that people keep."""

from __future__ import annotations

from uuid import UUID

from mindhit.db import Query, Write
from mindhit.library.shapes import SavedSearch

ALL = Query(
    SavedSearch,
    "select id, name, query, created_at from saved_searches where user_id = $1 order by name, id",
)
# Saved again, it has another name.
PUT = Write(
    SavedSearch,
    """
insert into saved_searches (id, user_id, name, query) values ($1, $2, $3, $4)
on conflict (user_id, query) do update set name = excluded.name
returning id, name, query, created_at""",
)
COUNT = Query(int, "select count(*) as searches from saved_searches where user_id = $1")
DELETE = Write(UUID, "delete from saved_searches where user_id = $1 and id = $2 returning id")
