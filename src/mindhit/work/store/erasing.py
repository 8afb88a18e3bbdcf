"""Forgetting a person in the queue."""

from __future__ import annotations

from mindhit.db import Nothing, Write
from mindhit.work.store.pieces import outlive

_OF_PERSON = """lower(key) = any($1::text[])
      or exists (select from jsonb_path_query(args, '$.** ? (@.type() == "string")') said
                  where lower(said #>> '{}') = any($1::text[]))"""

# Said before ERASE, which then sees what claims that it would have waited for have written: places.
HOLD_THEIRS = Write(Nothing, f"select from jobs where {_OF_PERSON} order by id for update")

# Jobs of which one argument, or the key, is one of the words $1, in whatever case. Reads the whole
# table, which pruning keeps at a week's size. A job that runs is deleted like any other: its handler
# finds its lease gone, and has its domain's place until then.
ERASE = Write(
    Nothing,
    f"""
with gone as (
  delete from jobs
   where {_OF_PERSON}
  returning id, lease_id, lease_until
){outlive("gone")}
select""",
)
