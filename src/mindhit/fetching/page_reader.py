"""From a fetched page to its text: in a process of its own, with a browser where nothing else helps."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from mindhit.fetching.browser.places import SlotsOfJob
from mindhit.fetching.guard import Guard
from mindhit.fetching.model import FetchFailed, Page, Permanent
from mindhit.fetching.settings import FetchSettings
from mindhit.fetching.text import LONGEST_TEXT, TOO_LITTLE, Extracted, PageKind
from mindhit.process_pool import CallFailed, ProcessDied, ProcessPool, TookTooLong
from mindhit.work import Work

if TYPE_CHECKING:
    from mindhit.fetching.browser.chromium import Chromium

EXTRACT_S: Final = 10.0  # an article of 5 MB takes 2 s
PROCESSES: Final = 1
MEMORY_MB: Final = 1024  # address space, of which parsing 5 MB of HTML touches 300
PLAIN: Final = frozenset({"text/plain", "text/markdown"})


class Unreadable(Permanent):
    """The page's text can't be extracted."""


@dataclass(slots=True)
class PageReader:
    """One for the whole process; `close` it."""

    pool: ProcessPool
    browser: Chromium | None = None
    # One browser at a time: each takes hundreds of megabytes.
    _rendering: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def read(self, page: Page, work: Work[Any] | None = None) -> Extracted:
        """Raises `Unreadable`. A browser that fails leaves the text that there was without it.

        In a job, with its `work`, the browser's connections take slots of their sites.
        """
        if page.content_type in PLAIN:
            return Extracted(page.text[:LONGEST_TEXT].strip(), PageKind.OTHER)
        if not page.is_html:
            raise Unreadable(reason=page.content_type)
        found = await self._extract(page.text, page.url)
        if self.browser is None or not is_worth_rendering(found, page):
            return found
        try:
            async with self._rendering:
                html = await self.browser.render(page.url, SlotsOfJob(work) if work else None)
            rendered = await self._extract(html, page.url)
        except FetchFailed:
            return found
        return rendered if len(rendered.text) > len(found.text) else found

    async def close(self) -> None:
        await self.pool.close()

    async def _extract(self, html: str, url: str) -> Extracted:
        try:
            return await self.pool.run(extract_text, html, url, timeout_s=EXTRACT_S)
        except (CallFailed, ProcessDied, TookTooLong) as error:
            raise Unreadable(reason=error.message) from error


def make_pool() -> ProcessPool:
    return ProcessPool(PROCESSES, memory_mb=MEMORY_MB)


def make_reader(settings: FetchSettings) -> PageReader:
    """With the browser that the settings name, if it is there."""
    from mindhit.fetching.browser.chromium import Chromium, find_chromium  # noqa: PLC0415

    program = find_chromium(settings.fetch_browser)
    guard = Guard(settings.allowed_networks)
    browser = None if program is None else Chromium(program, guard, settings.fetch_user_agent)
    return PageReader(make_pool(), browser)


def extract_text(html: str, url: str) -> Extracted:
    """Run in a process of the pool: the parsers are imported there only."""
    from mindhit.fetching.text.extraction import extract  # noqa: PLC0415

    return extract(html, url)


def is_worth_rendering(found: Extracted, page: Page) -> bool:
    """A page without scripts has the same text in a browser."""
    return len(found.text) < TOO_LITTLE and "<script" in page.text.lower()
