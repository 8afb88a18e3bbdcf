"""The long-running processes on their own: `mindhit api`, `worker`, `scheduler`.

`mindhit up` runs all three; on several machines they run separately, against one database. SIGINT
and SIGTERM stop them gracefully: requests and handlers in progress are finished first.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from typing import Annotated

import typer

import mindhit
from mindhit import billing, wiring
from mindhit.cli.access import start, start_product, with_database
from mindhit.cli.already_running import Port, check_port
from mindhit.db import Database
from mindhit.errors import Refused
from mindhit.fetching.names import NAMES
from mindhit.log import reports
from mindhit.settings import Settings
from mindhit.work import Options, Scheduler, Worker, WorkSettings

Supervised = Annotated[bool, typer.Option("--supervised", hidden=True)]
SPARE_CONNECTIONS = 1  # for the health check; the engine's parts have their own
_PR_SET_PDEATHSIG = 1


def api(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Port = None,
    supervised: Supervised = False,
) -> None:
    """Serve the API and the web app."""
    # The web framework takes a third of a second to load, which no other command should wait for.
    from mindhit.api.server import serve  # noqa: PLC0415

    changes = {"host": host, "port": port}
    settings = start(is_process=True).model_copy(
        update={k: v for k, v in changes.items() if v is not None}
    )
    check_port(settings)
    product = wiring.product(settings)
    _run(settings, "api", lambda db: serve(product, db), supervised=supervised)


def worker(
    queues: Annotated[
        str | None, typer.Option(help="Queues to serve, separated by commas.")
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(help="Number of jobs to run at once.", min=1)
    ] = None,
    supervised: Supervised = False,
) -> None:
    """Run jobs from the queue."""
    product = start_product(is_process=True)
    chosen = product.settings[WorkSettings]
    options = Options(
        queues=_queues(queues) if queues is not None else chosen.worker_queues,
        concurrency=concurrency or chosen.worker_concurrency,
        claim_size=chosen.worker_claim_size,
        domain_limit=chosen.worker_domain_limit,
        lease_s=chosen.worker_lease,
        poll_s=chosen.worker_poll,
        grace_s=chosen.worker_grace,
        notify=chosen.worker_notify,
        watchdog=True,
    )

    NAMES.make_room(options.concurrency)

    async def work(db: Database) -> None:
        running = Worker(db, wiring.registry(product), options)
        _on_stop(running.stop)
        await running.run()

    # Handlers may hold a connection each. One that holds several at once can make others wait; the
    # engine's own parts have connections beside the pool's.
    needed = options.concurrency + SPARE_CONNECTIONS
    _run(product.settings, "worker", work, supervised=supervised, connections=needed)


def _queues(written: str) -> tuple[str, ...]:
    names = tuple(name.strip() for name in written.split(",") if name.strip())
    if not names:
        raise Refused("--queues is empty.", way_out="Name at least one: --queues default,crawl.")
    return names


def scheduler(supervised: Supervised = False) -> None:
    """Enqueue recurring jobs when they are due. Any number of schedulers may run."""
    product = start_product(is_process=True)

    async def schedule(db: Database) -> None:
        running = Scheduler(db, product.schedules)
        _on_stop(running.stop)
        await running.run()

    _run(product.settings, "scheduler", schedule, supervised=supervised)


def _run(
    settings: Settings,
    name: str,
    act: Callable[[Database], Awaitable[None]],
    *,
    supervised: bool,
    connections: int = 0,
) -> None:
    if supervised:
        _die_with_parent()
    dsn = settings.sentry_dsn.get_secret_value() if settings.sentry_dsn else None
    reports.start(dsn, release=mindhit.__version__)

    async def begin(db: Database) -> None:
        await billing.seed_plans(db, settings)
        await act(db)

    with_database(settings, name, begin, connections=connections)


def _on_stop(stop: Callable[[], None]) -> None:
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop)


def _die_with_parent() -> None:
    """Children must not survive a supervisor that was killed with SIGKILL."""
    if not sys.platform.startswith("linux"):
        return
    parent = os.getppid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent == 1 or os.getppid() != parent:  # it died during our start
        os.kill(os.getpid(), signal.SIGKILL)
