"""`mindhit forget`: forget a part of what a person recorded."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated
from uuid import UUID

import typer

from mindhit import tracking
from mindhit.cli.access import start, with_database
from mindhit.cli.ids import find_session
from mindhit.cli.output import as_json, console
from mindhit.cli.sessions import Json, Whose, person_of
from mindhit.clock import utc_now
from mindhit.db import Database, ReadTx
from mindhit.errors import Refused
from mindhit.tracking import Forgetting, Preview, SessionId, VisitNotFound, What
from mindhit.tracking.protocol import MAX_SEQ

HOUR = timedelta(hours=1)


def forget(
    last_hour: Annotated[bool, typer.Option("--last-hour", help="The last hour.")] = False,
    day: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], help="A day, in the user's time zone."),
    ] = None,
    site: Annotated[str | None, typer.Option(help="A domain, with its subdomains.")] = None,
    page: Annotated[str | None, typer.Option(help="The address of a page.")] = None,
    visit: Annotated[
        str | None, typer.Option(help="A visit, by its id in `mindhit session show --json`.")
    ] = None,
    user: Whose = None,
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask for confirmation.")] = False,
    json: Json = False,
) -> None:
    """Forget the last hour, a day, a site, a page or one visit. Shows what will be deleted and asks first."""
    if sum([last_hour, *(each is not None for each in (day, site, page, visit))]) != 1:
        raise Refused("Say what to forget: --last-hour, --day, --site, --page or --visit.")
    if json and not yes:
        raise Refused("--json can't ask for confirmation.", way_out="Pass --yes too.")

    asked = _Asked(user, day, site, page, visit)

    async def act(db: Database) -> tuple[Preview, Forgetting]:
        async with db.read() as tx:
            person, what = await _find(tx, asked)
            found = await tracking.preview(tx, person, what)
        if not json:
            console.print(_sentence(found), highlight=False)
        if not yes:
            typer.confirm("Forget it? This can't be undone.", abort=True)
        return found, await tracking.forget(db, person, what)

    found, done = with_database(start(), "forget", act)
    if json:
        as_json({"forgotten": found, "id": done.id, "is_done": done.is_done})
    elif done.is_done:
        console.print("Forgotten.")
    else:
        console.print(
            f"Forgotten. `mindhit worker` will clean up the event logs of {_count(done.sessions, 'session')}."
        )


@dataclass(frozen=True, slots=True)
class _Asked:
    """The last hour, where nothing else is named."""

    user: str | None
    day: datetime | None
    site: str | None
    page: str | None
    visit: str | None


async def _find(tx: ReadTx, asked: _Asked) -> tuple[UUID, What]:
    now = utc_now()
    if asked.visit is not None:
        session, seq = _visit(asked.visit)
        found = await find_session(tx, session)
        end = await tracking.moment(tx, found.user_id, now, None)
        return found.user_id, await tracking.find_visit(
            tx, found.user_id, SessionId(found.id), seq, end
        )
    person = await person_of(tx, asked.user)
    end = await tracking.moment(tx, person, now, None)
    if asked.day is not None:
        zone = await tracking.zone_of(tx, person)
        return person, tracking.of_day(asked.day.date(), zone, end)
    if asked.site is not None:
        return person, tracking.of_site(asked.site, end)
    if asked.page is not None:
        return person, tracking.of_page(asked.page, end)
    return person, tracking.of_last(HOUR, now, end)


def _visit(text: str) -> tuple[str, int]:
    """The beginning of a session's id, and the number of an event."""
    session, _, number = text.rpartition(":")
    if not session or not number.isdecimal() or int(number) > MAX_SEQ:
        raise VisitNotFound
    return session, int(number)


def _sentence(found: Preview) -> str:
    if not any((found.visits, found.highlights)):
        return "Nothing recorded matches this. Anything a browser still sends won't be kept."
    return (
        f"{_count(found.visits, 'visit')} to {_count(found.pages, 'page')} in"
        f" {_count(found.sessions, 'session')}, with {_count(found.highlights, 'highlight')}."
    )


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
