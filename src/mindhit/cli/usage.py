"""`mindhit usage`: what calls of language models took."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from mindhit import accounts, billing
from mindhit.billing import UsageLine, UsageShown
from mindhit.cli.access import start, with_database
from mindhit.cli.output import as_json, console, table
from mindhit.clock import utc_now
from mindhit.db import Database


@dataclass(frozen=True, slots=True)
class PersonUsage:
    email: str
    current: UsageShown
    calls: list[UsageLine]


def usage(
    email: Annotated[
        str | None, typer.Argument(help="The user's email address; all users by default.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Show the language model tokens that each user has used in the current period."""
    found = with_database(start(), "usage", lambda db: _ask(db, email))
    if json:
        as_json(found)
        return
    table(
        ("email", "plan", "period until", "tokens", "reserved", "limit"),
        [
            (
                each.email,
                each.current.plan,
                f"{each.current.period.end:%Y-%m-%d}",
                each.current.used,
                each.current.reserved,
                "none" if each.current.limit is None else each.current.limit,
            )
            for each in found
        ],
        empty="No users yet.",
    )
    if email is not None and found[0].calls:
        console.print()
        table(
            (
                "operation",
                "provider",
                "model",
                "paid by",
                "calls",
                "tokens",
                "calls without an answer",
            ),
            [
                (x.operation, x.provider, x.ai_model, x.payer, x.calls, x.tokens, x.unknown)
                for x in found[0].calls
            ],
        )


async def _ask(db: Database, email: str | None) -> list[PersonUsage]:
    now = utc_now()
    async with db.read() as tx:
        people = (
            await accounts.list_people(tx)
            if email is None
            else [await accounts.find_person(tx, email)]
        )
        return [
            PersonUsage(each.email, *await billing.show_usage(tx, each.id, now)) for each in people
        ]
