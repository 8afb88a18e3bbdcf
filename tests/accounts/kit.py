"""People for tests: made directly in the database, and clients that call the API as they would."""

from __future__ import annotations

import asyncio
import io
import json
import re
import tempfile
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
from fastapi import FastAPI
from pydantic import SecretStr

from mindhit import accounts, mail, wiring
from mindhit.accounts import Origin, Person, Role, Scope, SignInGuard
from mindhit.accounts.job_types import MakeExport
from mindhit.api.app import create_app
from mindhit.api.settings import ApiSettings
from mindhit.db import Database, Query
from mindhit.settings import Settings
from mindhit.slices import Product
from mindhit.work.testing import drain

HERE = Origin("203.0.113.7", "Firefox on Linux")
URL = "http://mindhit.test"
PASSWORD = "correct horse battery"
SECRET_KEY = "a key for tests, long enough to be one"
OWNER = "owner@example.org"
# Every moment that accounts keep: columns of their tables, as table.column.
_MOMENTS = Query(
    str,
    """
select c.table_name || '.' || c.column_name as moment
  from information_schema.columns c
 where c.table_schema = 'public' and c.data_type = 'timestamp with time zone'
   and obj_description(c.table_name::regclass) like 'accounts:%'""",
)
Json = dict[str, Any]
LINK = re.compile(r"https?://\S+?/(\w[\w-]*)#(\S+)")


def settings(**more: Any) -> Settings:
    """Cheap hashes and no limits, unless a test is about them."""
    return wiring.make_settings(
        **{
            "password_memory": 8,
            "password_rounds": 1,
            "rate_limit": 0,
            "sign_in_limit": 0,
            "fetching": False,  # nothing is asked for beyond this machine
            "base_url": URL,
            "secret_key": SECRET_KEY,  # else one would be made in the data directory
            "data_dir": Path(tempfile.gettempdir()),
            **more,
        }
    )


def product() -> Product:
    return wiring.product(settings())


async def add(
    db: Database,
    email: str = "ada@example.org",
    *,
    role: Role = Role.USER,
    password: str = PASSWORD,
) -> Person:
    hashed = await SignInGuard(settings()).hasher.hash(password)
    async with db.transaction() as tx:
        return await accounts.add_person(tx, email, password_hash=hashed, origin=HERE, role=role)


async def add_owner(db: Database) -> Person:
    return await add(db, OWNER, role=Role.OWNER)


async def cookie_of(db: Database, person: Person) -> str:
    async with db.transaction() as tx:
        _, cookie = await accounts.open_browser(tx, person.id, HERE)
    return cookie


async def token_of(db: Database, person: Person, *scopes: Scope) -> str:
    async with db.transaction() as tx:
        _, token = await accounts.make_token(tx, person.id, "a program", list(scopes), None, HERE)
    return token


def app_of(db: Database, config: Settings) -> FastAPI:
    """The application under these settings. Kept for the next test that wants the same: its routes
    are put together at the first request, which takes 0.4 s. Not where it counts requests itself."""
    whole = wiring.product(config)
    wiring.install(whole)
    if config[ApiSettings].rate_limit:
        return create_app(whole, db)
    values = repr(
        [[_plain(value) for value in config]]
        + [[_plain(v) for v in config[section]] for section in wiring.SECTIONS]
    )
    app = _apps[values] = _apps.get(values) or create_app(whole, db)
    app.state.db = db
    app.state.stopping = asyncio.Event()  # of this test's event loop
    return app


def _plain(field: tuple[str, object]) -> tuple[str, object]:
    name, value = field
    return name, value.get_secret_value() if isinstance(value, SecretStr) else value


_apps: dict[str, FastAPI] = {}


def client_of(
    db: Database,
    config: Settings | None = None,
    *,
    url: str = URL,
    address: str = "203.0.113.7",
    **headers: str,
) -> httpx2.AsyncClient:
    """A browser's calls: with an Origin, and with the cookies it was given."""
    app = app_of(db, config or settings())
    transport = httpx2.ASGITransport(app, raise_app_exceptions=False, client=(address, 4711))
    return httpx2.AsyncClient(transport=transport, base_url=url, headers={"Origin": url, **headers})


@asynccontextmanager
async def browser_of(
    db: Database, person: Person, config: Settings | None = None
) -> AsyncIterator[httpx2.AsyncClient]:
    """A browser in which this person is signed in."""
    async with client_of(db, config) as client:
        client.cookies.set("mindhit", await cookie_of(db, person))
        yield client


async def run_jobs(db: Database, config: Settings | None = None) -> int:
    return await drain(db, wiring.product(config or settings()).jobs)


async def export(db: Database, browser: httpx2.AsyncClient) -> bytes:
    """The archive of everything, as the person in this browser gets it."""
    asked = await browser.post("/v1/me/exports", params={"new": True})
    assert asked.status_code == 202
    await run_exports(db)
    answer = await browser.get(f"/v1/me/exports/{asked.json()['id']}/archive")
    assert answer.status_code == 200
    return answer.content


async def run_exports(db: Database, config: Settings | None = None) -> int:
    jobs = wiring.product(config or settings()).jobs
    return await drain(db, {MakeExport: jobs[MakeExport]})


def unpack(archive: bytes) -> dict[str, Any]:
    """Name of a file → its rows."""
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        assert files.testzip() is None
        assert "README.txt" in files.namelist()
        return {
            name.removesuffix(".json"): json.loads(files.read(name))
            for name in files.namelist()
            if name.endswith(".json")
        }


async def mails(db: Database) -> list[mail.KeptMail]:
    """What would have been sent, oldest first."""
    async with db.read() as tx:
        return list(reversed(await mail.list_kept(tx, limit=100)))


async def newest_link(db: Database, config: Settings | None = None) -> tuple[str, str]:
    """Page and token of the link in the newest mail."""
    await run_jobs(db, config)
    found = LINK.search((await mails(db))[-1].text)
    assert found is not None
    return found[1], found[2]


async def pass_time(db: Database, **units: float) -> None:
    """Moving every moment into the past is the same as the clock moving on."""
    seconds = timedelta(**units).total_seconds()
    columns = await db.alone(_MOMENTS)
    async with db.transaction() as tx:
        for table, column in (each.split(".") for each in columns):
            await tx._connection.execute(
                f"update {table} set {column} = {column} - make_interval(secs => $1)", seconds
            )


async def start(client: httpx2.AsyncClient, name: str = "Chrome on Linux") -> Json:
    answer = await client.post("/v1/connect", json={"name": name})
    assert answer.status_code == 201
    return dict(answer.json())


async def poll(client: httpx2.AsyncClient, started: Json) -> Json:
    answer = await client.post("/v1/connect/poll", json={"device_code": started["device_code"]})
    assert answer.status_code == 200
    return dict(answer.json())


async def connected(db: Database, browser: httpx2.AsyncClient) -> Json:
    """Tokens of an extension that the person in this browser approved."""
    async with client_of(db) as extension:
        started = await start(extension)
        approve = {"decision": "approve"}
        done = await browser.post(f"/v1/connect/{started['user_code']}", json=approve)
        assert done.status_code == 204
        polled = await poll(extension, started)
    assert polled["status"] == "connected"
    return dict(polled["tokens"])


async def rows(db: Database, sql: str, *values: object) -> list[Any]:
    async with db.read() as tx:
        return await tx._connection.fetch(sql, *values)


async def tables(db: Database) -> list[str]:
    found = await rows(
        db,
        "select table_name from information_schema.tables where table_schema = 'public'"
        " and table_type = 'BASE TABLE' and table_name <> 'schema_migrations' order by 1",
    )
    return [each[0] for each in found]


async def snapshot(db: Database) -> dict[str, list[str]]:
    """Every row of every table."""
    return {
        # Under a name that no column has: of raw_events, `t` would be the time alone.
        table: sorted(each[0] for each in await rows(db, f"select row_::text from {table} row_"))
        for table in await tables(db)
    }


async def traces(db: Database, *words: str) -> dict[str, list[str]]:
    """Every row of every table that mentions one of the words, in any column."""
    found = {
        table: [text for text in texts if any(word in text.lower() for word in words)]
        for table, texts in (await snapshot(db)).items()
    }
    return {table: hits for table, hits in found.items() if hits}
