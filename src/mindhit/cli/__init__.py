"""The command `mindhit`: the product's front door for people and for supervisors.

Every command that lists takes `--json`. Whatever goes wrong is one sentence with a way out on
stderr and a non-zero exit; a traceback is a bug.
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer

import mindhit
from mindhit.cli import database, doctor, jobs, processes, up
from mindhit.cli.output import complain
from mindhit.errors import MindHitError
from mindhit.log.reports import SentryMissing
from mindhit.settings import SettingsInvalid

app = typer.Typer(
    name="mindhit",
    help="MindHit: a self-hosted browsing memory.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("up")(up.up)
app.command("api")(processes.api)
app.command("worker")(processes.worker)
app.command("scheduler")(processes.scheduler)
app.command("doctor")(doctor.doctor)
app.add_typer(database.app, name="db")
app.add_typer(jobs.app, name="jobs")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"MindHit {mindhit.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show it.")
    ] = False,
) -> None:
    """MindHit: a self-hosted browsing memory."""


def main() -> None:
    try:
        app()
    except MindHitError as error:
        complain(str(error), error.way_out)
        sys.exit(1)
    except (SettingsInvalid, SentryMissing) as error:
        complain(str(error), "docs/configuration.md lists every setting.")
        sys.exit(2)
