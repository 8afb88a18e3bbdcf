"""Runs the API in this process until it is told to stop."""

from __future__ import annotations

import asyncio
import socket
from typing import Final

import uvicorn
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from mindhit import log
from mindhit.api.app import create_app
from mindhit.api.http.problems import problem
from mindhit.api.settings import ApiSettings
from mindhit.db import Database
from mindhit.slices import Product

_log = log.get(__name__)
SHUTDOWN_S: Final = 10  # how long running requests may take after a stop


class _Protocol(HttpToolsProtocol):
    """Answers what is not HTTP with a problem document too."""

    def send_400_response(self, msg: str) -> None:
        answer = problem(400, msg)
        head = [b"HTTP/1.1 400 Bad Request"]
        head += [b"%b: %b" % pair for pair in (*answer.raw_headers, (b"connection", b"close"))]
        self.transport.write(b"\r\n".join(head) + b"\r\n\r\n" + bytes(answer.body))
        self.transport.close()


class _Server(uvicorn.Server):
    """Tells streams to end before it waits for running requests: they would never end."""

    def __init__(self, config: uvicorn.Config, stopping: asyncio.Event) -> None:
        super().__init__(config)
        self._stopping = stopping

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._stopping.set()
        await super().shutdown(sockets)


async def serve(product: Product, db: Database) -> None:
    """Answer requests until SIGINT or SIGTERM; running requests are finished first."""
    settings = product.settings
    app = create_app(product, db)
    server = _Server(
        uvicorn.Config(
            app,
            host=settings.host,
            port=settings.port,
            http=_Protocol,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=True,
            forwarded_allow_ips=list(settings[ApiSettings].trusted_proxies),
            timeout_graceful_shutdown=SHUTDOWN_S,
        ),
        app.state.stopping,
    )
    _log.info("api listens", url=settings.public_url)
    await server.serve()
