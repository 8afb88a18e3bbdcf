"""The seed's way as a server: a batch by HTTP, each of its rows by itself through an ORM.

Run by bench/ingest.py in an environment of its own. Kinder than the seed, which commits every row:
one transaction for each batch. No token is checked and nothing is folded.
"""

import sys
import uuid
from hashlib import sha256
from typing import Any

import uvicorn
from fastapi import FastAPI
from pydantic import BaseModel
from sqlalchemy import BigInteger, ForeignKey, String, Text, UniqueConstraint, func, select
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.ext.asyncio import AsyncSession, async_sessionmaker, create_async_engine
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Url(Base):
    __tablename__ = "orm_urls"
    id: Mapped[int] = mapped_column(primary_key=True)
    url_hash: Mapped[str] = mapped_column(String(64), unique=True)
    url: Mapped[str] = mapped_column(Text)
    domain: Mapped[str] = mapped_column(String(255))
    title: Mapped[str | None] = mapped_column(String(500))
    content: Mapped[str | None] = mapped_column(Text)


class RawEvent(Base):
    __tablename__ = "orm_events"
    __table_args__ = (UniqueConstraint("session_id", "seq"),)
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    session_id: Mapped[uuid.UUID]
    seq: Mapped[int]
    t: Mapped[int] = mapped_column(BigInteger)
    type: Mapped[str] = mapped_column(String(30))
    tab_id: Mapped[int | None]
    url_id: Mapped[int | None] = mapped_column(ForeignKey("orm_urls.id"))
    payload: Mapped[Any] = mapped_column(JSONB, nullable=True)


class Visit(Base):
    __tablename__ = "orm_visits"
    id: Mapped[int] = mapped_column(BigInteger, primary_key=True)
    session_id: Mapped[uuid.UUID]
    url_id: Mapped[int] = mapped_column(ForeignKey("orm_urls.id"))
    tab_id: Mapped[int | None]
    entered_at: Mapped[int] = mapped_column(BigInteger)
    visit_order: Mapped[int]


class Event(BaseModel):
    sessionId: uuid.UUID  # noqa: N815  as it is sent
    seq: int
    t: int
    type: str
    tabId: int | None = None  # noqa: N815
    url: str | None = None
    payload: dict[str, Any] | None = None


class Batch(BaseModel):
    events: list[Event]


app = FastAPI()
engine = create_async_engine(sys.argv[1].replace("postgresql://", "postgresql+asyncpg://"))
sessions = async_sessionmaker(engine, expire_on_commit=False)


@app.get("/ready")
async def ready() -> dict[str, bool]:
    async with engine.begin() as connection:
        await connection.run_sync(Base.metadata.create_all)
    return {"ready": True}


@app.post("/events/batch")
async def ingest(batch: Batch) -> dict[str, int]:
    async with sessions() as session, session.begin():
        for event in batch.events:
            url_id = None
            if event.type == "NAV_COMMITTED" and event.url is not None:
                url_id = await _page(session, event.url, event.payload or {})
                session.add(
                    Visit(
                        session_id=event.sessionId,
                        url_id=url_id,
                        tab_id=event.tabId,
                        entered_at=event.t,
                        visit_order=event.seq,
                    )
                )
            session.add(
                RawEvent(
                    session_id=event.sessionId,
                    seq=event.seq,
                    t=event.t,
                    type=event.type,
                    tab_id=event.tabId,
                    url_id=url_id,
                    payload=event.payload,
                )
            )
            await session.flush()
        last = await session.scalar(
            select(func.max(RawEvent.seq)).where(RawEvent.session_id == batch.events[0].sessionId)
        )
    return {"ackedSeq": last or 0}


async def _page(session: AsyncSession, url: str, told: dict[str, Any]) -> int:
    hashed = sha256(url.encode()).hexdigest()
    known = await session.scalar(select(Url).where(Url.url_hash == hashed))
    if known is None:
        known = Url(
            url_hash=hashed,
            url=url,
            domain=url.split("/")[2],
            title=told.get("title"),
            content=told.get("content"),
        )
        session.add(known)
        await session.flush()
    return known.id


if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(sys.argv[2]), log_level="warning")
