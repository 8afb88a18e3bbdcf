"""Liveness and readiness checks, for supervisors and proxies."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from mindhit.api.http.dependencies import Db
from mindhit.api.http.problems import documented
from mindhit.db import DatabaseUnavailable

router = APIRouter(tags=["health"])


class Health(BaseModel):
    status: Literal["ok"] = "ok"


@router.get("/healthz", summary="Check that the process is alive")
async def healthz() -> Health:
    return Health()


@router.get(
    "/readyz", summary="Check that the server is ready", responses=documented(DatabaseUnavailable)
)
async def readyz(db: Db) -> Health:
    if not await db.answers(within_s=2):
        raise DatabaseUnavailable(
            way_out="Check the database's log; MindHit continues when it responds again."
        )
    return Health()
