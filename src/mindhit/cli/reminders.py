"""`mindhit remind` and `mindhit reminders`: pages that come back, for the operator."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Final, TypeVar
from uuid import UUID

import typer

from mindhit import reminders
from mindhit.cli.access import start_product, with_database
from mindhit.cli.ids import bounds
from mindhit.cli.listing import DEFAULT_LIMIT, Every, Limit, Listed, read_pages
from mindhit.cli.output import as_json, console, facts, table
from mindhit.cli.sessions import person_of
from mindhit.clock import utc_now
from mindhit.db import Database, ReadTx, Tx
from mindhit.errors import Refused
from mindhit.library import PageId
from mindhit.reminders import AlarmStatus, Reminder, ReminderNotFound, ReminderSettings

app = typer.Typer(help="List and change reminders.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Whose = Annotated[str | None, typer.Option("--user", help="Email address of the user.")]
Which = Annotated[str, typer.Argument(help="Address of the page, or the beginning of its id.")]
Result = TypeVar("Result")
_SHOWN: Final = 3


class When(StrEnum):
    HOUR = "1h"
    TONIGHT = "tonight"
    TOMORROW = "tomorrow"
    NEXT_WEEK = "next_week"


@dataclass(frozen=True, slots=True)
class Stopped:
    page_id: UUID


def remind(
    url: Annotated[str, typer.Argument(help="Address of the page.")],
    title: Annotated[str | None, typer.Option(help="Its title.")] = None,
    when: Annotated[When | None, typer.Option("--for", help="When to remind first.")] = None,
    user: Whose = None,
    json: Json = False,
) -> None:
    """Remind a user of a page: now (or as --for says), then at growing intervals."""

    async def act(tx: Tx, person: UUID) -> Reminder:
        return await reminders.remind(tx, person, url, title=title, now=utc_now(), wish=when)

    _tell(_with_person(user, act), json=json)


@app.command("list")
def list_command(
    status: Annotated[AlarmStatus | None, typer.Option(help="Only with this status.")] = None,
    user: Whose = None,
    limit: Limit = DEFAULT_LIMIT,
    every: Every = False,
    json: Json = False,
) -> None:
    """List a user's reminders, soonest first."""

    async def ask(db: Database) -> Listed[Reminder]:
        async with db.read() as tx:
            person = await person_of(tx, user)

            async def page(last: Reminder | None, size: int) -> list[Reminder]:
                after = (last.next_alarm_time, last.page_id) if last else None
                return await reminders.list_reminders(
                    tx, person, status=status, url=None, after=after, limit=size
                )

            return await read_pages(page, None if every else limit)

    found = with_database(start_product().settings, "reminders", ask)
    if json:
        as_json(found)
        return
    rows = [
        (each.page_id, each.next_alarm_time, each.sent_count, each.status, each.title, each.url)
        for each in found.items
    ]
    table(("id", "next", "sent", "status", "title", "address"), rows, empty="No reminders.")
    if found.has_more:
        console.print("There are more: pass --limit or --all.", style="dim", highlight=False)


@app.command()
def snooze(
    which: Which,
    when: Annotated[When, typer.Option("--for", help="How long.")] = When.HOUR,
    until: Annotated[
        datetime | None, typer.Option(help="Or until this time, in this machine's time zone.")
    ] = None,
    user: Whose = None,
    json: Json = False,
) -> None:
    """Snooze a reminder."""

    async def act(tx: Tx, person: UUID) -> Reminder:
        page_id = await _find(tx, person, which)
        at = until.astimezone() if until else None
        return await reminders.snooze(tx, person, page_id, until=at, wish=when, now=utc_now())

    _tell(_with_person(user, act), json=json)


@app.command()
def pause(which: Which, user: Whose = None, json: Json = False) -> None:
    """Pause a reminder."""

    async def act(tx: Tx, person: UUID) -> Reminder:
        return await reminders.pause(tx, person, await _find(tx, person, which))

    _tell(_with_person(user, act), json=json)


@app.command()
def resume(which: Which, user: Whose = None, json: Json = False) -> None:
    """Resume a reminder that is paused or failing."""

    async def act(tx: Tx, person: UUID) -> Reminder:
        return await reminders.resume(tx, person, await _find(tx, person, which), utc_now())

    _tell(_with_person(user, act), json=json)


@app.command()
def stop(which: Which, user: Whose = None, json: Json = False) -> None:
    """Stop a reminder; the page stays in the library."""

    async def act(tx: Tx, person: UUID) -> PageId:
        page_id = await _find(tx, person, which)
        await reminders.stop(tx, person, page_id)
        return page_id

    stopped = _with_person(user, act)
    if json:
        as_json(Stopped(stopped))
    else:
        console.print("Stopped. The page stays in the library.", highlight=False)


@app.command()
def run(
    fetch_limit: Annotated[
        int | None, typer.Option(help="Queue at most this many.", min=1, max=1000)
    ] = None,
    concurrency: Annotated[
        int | None, typer.Option(help="Send at most this many at once.", min=1, max=100)
    ] = None,
    json: Json = False,
) -> None:
    """Queue all due reminders once, for all users; workers send them."""
    settings = start_product().settings
    chosen = settings[ReminderSettings]

    async def act(db: Database) -> tuple[reminders.Run, int]:
        await reminders.recover(db)
        done = await reminders.run(
            db,
            fetch_limit=fetch_limit or chosen.reminders_fetch_limit,
            concurrency=concurrency or chosen.reminders_concurrency,
            now=utc_now(),
        )
        return done, await reminders.count_due(db)

    done, left = with_database(settings, "reminders", act)
    if json:
        as_json({**asdict(done), "remaining": left})
        return
    facts(
        {
            "queued": done.claimed,
            "queued again": done.zombies,
            "held until quiet hours end": done.held,
            "late": done.late,
            "still due": left,
        }
    )


async def _find(tx: ReadTx, person: UUID, typed: str) -> PageId:
    """The only reminder of the address, or whose page's id begins so."""
    if "://" in typed:
        found = [
            each.page_id
            for each in await reminders.list_reminders(
                tx, person, status=None, url=typed, after=None, limit=_SHOWN + 1
            )
        ]
    else:
        found = await reminders.ids_between(tx, person, *bounds(typed), limit=_SHOWN + 1)
    if not found:
        raise ReminderNotFound(f"There is no reminder for {typed}.")
    if len(found) > 1:
        ids = [*map(str, found[:_SHOWN])] + ["…"] * (len(found) > _SHOWN)
        raise Refused(
            f"There are several reminders for {typed}: {', '.join(ids)}.",
            way_out="Type more of the id.",
        )
    return found[0]


def _with_person(user: str | None, act: Callable[[Tx, UUID], Awaitable[Result]]) -> Result:
    async def main(db: Database) -> Result:
        async with db.transaction() as tx:
            return await act(tx, await person_of(tx, user))

    return with_database(start_product().settings, "reminders", main)


def _tell(reminder: Reminder, *, json: bool) -> None:
    if json:
        as_json(reminder)
        return
    facts(
        {
            "id": reminder.page_id,
            "title": reminder.title,
            "address": reminder.url,
            "status": reminder.status,
            "next": reminder.next_alarm_time,
            "sent": reminder.sent_count,
        }
    )
