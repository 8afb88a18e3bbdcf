"""`mindhit import`, `mindhit export`, `mindhit links`: bookmarks, for the operator."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final
from uuid import UUID

import msgspec
import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mindhit import library
from mindhit.cli.access import start_product, with_database
from mindhit.cli.output import as_json, console, errors, table
from mindhit.cli.sessions import person_of
from mindhit.db import Database
from mindhit.errors import Refused
from mindhit.library import OVER, PART_BYTES, ExportFormat, ImportDetail, ImportId, ImportStatus

app = typer.Typer(help="Saved links that the server could not read.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Whose = Annotated[str | None, typer.Option("--user", help="Email address of the user.")]
POLL_S: Final = 0.2
_SHOWN_FAILURES: Final = 20


def import_file(
    file: Annotated[Path, typer.Argument(help="Bookmarks file: HTML from a browser, JSON or CSV.")],
    user: Whose = None,
    json: Json = False,
) -> None:
    """Import bookmarks from Chrome, Firefox, Edge, Safari, Karakeep, Linkwarden or MindHit."""
    product = start_product()
    try:
        body = file.open("rb")
    except OSError as error:
        raise Refused(f"Can't read {file}: {error.strerror}.") from None

    async def act(db: Database) -> ImportDetail:
        async def parts() -> AsyncIterator[bytes]:
            while part := await asyncio.to_thread(body.read, PART_BYTES):
                yield part

        async with db.read() as tx:
            person = await person_of(tx, user)
        async with db.transaction() as tx:
            job = await library.receive(tx, person, parts(), file_name=file.name[:255])
        return await _follow(db, person, ImportId(job.id))

    with body:
        done = with_database(product.settings, "import", act)
    if json:
        as_json(msgspec.to_builtins(done))
    else:
        _tell(done)
    if done.job.status != ImportStatus.SUCCEEDED:
        raise typer.Exit(1)


async def _follow(db: Database, person: UUID, import_id: ImportId) -> ImportDetail:
    """Read it here, unless a worker has begun to; show how far it has come until it has ended."""
    reading = asyncio.create_task(library.run_import(db, person, import_id))
    columns = (
        TextColumn("Importing"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=errors, transient=True) as bar:
        task = bar.add_task("import", total=None)
        while True:
            job = await library.import_now(db, person, import_id)
            if job is None or job.status in OVER or (reading.done() and reading.exception()):
                break
            bar.update(task, completed=job.processed_items, total=job.total_items or None)
            await asyncio.sleep(POLL_S)
    await reading
    async with db.read() as tx:
        return await library.show_failures(tx, person, import_id)


def _tell(done: ImportDetail) -> None:
    job = done.job
    if job.status != ImportStatus.SUCCEEDED:
        console.print(f"Import {job.status}: {job.last_error or ''}", highlight=False)
        return
    known = job.processed_items - job.added_items - job.failed_items
    console.print(
        f"{job.added_items} bookmark{'' if job.added_items == 1 else 's'} added, {known} already there,"
        f" {job.failed_items} failed.",
        highlight=False,
    )
    for failure in done.failures[:_SHOWN_FAILURES]:
        console.print(
            f"  line {failure.line}: {failure.reason}  {failure.excerpt}",
            markup=False,
            highlight=False,
        )


def export(
    format_: Annotated[ExportFormat, typer.Option("--format", help="File format.")] = (
        ExportFormat.HTML
    ),
    file: Annotated[
        Path | None, typer.Option("--file", help="File to write; standard output by default.")
    ] = None,
    user: Whose = None,
) -> None:
    """Export a user's bookmarks as HTML, JSON or CSV."""
    product = start_product()
    try:
        out = sys.stdout.buffer if file is None else file.open("xb")
    except FileExistsError:
        raise Refused(f"{file} already exists.", way_out="Choose another name.") from None
    except OSError as error:
        raise Refused(f"Can't write {file}: {error.strerror}.") from None

    async def act(db: Database) -> None:
        async with db.read() as tx:
            person = await person_of(tx, user)
            async for piece in library.export_library(tx, person, format_):
                await asyncio.to_thread(out.write, piece)

    try:
        with_database(product.settings, "export", act)
    finally:
        out.flush()
        if file is not None:
            out.close()


@dataclass(frozen=True, slots=True)
class Retried:
    retried: int


@app.command()
def dead(user: Whose = None, json: Json = False) -> None:
    """List saved links that the server could not read."""

    async def ask(db: Database) -> list[library.DeadLink]:
        async with db.read() as tx:
            return await library.dead_links(tx, await person_of(tx, user))

    found = with_database(start_product().settings, "links", ask)
    if json:
        as_json(found)
        return
    table(
        ("id", "domain", "reason", "address"),
        [(each.page_id, each.domain, each.reason, each.address) for each in found],
        empty="No dead links.",
    )


@app.command()
def retry(
    domain: Annotated[
        str | None, typer.Option("--domain", help="Only links to this domain.")
    ] = None,
    user: Whose = None,
    json: Json = False,
) -> None:
    """Retry dead links."""

    async def act(db: Database) -> int:
        async with db.read() as tx:
            person = await person_of(tx, user)
            found = await library.dead_links(tx, person)
        links = sorted({each.url_id for each in found if domain in {None, each.domain}})
        for link in links:
            async with db.transaction() as tx:
                await library.retry_link(tx, person, link)
        return len(links)

    count = with_database(start_product().settings, "links", act)
    if json:
        as_json(Retried(count))
    else:
        console.print(
            f"{count} link{'' if count == 1 else 's'} will be read again.", highlight=False
        )
