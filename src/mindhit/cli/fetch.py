"""`mindhit fetch URL`: fetch a page as MindHit does, and show every decision on the way."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Annotated

import typer
from rich.markup import escape

from mindhit import fetching
from mindhit.cli.access import start
from mindhit.cli.output import as_json, console, table
from mindhit.fetching import FetchFailed, FetchSettings, Page, Step, domain_of
from mindhit.fetching.page_reader import make_reader
from mindhit.fetching.text import Extracted


@dataclass(slots=True)
class Report:
    """What happened: the way, how it ended, and the page."""

    outcome: str = ""
    reason: str | None = None
    steps: list[Step] = field(default_factory=list)
    url: str | None = None
    domain: str | None = None
    status: int | None = None
    content_type: str | None = None
    charset: str | None = None
    bytes: int | None = None
    wire_bytes: int | None = None
    took_ms: float | None = None
    kind: str | None = None
    title: str | None = None
    text: str | None = None
    source: str | None = None


def fetch(
    url: Annotated[str, typer.Argument(help="Address of a page.")],
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    source: Annotated[bool, typer.Option("--source", help="Print the page's source too.")] = False,
) -> None:
    """Fetch a page and show each decision: robots.txt, redirects, what the answer means, its charset,
    its text."""
    settings = start()[FetchSettings]
    report = asyncio.run(_fetch(url, settings, with_source=source))
    if json:
        as_json(report)
    else:
        _show(report)
    if report.outcome != "page":
        raise typer.Exit(1)


async def _fetch(url: str, settings: FetchSettings, *, with_source: bool) -> Report:
    report = Report()
    fetcher = fetching.Fetcher(None, settings)  # loaded here, with the HTTP library
    try:
        page = await fetcher.fetch(url, watch=report.steps.append)
        assert isinstance(page, Page)  # nothing was known of it, and redirects lead anywhere
        _describe(report, page)
        report.source = page.text if with_source else None
        await _read(report, page, settings)
    except FetchFailed as error:
        report.outcome, report.reason = error.outcome, error.reason
    finally:
        await fetcher.close()
    return report


async def fetch_text(url: str, settings: FetchSettings) -> Extracted:
    """The text of a page; raises `FetchFailed`."""
    fetcher, reader = fetching.Fetcher(None, settings), make_reader(settings)
    try:
        page = await fetcher.fetch(url)
        assert isinstance(page, Page)
        return await reader.read(page)
    finally:
        await fetcher.close()
        await reader.close()


async def _read(report: Report, page: Page, settings: FetchSettings) -> None:
    reader = make_reader(settings)
    try:
        found = await reader.read(page)
    except FetchFailed as error:
        report.reason = error.reason
        return
    finally:
        await reader.close()
    report.kind, report.title, report.text = found.kind, found.meta.title, found.text


def _describe(report: Report, page: Page) -> None:
    report.outcome = "page"
    report.url, report.domain, report.status = page.url, domain_of(page.url), page.status
    report.content_type, report.charset = page.content_type, page.charset
    report.bytes, report.wire_bytes = len(page.body), page.wire_bytes
    report.took_ms = round(page.took_ms, 1)


def _show(report: Report) -> None:
    table(
        ("ms", "step", "decision", "address"),
        [(step.at_ms, step.what, step.detail, step.url) for step in report.steps],
    )
    console.print(
        f"\n[bold]{report.outcome}[/]" + (f": {escape(report.reason)}" if report.reason else ""),
        soft_wrap=True,
    )
    if report.text is not None:
        console.print(f"{report.kind}, {len(report.text):,} characters of text", highlight=False)
    for part in (report.title, report.text, report.source):
        if part:
            console.print()
            console.print(part, markup=False, highlight=False, soft_wrap=True)
