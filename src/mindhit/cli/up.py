"""`mindhit up`: the whole product in one supervised process tree.

    mindhit up ─┬─ postgres        embedded, unless MINDHIT_DATABASE_URL names another
                ├─ mindhit api
                ├─ mindhit worker
                └─ mindhit scheduler

A process that dies is restarted, with the reason in the log, and with growing pauses if it keeps
dying (`supervise.py`). Ctrl-C stops the children first and the database last. If the root is killed,
all others die with it, and the next start recovers. A second `mindhit up`: `already_running.py`.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from pathlib import Path
from typing import Annotated, Final

import typer
from rich.markup import escape
from rich.panel import Panel

import mindhit
from mindhit import accounts, extension
from mindhit.accounts.links import HOUR_S, VALID_S
from mindhit.cli.access import log_level, start, tell
from mindhit.cli.already_running import Port, check_port
from mindhit.cli.output import errors
from mindhit.cli.supervise import Child, Supervisor
from mindhit.db import Database, embedded, migrate
from mindhit.db.settings import DatabaseSettings
from mindhit.errors import Refused
from mindhit.extension import Placed
from mindhit.settings import Settings

OWNER_LINK_H: Final = VALID_S[accounts.Purpose.OWNER] / HOUR_S


def up(
    host: Annotated[str | None, typer.Option(help="Address to listen on.")] = None,
    port: Port = None,
) -> None:
    """Start MindHit: database, API, worker and scheduler. Stop it with Ctrl-C."""
    changes = {"host": host, "port": port}
    settings = start().model_copy(update={k: v for k, v in changes.items() if v is not None})
    check_port(settings)
    database = None if settings[DatabaseSettings].url else _embedded(settings)
    supervisor = Supervisor(database)
    owner_link: str | None = None
    placed: Placed | None = None
    try:
        url = _database_url(settings, supervisor)
        if not supervisor.is_asked_to_stop:
            _migrate(url)
            placed = _place_extension(settings)
            owner_link = asyncio.run(_owner_link(settings, url))
            _start_children(settings, url, supervisor)
        if supervisor.started(f"{_local_url(settings)}/readyz"):
            if database is not None:
                database.announce(settings.public_url)
            _welcome(settings, owner_link, placed)
        supervisor.watch()
        if supervisor.is_asked_to_stop:
            tell("Stopping MindHit.")
    finally:
        supervisor.stop()
    if supervisor.gave_up:
        raise Refused(supervisor.gave_up, way_out="Run `mindhit doctor` to find out what is wrong.")
    tell("MindHit has stopped.")


def _migrate(url: str) -> None:
    done = asyncio.run(migrate.migrate(url, tell=lambda _: None))
    if done:
        tell(f"Applied {len(done)} migration{'s' if len(done) > 1 else ''} to the database.")


def _place_extension(settings: Settings) -> Placed | None:
    """The unpacked extension for browsers on this machine. Without it, they can still download it."""
    if not extension.is_built(extension.Browser.CHROME):
        tell("The browser extension is not built here; `make extension` builds it.")
        return None
    folder = extension.folder_of(settings)
    try:
        return extension.place(folder, extension.Browser.CHROME, settings.public_url)
    except OSError as error:
        tell(f"The browser extension can't be written to {folder}: {error.strerror or error}.")
        return None


def _start_children(settings: Settings, url: str, supervisor: Supervisor) -> None:
    tell("Starting the API, the worker and the scheduler.")
    environment = _environment(settings, url)
    for name in ("api", "worker", "scheduler"):
        supervisor.add(Child(name, [name, "--supervised"], environment))


def _embedded(settings: Settings) -> embedded.Server:
    return embedded.Server(
        settings.data_dir,
        progress=tell,
        min_free_bytes=settings[DatabaseSettings].min_free_bytes,
    )


def _database_url(settings: Settings, supervisor: Supervisor) -> str:
    url = settings[DatabaseSettings].url
    if url is not None:
        return url
    tell("Starting PostgreSQL.")
    return supervisor.start_database()


def _environment(settings: Settings, url: str) -> dict[str, str]:
    """The environment of the children."""
    metrics = settings.data_dir / "run-metrics"
    metrics.mkdir(parents=True, exist_ok=True)
    for old in metrics.glob("*.db"):
        old.unlink(missing_ok=True)
    return {
        **os.environ,
        "MINDHIT_DATABASE_URL": url,
        "MINDHIT_DATA_DIR": str(settings.data_dir),
        "MINDHIT_HOST": settings.host,
        "MINDHIT_PORT": str(settings.port),
        "MINDHIT_LOG_LEVEL": log_level(settings),
        "PROMETHEUS_MULTIPROC_DIR": str(metrics),
    }


async def _owner_link(settings: Settings, url: str) -> str | None:
    """The link to become the owner, if there is none yet."""
    db = await Database.open(url, name="mindhit up", size=1)
    try:
        async with db.transaction() as tx:
            return await accounts.make_owner_link(tx, settings)
    finally:
        await db.close()


def _local_url(settings: Settings) -> str:
    return settings.model_copy(update={"base_url": None}).public_url


def _welcome(settings: Settings, owner_link: str | None, placed: Placed | None) -> None:
    program = _program()
    lines = [
        f"[bold]MindHit {mindhit.__version__}[/] is running at [bold cyan]{settings.public_url}[/]",
        "",
        f"data    {escape(str(settings.data_dir))}",
        f"check   {program} doctor · {program} jobs stats",
        f"backup  {program} db backup FILE",
        "stop    Ctrl-C",
    ]
    errors.print(Panel("\n".join(lines), expand=False, padding=(1, 2)), highlight=False)
    # What is to be clicked or copied stands outside the box, on one line.
    if owner_link is not None:
        _say(
            f"This server has no owner yet. Open this link within {OWNER_LINK_H:.0f} hours to become the"
            " owner:",
            owner_link,
        )
    if placed is not None:
        _say(
            "The browser extension was updated. Reload it on chrome://extensions. It is in this folder:"
            if placed.is_updated
            else f"The browser extension is in this folder. {settings.public_url}/first-steps shows"
            " how to load it:",
            str(placed.path),
        )


def _say(sentence: str, to_copy: str) -> None:
    errors.print(f"\n  {sentence}\n", highlight=False, soft_wrap=True)
    errors.print(f"  {to_copy}", style="bold cyan", highlight=False, soft_wrap=True, markup=False)


def _program() -> str:
    """What to type to run this program from the current folder."""
    if shutil.which("mindhit"):
        return "mindhit"
    typed = Path(sys.argv[0]).resolve()
    return str(typed.relative_to(Path.cwd())) if typed.is_relative_to(Path.cwd()) else str(typed)
