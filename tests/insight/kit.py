"""Sessions that are recorded, and what insight makes of them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx2

from mindhit import wiring
from mindhit.accounts import Person, Scope
from mindhit.db import Database
from mindhit.settings import Settings
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import client_of, rows, settings, token_of

START = 1_750_000_000_000
Json = dict[str, Any]

BREAD = (
    "Sourdough bread is raised by a culture of wild yeast and lactic acid bacteria. The starter is fed with flour and "
    "water every day. Bakers keep a part of the sourdough starter back each time. The bacteria make acids that give the "
    "bread its taste. A dense crumb shows that the dough was baked too early."
)
SPACE = (
    "The space telescope found methane in the atmosphere of a distant planet. Astronomers compare the spectrum of the star "
    "with and without the planet in front of it. Methane and carbon dioxide together may point to an ocean. The telescope "
    "will look at the atmosphere of the planet again next year."
)
KOREAN = (
    "전세 계약을 하기 전에 등기부등본을 확인해야 한다. 근저당이 많으면 보증금을 돌려받지 못할 수 있다. 확정일자를 받으면 우선변제권이 생긴다. "
    "전세보증보험은 보증금을 지키는 가장 쉬운 방법이다. 계약서를 쓸 때 특약을 넣는 것이 좋다."
)


@dataclass(frozen=True, slots=True)
class Seen:
    """A page that somebody reads for a while."""

    url: str
    title: str
    text: str | None = None
    seconds: float = 30
    failed: bool = False
    highlight: str | None = None
    no_fetch: bool = True
    is_focused: bool = True  # or another program's window was in front meanwhile


def many(count: int, text: str = BREAD, site: str = "bread.example", **more: Any) -> list[Seen]:
    return [
        Seen(
            f"https://{site}/{n}", f"{' '.join(text.split()[:2])} {n}", f"{text} Part {n}.", **more
        )
        for n in range(count)
    ]


def events(pages: Sequence[Seen], start: int = START) -> list[Json]:
    found: list[Json] = []
    now = start

    def send(type_: str, payload: Json | None = None, **more: Any) -> None:
        found.append(
            {"seq": len(found) + 1, "t": now, "type": type_, "payload": payload or {}, **more}
        )

    send("WINDOW_FOCUS_CHANGED", {"focused": True}, windowId=1)
    send("TAB_ACTIVATED", tabId=1, windowId=1)
    for page in pages:
        where: Json = {"tabId": 1, "windowId": 1, "url": page.url}
        if not page.is_focused:
            send("WINDOW_FOCUS_CHANGED", {"focused": False}, windowId=1)
        send("NAV_COMMITTED", {"title": page.title, "noFetch": page.no_fetch}, **where)
        if page.text is not None or page.failed:
            text: Json = {"title": page.title, "extractionOk": not page.failed}
            text |= {"content": page.text} if page.text is not None else {}
            send("CONTENT_EXTRACTED", {**text, "noFetch": page.no_fetch}, **where)
        if page.highlight:
            send("HIGHLIGHT", {"text": page.highlight}, **where)
        now += int(page.seconds * 1000)
        send("ALIVE")
        if not page.is_focused:
            send("WINDOW_FOCUS_CHANGED", {"focused": True}, windowId=1)
    return found


@dataclass
class Recorder:
    """Somebody who records, over HTTP, and the workers' jobs."""

    db: Database
    person: Person
    client: httpx2.AsyncClient
    config: Settings

    @property
    def user_id(self) -> UUID:
        return self.person.id

    async def record(self, pages: Sequence[Seen], title: str | None = None) -> UUID:
        """A stopped session; nothing was made of it yet."""
        began = {"started_at": START} | ({"title": title} if title else {})
        answer = await self.client.post("/v1/sessions/start", json=began)
        id_ = UUID(answer.json()["session_id"])
        sent = events(pages)
        for first in range(0, len(sent), 200):
            body = {"events": sent[first : first + 200]}
            taken = await self.client.post(f"/v1/sessions/{id_}/events:batch", json=body)
            assert taken.status_code == 200, taken.text
            assert not taken.json()["rejected"]
        stop = {"last_seq": len(sent), "ended_at": sent[-1]["t"]}
        assert (await self.client.post(f"/v1/sessions/{id_}/stop", json=stop)).is_success
        return id_

    async def work(self) -> int:
        return await drain(self.db, wiring.product(self.config).jobs)

    async def work_kinds(self, *kinds: type) -> int:
        """Jobs of these kinds only."""
        jobs = wiring.product(self.config).jobs
        return await drain(self.db, {kind: run for kind, run in jobs.items() if kind in kinds})

    async def work_without(self, *kinds: type) -> int:
        jobs = wiring.product(self.config).jobs
        return await drain(self.db, {kind: run for kind, run in jobs.items() if kind not in kinds})

    async def work_until_quiet(self) -> None:
        """With the waits of handlers passing at once."""
        while await self.work():
            await pass_time(self.db, 4_000)

    async def processed(self, pages: Sequence[Seen], title: str | None = None) -> UUID:
        id_ = await self.record(pages, title)
        await self.work()
        return id_

    async def get(self, path: str, **more: Any) -> Any:
        answer = await self.client.get(f"/v1{path}", **more)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def session(self, id_: UUID) -> Json:
        [found] = await rows(self.db, "select * from sessions where id = $1", id_)
        return dict(found)

    async def map(self, id_: UUID) -> Json:
        return dict((await self.get(f"/sessions/{id_}/mindmap"))["mindmap"])


@asynccontextmanager
async def recorder(db: Database, person: Person, **config: Any) -> AsyncIterator[Recorder]:
    chosen = settings(**config)
    token = await token_of(db, person, Scope.API)
    async with client_of(db, chosen, Authorization=f"Bearer {token}") as client:
        yield Recorder(db, person, client, chosen)
