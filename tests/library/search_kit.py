"""Somebody who records, saves and searches."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import fields, is_dataclass
from typing import Any

from mindhit import library, tracking
from mindhit.accounts import Person
from mindhit.db import Database, Query, ReadTx
from mindhit.work.testing import drain
from tests.accounts.kit import product
from tests.insight.kit import Recorder, recorder

Json = dict[str, Any]


class Reader:
    """One who has a browser and a library; only jobs of recording and of the library are run."""

    def __init__(self, recording: Recorder) -> None:
        self.recording = recording
        self.client = recording.client
        self.db = recording.db
        self.user_id = recording.user_id

    async def work(self) -> int:
        whole = product()
        jobs = {**tracking.SLICE.jobs(whole), **library.SLICE.jobs(whole)}
        return await drain(self.db, jobs)

    async def record(self, *pages: Any, title: str | None = None) -> str:
        """A session that is closed and indexed."""
        id_ = await self.recording.record(pages, title)
        await self.work()
        return str(id_)

    async def save(self, address: str, **more: Any) -> Json:
        answer = await self.client.post("/v1/pages", json={"address": address, **more})
        assert answer.status_code == 201, answer.text
        await self.work()
        return dict(answer.json())

    async def search(self, typed: str = "", **query: Any) -> Json:
        answer = await self.client.get("/v1/search", params={"q": typed, **query})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    async def titles(self, typed: str = "", **query: Any) -> list[str | None]:
        return [hit["title"] for hit in (await self.search(typed, **query))["hits"]]


class Noting(ReadTx):
    """A transaction that notes what it asks."""

    def __init__(self, tx: ReadTx) -> None:
        super().__init__(tx._connection, tx._may_idle_s)
        self.asked: list[tuple[Query[Any], tuple[object, ...]]] = []

    async def all(self, query: Query[Any], *values: object) -> list[Any]:
        self.asked.append((query, values))
        return await super().all(query, *values)

    async def one(self, query: Query[Any], *values: object) -> Any:
        self.asked.append((query, values))
        return await super().one(query, *values)

    @property
    def conditions(self) -> set[str]:
        """On the index: all that is text in what was asked."""
        found = [
            getattr(value, field.name)
            for _, values in self.asked
            for value in values
            if is_dataclass(value)
            for field in fields(value)
        ]
        lists = [each if isinstance(each, list) else [each] for each in found]
        return {each for some in lists for each in some if isinstance(each, str)}


@asynccontextmanager
async def reader(db: Database, person: Person) -> AsyncIterator[Reader]:
    async with recorder(db, person) as recording:
        yield Reader(recording)
