"""Is it alive, and is it ready: for supervisors and proxies."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from mindhit.api.access import Db
from mindhit.api.problems import documented
from mindhit.db import DatabaseAway

router = APIRouter(tags=["health"])


class Health(BaseModel):
    status: Literal["ok"] = "ok"


@router.get("/healthz", summary="The process is alive")
async def healthz() -> Health:
    return Health()


@router.get("/readyz", summary="The server can do its work now", responses=documented(DatabaseAway))
async def readyz(db: Db) -> Health:
    if not await db.answers(within_s=2):
        raise DatabaseAway(way_out="Look at the database's log; MindHit goes on when it is back.")
    return Health()
