"""Forgetting a person in the queue."""

from __future__ import annotations

from mindhit.db import Nothing, Write

# Jobs that mention one of the words $1, wherever: their arguments, key, domain or last error. Reads
# the whole table, which pruning keeps at a week's size. A job that runs is deleted like any other:
# its handler finds its lease gone.
ERASE = Write(
    Nothing,
    """
with gone as (
  delete from jobs
   where exists (select from unnest($1::text[]) word
                  where position(word in lower(concat_ws(' ', args::text, key, domain, last_error)))
                        > 0)
  returning id, domain
)
delete from job_slots where job_id = any(array(select id from gone where domain is not null))""",
)
