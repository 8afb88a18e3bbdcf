"""`mindhit user`: the users of this server, for the operator."""

from __future__ import annotations

import os
import sys
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from mindhit import accounts
from mindhit.accounts import (
    AccountsSettings,
    Invitation,
    Listed,
    Origin,
    Purpose,
    Role,
    Scope,
    SignInGuard,
    oidc,
)
from mindhit.cli import listing
from mindhit.cli.access import start, start_product, with_database
from mindhit.cli.output import as_json, console, moment, table
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.errors import Refused, Upstream
from mindhit.settings import Settings

app = typer.Typer(
    help="Add, list, export and erase users; create links and tokens.", no_args_is_help=True
)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Email = Annotated[str, typer.Argument(help="The user's email address.")]

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
    """Add a user. Prints a link to choose a password, unless --password is given."""
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
        f"Pass this link on to {email}. It expires on {moment(made.expires_at)}.", highlight=False
    )


@app.command()
def link(email: Email, json: Json = False) -> None:
    """Print a link to choose a new password, for a user who forgot theirs."""
    settings = start()
    if not settings[AccountsSettings].password_sign_in:
        raise accounts.PasswordsOff

    async def act(db: Database) -> tuple[str, datetime]:
        async with db.transaction() as tx:
            person = await accounts.find_person(tx, email)
            return await accounts.make_link(
                tx, settings.public_url, Purpose.RESET, user_id=person.id
            )

    url, expires_at = with_database(settings, "user", act)
    if json:
        as_json({"link": url, "expires_at": expires_at})
        return
    typer.echo(url)
    console.print(
        f"It works once and expires on {moment(expires_at)}. A new password signs {email} out"
        " everywhere.",
        highlight=False,
        soft_wrap=True,
    )


@app.command("list")
def list_command(json: Json = False) -> None:
    """List the users of this server."""

    async def ask(db: Database) -> listing.Listed[Listed]:
        async def page(last: Listed | None, size: int) -> list[Listed]:
            after = None if last is None else (last.created_at, last.id)
            async with db.read() as tx:
                return await accounts.list_people(tx, after=after, limit=size)

        return await listing.read_pages(page, None)

    found = with_database(start(), "user", ask).items
    if json:
        as_json(found)
        return
    table(
        ("email", "role", "verified", "created", "last seen"),
        [
            (
                each.email,
                each.role,
                each.verified_at is not None,
                each.created_at,
                each.last_seen_at or "never",
            )
            for each in found
        ],
        empty="No users yet. `mindhit up` prints a link to become the owner.",
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
    """Create a token for a program. It is only shown once."""
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
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask for confirmation.")] = False,
) -> None:
    """Permanently delete a user and all their data."""

    async def act(db: Database) -> None:
        async with db.read() as tx:
            person = await accounts.find_person(tx, email)
            await accounts.check_erasable(tx, person.id)
        if not yes:
            typer.confirm(f"Permanently delete {person.email} and all their data?", abort=True)
        try:
            await accounts.erase_now(db, person.id, HERE, product)
        except Upstream as error:
            raise Upstream(
                f"{person.email} can't sign in any more, but their data hasn't been deleted yet: a service"
                " that must be notified first isn't responding.",
                way_out="A worker keeps retrying. You don't need to do anything.",
                reason=error.facts.get("reason"),
            ) from error

    product = start_product()
    with_database(product.settings, "user", act)
    console.print(f"{email} and all their data were deleted.", highlight=False)


@app.command()
def unlink(email: Email) -> None:
    """Unlink a user from the identity provider; their next sign-in links them again."""

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
    """Export all data of a user as a zip of JSON files."""

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
