"""The owner's view of how the server is doing: what gets done, what browsers send, what it stands on.

Its statements are the only ones of this package: they put beside each other what slices that do not
know each other keep, and only read.
"""

from __future__ import annotations

import shutil
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import Final
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

import mindhit
from mindhit.accounts import OwnerOnly
from mindhit.api import access
from mindhit.api.access import ACCESS, Configured, Db
from mindhit.api.problems import documented
from mindhit.clock import utc_now
from mindhit.db import Query
from mindhit.settings import Settings

router = APIRouter(tags=["admin"], responses={**ACCESS, **documented(OwnerOnly)})
BUCKET_S: Final = 300
BUCKETS: Final = 12
_OWNERS: Final = "the owner looks after everybody's devices; no page and no text is read"
_started = monotonic()


@dataclass(frozen=True, slots=True)
class Finished:
    """Jobs of a queue that ended in one stretch of five minutes; 0 is the newest."""

    queue: str
    bucket: int
    succeeded: int
    dead: int


# There is no index by the end of a job, and none is worth its upkeep for this page: the newest
# 20,000 are looked at, by their key.
FINISHED = Query(
    Finished,
    """
select queue, floor(extract(epoch from now() - finished_at) / 300)::int as bucket,
       count(*) filter (where status = 'succeeded')::int as succeeded,
       count(*) filter (where status = 'dead')::int as dead
  from (select queue, status, finished_at from jobs order by id desc limit 20000) newest
 where finished_at > now() - interval '1 hour' and status in ('succeeded', 'dead')
 group by 1, 2 order by 1, 2""",
)


@dataclass(frozen=True, slots=True)
class Captured:
    """One extension and what came of it in the last 30 days."""

    id: UUID
    email: str
    name: str
    connected_at: datetime
    last_seen_at: datetime | None
    last_batch_at: datetime | None
    recording: int
    events: int
    rejected: int
    incomplete: int


# Sessions by sessions_by_start.
CAPTURED = Query(
    Captured,
    """
select d.id, u.email, d.name, d.created_at as connected_at, d.last_seen_at,
       s.last_batch_at, s.recording, s.events, s.rejected, s.incomplete
  from devices d
  join users u on u.id = d.user_id
  cross join lateral (
    select max(heard_at) as last_batch_at,
           count(*) filter (where status = 'recording')::int as recording,
           coalesce(sum(event_count), 0)::int as events,
           coalesce(sum(rejected_count), 0)::int as rejected,
           count(*) filter (where holes <> '[]' or parked <> '[]')::int as incomplete
      from sessions
     where user_id = d.user_id and device_id = d.id and started_at > now() - interval '30 days') s
 where d.kind = 'extension' and d.revoked_at is null
 order by s.last_batch_at desc nulls last, d.created_at desc limit 200""",
    across_users=_OWNERS,
)


@dataclass(frozen=True, slots=True)
class Refusal:
    device_id: UUID
    reason: str
    events: int


REFUSALS = Query(
    Refusal,
    """
select s.device_id, e.payload ->> 'rejected' as reason, count(*)::int as events
  from sessions s
  join raw_events e on e.month = s.month and e.session_id = s.id
 where s.rejected_count > 0 and s.device_id is not null
   and s.started_at > now() - interval '30 days' and e.payload ? 'rejected'
 group by 1, 2 order by 3 desc limit 500""",
    across_users=_OWNERS,
)


@dataclass(frozen=True, slots=True)
class Stock:
    database: str
    database_bytes: int
    people: int
    sessions: int
    scheduled_at: datetime | None


STOCK = Query(
    Stock,
    """
select current_setting('server_version') as database,
       pg_database_size(current_database()) as database_bytes,
       (select count(*) from users)::int as people,
       (select count(*) from sessions)::int as sessions,
       (select max(last_run_at) from job_schedules) as scheduled_at""",
    across_users=_OWNERS,
)


class Throughput(BaseModel):
    queue: str
    succeeded: list[int] = Field(description="By five minutes of the last hour, oldest first.")
    dead: list[int]


class RejectedReason(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    reason: str
    events: int


class CaptureHealth(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: UUID
    email: str
    name: str
    connected_at: datetime
    last_seen_at: datetime | None
    last_batch_at: datetime | None = Field(description="Of a session of the last 30 days.")
    recording: int
    events: int
    rejected: int
    incomplete: int = Field(description="Sessions of which events are missing.")
    reasons: list[RejectedReason] = []


class System(BaseModel):
    version: str
    up_s: float = Field(description="Of the process that answers.")
    database: str
    database_bytes: int
    disk_free_bytes: int | None
    people: int
    sessions: int
    scheduled_at: datetime | None = Field(description="When a recurring job was last due.")


class Operations(BaseModel):
    now: datetime
    throughput: list[Throughput]
    devices: list[CaptureHealth]
    system: System


@router.get(
    "/admin/operations", summary="What gets done, what browsers send, and the server itself"
)
async def operations(db: Db, settings: Configured, _: access.Admin) -> Operations:
    async with db.read() as tx:
        finished = await tx.all(FINISHED)
        devices = await tx.all(CAPTURED)
        refusals = await tx.all(REFUSALS)
        stock = await tx.one(STOCK)
    return Operations(
        now=utc_now(),
        throughput=_throughput(finished),
        devices=_devices(devices, refusals),
        system=_system(stock, settings),
    )


def _throughput(finished: list[Finished]) -> list[Throughput]:
    queues: dict[str, Throughput] = {}
    for each in finished:
        none = [0] * BUCKETS
        queue = queues.setdefault(
            each.queue, Throughput(queue=each.queue, succeeded=none[:], dead=none[:])
        )
        place = BUCKETS - 1 - max(0, min(each.bucket, BUCKETS - 1))
        queue.succeeded[place] += each.succeeded
        queue.dead[place] += each.dead
    return list(queues.values())


def _devices(devices: list[Captured], refusals: list[Refusal]) -> list[CaptureHealth]:
    reasons: defaultdict[UUID, list[RejectedReason]] = defaultdict(list)
    for each in refusals:
        reasons[each.device_id].append(RejectedReason.model_validate(each))
    return [
        CaptureHealth.model_validate(each).model_copy(update={"reasons": reasons[each.id]})
        for each in devices
    ]


def _system(stock: Stock, settings: Settings) -> System:
    # Where the data is on another machine, the folder may never have been made.
    folder = next(each for each in (settings.data_dir, *settings.data_dir.parents) if each.exists())
    try:
        free = shutil.disk_usage(folder).free
    except OSError:
        free = None
    return System(
        version=mindhit.__version__,
        up_s=monotonic() - _started,
        database=stock.database.partition(" ")[0],
        database_bytes=stock.database_bytes,
        disk_free_bytes=free,
        people=stock.people,
        sessions=stock.sessions,
        scheduled_at=stock.scheduled_at,
    )
