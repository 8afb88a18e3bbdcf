"""`mindhit session`: recorded sessions, for the operator."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import tzinfo
from pathlib import Path
from typing import Annotated
from uuid import UUID

import typer

from mindhit import accounts, tracking
from mindhit.cli.access import start, with_database
from mindhit.cli.output import as_json, console, duration, table
from mindhit.db import Database, ReadTx
from mindhit.errors import Refused
from mindhit.tracking import LogGone, SessionFilter, SessionId, Status, shapes
from mindhit.tracking.rendering import Format, is_open, length, local, stretches
from mindhit.tracking.shapes import PageVisitItem, PauseItem, SessionDetail

app = typer.Typer(help="List, show, export and rebuild recorded sessions.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Id = Annotated[UUID, typer.Argument(help="Session id.")]
Whose = Annotated[str | None, typer.Option("--user", help="Email address of the person.")]


@app.command("list")
def list_command(
    user: Whose = None,
    status: Annotated[Status | None, typer.Option(help="Only sessions with this status.")] = None,
    search: Annotated[
        str | None, typer.Option(help="Only sessions with these words in a title or domain.")
    ] = None,
    limit: Annotated[int, typer.Option(help="Show at most this many.", min=1, max=10_000)] = 50,
    json: Json = False,
) -> None:
    """List a person's newest sessions. With several people, --user is needed."""

    async def ask(db: Database) -> tuple[list[shapes.SessionSummary], tzinfo]:
        async with db.read() as tx:
            person = await _person(tx, user)
            zone = await tracking.zone_of(tx, person)
        wanted = SessionFilter(search=search, status=status)
        return (await tracking.list_sessions(db, person, wanted, limit=limit)).sessions, zone

    found, zone = with_database(start(), "session", ask)
    if json:
        _write(shapes.encode(found))
        return
    table(
        ("id", "started", "status", "duration", "pages", "title"),
        [
            (
                each.id,
                f"{local(each.started_at, zone):%Y-%m-%d %H:%M}",
                each.status,
                duration(each.total_duration_ms / 1000),
                each.page_count,
                each.title,
            )
            for each in found
        ],
    )


@app.command()
def show(session_id: Id, json: Json = False) -> None:
    """Show the timeline of a session, in its owner's time zone."""

    async def ask(db: Database) -> tuple[SessionDetail, tzinfo]:
        async with db.read() as tx:
            person = await tracking.owner_of(tx, SessionId(session_id))
            found = await tracking.show(tx, person, SessionId(session_id))
            return found, await tracking.zone_of(tx, person)

    detail, zone = with_database(start(), "session", ask)
    if json:
        _write(shapes.encode(detail))
        return
    session = detail.session
    console.print(f"[bold]{session.id}[/]  {session.status}", highlight=False)
    console.print(session.title or "(no title)", markup=False, highlight=False)
    table(
        ("from", "duration", "", "page"),
        [
            (
                local(each.entered_at, zone).isoformat(" ", "milliseconds")[:23],
                length(each.duration_ms),
                *_said(each),
            )
            for each in stretches(detail)
        ],
    )
    for highlight in detail.highlights:
        console.print(f"“{highlight.text}”  {highlight.url}", markup=False, highlight=False)
    what = "haven't arrived yet" if is_open(detail) else "never arrived"
    for hole in detail.holes:
        console.print(f"Events {hole.from_seq}–{hole.to_seq} {what}.", highlight=False)


@app.command()
def refold(
    session_id: Annotated[UUID | None, typer.Argument(help="Session id.")] = None,
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
                owner = await tracking.owner_of(tx, SessionId(session_id))
            return [await _refold(db, owner, SessionId(session_id))]
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
        console.print(f"{len(changes)} sessions: {changed} changed, {gone} without a log.")


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
            person = await tracking.owner_of(tx, SessionId(session_id))
            return (await tracking.export(tx, person, SessionId(session_id), format_)).body

    body = with_database(start(), "session", ask)
    if file is None:
        _write(body)
        return
    try:
        with file.open("xb") as out:
            out.write(body)
    except FileExistsError:
        raise Refused(f"{file} already exists.", way_out="Choose another name.") from None
    except OSError as error:
        raise Refused(f"Can't write {file}: {error.strerror}.") from None


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
            before = await tracking.show(tx, user_id, session_id)
            await tracking.refold(tx, user_id, session_id)
            after = await tracking.show(tx, user_id, session_id)
    except LogGone:
        return Change(session_id, is_log_gone=True)
    old = {each.id: each for each in before.page_visits}
    new = {each.id: each for each in after.page_visits}
    return Change(
        session_id,
        added=len(new.keys() - old.keys()),
        removed=len(old.keys() - new.keys()),
        changed=sum(old[id_] != new[id_] for id_ in old.keys() & new.keys()),
        pauses=_differing(before.pauses, after.pauses),
        highlights=_differing(before.highlights, after.highlights),
    )


def _differing(before: Sequence[shapes.Shape], after: Sequence[shapes.Shape]) -> int:
    """How many are in only one of the two."""
    return len(set(before) ^ set(after))


async def _person(tx: ReadTx, email: str | None) -> UUID:
    """The person with the address, or the only one there is."""
    if email is not None:
        return (await accounts.find_person(tx, email)).id
    people = await accounts.list_people(tx)
    if not people:
        raise Refused(
            "There are no accounts yet.",
            way_out="`mindhit up` prints a link to create the first one.",
        )
    if len(people) > 1:
        raise Refused("There are several people on this server.", way_out="Pass one: --user EMAIL.")
    return people[0].id


def _said(each: PageVisitItem | PauseItem) -> tuple[str, str]:
    if isinstance(each, PauseItem):
        return "", each.kind.replace("_", " ")
    state = ("" if each.is_focused else "background") + (" now" if each.left_at is None else "")
    return state.strip(), f"{each.title or ''}  {each.url}".strip()


def _write(body: bytes) -> None:
    sys.stdout.buffer.write(body if body.endswith(b"\n") else body + b"\n")
