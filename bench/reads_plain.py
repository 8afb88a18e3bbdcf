"""The product's API with one route more: the same detail through a plain `response_model`.

The same rows by the same joins, times as the driver gives them, models as one writes them with
FastAPI. Everything around the answer is shared: keys, layers, connections.

    python bench/reads_plain.py DATABASE_URL PORT
"""

import sys
from pathlib import Path

sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import re
from datetime import datetime
from uuid import UUID

import uvicorn
import uvloop
from fastapi import APIRouter
from pydantic import BaseModel

from mindhit import log, wiring
from mindhit.api import app as application
from mindhit.api.http.authentication import PersonCaller
from mindhit.api.http.dependencies import Db
from mindhit.db import Database, ReadTx
from mindhit.tracking import store
from mindhit.tracking.shapes import ICON_PATH

router = APIRouter()
_ISO = re.compile(r"to_char\((\S+) at time zone 'UTC', '[^']*'\)")


class SessionModel(BaseModel):
    id: UUID
    title: str | None
    status: str
    started_at: datetime
    ended_at: datetime | None
    last_event_at: datetime | None
    total_duration_ms: int
    page_count: int
    highlight_count: int
    top_keywords: list[str]
    top_domains: list[str]
    device_id: UUID | None
    is_incomplete: bool


class VisitModel(BaseModel):
    id: str
    url: str
    domain: str
    title: str | None
    favicon: str | None
    summary: str | None
    keywords: list[str]
    content_status: str | None
    entered_at: datetime
    left_at: datetime | None
    duration_ms: int
    is_focused: bool
    visit_order: int
    tab_id: int
    transition: str | None
    came_from: str | None


class HighlightModel(BaseModel):
    id: UUID
    text: str
    url: str
    created_at: datetime
    page_visit_id: str | None


class PauseModel(BaseModel):
    kind: str
    entered_at: datetime
    left_at: datetime | None
    duration_ms: int


class DetailModel(BaseModel):
    session: SessionModel
    page_visits: list[VisitModel]
    highlights: list[HighlightModel]
    pauses: list[PauseModel]


def _plain(sql: str) -> str:
    return _ISO.sub(r"\1", sql)


SUMMARIES, VISITS, HIGHLIGHTS, PAUSES = (
    _plain(each.sql)
    for each in (
        store.session_detail.SUMMARIES,
        store.session_detail.VISITS,
        store.session_detail.HIGHLIGHTS,
        store.session_detail.PAUSES,
    )
)


@router.get("/plain/{session_id}", response_model=DetailModel)
async def show(db: Db, caller: PersonCaller, session_id: UUID) -> object:
    async with db.read() as tx:
        [session] = await _rows(tx, SUMMARIES, caller.user_id, [session_id])
        return {
            "session": session,
            "page_visits": await _rows(tx, VISITS, caller.user_id, session_id, ICON_PATH),
            "highlights": await _rows(tx, HIGHLIGHTS, caller.user_id, session_id, None),
            "pauses": await _rows(tx, PAUSES, caller.user_id, session_id),
        }


async def _rows(tx: ReadTx, sql: str, *values: object) -> list[dict[str, object]]:
    return [dict(row) for row in await tx._connection.fetch(sql, *values)]  # noqa: SLF001


async def main(url: str, port: int) -> None:
    settings = wiring.make_settings(rate_limit=0, log_level="warning")
    log.configure(settings.log_format, settings.log_level)
    product = wiring.product(settings)
    wiring.install(product)
    application.ROUTERS = (*application.ROUTERS, router)
    db = await Database.open(url, name="mindhit plain")
    config = uvicorn.Config(
        application.create_app(product, db),
        port=port,
        http="httptools",
        log_config=None,
        access_log=False,
        lifespan="off",
    )
    await uvicorn.Server(config).serve()


if __name__ == "__main__":
    uvloop.run(main(sys.argv[1], int(sys.argv[2])))
