"""The work engine beside PGQueuer, Procrastinate and the limit: its own SQL without a client.

drain_vs_*_N               jobs per second of one worker process that empties a full queue of no-op
                           jobs, claiming N at a time, divided by the other's
drain_vs_sql_limit_N       the same against a loop of our claim and settle inside the database
drain_jobs_per_s_hosted    ours with jobs of a thousand domains, two at a time of each, claiming 100
drain_jobs_per_s_settled   ours with handlers that settle in a transaction of their own, claiming 100
pickup_p50_vs_pgqueuer     from a producer's call, its commit included, until the handler runs
claim_p50_history_vs_empty a claim of 10 with millions of finished rows in the table, and with none

One server with fsync and synchronous_commit on, a fresh database for every run; how a drain starts
and ends is said in bench/queue_stage.py. Peers run at the settings that were fastest here.
"""

import sys
from pathlib import Path

sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import asyncio
import shutil
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

from bench import queue_history, queue_sql
from bench.figures import Options, Report, at_most, peer_environment, read_options
from bench.queue_report import report_drains, report_pickups
from bench.queue_stage import Drain, Side, Stage, drain, pickup
from mindhit.db.embedded import Server

DRIVERS = ["asyncpg==0.32.0", "uvloop==0.23.0"]
PSYCOPG = ["psycopg[binary,pool]==3.3.8", "uvloop==0.23.0"]


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured. A round not begun by `stop_after_s` is left out."""

    jobs: dict[int, int]
    other_jobs: int
    procrastinate_jobs: int
    rounds: int
    stop_after_s: float
    pickups: int
    history: int
    claims: int


FULL = Plan({10: 20_000, 100: 20_000, 500: 20_000}, 10_000, 600, 5, 300, 80, 5_000_000, 400)
QUICK = Plan({10: 500, 100: 4_000, 500: 6_000}, 1_000, 60, 1, 20, 40, 200_000, 100)

Run = Callable[[], Awaitable[Drain]]


def our_settings(size: int, sort: str = "plain") -> dict[str, Any]:
    return {"claim_size": size, "sort": sort}


def pgqueuer_settings(size: int) -> dict[str, Any]:
    return {"batch_size": size}


def procrastinate_settings(*, listen: bool) -> dict[str, Any]:
    return {"concurrency": 10, "listen_notify": listen, "install_signal_handlers": False}


def sides() -> dict[str, Side]:
    ours = Side(
        "ours",
        Path(sys.executable),
        "jobs",
        "select exists (select from jobs where status = 'running')"
        " or exists (select from jobs where status = 'queued' and domain is null)"
        " or exists (select from jobs where status = 'queued' and domain is not null)",
        "select count(*) from jobs where status = 'succeeded'",
    )
    pgqueuer = Side(
        "pgqueuer",
        peer_environment("pgqueuer", ["pgqueuer==1.6.0", *DRIVERS]),
        "pgqueuer",
        "select exists (select from pgqueuer)",
        "select count(*) from pgqueuer_log where status = 'successful'",
    )
    procrastinate = Side(
        "procrastinate",
        peer_environment("procrastinate", ["procrastinate==3.10.0", *PSYCOPG]),
        "procrastinate_jobs",
        "select exists (select from procrastinate_jobs where status in ('todo', 'doing'))",
        "select count(*) from procrastinate_jobs where status = 'succeeded'",
    )
    return {side.name: side for side in (ours, pgqueuer, procrastinate)}


async def drains(stage: Stage, taking_part: dict[str, Side], plan: Plan) -> dict[str, list[Drain]]:
    """Everybody's drains, in rounds in which each has its turn and none always goes first."""
    ours, pgqueuer = taking_part["ours"], taking_part["pgqueuer"]
    procrastinate = taking_part["procrastinate"]
    runs: dict[str, Run] = {}
    for size, jobs in plan.jobs.items():
        runs |= {
            f"ours_{size}": lambda n=jobs, s=size: drain(stage, ours, n, our_settings(s)),
            f"pgqueuer_{size}": lambda n=jobs, s=size: drain(
                stage, pgqueuer, n, pgqueuer_settings(s)
            ),
            f"sql_{size}": lambda n=jobs, s=size: queue_sql.drain(stage, ours, n, s),
        }
    few = plan.procrastinate_jobs
    runs["procrastinate_100"] = lambda: drain(
        stage, procrastinate, few, procrastinate_settings(listen=False)
    )
    shown: dict[str, list[Drain]] = defaultdict(list)
    for sort in ("hosted", "settled"):
        shown[sort].append(await drain(stage, ours, plan.other_jobs, our_settings(100, sort)))
        print(f"{sort}: {shown[sort][-1].jobs_per_s:,.0f} jobs/s", file=sys.stderr)
    began = time.monotonic()
    for turn in range(plan.rounds):
        if turn and time.monotonic() - began > plan.stop_after_s:
            break
        for name in sorted(runs, key=list(runs).index, reverse=bool(turn % 2)):
            shown[name].append(await runs[name]())
            print(f"{name}: {shown[name][-1].jobs_per_s:,.0f} jobs/s", file=sys.stderr)
    return shown


async def pickups(
    stage: Stage, taking_part: dict[str, Side], plan: Plan
) -> dict[str, list[list[float]]]:
    """Everybody's waits, round by round."""
    settings: dict[str, dict[str, Any]] = {
        "ours": {},
        "pgqueuer": {},
        "procrastinate": procrastinate_settings(listen=True),
    }
    waits: dict[str, list[list[float]]] = defaultdict(list)
    for turn in range(plan.rounds):
        for name in sorted(taking_part, reverse=bool(turn % 2)):
            waits[name].append(await pickup(stage, taking_part[name], plan.pickups, settings[name]))
    return waits


async def measure(stage: Stage, plan: Plan, report: Report) -> None:
    taking_part = sides()
    for side in taking_part.values():
        await stage.prepare(side)
    shown = await drains(stage, taking_part, plan)
    report_drains(report, shown)
    report_pickups(report, await pickups(stage, taking_part, plan))
    full, empty = await queue_history.measure(stage, taking_part["ours"], plan.history, plan.claims)
    report.add("claim_p50_history_vs_empty", full / empty, at_most(1.3))
    report.add("claim_p50_ms_history", full)
    report.add("claim_p50_ms_empty", empty)
    report.settings["rounds"] = len(shown["ours_100"])


def describe(report: Report, plan: Plan, server: Server) -> None:
    report.settings |= {
        "postgresql": server.access.installation.version,
        "durability": "fsync on, synchronous_commit on, one server for all",
        "jobs": ", ".join(f"{jobs} at size {size}" for size, jobs in plan.jobs.items()),
        "ours": "claim_size N, all else default (concurrency 10, pool of 10, a connection each for claims "
        "and settles), uvloop; pickup: default",
        "hosted_and_settled": f"one round, {plan.other_jobs} jobs each, claim_size 100",
        "pgqueuer": "1.6.0, batch_size N, asyncpg pool without reset, uvloop, jit off, logged tables, "
        "no task limit, no log aggregation; pickup: batch_size 10",
        "procrastinate": "3.10.0, concurrency 10, psycopg pool, uvloop, jit off, no listening in drains, "
        f"{plan.procrastinate_jobs} jobs (one at a time is all it claims)",
        "sql_limit": "our claim and settle in a plpgsql loop, one session, commit after each",
        "asyncpg": version("asyncpg"),
        "history_rows": plan.history,
        "pickups": plan.pickups,
    }


def main() -> None:
    options: Options = read_options(__doc__ or "")
    plan = QUICK if options.quick else FULL
    folder = Path(tempfile.mkdtemp(prefix="mindhit-bench-"))
    folder.chmod(0o755)
    server = Server(folder, min_free_bytes=0)
    server.start()
    home = server.layout.home if server.layout else folder
    report = Report("The work engine")
    try:
        assert server.process is not None
        describe(report, plan, server)
        asyncio.run(measure(Stage(server.url, server.process.pid), plan, report))
    finally:
        server.stop()
        for each in {folder, home}:
            shutil.rmtree(each, ignore_errors=True)
    report.close(options)


if __name__ == "__main__":
    main()
