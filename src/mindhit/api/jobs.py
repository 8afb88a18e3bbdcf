"""Jobs and queues, for the owner of the server."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response
from pydantic import BaseModel, ConfigDict

from mindhit import work
from mindhit.api.http.authentication import OWNER_ONLY, owner_only
from mindhit.api.http.dependencies import Db
from mindhit.api.http.paging import Cursor, ItemPage, Limit, cut, decode_number, encode
from mindhit.api.http.problems import documented
from mindhit.work import NEWEST, JobBusy, JobId, JobNotFound, Lane, State

router = APIRouter(
    tags=["jobs"],
    dependencies=[owner_only],
    responses=OWNER_ONLY,
)

Number = Annotated[int, Path(ge=1, lt=2**63)]
Name = Annotated[str | None, Query(max_length=200, pattern=r"^[^\x00]*$")]


class Job(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: int
    queue: str
    kind: str
    key: str | None
    lane: Lane
    domain: str | None
    args: Any
    status: State
    again: bool
    attempts: int
    max_attempts: int
    rescues: int
    setbacks: int
    run_after: datetime
    locked_at: datetime | None
    locked_by: str | None
    lease_until: datetime | None
    last_error: str | None
    created_at: datetime
    updated_at: datetime
    finished_at: datetime | None


class JobList(ItemPage[Job]):
    """Jobs, newest first."""


class RetriedJobs(BaseModel):
    retried: int


class Depth(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    queue: str
    lane: Lane
    ready: int
    waiting: int
    running: int
    dead: int
    oldest_ready_s: float | None


class FailingDomain(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    domain: str
    dead: int
    last_error: str | None


class Stats(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    depths: list[Depth]
    failing_domains: list[FailingDomain]


@router.get("/jobs", summary="List jobs")
async def list_jobs(
    db: Db,
    status: State | None = None,
    kind: Name = None,
    queue: Name = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> JobList:
    """Newest first."""
    behind = JobId(decode_number(cursor)) if cursor else NEWEST
    async with db.read() as tx:
        found = await work.list_jobs(
            tx, status=status, kind=kind, queue=queue, behind=behind, limit=limit + 1
        )
    shown, next_cursor = cut(found, limit, lambda job: encode(job.id))
    return JobList(items=[Job.model_validate(job) for job in shown], next_cursor=next_cursor)


@router.get("/jobs/{number}", summary="Show a job", responses=documented(JobNotFound))
async def show(db: Db, number: Number) -> Job:
    async with db.read() as tx:
        return Job.model_validate(await work.show(tx, JobId(number)))


@router.post(
    "/jobs/{number}/retry",
    summary="Retry a job",
    responses=documented(JobNotFound, JobBusy),
)
async def retry(db: Db, number: Number) -> Job:
    """A dead or canceled job starts over with all its attempts."""
    async with db.transaction() as tx:
        return Job.model_validate(await work.retry(tx, JobId(number)))


@router.post("/jobs/retry", summary="Retry dead jobs", responses=documented(JobBusy))
async def retry_dead(db: Db, kind: Name = None, error: Name = None) -> RetriedJobs:
    """All dead jobs, or those of a kind, or those with a text in their error."""
    async with db.transaction() as tx:
        return RetriedJobs(retried=await work.retry_dead(tx, kind=kind, error=error))


@router.post(
    "/jobs/{number}/cancel",
    summary="Cancel a job",
    responses=documented(JobNotFound, JobBusy),
)
async def cancel(db: Db, number: Number) -> Job:
    """A queued or running job."""
    async with db.transaction() as tx:
        job = await work.cancel(tx, JobId(number), "canceled by the operator")
        return Job.model_validate(job)


@router.delete(
    "/jobs/{number}",
    summary="Delete a job",
    status_code=204,
    responses=documented(JobNotFound, JobBusy),
)
async def delete(db: Db, number: Number) -> Response:
    """A dead or canceled job."""
    async with db.transaction() as tx:
        await work.discard(tx, JobId(number))
    return Response(status_code=204)


@router.get("/queues", summary="Show queue depths and failing domains")
async def show_queues(db: Db) -> Stats:
    async with db.read() as tx:
        return Stats.model_validate(await work.stats(tx))
