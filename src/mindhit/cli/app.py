"""All commands, and how their errors are shown."""

from __future__ import annotations

from typing import Annotated

import typer

import mindhit
from mindhit.cli import (
    billing,
    crawl,
    database,
    demo,
    doctor,
    fetch,
    forget,
    jobs,
    language,
    library,
    processes,
    reminders,
    search,
    sessions,
    up,
    usage,
    users,
)
from mindhit.cli.output import complain
from mindhit.errors import MindHitError
from mindhit.log import reports
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
app.command("demo")(demo.demo)
app.command("fetch")(fetch.fetch)
app.command("usage")(usage.usage)
app.command("forget")(forget.forget)
app.command("import")(library.import_file)
app.command("export")(library.export)
app.command("remind")(reminders.remind)
app.command("search")(search.search)
app.add_typer(database.app, name="db")
app.add_typer(jobs.app, name="jobs")
app.add_typer(users.app, name="user")
app.add_typer(sessions.app, name="session")
app.add_typer(language.app, name="language")
app.add_typer(library.app, name="links")
app.add_typer(reminders.app, name="reminders")
app.add_typer(crawl.app, name="crawl")
app.add_typer(billing.app, name="billing")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"MindHit {mindhit.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """MindHit: a self-hosted browsing memory."""


def run() -> int:
    """Run the command line; returns the exit code."""
    try:
        app()
    except MindHitError as error:
        reason = error.facts.get("reason")
        complain(f"{error} ({reason})" if reason else str(error), error.way_out)
        return 1
    except (SettingsInvalid, reports.NotReporting) as error:
        complain(str(error), "docs/configuration.md lists every setting.")
        return 2
    return 0
