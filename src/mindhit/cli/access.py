"""What commands share: settings, logs, and access to the database (configured, running or own)."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any, TypeVar

from mindhit import log, wiring
from mindhit.cli.output import errors
from mindhit.db import Database, embedded, migrate
from mindhit.db.embedded import Access
from mindhit.db.settings import DatabaseSettings
from mindhit.settings import Settings, unknown_variables
from mindhit.slices import Product

Result = TypeVar("Result")
_log = log.get(__name__)


def start(*, is_process: bool = False) -> Settings:
    """What every command does first: load settings, configure logs, wire the product."""
    return start_product(is_process=is_process).settings


def start_product(*, is_process: bool = False) -> Product:
    """`is_process`: it is one of the long-running processes, whose log is all that they say. Among
    the answers of other commands a log belongs only if somebody asked for it."""
    settings = wiring.load_settings()
    log.configure(settings.log_format, log_level(settings, is_process=is_process))
    for name in unknown_variables(wiring.SECTIONS, os.environ):
        _log.warning("unknown environment variable; is it misspelled?", variable=name)
    product = wiring.product(settings)
    wiring.install(product)
    return product


def log_level(settings: Settings, *, is_process: bool = False) -> log.Level:
    is_chosen = not settings.model_fields_set.isdisjoint({"log_format", "log_level"})
    return settings.log_level if is_process or is_chosen else "warning"


def tell(message: str) -> None:
    errors.print(f"  {message}", style="dim", highlight=False)


@contextmanager
def database(settings: Settings) -> Iterator[str]:
    """The URL of the database: an external server, or the embedded one for as long as it is needed."""
    url = settings[DatabaseSettings].url
    if url is not None:
        yield url
        return
    with _embedded(settings) as access:
        yield access.url


@contextmanager
def database_and_programs(settings: Settings) -> Iterator[Access]:
    """The same with PostgreSQL's client programs, which backup and restore need."""
    url = settings[DatabaseSettings].url
    if url is not None:
        yield embedded.external(url)
        return
    with _embedded(settings) as access:
        yield access


def _embedded(settings: Settings) -> AbstractContextManager[Access]:
    return embedded.running(
        settings.data_dir,
        progress=tell,
        min_free_bytes=settings[DatabaseSettings].min_free_bytes,
    )


def with_database(
    settings: Settings,
    name: str,
    act: Callable[[Database], Awaitable[Result]],
    *,
    connections: int = 0,
) -> Result:
    """Run `act` against an up-to-date database, in an event loop of its own.

    The pool has at least `connections`, whatever the setting says.
    """

    async def main(url: str) -> Result:
        await migrate.check(url)
        db = await Database.open(
            url,
            name=f"mindhit {name}",
            size=max(settings[DatabaseSettings].database_pool, connections),
            statement_cache=settings[DatabaseSettings].database_statement_cache,
        )
        try:
            return await act(db)
        finally:
            await db.close()

    with database(settings) as url:
        return _run(main(url))


def _run(main: Coroutine[Any, Any, Result]) -> Result:
    if sys.platform == "win32":
        return asyncio.run(main)
    import uvloop  # noqa: PLC0415  not available on Windows

    return uvloop.run(main)
