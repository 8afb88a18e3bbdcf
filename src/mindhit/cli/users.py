"""`mindhit user`: the people of this server, for the operator."""

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

app = typer.Typer(help="Add, list, export and erase people; create tokens.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Email = Annotated[str, typer.Argument(help="The person's email address.")]

HERE = Origin(None, "command line")
DAY_S = 86_400.0


@app.command()
def create(
    email: Email,
    owner: Annotated[
        bool, typer.Option("--owner", help="Make them the owner of this server.")
    ] = False,
    password: Annotated[
        bool, typer.Option("--password", help="Read the password from standard input.")
    ] = False,
    json: Json = False,
) -> None:
    """Add a person. Prints a link to choose a password, unless --password is given."""
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
    console.print(
        f"Pass this link on to {email}. It expires on {made.expires_at:%Y-%m-%d %H:%M} UTC."
    )


@app.command("list")
def list_command(json: Json = False) -> None:
    """List the people of this server."""

    async def ask(db: Database) -> list[Listed]:
        async with db.read() as tx:
            return await accounts.list_people(tx)

    found = with_database(start(), "user", ask)
    if json:
        as_json(found)
        return
    table(
        ("email", "role", "verified", "created", "last seen"),
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
    scope: Annotated[Scope, typer.Option(help="What it may access.")] = Scope.API,
    name: Annotated[str, typer.Option(help="Name shown in the list of devices.")] = "command line",
    days: Annotated[
        int | None, typer.Option(help="Days until it expires; never by default.", min=1, max=3650)
    ] = None,
) -> None:
    """Create a token for a program. It is printed only this once."""
    if scope is Scope.WEB:
        raise Refused(
            "The scope web is only for browsers.", way_out="Choose api, extension or admin."
        )
    if not name.isprintable() or not 1 <= len(name) <= 100:
        raise Refused("A name must be one line of 1 to 100 characters.")

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
    """Permanently delete a person and all their data."""
    if not yes:
        typer.confirm(f"Permanently delete {email} and all their data?", abort=True)

    async def act(db: Database) -> None:
        async with db.read() as tx:
            person = await accounts.find_person(tx, email)
        await accounts.erase_now(db, person.id, HERE, product)

    product = start_product()
    with_database(product.settings, "user", act)
    console.print(f"{email} and all their data were deleted.", highlight=False)


@app.command()
def unlink(email: Email) -> None:
    """Unlink a person from the identity provider; their next sign-in links them again."""

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
    file: Annotated[Path, typer.Argument(help="Zip file to write; - for standard output.")],
) -> None:
    """Export all data of a person as a zip of JSON files."""

    async def act(db: Database) -> None:
        async with db.read() as tx:
            person = await accounts.find_person(tx, email)
        now = utc_now()
        if str(file) == "-":
            await accounts.export_to(sys.stdout.buffer, db, person.id, product.exports, now)
            return
        # Under its name it is complete or absent, and only its owner may read it.
        number, part = tempfile.mkstemp(prefix=".mindhit-", dir=file.parent)
        try:
            with os.fdopen(number, "wb") as out:
                await accounts.export_to(out, db, person.id, product.exports, now)
            os.link(part, file)  # unlike a rename, never replaces an existing file
        finally:
            os.unlink(part)  # noqa: PTH108

    product = start_product()
    try:
        with_database(product.settings, "user", act)
    except FileExistsError:
        raise Refused(f"{file} already exists.", way_out="Choose another name.") from None
    except OSError as error:
        raise Refused(f"Can't write {file}: {error.strerror}.") from None


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
