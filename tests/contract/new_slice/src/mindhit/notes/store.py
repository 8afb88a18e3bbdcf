"""Notes in SQL."""

from __future__ import annotations

from mindhit.notes.model import Note

from mindhit.db import Nothing, Query, Write

# By the primary key's order; few per person.
OF_USER = Query(
    Note, "select id, text, created_at from notes where user_id = $1 order by id limit $2"
)
EXPORT = Query(Note, "select id, text, created_at from notes where user_id = $1 order by id")
ADD = Write(
    Note, "insert into notes (user_id, text) values ($1, $2) returning id, text, created_at"
)
DELETE_OLD = Write(
    Nothing,
    "delete from notes where created_at < $1",
    across_users="notes of everybody grow old",
)
ERASE = Write(Nothing, "delete from notes where user_id = $1")
