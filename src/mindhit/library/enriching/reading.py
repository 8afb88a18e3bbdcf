"""From a fetched page to what is kept of it."""

from __future__ import annotations

import binascii
from typing import Final, Protocol
from urllib.parse import urlsplit
from uuid import UUID

from mindhit.db import Database
from mindhit.fetching import Fetcher, Page
from mindhit.fetching.page_reader import PageReader
from mindhit.fetching.text import Extracted
from mindhit.language import Document, Language, Reader, Summary
from mindhit.language.builtin import BuiltIn
from mindhit.library.settings import LibrarySettings
from mindhit.library.store.links import LinkWrite
from mindhit.settings import Settings
from mindhit.tracking import is_icon
from mindhit.tracking.protocol import ICON_PREFIX, MAX_ICON

ICON_BYTES: Final = (MAX_ICON - len(ICON_PREFIX)) * 3 // 4
MOST_KEYWORDS: Final = 10
LONGEST_SUMMARY: Final = 4_000
SHORTEST_TEXT: Final = 400  # characters
NOBODY: Final = Reader()  # what a page says is everybody's, and paid for by the installation


class Summariser(Protocol):
    async def __call__(self, document: Document) -> Summary: ...


def summariser_of(db: Database, settings: Settings) -> Summariser:
    """The built-in engine, unless the operator wants their provider asked."""
    if not settings[LibrarySettings].library_models:
        return BuiltIn().summarise
    language = Language(db, settings)
    return lambda document: language.summarise(document, NOBODY)


async def read(
    link_id: UUID,
    page: Page,
    *,
    attempts: int,
    fetcher: Fetcher,
    reader: PageReader,
    summarise: Summariser,
) -> LinkWrite:
    """Raises `Unreadable`. No part of it is longer than a few sentences."""
    found = await reader.read(page)
    meta = found.meta
    summary = await _summary(found, summarise)
    return LinkWrite(
        url_id=link_id,
        attempts=attempts,
        title=meta.title,
        description=meta.description,
        image=meta.image,
        site_name=meta.site_name,
        favicon=await _icon(fetcher, page, meta.favicon),
        language=meta.language or (summary.language if summary else None),
        canonical=meta.canonical,
        summary=summary.text[:LONGEST_SUMMARY] or None if summary else None,
        keywords=list(summary.keywords)[:MOST_KEYWORDS] if summary else [],
        engine=f"{summary.engine.name} {summary.engine.model}" if summary else None,
    )


async def _summary(found: Extracted, summarise: Summariser) -> Summary | None:
    """None for a page that is as short as its summary would be: that would be the text itself."""
    if len(found.text) < SHORTEST_TEXT:
        return None
    return await summarise(Document(found.text, found.meta.title or ""))


async def _icon(fetcher: Fetcher, page: Page, address: str | None) -> str | None:
    """A small PNG of the page's own site, as a `data:` address."""
    if address is None:
        return None
    domain = (urlsplit(page.url).hostname or "").removeprefix("www.")
    png = await fetcher.fetch_bytes(address, within=domain, most_bytes=ICON_BYTES)
    if png is None:
        return None
    icon = ICON_PREFIX + binascii.b2a_base64(png, newline=False).decode()
    return icon if is_icon(icon) else None
