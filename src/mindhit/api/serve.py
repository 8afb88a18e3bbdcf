"""Run the API in this process until it is told to stop."""

from __future__ import annotations

import uvicorn

from mindhit import log
from mindhit.api.app import create_app
from mindhit.db import Database
from mindhit.settings import Settings

_log = log.get(__name__)


async def serve(settings: Settings, db: Database) -> None:
    """Answer requests until SIGINT or SIGTERM; requests under way are finished first."""
    server = uvicorn.Server(
        uvicorn.Config(
            create_app(settings, db),
            host=settings.host,
            port=settings.port,
            lifespan="off",
            log_config=None,
            access_log=False,
            server_header=False,
            proxy_headers=True,
            forwarded_allow_ips=list(settings.trusted_proxies),
            timeout_graceful_shutdown=10,
        )
    )
    _log.info("api listens", url=settings.public_url)
    await server.serve()
