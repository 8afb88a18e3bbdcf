"""Notes in SQL."""

from __future__ import annotations

from mindhit.notes.model import Note

from mindhit.db import Nothing, Query, Write

# A page of a person's notes, by notes_user_id_id_idx.
OF_USER = Query(
    Note,
    "select id, text, created_at from notes where user_id = $1 and id > $2 order by id limit $3",
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
