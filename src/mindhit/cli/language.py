"""`mindhit language`: see what the built-in engine makes of a text."""

from __future__ import annotations

import asyncio
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from mindhit.cli.access import start
from mindhit.cli.fetch import fetch_text
from mindhit.cli.output import as_json, console, facts
from mindhit.errors import NotFound
from mindhit.fetching import FetchSettings
from mindhit.fetching.charset import decode
from mindhit.language.builtin import BuiltIn
from mindhit.language.model import Document, Summary

app = typer.Typer(help="Try the built-in language engine on a text.", no_args_is_help=True)

_STDIN = "-"
# In bytes, four for each character that is read, and what markup takes around them.
_MOST_BYTES = 4_000_000


class FileNotReadable(NotFound):
    """This file can't be read."""


@dataclass(frozen=True, slots=True)
class Tried:
    language: str
    title: str
    summary: tuple[str, ...]
    keywords: tuple[str, ...]
    engine: str
    limitation: str | None
    start_ms: int
    read_ms: int


@app.command("try")
def try_text(
    source: Annotated[
        str,
        typer.Argument(
            metavar="FILE|URL", help="A text file, - for stdin, or the address of a page."
        ),
    ],
    title: Annotated[str, typer.Option(help="The title of the text.")] = "",
    sentences: Annotated[
        int, typer.Option(min=1, max=20, help="Number of sentences in the summary.")
    ] = 3,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the summary, keywords, title and language that the built-in engine finds in a text."""
    document = _fetched(source, title) if _is_address(source) else Document(_read(source), title)
    tried = asyncio.run(_try(document, sentences))
    if json:
        as_json(tried)
    else:
        _show(tried)


def _is_address(source: str) -> bool:
    return source.startswith(("http://", "https://"))


def _fetched(url: str, title: str) -> Document:
    found = asyncio.run(fetch_text(url, start()[FetchSettings]))
    return Document(found.text, title or found.meta.title or "")


def _read(source: str) -> str:
    try:
        if source == _STDIN:
            data = sys.stdin.buffer.read(_MOST_BYTES)
        else:
            with Path(source).open("rb") as file:
                data = file.read(_MOST_BYTES)
    except OSError as error:
        raise FileNotReadable(f"{source} can't be read: {error.strerror}.") from error
    return decode(data).text


async def _try(document: Document, sentences: int) -> Tried:
    started = time.perf_counter()
    async with BuiltIn(processes=1) as engine:
        # The first time starts the process and loads the language; the second shows the text's own.
        await engine.summarise(document, sentences)
        ready = time.perf_counter()
        summary = await engine.summarise(document, sentences)
        done = time.perf_counter()
        title = (await engine.suggest_title([document])).text
    return _tried(summary, title, round((ready - started) * 1000), round((done - ready) * 1000))


def _tried(summary: Summary, title: str, start_ms: int, read_ms: int) -> Tried:
    made_by = summary.engine
    return Tried(
        summary.language,
        title,
        summary.sentences,
        summary.keywords,
        f"{made_by.name} {made_by.model}",
        made_by.limitation,
        start_ms,
        read_ms,
    )


def _show(tried: Tried) -> None:
    engine = tried.engine + (f" ({tried.limitation})" if tried.limitation else "")
    facts(
        {
            "language": tried.language,
            "title": tried.title,
            "keywords": ", ".join(tried.keywords),
            "engine": engine,
            "time": f"{tried.read_ms} ms, after {tried.start_ms} ms to start",
        }
    )
    for sentence in tried.summary:
        console.print(f"\n{sentence}", markup=False, highlight=False, soft_wrap=True)
