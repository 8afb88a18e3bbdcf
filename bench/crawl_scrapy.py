"""Scrapy's side of bench/crawl.py: nothing is kept, no delay, two requests per host, uvloop.

As it comes, Scrapy 2.19 does not keep CONCURRENT_REQUESTS_PER_DOMAIN on asyncio unless there is a delay too:
it starts a host's waiting requests as tasks, and each is counted when its task first runs, by which
time all that were waiting have been started (nine at once, as the farm saw it). `Counting` counts a
request when it is started, and changes nothing else.
"""

import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).resolve().parents[1])  # not bench/; why: bench/__init__.py

from bench.crawl_pages import HOSTS, PER_HOST, Tally, asked, parse, urls  # isort: skip  it turns stdout

import scrapy
from scrapy.core.downloader import Downloader
from scrapy.crawler import CrawlerProcess
from scrapy.utils.defer import _schedule_coro

PORT, PAGES, _ = asked()


class Counting(Downloader):
    def _process_queue(self, slot) -> None:  # noqa: ANN001
        while slot.queue and slot.free_transfer_slots() > 0:
            request, answered = slot.queue.popleft()
            slot.transferring.add(request)
            _schedule_coro(self._wait_for_download(slot, request, answered))


class Spider(scrapy.Spider):
    name = "farm"

    async def start(self):  # noqa: ANN201
        self.tally = Tally(PAGES)
        for url in urls(PORT, PAGES):
            yield scrapy.Request(url)

    def parse(self, response) -> None:  # noqa: ANN001
        title, _price = parse(response.text)
        self.tally.note(title)


process = CrawlerProcess(
    {
        "CONCURRENT_REQUESTS": PER_HOST * len(HOSTS),
        "CONCURRENT_REQUESTS_PER_DOMAIN": PER_HOST,
        "DOWNLOAD_DELAY": 0,
        "DOWNLOADER": Counting,
        "ROBOTSTXT_OBEY": True,
        "LOG_LEVEL": "WARNING",
        "TELNETCONSOLE_ENABLED": False,
        "COOKIES_ENABLED": False,
        "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
        "ASYNCIO_EVENT_LOOP": "uvloop.Loop",
    }
)
process.crawl(Spider)
process.start()
