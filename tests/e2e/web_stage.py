"""What the web app is looked at with: somebody's account, and what an extension says.

`served` is a server of its own, for programs that are no tests.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx2

from mindhit import accounts
from mindhit.db import Database, migrate
from mindhit.db.embedded import Server
from mindhit.settings import Settings
from tests import servers

EMAIL, PASSWORD = "mina@example.org", "correct horse battery"
CHEAP = {"password_memory": 8, "password_rounds": 1, "rate_limit": 0, "sessions_per_hour": 0}
WIKI: Final = "https://en.wikipedia.org/wiki/Common_swift"
RSPB: Final = "https://www.rspb.org.uk/birds/swift"
# What a page may call itself: markup, text that runs the other way, and far too much of it.
HOSTILE: Final = (
    "<img src=x onerror=\"document.title='run'\"><script>document.title='run'</script>",
    "\u202eغرفة القراءة مكتبة\u202c",
    "👩\u200d👩\u200d👧 " + "wide " * 2_000,
    "javascript:document.title='run'",
)


@dataclass(frozen=True)
class Home:
    """An account, and somebody who is signed in to it."""

    url: str
    database_url: str
    client: httpx2.Client

    def cookie(self) -> dict[str, Any]:
        name, value = next(iter(self.client.cookies.items()))
        return {"name": name, "value": value, "url": self.url}

    def sessions(self) -> list[dict[str, Any]]:
        answer = self.client.get("/v1/sessions", params={"limit": "100"})
        found: list[dict[str, Any]] = answer.json()["sessions"]
        return found

    def record(self, title: str | None = None) -> Recorder:
        """By an extension that was just connected."""
        return Recorder(self.url, connected(self.client), title)

    def speak(self, language: str) -> None:
        """The account's language counts in every browser."""
        assert self.client.patch("/v1/me/settings", json={"language": language}).is_success

    def forget(self, *ids: str) -> None:
        for id_ in ids:
            self.client.delete(f"/v1/sessions/{id_}")


@contextmanager
def served() -> Iterator[tuple[str, str]]:
    """Address of a running server, and of its database."""
    folder = Path(tempfile.mkdtemp(prefix="mindhit-web-"))
    folder.chmod(0o755)
    server = Server(folder / "db", min_free_bytes=0)
    try:
        server.start()
        asyncio.run(migrate.migrate(server.url))
        with servers.api(folder / "api.log", server.url, **CHEAP) as url:
            port = url.rpartition(":")[2]
            worker = servers.start(
                folder / "worker.log", "worker", database_url=server.url, port=port, **CHEAP
            )
            try:
                yield url, server.url
            finally:
                servers.end(worker)
    finally:
        server.stop()
        if server.layout:
            shutil.rmtree(server.layout.home, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)


async def owner_token(url: str, database_url: str) -> str:
    db = await Database.open(database_url, size=2)
    try:
        async with db.transaction() as tx:
            link = await accounts.make_owner_link(tx, Settings(base_url=url))
    finally:
        await db.close()
    assert link is not None
    return link.rpartition("#")[2]


def owner(url: str, token: str, **more: Any) -> httpx2.Client:
    """Somebody who is signed in, with the cookies of a browser."""
    client = httpx2.Client(base_url=url, headers={"Origin": url}, timeout=60)
    claim = {"token": token, "email": EMAIL, "password": PASSWORD, **more}
    answer = client.post("/v1/auth/owner", json=claim)
    assert answer.status_code == 201, answer.text
    return client


def connected(client: httpx2.Client, name: str = "Chrome on Linux") -> dict[str, str]:
    """The header of an extension that was connected."""
    asked = client.post("/v1/connect", json={"name": name}).json()
    approved = client.post(f"/v1/connect/{asked['user_code']}", json={"decision": "approve"})
    assert approved.status_code == 204
    body = {"device_code": asked["device_code"]}
    tokens = client.post("/v1/connect/poll", json=body).json()["tokens"]
    return {"Authorization": f"Bearer {tokens['access_token']}"}


def settled(client: httpx2.Client, within_s: float = 60) -> None:
    """Until no timeline is open any more but those that are recorded."""
    ends = time.monotonic() + within_s
    while client.get("/v1/sessions?status=processing&limit=1").json()["total"]:
        assert time.monotonic() < ends, "the worker does not close the timelines"
        time.sleep(0.1)


class Recorder:
    """What an extension sends, event by event, through the API."""

    def __init__(self, url: str, key: dict[str, str], title: str | None = None) -> None:
        # Nothing is encrypted here; reading the machine's certificates takes 40 ms a client.
        self._client = httpx2.Client(
            base_url=url,
            headers=key,
            timeout=30,
            verify=False,
            limits=httpx2.Limits(max_keepalive_connections=0),  # nothing is left open
        )
        self.seq = 0
        self.id: str = self._post("start", {"title": title} if title else {})["session_id"]

    def say(self, type_: str, t: float | None = None, *, skip: int = 0, **more: Any) -> None:
        self.seq += skip
        self._send([self._event(type_, t, **more)])

    def go(self, url: str, title: str, t: float | None = None, **payload: Any) -> None:
        self._send([self._navigation(url, title, t, **payload)])

    def go_through(self, pages: Iterable[tuple[str, str, float]]) -> None:
        """Many pages at once: address, title and when each was opened."""
        self._send([self._navigation(*page) for page in pages])

    def _navigation(self, url: str, title: str, t: float | None, **payload: Any) -> dict[str, Any]:
        told = {"title": title, "transition": "link", **payload}
        return self._event("NAV_COMMITTED", t, tabId=1, windowId=1, url=url, payload=told)

    def _event(self, type_: str, t: float | None, **more: Any) -> dict[str, Any]:
        self.seq += 1
        return {"seq": self.seq, "t": int(t or time.time() * 1000), "type": type_, **more}

    def _send(self, events: list[dict[str, Any]]) -> None:
        self._post(f"{self.id}/events:batch", {"events": events})

    def begin(self, t: float | None = None) -> None:
        self.say("WINDOW_FOCUS_CHANGED", t, windowId=1, payload={"focused": True})
        self.say("TAB_ACTIVATED", t, tabId=1, windowId=1)

    def stop(self, ended_at: float | None = None) -> None:
        body: dict[str, Any] = {"last_seq": self.seq}
        if ended_at is not None:
            body["ended_at"] = int(ended_at)
        self._post(f"{self.id}/stop", body)

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self._client.post(f"/v1/sessions/{path}", json=body)
        assert answer.status_code < 300, answer.text
        told: dict[str, Any] = answer.json()
        return told


def record_hostile(home: Home) -> str:
    """A session of such pages, with highlights of the same sort, and with a hole."""
    recorder = home.record("<b>Bold</b> & 'quoted'")
    began = int(time.time() * 1000) - 60_000
    recorder.begin(began)
    for number, title in enumerate(HOSTILE):
        at = began + number * 5_000
        url = f"https://xn--9q8h.example/{number}?<b>"
        recorder.go(url, title, at, transition="<i>way</i>")
        recorder.say("HIGHLIGHT", at + 1_000, tabId=1, url=url, payload={"text": title[:9_000]})
    recorder.say("ALIVE", began + 30_000)
    recorder.say("ALIVE", began + 31_000, skip=4)  # the four before it never come
    recorder.stop(began + 31_000)
    return recorder.id
