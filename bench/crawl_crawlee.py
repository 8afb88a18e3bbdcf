"""Crawlee's side of bench/crawl.py: its queue in memory, no delay, uvloop.

It has no limit per host, so its client gets one: as many at once as the farm allows over all hosts, and
two to each. Addresses that take the hosts in turn are not enough: where answers took 50 ms instead of 2,
the farm saw three at once.
"""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # not bench/; why: bench/__init__.py

from bench.crawl_pages import HOSTS, PER_HOST, Tally, asked, parse, urls  # isort: skip  it turns stdout

import asyncio
import logging
from collections import defaultdict
from urllib.parse import urlsplit

import uvloop
from crawlee import ConcurrencySettings
from crawlee.crawlers import HttpCrawler, HttpCrawlingContext
from crawlee.http_clients import ImpitHttpClient
from crawlee.storage_clients import MemoryStorageClient


class LimitedClient(ImpitHttpClient):
    def __init__(self) -> None:
        super().__init__()
        self._places = defaultdict(lambda: asyncio.Semaphore(PER_HOST))

    async def crawl(self, request, **more):  # noqa: ANN001, ANN003, ANN201
        async with self._places[urlsplit(request.url).hostname]:
            return await super().crawl(request, **more)

    async def send_request(self, url, **more):  # noqa: ANN001, ANN003, ANN201
        async with self._places[urlsplit(url).hostname]:  # robots.txt
            return await super().send_request(url, **more)


async def main(port: int, pages: int, _: str) -> None:
    most = PER_HOST * len(HOSTS)
    crawler = HttpCrawler(
        concurrency_settings=ConcurrencySettings(
            min_concurrency=most, desired_concurrency=most, max_concurrency=most
        ),
        http_client=LimitedClient(),
        storage_client=MemoryStorageClient(),
        respect_robots_txt_file=True,
        configure_logging=False,
    )
    tally = Tally(pages)

    @crawler.router.default_handler
    async def handle(context: HttpCrawlingContext) -> None:
        title, _price = parse((await context.http_response.read()).decode())
        tally.note(title)

    await crawler.run(urls(port, pages))


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    uvloop.run(main(*asked()))
