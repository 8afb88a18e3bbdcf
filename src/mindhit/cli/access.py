"""How a command gets at the database: the configured one, the running one, or one of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from mindhit import log, wiring
from mindhit.cli.output import errors
from mindhit.db import Database, embedded, migrate
from mindhit.db.embedded import Access
from mindhit.settings import Settings, load

Result = TypeVar("Result")


def start() -> Settings:
    """What every command does first: settings, logs, wiring."""
    settings = load()
    log.configure(settings.log_format, settings.log_level)
    wiring.load(settings)
    return settings


def tell(message: str) -> None:
    errors.print(f"  {message}", style="dim", highlight=False)


@contextmanager
def server(settings: Settings) -> Iterator[Access]:
    if settings.database_url is not None:
        yield embedded.external(settings.database_url.get_secret_value())
        return
    with embedded.running(
        settings.data_dir, progress=tell, min_free_bytes=settings.database_min_free * 2**20
    ) as access:
        yield access


def with_database(
    settings: Settings, name: str, act: Callable[[Database], Awaitable[Result]]
) -> Result:
    """Run something against an up-to-date database in an event loop of its own."""

    async def run(url: str) -> Result:
        await migrate.check(url)
        db = await open_database(settings, url, name)
        try:
            return await act(db)
        finally:
            await db.close()

    with server(settings) as access:
        return asyncio.run(run(access.url))


async def open_database(settings: Settings, url: str, name: str) -> Database:
    return await Database.open(
        url,
        name=f"mindhit {name}",
        size=settings.database_pool,
        statement_cache=settings.database_statement_cache,
    )
