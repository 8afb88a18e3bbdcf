"""`mindhit jobs`: inspect the queue; retry, cancel and discard jobs."""

from __future__ import annotations

from typing import Annotated

import typer

from mindhit import work
from mindhit.cli.access import start, with_database
from mindhit.cli.listing import DEFAULT_LIMIT, Every, Limit, Listed, read_pages, tell_more
from mindhit.cli.output import as_json, console, duration, facts, table
from mindhit.clock import utc_now
from mindhit.db import Database
from mindhit.work import Job, JobId, State, Stats

app = typer.Typer(help="Inspect the queue; retry, cancel or discard jobs.", no_args_is_help=True)
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
# Written whole, unlike ids: 12 must never mean 123, which `discard` would delete.
Number = Annotated[int, typer.Argument(help="Job number.", min=1, max=2**63 - 1)]


@app.command("list")
def list_command(
    status: Annotated[State | None, typer.Option(help="Only jobs with this status.")] = None,
    kind: Annotated[str | None, typer.Option(help="Only jobs of this type.")] = None,
    queue: Annotated[str | None, typer.Option(help="Only jobs in this queue.")] = None,
    limit: Limit = DEFAULT_LIMIT,
    every: Every = False,
    json: Json = False,
) -> None:
    """List the newest jobs."""

    async def ask(db: Database) -> Listed[Job]:
        async def page(last: Job | None, size: int) -> list[Job]:
            behind = work.NEWEST if last is None else last.id
            async with db.read() as tx:
                return await work.list_jobs(
                    tx, status=status, kind=kind, queue=queue, behind=behind, limit=size
                )

        return await read_pages(page, None if every else limit)

    listed = with_database(start(), "jobs", ask)
    found = listed.items
    if json:
        as_json(found)
        return
    now = utc_now()
    table(
        ("id", "kind", "status", "attempts", "age", "domain", "last error"),
        [
            (
                job.id,
                job.kind,
                job.status,
                f"{job.attempts}/{job.max_attempts}",
                duration((now - job.created_at).total_seconds()),
                job.domain,
                (job.last_error or "")[:60],
            )
            for job in found
        ],
        empty="No jobs.",
    )
    tell_more(listed)


@app.command()
def show(number: Number, json: Json = False) -> None:
    """Show everything about a job."""

    async def ask(db: Database) -> Job:
        async with db.read() as tx:
            return await work.show(tx, JobId(number))

    job = with_database(start(), "jobs", ask)
    if json:
        as_json(job)
    else:
        facts({name: getattr(job, name) for name in Job.__slots__})


@app.command()
def retry(number: Number) -> None:
    """Queue a dead or canceled job again."""

    async def act(db: Database) -> Job:
        async with db.transaction() as tx:
            return await work.retry(tx, JobId(number))

    job = with_database(start(), "jobs", act)
    console.print(f"Job {job.id} ({job.kind}) was queued again.")


@app.command("retry-dead")
def retry_dead(
    kind: Annotated[str | None, typer.Option(help="Only jobs of this type.")] = None,
    error: Annotated[
        str | None, typer.Option(help="Only jobs with this text in their error.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All dead jobs.")] = False,
) -> None:
    """Queue dead jobs again, by type or by error."""
    if every == (kind is not None or error is not None):
        raise typer.BadParameter("Use --kind, --error or both; or --all alone.")

    async def act(db: Database) -> int:
        async with db.transaction() as tx:
            return await work.retry_dead(tx, kind=kind, error=error)

    retried = with_database(start(), "jobs", act)
    console.print(f"{retried:,} {'job was' if retried == 1 else 'jobs were'} queued again.")


@app.command()
def cancel(number: Number) -> None:
    """Cancel a queued or running job."""

    async def act(db: Database) -> Job:
        async with db.transaction() as tx:
            return await work.cancel(tx, JobId(number), "canceled by the operator")

    job = with_database(start(), "jobs", act)
    console.print(f"Job {job.id} ({job.kind}) was canceled.")


@app.command()
def discard(number: Number) -> None:
    """Permanently delete a dead or canceled job."""

    async def act(db: Database) -> None:
        async with db.transaction() as tx:
            await work.discard(tx, JobId(number))

    with_database(start(), "jobs", act)
    console.print(f"Job {number} was deleted.")


@app.command()
def stats(json: Json = False) -> None:
    """Show the jobs per queue and lane, the oldest one, and the domains that fail most."""

    async def ask(db: Database) -> Stats:
        async with db.read() as tx:
            return await work.stats(tx)

    found = with_database(start(), "jobs", ask)
    if json:
        as_json(found)
        return
    table(
        ("queue", "lane", "ready", "waiting", "running", "dead", "oldest ready"),
        [
            (d.queue, d.lane, d.ready, d.waiting, d.running, d.dead, duration(d.oldest_ready_s))
            for d in found.depths
        ],
        empty="No jobs are queued, running or dead.",
    )
    if found.failing_domains:
        table(
            ("failing domain", "dead", "last error"),
            [(f.domain, f.dead, (f.last_error or "")[:80]) for f in found.failing_domains],
        )
