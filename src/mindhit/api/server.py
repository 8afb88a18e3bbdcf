"""Runs the API in this process until it is told to stop."""

from __future__ import annotations

import asyncio
import gc
import socket
from contextlib import suppress
from time import monotonic
from typing import Final

import uvicorn

from mindhit import log
from mindhit.api.app import build_routes, create_app
from mindhit.api.http.hosts import KnownHosts
from mindhit.api.http.protocol import LimitedProtocol, Places, limited
from mindhit.api.loop_watch import ApiWatchdog, LoopWatch
from mindhit.api.settings import ApiSettings
from mindhit.db import Database
from mindhit.slices import Product

_log = log.get(__name__)
TICKS_A_SECOND: Final = 10  # of the server's own loop
SHUTDOWN_S: Final = 10  # how long running requests may take after a stop


class _Server(uvicorn.Server):
    """Tells streams to end before it waits for running requests: they would never end."""

    def __init__(self, config: uvicorn.Config, stopping: asyncio.Event) -> None:
        super().__init__(config)
        self._stopping = stopping

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._stopping.set()
        await super().shutdown(sockets)

    async def on_tick(self, counter: int) -> bool:
        if counter % TICKS_A_SECOND == 0:
            now = monotonic()
            for each in list(self.server_state.connections):
                if isinstance(each, LimitedProtocol):
                    each.sweep(now)
        return await super().on_tick(counter)


def keep_what_is_loaded() -> None:
    """Modules and routes live as long as the process. Every full garbage collection would look at their 200,000
    objects again and hold the loop for 0.1 s (measured on a busy machine)."""
    gc.collect()
    gc.freeze()


async def serve(product: Product, db: Database) -> None:
    """Answer requests until SIGINT or SIGTERM; running requests are finished first."""
    settings = product.settings
    limits = settings[ApiSettings]
    app = create_app(product, db)
    build_routes(app)
    keep_what_is_loaded()
    places = Places(limits.connections, limits.connections_per_address, limits.trusted_proxies)
    server = _Server(
        uvicorn.Config(
            KnownHosts(app, settings),
            host=settings.host,
            port=settings.port,
            http=limited(places),
            ws="none",
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=True,
            forwarded_allow_ips=list(limits.trusted_proxies),
            timeout_graceful_shutdown=SHUTDOWN_S,
        ),
        app.state.stopping,
    )
    _log.info("api listens", url=settings.public_url)
    watchdog = ApiWatchdog()
    watchdog.start()
    watching = asyncio.create_task(LoopWatch().run(server.server_state.tasks))
    try:
        await server.serve()
    finally:
        watchdog.stop()
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
