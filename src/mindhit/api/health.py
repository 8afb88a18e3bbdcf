"""Liveness and readiness checks, for supervisors and proxies."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from pydantic import BaseModel

from mindhit.api.http.dependencies import Db
from mindhit.api.http.problems import documented
from mindhit.db import DatabaseNotWritable, DatabaseUnavailable, WriteCheck

router = APIRouter(tags=["health"])


class Health(BaseModel):
    status: Literal["ok"] = "ok"


@router.get("/healthz", summary="Check that the process is alive")
async def healthz() -> Health:
    return Health()


@router.get(
    "/readyz",
    summary="Check that the server is ready",
    responses=documented(DatabaseUnavailable, DatabaseNotWritable),
)
async def readyz(request: Request, db: Db) -> Health:
    """The database answers and takes writes."""
    if not await db.answers(within_s=2):
        raise DatabaseUnavailable(
            way_out="Check the database's log; MindHit continues when it responds again."
        )
    state = request.app.state
    if getattr(state, "write_check", None) is None:
        state.write_check = WriteCheck(db)
    await state.write_check.run()
    return Health()
