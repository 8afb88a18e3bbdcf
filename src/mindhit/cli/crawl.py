"""`mindhit crawl`: watch shops, and see what became of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import typer

from mindhit import crawl
from mindhit.cli.access import start_product, with_database
from mindhit.cli.output import as_json, console, facts, moment, table
from mindhit.cli.sessions import person_of
from mindhit.clock import utc_now
from mindhit.crawl import CrawlSettings, DeadKind, SchedulerId, Stage
from mindhit.crawl.operating import count_tasks
from mindhit.crawl.sites.api import Page
from mindhit.crawl.sites.reading import make_reader
from mindhit.db import Database
from mindhit.errors import Refused

app = typer.Typer(help="Watch shop pages.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Whose = Annotated[str | None, typer.Option("--user", help="Email address of the user.")]
ScheduleArgument = Annotated[UUID, typer.Argument(help="Id of the schedule.")]
DeadArgument = Annotated[UUID, typer.Argument(help="Id of the dead letter.")]
MOST = 500


@app.command()
def add(
    url: Annotated[str, typer.Argument(help="Address of a category or product page.")],
    cron: Annotated[
        str, typer.Option(help="When: minute, hour, day, month, weekday.")
    ] = "0 6 * * *",
    timezone: Annotated[str | None, typer.Option(help="Time zone; the user's by default.")] = None,
    site: Annotated[
        str | None, typer.Option(help="Site plug-in; by default chosen by the address.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Name to show.")] = None,
    user: Whose = None,
    json: Json = False,
) -> None:
    """Watch a page."""
    product = start_product()

    async def act(db: Database) -> Any:
        async with db.transaction() as tx:
            person = await person_of(tx, user)
            return await crawl.add_schedule(
                tx,
                person,
                url,
                cron=cron,
                now=utc_now(),
                most=product.settings[CrawlSettings].crawl_schedules,
                timezone=timezone,
                site=site,
                name=name,
            )

    made = with_database(product.settings, "crawl", act)
    if json:
        as_json(made)
    else:
        console.print(f"Watching {made.name}, next at {moment(made.next_run_at)}: {made.id}")


@app.command("list")
def list_all(user: Whose = None, json: Json = False) -> None:
    """List schedules."""

    async def ask(db: Database) -> Any:
        async with db.read() as tx:
            return await crawl.list_schedules(tx, await person_of(tx, user), after=None, limit=MOST)

    found = with_database(start_product().settings, "crawl", ask)
    if json:
        as_json(found)
        return
    table(
        ("id", "name", "site", "cron", "status", "products", "next run", "last"),
        [
            (e.id, e.name, e.site, e.cron, e.status, e.products, e.next_run_at, e.last_status)
            for e in found
        ],
        empty="No schedules.",
    )


@app.command()
def run(schedule: ScheduleArgument, user: Whose = None, json: Json = False) -> None:
    """Run a schedule now, in a worker."""

    async def act(db: Database) -> Any:
        async with db.transaction() as tx:
            person = await person_of(tx, user)
            return await crawl.run_now(tx, person, SchedulerId(schedule), utc_now())

    task = with_database(start_product().settings, "crawl", act)
    if json:
        as_json(task)
    else:
        console.print(f"Started: {task.id}", highlight=False)


@dataclass(frozen=True, slots=True)
class State:
    tasks: dict[str, int]
    dead: int
    breakers: list[str]


@app.command()
def status(user: Whose = None, json: Json = False) -> None:
    """Show task counts by status, dead letters, and sites that are paused."""

    async def ask(db: Database) -> State:
        async with db.read() as tx:
            person = await person_of(tx, user)
            counts = await count_tasks(tx, person)
            dead = await crawl.list_dead(tx, person, limit=MOST)
            breakers = await crawl.list_breakers(tx)
        return State(
            {each.status: each.count for each in counts},
            len(dead),
            [f"{each.domain} ({each.state})" for each in breakers],
        )

    state = with_database(start_product().settings, "crawl", ask)
    if json:
        as_json(state)
        return
    lines: dict[str, object] = {name.lower(): count for name, count in state.tasks.items()}
    left_alone = ", ".join(state.breakers) or "none"
    facts(lines | {"dead letters": state.dead, "paused sites": left_alone})


@app.command()
def dead(
    what: Annotated[DeadKind | None, typer.Option(help="Only this kind.")] = None,
    user: Whose = None,
    json: Json = False,
) -> None:
    """List failed tasks that will not be retried, and why."""

    async def ask(db: Database) -> Any:
        async with db.read() as tx:
            person = await person_of(tx, user)
            return await crawl.list_dead(tx, person, what=what, limit=MOST)

    found = with_database(start_product().settings, "crawl", ask)
    if json:
        as_json(found)
        return
    table(
        ("id", "what", "type", "attempts", "reason", "address"),
        [(e.id, e.what, e.type, e.retry_count, e.error, e.url) for e in found],
        empty="No dead letters.",
    )


@app.command()
def retry(letter: DeadArgument, user: Whose = None) -> None:
    """Retry a dead letter."""

    async def act(db: Database) -> None:
        async with db.transaction() as tx:
            await crawl.retry_dead(tx, await person_of(tx, user), letter)

    with_database(start_product().settings, "crawl", act)
    console.print("It will be retried.", highlight=False)


@app.command()
def discard(letter: DeadArgument, user: Whose = None) -> None:
    """Discard a dead letter."""

    async def act(db: Database) -> None:
        async with db.transaction() as tx:
            await crawl.discard_dead(tx, await person_of(tx, user), letter)

    with_database(start_product().settings, "crawl", act)
    console.print("Discarded.", highlight=False)


@app.command("test-site")
def try_site(
    site: Annotated[str, typer.Argument(help="Name of the site plug-in.")],
    file: Annotated[Path, typer.Argument(help="A page, saved as a file.")],
    url: Annotated[str, typer.Option(help="The address it was saved from.")],
    stage: Annotated[Stage, typer.Option(help="Kind of page.")] = Stage.DETAIL,
) -> None:
    """Show what a site plug-in extracts from a saved page, with the limits of a worker."""
    start_product()
    if site not in crawl.known_sites():
        raise Refused(
            f"There is no site plug-in named {site}.",
            way_out=f"Known: {', '.join(crawl.known_sites())}.",
        )
    try:
        body = file.read_bytes()
    except OSError as error:
        raise Refused(f"Can't read {file}: {error.strerror}.") from None
    as_json(asyncio.run(_read(site, stage, Page(url, body))))


async def _read(site: str, stage: Stage, page: Page) -> object:
    reader = make_reader()
    try:
        if stage == Stage.SEARCH:
            return await reader.examine(site, stage, page)
        return await reader.read(site, stage, page)
    finally:
        await reader.close()
