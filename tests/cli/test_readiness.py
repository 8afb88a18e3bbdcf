"""The API while its database comes and goes: it says so, and recovers by itself."""

from __future__ import annotations

import asyncio
from pathlib import Path

import psutil

from mindhit.db import migrate
from mindhit.db.embedded import Server
from tests import servers


def test_a_frozen_database_is_noticed_in_time(data_dir: Path) -> None:
    database = Server(data_dir, min_free_bytes=0)
    database.start()
    try:
        asyncio.run(migrate.migrate(database.url))
        with servers.api(data_dir.parent / "api.log", database.url) as url:
            servers.wait_for(f"{url}/readyz", within_s=60)
            assert database.process is not None
            root = psutil.Process(database.process.pid)
            frozen = [root, *root.children(recursive=True)]
            for process in frozen:
                process.suspend()
            try:
                servers.wait_for(f"{url}/readyz", 503, within_s=30)
            finally:
                for process in frozen:
                    process.resume()
            servers.wait_for(f"{url}/readyz", 200, within_s=60)
    finally:
        database.stop()


def test_readiness_follows_the_database(data_dir: Path) -> None:
    database = Server(data_dir, min_free_bytes=0)
    database.start()
    try:
        asyncio.run(migrate.migrate(database.url))
        with servers.api(data_dir.parent / "api.log", database.url) as url:
            servers.wait_for(f"{url}/readyz", within_s=60)
            database.stop()
            servers.wait_for(f"{url}/readyz", 503, within_s=30)
            assert servers.get(f"{url}/healthz")[0] == 200
            assert b"urn:mindhit:problem:database-unavailable" in servers.get(f"{url}/readyz")[1]
            assert servers.get(f"{url}/metrics")[0] == 200
            database.start()
            servers.wait_for(f"{url}/readyz", 200, within_s=60)
    finally:
        database.stop()
