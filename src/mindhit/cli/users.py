"""`mindhit user`: the people of this server, for whoever runs it."""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from mindhit import accounts
from mindhit.accounts import Invitation, Listed, Origin, Role, Scope, SignInGuard, oidc
from mindhit.cli.access import start, start_product, with_database
from mindhit.cli.output import as_json, console, table
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.errors import Refused
from mindhit.settings import Settings

app = typer.Typer(help="The people of this server.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Email = Annotated[str, typer.Argument(help="The person's mail address.")]

HERE = Origin(None, "command line")
DAY_S = 86_400.0


@app.command()
def create(
    email: Email,
    owner: Annotated[bool, typer.Option("--owner", help="As the owner of this server.")] = False,
    password: Annotated[
        bool, typer.Option("--password", help="Read the password from standard input.")
    ] = False,
    json: Json = False,
) -> None:
    """Add a person. Prints a link with which they choose a password, unless one is given."""
    settings = start()
    role = Role.OWNER if owner else Role.USER
    if password:
        secret = _read_password()
        with_database(settings, "user", lambda db: _create(db, settings, email, role, secret))
        console.print(f"{email} can sign in at {settings.public_url}.", highlight=False)
        return
    made = with_database(settings, "user", lambda db: _invite(db, settings, email, role))
    if json:
        as_json({"link": made.link, "expires_at": made.expires_at, "mailed": made.mailed})
        return
    typer.echo(made.link)
    console.print(f"Good until {made.expires_at:%Y-%m-%d %H:%M} UTC; pass it on to {email}.")


@app.command("list")
def list_command(json: Json = False) -> None:
    """Who is here, and since when."""

    async def ask(db: Database) -> list[Listed]:
        async with db.read() as tx:
            return await accounts.list_people(tx)

    found = with_database(start(), "user", ask)
    if json:
        as_json(found)
        return
    table(
        ("address", "role", "verified", "since", "last seen"),
        [
            (
                each.email,
                each.role,
                "yes" if each.verified_at else "no",
                f"{each.created_at:%Y-%m-%d}",
                f"{each.last_seen_at:%Y-%m-%d %H:%M}" if each.last_seen_at else "never",
            )
            for each in found
        ],
    )


@app.command()
def token(
    email: Email,
    scope: Annotated[
        Scope, typer.Option(help="What it opens: api, extension or admin.")
    ] = Scope.API,
    name: Annotated[str, typer.Option(help="What it is for.")] = "command line",
    days: Annotated[
        int | None, typer.Option(help="Good for so many days.", min=1, max=3650)
    ] = None,
) -> None:
    """Make a token for a program; prints it, this once."""
    if scope is Scope.WEB:
        raise Refused("A browser signs in by itself.", way_out="Choose api, extension or admin.")
    if not name.isprintable() or not 1 <= len(name) <= 100:
        raise Refused("A name is one line of up to 100 letters.")

    async def act(db: Database) -> str:
        async with db.transaction() as tx:
            person = await accounts.find_person(tx, email)
            if scope is Scope.ADMIN and person.role != Role.OWNER:
                raise accounts.OwnerOnly
            lasts_s = days * DAY_S if days else None
            _, made = await accounts.make_token(tx, person.id, name, [scope], lasts_s, HERE)
            return made

    typer.echo(with_database(start(), "user", act))


@app.command()
def erase(
    email: Email,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Delete a person and everything that is known of them."""
    if not yes:
        typer.confirm(f"Delete {email} and everything that is known of them?", abort=True)

    async def act(db: Database) -> None:
        async with db.read() as tx:
            person = await accounts.find_person(tx, email)
        await accounts.erase_now(db, person.id, HERE, product)

    product = start_product()
    with_database(product.settings, "user", act)
    console.print(f"Nothing is left of {email}.", highlight=False)


@app.command()
def unlink(email: Email) -> None:
    """Forget who a person is at the identity provider; their next sign-in links anew."""

    async def act(db: Database) -> int:
        async with db.transaction() as tx:
            person = await accounts.find_person(tx, email)
            return await oidc.unlink(tx, person.id, HERE)

    if with_database(start(), "user", act) == 0:
        raise Refused(f"{email} is not linked to an identity provider.")
    console.print(f"{email} is no longer linked.", highlight=False)


@app.command()
def export(
    email: Email,
    file: Annotated[Path, typer.Argument(help="The zip to write; - for standard output.")],
) -> None:
    """Write everything that is known of a person into a zip of JSON files."""

    async def act(db: Database) -> None:
        async with db.read() as tx:
            person = await accounts.find_person(tx, email)
        now = utc_now()
        if str(file) == "-":
            await accounts.export_to(sys.stdout.buffer, db, person.id, product.exports, now)
            return
        # Under its own name it is whole, or it is not there; and nobody else's to read.
        number, part = tempfile.mkstemp(prefix=".mindhit-", dir=file.parent)
        try:
            with os.fdopen(number, "wb") as out:
                await accounts.export_to(out, db, person.id, product.exports, now)
            os.link(part, file)  # unlike a rename, never over something that is there
        finally:
            os.unlink(part)  # noqa: PTH108

    product = start_product()
    try:
        with_database(product.settings, "user", act)
    except FileExistsError:
        raise Refused(f"{file} exists already.", way_out="Choose another name.") from None
    except OSError as error:
        raise Refused(f"{file} cannot be written: {error.strerror}.") from None


async def _create(db: Database, settings: Settings, email: str, role: Role, password: str) -> None:
    accounts.check_new_password(password, email)
    hashed = await SignInGuard(settings).hasher.hash(password)
    async with db.transaction() as tx:
        if role is Role.OWNER and await accounts.has_owner(tx):
            raise accounts.OwnerExists
        await accounts.add_person(tx, email, password_hash=hashed, origin=HERE, role=role)


async def _invite(db: Database, settings: Settings, email: str, role: Role) -> Invitation:
    async with db.transaction() as tx:
        if role is Role.OWNER and await accounts.has_owner(tx):
            raise accounts.OwnerExists
        return await accounts.invite(tx, settings, email, HERE, role=role)


def _read_password() -> str:
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    return sys.stdin.readline().rstrip("\r\n")
