"""`mindhit search WORDS`: everything that was recorded or saved, for the operator."""

from __future__ import annotations

from datetime import tzinfo
from typing import Annotated

import msgspec
import typer
from rich.markup import escape

from mindhit import library, tracking
from mindhit.cli.access import start_product, with_database
from mindhit.cli.output import as_json, console, moment
from mindhit.cli.sessions import person_of
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.library.search.answering import Found
from mindhit.library.shapes import Hit


def search(
    words: Annotated[
        list[str],
        typer.Argument(
            help='Words, "phrases", -excluded, site:, before:, after:.'
            " Put `--` before words that start with a hyphen."
        ),
    ],
    user: Annotated[str | None, typer.Option("--user", help="Email address of the user.")] = None,
    limit: Annotated[
        int, typer.Option("--limit", min=1, max=200, help="Show at most this many.")
    ] = 10,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Search everything a user recorded or saved."""

    async def ask(db: Database) -> tuple[Found, tzinfo]:
        async with db.read() as tx:
            person = await person_of(tx, user)
            asked = library.Asked(" ".join(_as_typed(word) for word in words))
            found = await library.search(tx, person, asked, utc_now(), limit=limit)
            return found, await tracking.zone_of(tx, person)

    found, zone = with_database(start_product().settings, "search", ask)
    if json:
        as_json(msgspec.to_builtins({"hits": found.hits, "count": found.count}))
        return
    for hit in found.hits:
        _show(hit, zone)
    if not found.hits:
        console.print("Nothing found.")


def _as_typed(word: str) -> str:
    """The shell took the quotes of a phrase away. Bytes that are no text are looked for as what they are shown as."""
    word = word.encode("utf-8", "replace").decode("utf-8")
    return f'"{word}"' if " " in word and '"' not in word else word


def _show(hit: Hit, zone: tzinfo) -> None:
    """Strings, not renderables: those are not cleared of control characters."""
    said = "".join(
        f"[underline]{escape(piece)}[/]" if is_hit else escape(piece)
        for piece, is_hit in hit.snippet
    )
    where = " · ".join(filter(None, (hit.kind, moment(hit.at, zone), hit.url)))
    title = escape(hit.title or hit.url or "(untitled)")
    lines = [f"[bold]{title}[/]", f"[dim]{escape(where)}[/]", *([said] if said else []), ""]
    console.print("\n".join(lines), highlight=False, soft_wrap=True)
