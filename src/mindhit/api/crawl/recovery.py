"""Dead letters, and what the owner sees of the crawler."""

from __future__ import annotations

from datetime import datetime
from typing import Literal
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict

from mindhit import crawl
from mindhit.api.http.authentication import OWNER_ONLY, SIGNED_IN, OwnerCaller, PersonCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.paging import Cursor, ItemPage, Limit, after_time, encode_time
from mindhit.api.http.problems import documented
from mindhit.crawl import DeadKind, DeadLetterNotFound, NotRetryable

router = APIRouter(prefix="/crawl", tags=["crawl"])
owner = APIRouter(prefix="/admin/crawl", tags=["admin"], responses=OWNER_ONLY)

What = Literal["task", "outbox", "raw"]


class DeadLetter(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: UUID
    what: What
    type: str
    item_key: str
    url: str
    error: str | None
    retry_count: int
    at: datetime


class DeadLetterList(ItemPage[DeadLetter]):
    """The newest first."""


class Breaker(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    domain: str
    state: Literal["CLOSED", "OPEN", "HALF_OPEN"]
    probe_at: datetime | None
    trips: int
    reason: str | None
    updated_at: datetime


class Agent(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: UUID
    user_agent: str
    status: Literal["AVAILABLE", "BLOCKED"]
    domains: int
    suspended: int
    lowest_score: int | None


class CrawlState(BaseModel):
    """Sites that are paused for a while, and user agents."""

    breakers: list[Breaker]
    agents: list[Agent]


@router.get("/dead", summary="List dead letters", responses=SIGNED_IN)
async def list_dead(
    db: Db,
    caller: PersonCaller,
    what: What | None = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> DeadLetterList:
    async with db.read() as tx:
        found = await crawl.list_dead(
            tx,
            caller.user_id,
            what=DeadKind(what) if what else None,
            after=after_time(cursor),
            limit=limit + 1,
        )
    return DeadLetterList.of(found, limit, lambda each: encode_time(each.at, each.id))


@router.post(
    "/dead/{dead_id}/retry",
    summary="Retry a dead letter",
    status_code=204,
    responses=SIGNED_IN | documented(DeadLetterNotFound, NotRetryable),
)
async def retry_dead(db: Db, caller: PersonCaller, dead_id: UUID) -> None:
    async with db.transaction() as tx:
        await crawl.retry_dead(tx, caller.user_id, dead_id)


@router.delete(
    "/dead/{dead_id}",
    summary="Discard a dead letter",
    status_code=204,
    responses=SIGNED_IN | documented(DeadLetterNotFound),
)
async def discard_dead(db: Db, caller: PersonCaller, dead_id: UUID) -> None:
    async with db.transaction() as tx:
        await crawl.discard_dead(tx, caller.user_id, dead_id)


@owner.get("", summary="Show the state of the crawler")
async def show_state(db: Db, caller: OwnerCaller) -> CrawlState:  # noqa: ARG001  only the owner may ask
    async with db.read() as tx:
        breakers = await crawl.list_breakers(tx)
        agents = await crawl.list_agents(tx)
    return CrawlState(
        breakers=[Breaker.model_validate(each) for each in breakers],
        agents=[Agent.model_validate(each) for each in agents],
    )
