"""Crawlee's side of bench/crawl.py: its queue in memory, no delay, uvloop.

It has no limit per host: as many at once as the farm allows over all hosts, and addresses that take
the hosts in turn.
"""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # not bench/; why: bench/__init__.py

from bench.crawl_pages import HOSTS, PER_HOST, Tally, asked, parse, urls  # isort: skip  it turns stdout

import logging

import uvloop
from crawlee import ConcurrencySettings
from crawlee.crawlers import HttpCrawler, HttpCrawlingContext
from crawlee.storage_clients import MemoryStorageClient


async def main(port: int, pages: int, _: str) -> None:
    most = PER_HOST * len(HOSTS)
    crawler = HttpCrawler(
        concurrency_settings=ConcurrencySettings(
            min_concurrency=most, desired_concurrency=most, max_concurrency=most
        ),
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
