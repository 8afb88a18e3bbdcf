"""Shops on loopback for the web app: the farm of the crawler's tests, in a thread of its own."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Final

from tests.crawl.farm import Shop
from tests.crawl.kit import open_shops

# A worker that may reach them.
REACHES: Final = {"fetching": "true", "allowed_networks": "127.0.0.0/8"}
PATIENCE_S: Final = 30


@contextmanager
def opened(*shops: Shop) -> Iterator[None]:
    """They answer until the end; what they sell is changed by changing their things."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    street = open_shops(*shops)
    try:
        asyncio.run_coroutine_threadsafe(street.__aenter__(), loop).result(PATIENCE_S)
        yield
        leaving = street.__aexit__(None, None, None)
        asyncio.run_coroutine_threadsafe(leaving, loop).result(PATIENCE_S)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
