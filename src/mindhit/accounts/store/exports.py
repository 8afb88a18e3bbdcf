"""Exports of everything about a person: how far each is, and its archive in parts."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from mindhit.accounts.model import DataExport, ExportId, UserId
from mindhit.db import Nothing, Query, Write

_COLUMNS = """id, status, files, files_done, size_bytes, digest, reason, created_at, started_at,
       finished_at, expires_at"""

# One that has expired is gone, whether it was swept or not.
OF_PERSON = Query(
    DataExport,
    f"""
select {_COLUMNS} from exports
 where user_id = $1 and (expires_at is null or expires_at > now())""",
)
ONE = Query(
    DataExport,
    f"""
select {_COLUMNS} from exports
 where user_id = $1 and id = $2 and (expires_at is null or expires_at > now())""",
)
# Whoever asks at the same time waits here, and finds what the first one added.
LOCK_PERSON = Write(UserId, "select id from users where id = $1 for no key update")
LOCK = Write(ExportId, "select id from exports where user_id = $1 for update")
DROP = Write(Nothing, "delete from exports where user_id = $1")
ADD = Write(DataExport, f"insert into exports (user_id) values ($1) returning {_COLUMNS}")

# None where nobody wants it any more.
START = Write(
    ExportId,
    """
update exports
   set status = 'running', started_at = coalesce(started_at, now()), files = $3, files_done = 0
 where user_id = $1 and id = $2 and status in ('queued', 'running')
returning id""",
)
ADVANCE = Write(
    ExportId,
    """
update exports set files_done = $3
 where user_id = $1 and id = $2 and status = 'running'
returning id""",
)
ADD_PART = Write(
    Nothing,
    """
insert into export_parts (export_id, number, bytes)
select id, $3::int, $4::bytea from exports where user_id = $1 and id = $2 and status = 'running'""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished:
    user_id: UUID
    id: UUID
    size_bytes: int
    digest: str
    kept_s: float


FINISH = Write(
    ExportId,
    """
update exports
   set status = 'ready', files_done = files, size_bytes = $size_bytes, digest = $digest,
       finished_at = now(), expires_at = now() + make_interval(secs => $kept_s)
 where user_id = $user_id and id = $id and status = 'running'
returning id""",
    params=Finished,
)
# `$3` is why, `$4` how many seconds that is shown.
FAIL = Write(
    Nothing,
    """
update exports
   set status = 'failed', reason = $3, finished_at = now(),
       expires_at = now() + make_interval(secs => $4)
 where user_id = $1 and id = $2 and status in ('queued', 'running')""",
)
# What is ready, or being read from a snapshot; one that is queued will be of later. `$2` and `$3` as above.
REVOKE = Write(
    ExportId,
    """
update exports
   set status = 'failed', reason = $2, size_bytes = null, digest = null, finished_at = now(),
       expires_at = now() + make_interval(secs => $3)
 where user_id = $1 and status in ('running', 'ready')
returning id""",
)
DROP_PARTS = Write(
    Nothing,
    """
delete from export_parts p using exports e
 where e.user_id = $1 and e.id = $2 and p.export_id = e.id""",
)
PART = Query(
    bytes,
    """
select p.bytes from exports e join export_parts p on p.export_id = e.id
 where e.user_id = $1 and e.id = $2 and p.number = $3 and e.status = 'ready'
   and e.expires_at > now()""",
)
# Whose job is gone: it died, or was deleted by hand. `$1` and `$2` as above, `$3` is the kind of the jobs.
FAIL_ABANDONED = Write(
    Nothing,
    """
update exports
   set status = 'failed', reason = $1, finished_at = now(),
       expires_at = now() + make_interval(secs => $2)
 where status in ('queued', 'running')
   and not exists (select from jobs j where j.kind = $3 and j.key = exports.id::text
                      and j.status in ('queued', 'running'))""",
    across_users="exports of everybody whose job is gone",
)
