"""`mindhit session`: recorded sessions, for the operator."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields
from datetime import tzinfo
from enum import StrEnum
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from mindhit import accounts, insight, tracking
from mindhit.cli.access import start, with_database
from mindhit.cli.ids import find_session
from mindhit.cli.listing import DEFAULT_LIMIT, Every, Limit, Listed, read_pages, tell_more
from mindhit.cli.output import as_json, console, table
from mindhit.db import Database, ReadTx
from mindhit.durations import in_hours
from mindhit.errors import Refused
from mindhit.insight import MapFormat
from mindhit.process_pool import ProcessPool
from mindhit.tracking import LogGone, SessionFilter, SessionId, SessionKey, Status, shapes
from mindhit.tracking.rendering import (
    PAUSES,
    Format,
    is_open,
    length,
    local,
    name_of,
    stretches,
    time_of,
)
from mindhit.tracking.shapes import PageVisitItem, PauseItem, SessionDetail, SessionSummary

app = typer.Typer(help="List, show, export and rebuild recorded sessions.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Id = Annotated[str, typer.Argument(help="Session id, or its beginning.")]


class Again(StrEnum):
    SUMMARIES = "summaries"
    MAP = "map"


Whose = Annotated[str | None, typer.Option("--user", help="Email address of the user.")]


@app.command("list")
def list_command(
    user: Whose = None,
    status: Annotated[Status | None, typer.Option(help="Only sessions with this status.")] = None,
    search: Annotated[
        str | None, typer.Option(help="Only sessions with these words in a title or domain.")
    ] = None,
    limit: Limit = DEFAULT_LIMIT,
    every: Every = False,
    json: Json = False,
) -> None:
    """List a user's newest sessions. If there are several users, --user is needed."""

    async def ask(db: Database) -> tuple[Listed[SessionSummary], tzinfo]:
        async with db.read() as tx:
            person = await person_of(tx, user)
            zone = await tracking.zone_of(tx, person)
        wanted = SessionFilter(search=search, status=status)

        after: SessionKey | None = None

        async def page(last: SessionSummary | None, size: int) -> list[SessionSummary]:
            nonlocal after
            if last is not None and after is None:
                return []
            found = await tracking.list_sessions(db, person, wanted, limit=size, after=after)
            after = found.next_key
            return found.sessions

        return await read_pages(page, None if every else limit), zone

    listed, zone = with_database(start(), "session", ask)
    if json:
        _write(shapes.encode(listed.items))
        return
    table(
        ("id", f"started ({zone})", "status", "duration", "pages", "title"),
        [
            (
                each.id,
                f"{local(each.started_at, zone):%Y-%m-%d %H:%M}",
                each.status,
                in_hours(each.total_duration_ms),
                each.page_count,
                name_of(each),
            )
            for each in listed.items
        ],
        empty="No sessions.",
    )
    tell_more(listed)


@app.command()
def show(session_id: Id, json: Json = False) -> None:
    """Show the timeline of a session, in its owner's time zone."""

    async def ask(db: Database) -> tuple[SessionDetail, tzinfo]:
        async with db.read() as tx:
            found = await find_session(tx, session_id)
            shown = await tracking.show(tx, found.user_id, SessionId(found.id))
            return shown, await tracking.zone_of(tx, found.user_id)

    detail, zone = with_database(start(), "session", ask)
    if json:
        _write(shapes.encode(detail))
        return
    session = detail.session
    console.print(f"[bold]{session.id}[/]  {session.status}", highlight=False)
    console.print(name_of(session) or "(no title)", markup=False, highlight=False)
    table(
        (f"from ({zone})", "duration", "", "page"),
        [
            (
                time_of(each.entered_at, zone),
                length(each.duration_ms),
                *_described(each),
            )
            for each in stretches(detail)
        ],
        empty="Nothing was recorded.",
    )
    for highlight in detail.highlights:
        console.print(f"“{highlight.text}”  {highlight.url}", markup=False, highlight=False)
        if highlight.note:
            console.print(f"  {highlight.note}", markup=False, highlight=False)
    what = "haven't arrived yet" if is_open(detail) else "never arrived"
    for hole in detail.holes:
        console.print(f"Events {hole.from_seq}–{hole.to_seq} {what}.", highlight=False)


@app.command()
def refold(
    session_id: Annotated[str | None, typer.Argument(help="Session id, or its beginning.")] = None,
    every: Annotated[bool, typer.Option("--all", help="Rebuild every session.")] = False,
    user: Whose = None,
    json: Json = False,
) -> None:
    """Rebuild timelines from their event logs, and show what changed."""
    if (session_id is None) is not every:
        raise Refused("Say which session to rebuild, or pass --all.")

    async def act(db: Database) -> list[Change]:
        if session_id is not None:
            async with db.read() as tx:
                one = await find_session(tx, session_id)
            return [await _refold(db, one.user_id, SessionId(one.id))]
        async with db.read() as tx:
            whose = None if user is None else (await accounts.find_person(tx, user)).id
        found = await tracking.every_session(db, whose)
        return [await _refold(db, each.user_id, SessionId(each.id)) for each in found]

    changes = with_database(start(), "session", act)
    if json:
        as_json(changes)
        return
    for change in changes:
        if change.is_any or not every:
            console.print(str(change), highlight=False, soft_wrap=True)
    if every:
        changed = sum(change.is_any for change in changes)
        gone = sum(change.is_log_gone for change in changes)
        console.print(
            f"{len(changes)} session{'' if len(changes) == 1 else 's'}: {changed} changed, {gone} without a log."
        )


@app.command()
def export(
    session_id: Id,
    format_: Annotated[Format, typer.Option("--format", help="File format.")] = Format.MD,
    file: Annotated[
        Path | None, typer.Option("--file", help="File to write; standard output by default.")
    ] = None,
) -> None:
    """Export a session as Markdown, JSON or CSV."""

    async def ask(db: Database) -> bytes:
        async with db.read() as tx:
            found = await find_session(tx, session_id)
        return (await tracking.export(db, found.user_id, SessionId(found.id), format_)).body

    body = with_database(start(), "session", ask)
    if file is None:
        _write(body)
    else:
        _write_file(file, body)


@app.command("map")
def map_command(
    session_id: Id,
    format_: Annotated[
        MapFormat, typer.Option("--format", help="File format; mm is FreeMind.")
    ] = MapFormat.MD,
    file: Annotated[
        Path | None, typer.Option("--file", help="File to write; standard output by default.")
    ] = None,
) -> None:
    """Export the mind map of a session: an image, a Markdown outline, OPML, FreeMind or JSON."""

    async def ask(db: Database) -> bytes:
        async with db.read() as tx:
            found = await find_session(tx, session_id)
        async with ProcessPool(1) as pool:
            made = await insight.export_map(db, pool, found.user_id, SessionId(found.id), format_)
        return made.body

    body = with_database(start(), "session", ask)
    if file is None:
        _write(body)
    else:
        _write_file(file, body)


@app.command()
def reprocess(
    session_id: Id,
    again: Annotated[
        list[Again] | None,
        typer.Option("--again", help="Redo this even if it already exists."),
    ] = None,
) -> None:
    """Process a stopped session again, from the first step that is missing."""

    async def act(db: Database) -> UUID:
        async with db.transaction() as tx:
            found = await find_session(tx, session_id)
            wanted = [each.value for each in again or ()]
            await insight.reprocess(tx, found.user_id, SessionId(found.id), wanted)
            return found.id

    started = with_database(start(), "session", act)
    console.print(f"{started} is being processed.", highlight=False, soft_wrap=True)


@dataclass(frozen=True, slots=True)
class Change:
    """What rebuilding a session changed."""

    session_id: UUID
    is_log_gone: bool = False
    added: int = 0
    removed: int = 0
    changed: int = 0
    pauses: int = 0
    highlights: int = 0

    @property
    def is_any(self) -> bool:
        return any(getattr(self, each.name) for each in fields(self)[2:])

    def __str__(self) -> str:
        if self.is_log_gone:
            return f"{self.session_id}: its event log is no longer kept."
        if not self.is_any:
            return f"{self.session_id}: nothing changed."
        return (
            f"{self.session_id}: {self.added} visits added, {self.removed} removed,"
            f" {self.changed} changed; {self.pauses} pauses and {self.highlights} highlights differ."
        )


async def _refold(db: Database, user_id: UUID, session_id: SessionId) -> Change:
    try:
        async with db.transaction() as tx:
            before = await tracking.stored_timeline(tx, user_id, session_id)
            await tracking.refold(tx, user_id, session_id)
            after = await tracking.stored_timeline(tx, user_id, session_id)
    except LogGone:
        return Change(session_id, is_log_gone=True)
    old = {each.opened_by_seq: each for each in before.visits}
    new = {each.opened_by_seq: each for each in after.visits}
    return Change(
        session_id,
        added=len(new.keys() - old.keys()),
        removed=len(old.keys() - new.keys()),
        changed=sum(old[id_] != new[id_] for id_ in old.keys() & new.keys()),
        pauses=_differing(before.pauses, after.pauses),
        highlights=_differing(before.highlights, after.highlights),
    )


def _differing(before: Sequence[Hashable], after: Sequence[Hashable]) -> int:
    """How many are in only one of the two."""
    return len(set(before) ^ set(after))


async def person_of(tx: ReadTx, email: str | None) -> UUID:
    """The user with the address, or the only one there is."""
    if email is not None:
        return (await accounts.find_person(tx, email)).id
    people = await accounts.list_people(tx, limit=2)
    if not people:
        raise Refused(
            "There are no accounts yet.",
            way_out="`mindhit up` prints a link to create the first one.",
        )
    if len(people) > 1:
        raise Refused("There are several users on this server.", way_out="Pass one: --user EMAIL.")
    return people[0].id


def _described(each: PageVisitItem | PauseItem) -> tuple[str, str]:
    if isinstance(each, PauseItem):
        return "", PAUSES[each.kind]
    state = ("" if each.is_focused else "background") + (" now" if each.left_at is None else "")
    return state.strip(), f"{each.title or ''}  {each.url}".strip()


def _write(body: bytes) -> None:
    is_text = not body.startswith(b"\x89PNG")
    sys.stdout.buffer.write(body + b"\n" if is_text and not body.endswith(b"\n") else body)


def _write_file(file: Path, body: bytes) -> None:
    try:
        with file.open("xb") as out:
            out.write(body)
    except FileExistsError:
        raise Refused(f"{file} already exists.", way_out="Choose another name.") from None
    except OSError as error:
        raise Refused(f"Can't write {file}: {error.strerror}.") from None
