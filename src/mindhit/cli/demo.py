"""`mindhit demo`: two weeks of made-up sessions, recorded through the public API.

The sessions come from `tracking.demo`; they are sent to the running server as an extension would:
start, batches of events, stop. Sessions that exist already are left alone.
"""

from __future__ import annotations

import asyncio
import gzip
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
import typer

from mindhit import accounts
from mindhit.accounts import Origin, Person, PersonNotFound, Purpose, Scope, SignInGuard
from mindhit.cli.access import start, tell, with_database
from mindhit.cli.output import console
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.errors import Refused, Upstream
from mindhit.settings import Settings
from mindhit.tracking import TrackingSettings
from mindhit.tracking.demo import Sample, sessions

if TYPE_CHECKING:
    import aiohttp

EMAIL: Final = "demo@mindhit.example"
HERE: Final = Origin(None, "command line")
TOKEN_S: Final = 600.0
WAIT_S: Final = 20.0  # for the worker to process the sessions
_RUNNING: Final = "Start it with `mindhit up`, or pass its address: --url ADDRESS."


class DemoFailed(Upstream):
    """The server did not accept the demo."""


@dataclass(slots=True)
class Loaded:
    """What became of the sessions."""

    recorded: int = 0
    known: int = 0
    deleted: int = 0
    is_processed: bool = True


def demo(
    user: Annotated[
        str | None, typer.Option("--user", help="Record into the account with this email address.")
    ] = None,
    url: Annotated[str | None, typer.Option("--url", help="Address of the server.")] = None,
) -> None:
    """Record two weeks of made-up browsing to explore MindHit with."""
    settings = start()
    address = (url or settings.model_copy(update={"base_url": None}).public_url).rstrip("/")

    async def act(db: Database) -> tuple[Loaded, str]:
        await _check(address)
        person, way_in = await _person(db, settings, user)
        async with _token(db, person) as token:
            zone = await _zone(db, person)
            samples = sessions(person.id, utc_now().astimezone(zone))
            async with _api(address, token, settings[TrackingSettings].batch_limit) as api:
                return await _load(api, samples), way_in

    loaded, way_in = with_database(settings, "demo", act)
    parts = [f"{loaded.recorded} session{'' if loaded.recorded == 1 else 's'} recorded"]
    parts += [f"{loaded.known} already existed"] if loaded.known else []
    parts += [f"{loaded.deleted} skipped because they were deleted"] if loaded.deleted else []
    console.print(", ".join(parts) + ".", highlight=False, soft_wrap=True)
    if not loaded.is_processed:
        console.print("They are still being processed. Is a worker running?")
    console.print(way_in, highlight=False, soft_wrap=True, markup=False)


async def _person(db: Database, settings: Settings, email: str | None) -> tuple[Person, str]:
    """The demo's account, and how to sign in to it."""
    url = settings.public_url
    if email is not None:
        async with db.read() as tx:
            return await accounts.find_person(tx, email), f"Sign in at {url} as {email}."
    try:
        async with db.transaction() as tx:
            person = await accounts.find_person(tx, EMAIL)
            link, _ = await accounts.make_link(tx, url, Purpose.RESET, user_id=person.id)
        return person, f"To sign in at {url} as {EMAIL}, choose a new password: {link}"
    except PersonNotFound:
        password = secrets.token_urlsafe(12)
    hashed = await SignInGuard(settings).hasher.hash(password)
    async with db.transaction() as tx:
        person = await accounts.add_person(tx, EMAIL, password_hash=hashed, origin=HERE)
    return person, f"Sign in at {url} as {EMAIL} with the password {password}"


async def _zone(db: Database, person: Person) -> ZoneInfo:
    async with db.read() as tx:
        return ZoneInfo((await accounts.show_preferences(tx, person.id)).timezone)


@asynccontextmanager
async def _token(db: Database, person: Person) -> AsyncIterator[str]:
    """A token for as long as it is needed."""
    async with db.transaction() as tx:
        device, token = await accounts.make_token(tx, person.id, "demo", [Scope.API], TOKEN_S, HERE)
    try:
        yield token
    finally:
        async with db.transaction() as tx:
            await accounts.revoke(tx, person.id, device.id, HERE)


async def _check(address: str) -> None:
    """Raise unless a server answers, before an account is created."""
    import aiohttp  # noqa: PLC0415  half a second that no other command should pay

    try:
        async with aiohttp.ClientSession() as http, http.get(f"{address}/readyz") as answer:
            is_ready = answer.status == 200
    except (aiohttp.ClientError, ValueError):
        is_ready = False
    if not is_ready:
        raise Refused(f"No MindHit server answers at {address}.", way_out=_RUNNING)


@asynccontextmanager
async def _api(address: str, token: str, batch_limit: int) -> AsyncIterator[_Api]:
    import aiohttp  # noqa: PLC0415  as above

    key = {"Authorization": f"Bearer {token}"}
    try:
        async with aiohttp.ClientSession(headers=key) as http:
            yield _Api(http, f"{address}/v1", batch_limit)
    except aiohttp.ClientError as error:
        raise DemoFailed(reason=str(error)) from error


async def _load(api: _Api, samples: Sequence[Sample]) -> Loaded:
    loaded = Loaded()
    for sample in samples:
        tell(sample.title or sample.key)
        await _record(api, sample, loaded)
    loaded.is_processed = await _wait(api)
    return loaded


async def _record(api: _Api, sample: Sample, loaded: Loaded) -> None:
    begun = await api.post(
        "/sessions/start",
        {
            "session_id": str(sample.id),
            "started_at": sample.started_at.isoformat(),
            "title": sample.title,
        },
    )
    if begun is None:
        loaded.deleted += 1
        return
    if begun["status"] != "recording":
        loaded.known += 1
        return
    events = sample.events(datetime.fromisoformat(begun["started_at"]))
    await _send(api, sample.id, events)
    stop = {"last_seq": len(events), "ended_at": events[-1]["t"]}
    await api.post(f"/sessions/{sample.id}/stop", stop)
    loaded.recorded += 1


async def _send(api: _Api, session_id: UUID, events: list[dict[str, Any]]) -> None:
    for first in range(0, len(events), api.batch_limit):
        batch = {"events": events[first : first + api.batch_limit]}
        answer = await api.post(f"/sessions/{session_id}/events:batch", batch, zipped=True)
        if answer is None or answer["rejected"]:
            raise DemoFailed(reason=str(answer and answer["rejected"][:3]))


async def _wait(api: _Api) -> bool:
    """Until the worker has processed the sessions; there may be none running, so only `WAIT_S`."""
    deadline = monotonic() + WAIT_S
    while monotonic() < deadline:
        open_ = await api.get("/sessions?status=processing&limit=1")
        if open_["total"] == 0:
            return True
        await asyncio.sleep(0.5)
    return False


class _Api:
    """The parts of the API that a recorder needs."""

    def __init__(self, http: aiohttp.ClientSession, address: str, batch_limit: int) -> None:
        self._http = http
        self._address = address
        self.batch_limit = batch_limit

    async def get(self, path: str) -> Any:
        async with self._http.get(self._address + path) as answer:
            return self._read(answer.status, await answer.read())

    async def post(self, path: str, body: Any, *, zipped: bool = False) -> Any:
        """The answer, or None if the session was deleted."""
        data = msgspec.json.encode(body)
        headers = {"Content-Type": "application/json"}
        if zipped:
            data = gzip.compress(data)
            headers["Content-Encoding"] = "gzip"
        async with self._http.post(self._address + path, data=data, headers=headers) as answer:
            body = await answer.read()
            return None if answer.status == 409 else self._read(answer.status, body)

    @staticmethod
    def _read(status: int, body: bytes) -> Any:
        if status >= 400:
            raise DemoFailed(reason=f"{status}: {body[:200].decode('utf-8', 'replace')}")
        return msgspec.json.decode(body)
