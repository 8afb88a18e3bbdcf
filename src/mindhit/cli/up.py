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
from rich.panel import Panel

import mindhit
from mindhit import accounts
from mindhit.accounts.links import HOUR_S, VALID_S
from mindhit.cli.access import start, tell
from mindhit.cli.already_running import Port, check_port
from mindhit.cli.output import errors
from mindhit.cli.supervise import Child, Supervisor
from mindhit.db import Database, embedded, migrate
from mindhit.db.settings import DatabaseSettings
from mindhit.errors import Refused
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
    try:
        url = _database_url(settings, supervisor)
        if not supervisor.is_asked_to_stop:
            asyncio.run(migrate.migrate(url, tell=tell))
            owner_link = asyncio.run(_owner_link(settings, url))
            _start_children(settings, url, supervisor)
        if supervisor.started(f"{_local_url(settings)}/readyz"):
            if database is not None:
                database.announce(settings.public_url)
            _welcome(settings, owner_link)
        supervisor.watch()
    finally:
        supervisor.stop()
    if supervisor.gave_up:
        raise Refused(supervisor.gave_up, way_out="Run `mindhit doctor` to find out what is wrong.")
    tell("MindHit has stopped.")


def _start_children(settings: Settings, url: str, supervisor: Supervisor) -> None:
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


def _welcome(settings: Settings, owner_link: str | None) -> None:
    program = _program()
    lines = [
        f"[bold]MindHit {mindhit.__version__}[/] is running at [bold cyan]{settings.public_url}[/]",
        "",
        f"data    {settings.data_dir}",
        f"check   {program} doctor · {program} jobs stats",
        f"backup  {program} db backup FILE",
        "stop    Ctrl-C",
    ]
    extension = _unpacked_extension()
    if extension is not None:
        lines[2:2] = [
            f"record  {extension}",
            "        in Chrome, open chrome://extensions, turn on Developer mode, choose Load unpacked",
            "        and pick this folder",
        ]
    errors.print(Panel("\n".join(lines), expand=False, padding=(1, 2)), highlight=False)
    if owner_link is not None:
        # Outside the box and on one line, so that it can be clicked and copied.
        errors.print(
            f"\n  This server has no owner yet. Open this link within {OWNER_LINK_H:.0f} hours to become the"
            " owner:\n"
        )
        errors.print(f"  {owner_link}\n", style="bold cyan", highlight=False, soft_wrap=True)


def _unpacked_extension() -> Path | None:
    """The built extension of the clone that this runs from; an installed package has none."""
    folder = Path(__file__).parents[3] / "extension" / ".output" / "chrome-mv3"
    return folder if (folder / "manifest.json").is_file() else None


def _program() -> str:
    """What to type to run this program from the current folder."""
    if shutil.which("mindhit"):
        return "mindhit"
    typed = Path(sys.argv[0]).resolve()
    return str(typed.relative_to(Path.cwd())) if typed.is_relative_to(Path.cwd()) else str(typed)
