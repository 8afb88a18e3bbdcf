"""`mindhit db`: migrations, backups, upgrades and status of the database."""

from __future__ import annotations

import asyncio
import dataclasses
from datetime import datetime
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from mindhit.cli.access import database, database_and_programs, start, tell
from mindhit.cli.output import as_json, console, facts
from mindhit.db import Database, embedded, inspect, migrate, statements
from mindhit.db.settings import DatabaseSettings
from mindhit.errors import Refused
from mindhit.settings import Settings

app = typer.Typer(help="Migrate, back up, restore and upgrade the database.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]

# Facts of `db status`, in the order and words in which people read them.
LABELS: Final = {
    "running": "running",
    "server": "PostgreSQL",
    "size_mb": "size in MB",
    "schema_version": "schema version",
    "migrations_pending": "pending migrations",
    "embedded": "embedded",
    "data_dir": "data directory",
    "cluster": "database files",
    "major": "made for PostgreSQL",
    "origin": "programs from",
    "created_at": "created",
    "last_run_by": "last run by",
    "kept": "kept by upgrades",
}


@app.command("migrate")
def migrate_command() -> None:
    """Apply pending migrations. Safe to run at any time, from any machine."""
    settings = start()
    with database(settings) as url:
        done = asyncio.run(migrate.migrate(url, tell=tell))
    console.print(
        f"{len(done)} migration{'' if len(done) == 1 else 's'} applied."
        if done
        else "The schema is up to date."
    )


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="File to write.")],
    overwrite: Annotated[bool, typer.Option(help="Replace the file if it exists.")] = False,
) -> None:
    """Back up the whole database to one file, whether or not MindHit is running."""
    settings = start()
    with database_and_programs(settings) as access:
        embedded.backup(access, file, overwrite=overwrite, progress=tell)
    console.print(f"Backed up to {file} ({file.stat().st_size / 2**20:.1f} MB).")


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file that `mindhit db backup` wrote.")],
    yes: Annotated[bool, typer.Option("--yes", help="Don't ask for confirmation.")] = False,
) -> None:
    """Replace the whole database with a backup. If anything fails, nothing changes."""
    settings = start()
    if not yes:
        typer.confirm("This replaces everything in MindHit's database. Continue?", abort=True)
    with database_and_programs(settings) as access:
        embedded.restore(access, file, progress=tell)
        asyncio.run(migrate.migrate(access.url, tell=tell))
    console.print(f"Restored from {file}.")


@app.command()
def upgrade(
    old_programs: Annotated[
        Path | None, typer.Option(help="Folder with the programs of the old PostgreSQL version.")
    ] = None,
) -> None:
    """Upgrade the embedded database to the installed major version of PostgreSQL."""
    settings = start()
    if settings[DatabaseSettings].url is not None:
        raise Refused(
            "MINDHIT_DATABASE_URL is set: only the embedded database can be upgraded.",
            way_out="Upgrade that PostgreSQL server with its own tools.",
        )
    done = embedded.upgrade(settings.data_dir, old_programs=old_programs, progress=tell)
    console.print(
        f"Upgraded from PostgreSQL {done.old_major} to {done.new_major}: {done.rows} rows in {done.tables}"
        f" tables. The old database is kept in {done.kept}.",
        highlight=False,
        soft_wrap=True,
    )


@app.command()
def status(json: Json = False) -> None:
    """Show where the database is, its version, and whether its schema is up to date."""
    settings = start()
    found = _status(settings)
    if json:
        as_json(found)
    else:
        created_at = found.get("created_at")
        shown = found | ({"created_at": datetime.fromisoformat(created_at)} if created_at else {})
        facts({label: shown[name] for name, label in LABELS.items() if shown.get(name) is not None})


@app.command()
def statement(
    name: Annotated[
        str | None, typer.Argument(help="Name, such as `work.CLAIM`; lists all names if left out.")
    ] = None,
    json: Json = False,
) -> None:
    """Print a statement for psql, with its parameters' types and its plan."""
    if name is None:
        _list_statements(json=json)
        return
    settings = start()
    found = statements.find(name)
    with database(settings) as url:
        explained = asyncio.run(statements.explain(url, *found))
    if json:
        as_json(explained)
    else:
        typer.echo(statements.pasteable(explained))


def _list_statements(*, json: bool) -> None:
    names = statements.listed(name for name, _ in statements.statements())
    if json:
        as_json(names)
    else:
        typer.echo("\n".join(names))


def _status(settings: Settings) -> dict[str, Any]:
    known: dict[str, Any] = {}
    url = settings[DatabaseSettings].url
    if url is None:
        known |= dataclasses.asdict(embedded.status(settings.data_dir)) | {"embedded": True}
        attached = embedded.attach(settings.data_dir)
        if attached is None:
            return known
        url = attached.url
    else:
        known |= {"embedded": False, "running": True}
    return known | asyncio.run(_ask(url))


async def _ask(url: str) -> dict[str, Any]:
    schema = await migrate.status(url)
    db = await Database.open(url, name="mindhit db status", size=2)
    try:
        async with db.read() as tx:
            server_facts = await inspect.facts(tx)
    finally:
        await db.close()
    return {
        "server": server_facts.version,
        "size_mb": round(server_facts.database_bytes / 2**20, 1),
        "schema_version": schema.current,
        "migrations_pending": len(schema.pending),
    }
