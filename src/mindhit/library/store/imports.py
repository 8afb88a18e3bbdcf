"""Imports: the file, how far it has come, what failed."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.db import Nothing, Query, Write
from mindhit.library.shapes import Import, ImportFailure

_COLUMNS = """id, source_type, status, file_name, folder_id, total_items, processed_items,
       failed_items, added_items, last_error, created_at, started_at, finished_at"""

ADD = Write(
    Nothing,
    "insert into import_jobs (id, user_id, file_name, folder_id) values ($1, $2, $3, $4)",
)
ADD_PART = Write(
    Nothing,
    """
insert into import_parts (import_id, number, bytes)
select id, $3::int, $4::bytea from import_jobs where id = $1 and user_id = $2""",
)
ONE = Query(Import, f"select {_COLUMNS} from import_jobs where user_id = $1 and id = $2")
# How many of a person's are not over.
COUNT_UNDER_WAY = Query(
    int,
    """
select count(*)::int from import_jobs
 where user_id = $1 and status in ('queued', 'running')""",
)
LIST = Query(
    Import,
    f"""
select {_COLUMNS} from import_jobs where user_id = $1
 order by created_at desc, id desc limit 100""",
)
FAILURES = Query(
    ImportFailure,
    """
select f.line, f.reason, f.excerpt
  from import_jobs i join import_failures f on f.import_id = i.id
 where i.user_id = $1 and i.id = $2 order by f.number""",
)
PART = Query(
    bytes,
    """
select p.bytes from import_jobs i join import_parts p on p.import_id = i.id
 where i.user_id = $1 and i.id = $2 and p.number = $3""",
)
START = Write(
    Import,
    f"""
update import_jobs
   set status = 'running', started_at = coalesce(started_at, now()), source_type = $3,
       total_items = $4
 where user_id = $1 and id = $2 and status in ('queued', 'running')
returning {_COLUMNS}""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    user_id: UUID
    id: UUID
    was: int
    processed: int
    failed: int
    added: int


# Only from where it was: of two runs of one import, the second finds nothing to change.
ADVANCE = Write(
    UUID,
    """
update import_jobs
   set processed_items = $processed, failed_items = failed_items + $failed,
       added_items = added_items + $added, total_items = greatest(total_items, $processed)
 where user_id = $user_id and id = $id and status = 'running' and processed_items = $was
returning id""",
    params=Progress,
)
ADD_FAILURES = Write(
    Nothing,
    """
insert into import_failures (import_id, number, line, reason, excerpt)
select i.id, n.number, n.line, n.reason, n.excerpt
  from import_jobs i
 cross join unnest($3::int[], $4::int[], $5::text[], $6::text[]) as n (number, line, reason, excerpt)
 where i.user_id = $1 and i.id = $2""",
)
# `$3` is how it ended, `$4` why. What was read of its file is what there was in it.
FINISH = Write(
    UUID,
    """
update import_jobs
   set status = $3, last_error = $4, finished_at = now(),
       total_items = case when $3 = 'succeeded' then processed_items else total_items end
 where user_id = $1 and id = $2 and status in ('queued', 'running')
returning id""",
)
DROP_PARTS = Write(
    Nothing,
    """
delete from import_parts p using import_jobs i
 where i.user_id = $1 and i.id = $2 and p.import_id = i.id""",
)
