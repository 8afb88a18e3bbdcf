"""The long form of the fault tests: `make storm`.

    python -m tests.faults.storm --json bench/results/storm.json

kills              workers killed with SIGKILL at random moments, each replaced at once
database_restarts  PostgreSQL killed, postmaster and all, and started again
network_faults     cuts, stalls, delays and black holes between the workers and the database
jobs               committed in these storms and in those of accidents.py; lost, twice and stuck as in harness.py
dead_retried       jobs held by six killed workers one after the other, so dead by design, and
                   retried as an operator would; not counted as lost
accidents          of other kinds, each a storm of its own (accidents.py); dead_unrun is how many jobs
                   were ever seen dead in them
new_kind_beside_old_workers_p90_s
                   how long jobs waited that only one of four workers knows
domain_jobs        over 50 domains and 3 workers; domain_most_running is the most that were seen
                   running at once in one of them, by handlers' notes and from the outside
blocked_domain_throughput
                   others' throughput while one domain is blocked with tens of thousands of rows in
                   front of them, as a share of their throughput without (the median of pairs)
"""

# ruff: noqa: T201  a program that shows its progress

from __future__ import annotations

import asyncio
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import asyncpg

from bench.figures import Options, Report, at_least, at_most, exactly, read_options
from mindhit.db import Database, migrate
from mindhit.db.embedded import Server
from mindhit.work import enqueue_many
from tests.faults import accidents, harness, storm_jobs
from tests.faults.proxy import Proxy, bad_network

SITES = [f"site{number:02}.example" for number in range(50)]
BLOCKED = "blocked.example"  # comes before all of them
BUSY: dict[str, Any] = {
    "concurrency": 20,
    "claim_size": 50,
    "lease_s": 30.0,
    "poll_s": 5.0,
    "rescue_s": 5.0,
}
IS_BUSY = """
select exists (select from jobs where queue = 'default' and lane = 'low' and status = 'queued'
                  and domain > 'site')
    or exists (select from jobs where queue = 'default' and status = 'running')"""

STILL_BLOCKED = f"""
select count(*) from jobs
 where domain = '{BLOCKED}' and kind = 'fault:visit' and status = 'queued'"""


@dataclass(frozen=True, slots=True)
class Size:
    kills: int = 1_000
    restarts: int = 20
    network_faults: int = 40
    domain_jobs: int = 100_000
    rounds: int = 41
    round_jobs: int = 3_000
    blocked: int = 50_000
    accident_s: float = 90.0
    releases_s: float = 600.0


QUICK = Size(20, 2, 3, 4_000, 5, 1_000, 20_000, 15.0, 15.0)


@dataclass(slots=True)
class Storm:
    """A server of our own, and what all storms on it came to."""

    folder: Path
    server: Server
    verdicts: list[harness.Verdict] = field(default_factory=list)
    longest_overdue_s: float = 0.0
    ended_by_themselves: int = 0
    most_in_a_domain: int = 0

    async def database(self, name: str) -> str:
        connection = await asyncpg.connect(self.server.url)
        await connection.execute(f"create database {name}")
        await connection.close()
        url = self.server.url.replace("@/mindhit?", f"@/{name}?")
        await migrate.migrate(url)
        await harness.prepare(url)
        return url

    def nursery(self, name: str) -> harness.Nursery:
        (self.folder / name).mkdir()
        return harness.Nursery(self.folder / name)

    async def end(
        self,
        url: str,
        nursery: harness.Nursery,
        workers: Sequence[harness.Child],
        enqueuers: Sequence[harness.Child],
        watcher: harness.Watcher,
    ) -> None:
        """No more faults: everybody finishes, and the verdict is taken down."""
        codes = await harness.stop(enqueuers, within_s=90)
        hanging = await harness.until_each_works(url, workers, within_s=90)
        verdict = await harness.judge(url, nursery.notes(), watcher)
        codes += await harness.stop(workers, within_s=60)
        self.verdicts.append(verdict)
        self.ended_by_themselves += sum(code != 0 for code in codes) + len(hanging)
        overdue_s = watcher.longest_overdue_s
        self.longest_overdue_s = max(self.longest_overdue_s, overdue_s)
        self.most_in_a_domain = max(self.most_in_a_domain, watcher.most_in_a_domain)
        wrong = verdict.faults() or "nothing wrong"
        print(f"  {verdict.jobs:,} jobs, {overdue_s:.1f} s past a lease: {wrong}", flush=True)


@contextmanager
def new_storm() -> Iterator[Storm]:
    folder = Path(tempfile.mkdtemp(prefix="mh-storm-"))
    folder.chmod(0o755)
    try:
        with harness.own_server(folder / "data") as server:
            yield Storm(folder, server)
    finally:
        shutil.rmtree(folder)


async def kill_workers(storm: Storm, kills: int) -> None:
    print(f"{kills} workers killed", flush=True)
    url = await storm.database("crash")
    with storm.nursery("crash") as nursery:
        workers = [nursery.worker(url) for _ in range(4)]
        enqueuers = [nursery.enqueuer(url, jobs=10**6, per_s=50) for _ in range(2)]
        async with harness.Watcher(url) as watcher:
            for _ in range(kills):
                await asyncio.sleep(random.uniform(0.05, 0.6))
                workers.pop(random.randrange(len(workers))).kill()
                workers.append(nursery.worker(url))
            await storm.end(url, nursery, workers, enqueuers, watcher)


async def kill_the_database(storm: Storm, restarts: int) -> None:
    print(f"the database killed {restarts} times", flush=True)
    url = await storm.database("restarts")
    with storm.nursery("restarts") as nursery:
        workers = [nursery.worker(url) for _ in range(3)]
        enqueuers = [nursery.enqueuer(url, jobs=10**6, per_s=50) for _ in range(2)]
        async with harness.Watcher(url) as watcher:
            for _ in range(restarts):
                await asyncio.sleep(random.uniform(1, 5))
                harness.kill_database(storm.server)
                await asyncio.sleep(random.uniform(0, 2))
                storm.server.restart()
            await asyncio.sleep(1)
            await storm.end(url, nursery, workers, enqueuers, watcher)


async def disturb(proxy: Proxy) -> None:
    match random.choice(("cut", "stall", "delay", "swallow")):
        case "cut":
            await proxy.cut(random.uniform(0, 1.5))
        case "stall":
            await proxy.stall(random.uniform(0.5, 5))
        case "delay":
            await proxy.delay(random.uniform(0.02, 0.3), random.uniform(1, 4))
        case "swallow":
            await proxy.swallow(random.uniform(0.5, 4))


async def break_the_network(storm: Storm, faults: int) -> None:
    print(f"{faults} faults of the network", flush=True)
    url = await storm.database("network")
    async with bad_network(url) as proxy:
        with storm.nursery("network") as nursery:
            workers = [nursery.worker(proxy.url) for _ in range(3)]
            enqueuers = [
                nursery.enqueuer(way, jobs=10**6, per_s=per_s)
                for way, per_s in ((url, 40), (proxy.url, 40))
            ]
            async with harness.Watcher(url) as watcher:
                for _ in range(faults):
                    await asyncio.sleep(random.uniform(0.5, 5))
                    await disturb(proxy)
                await storm.end(url, nursery, workers, enqueuers, watcher)


async def enqueue_visits(url: str, jobs: Sequence[object]) -> None:
    db = await Database.open(url, size=1)
    for start in range(0, len(jobs), 5_000):
        async with db.transaction() as tx:
            await enqueue_many(tx, jobs[start : start + 5_000])
    await db.close()


def visits(count: int) -> list[storm_jobs.Visit]:
    return [storm_jobs.Visit(n, random.choice(SITES), random.uniform(0, 4)) for n in range(count)]


async def crowd_the_domains(storm: Storm, count: int) -> tuple[int, int]:
    """How many ran, and the most at once in one domain."""
    print(f"{count:,} jobs of {len(SITES)} domains", flush=True)
    url = await storm.database("domains")
    with storm.nursery("domains") as nursery:
        spans = nursery.folder / "spans"
        await enqueue_visits(url, visits(count))
        for _ in range(3):
            nursery.worker(url, spans=spans, **BUSY)
        async with harness.Watcher(url, every_s=0.05) as watcher:
            await harness.settle_down(url)
        ran, most = harness.most_at_once(spans)
    most = max(most, watcher.most_in_a_domain)
    print(f"  {ran:,} ran, at most {most} at once, looked at {watcher.looks} times", flush=True)
    return ran, most


async def one_round(url: str, count: int) -> float:
    """Seconds until this many jobs of the free domains are done."""
    jobs = visits(count)
    db = await Database.open(url, size=1)
    connection = await asyncpg.connect(url)
    # Looking must not cost more where there is more to look at: 50,000 rows made the planner read
    # the whole table for this, a hundred times a second, which took the others a tenth of their speed.
    await connection.execute("set enable_seqscan = off; set enable_bitmapscan = off")
    try:
        async with db.transaction() as tx:
            await enqueue_many(tx, jobs)
        began = time.perf_counter()
        while await connection.fetchval(IS_BUSY):
            await asyncio.sleep(0.01)
        return time.perf_counter() - began
    finally:
        await connection.close()
        await db.close()


async def block_a_domain(storm: Storm, size: Size) -> float:
    """Throughput of the others beside a blocked domain, as a share of what it is without one.

    Two databases, alike but for the blocked rows, have their turns one after the other, and each
    pair of turns gives a ratio: what else the machine does meanwhile is in both.
    """
    print(f"{size.rounds} rounds beside {size.blocked:,} blocked rows", flush=True)
    urls = [await storm.database(name) for name in ("free", "blocked")]
    shares = []
    with storm.nursery("blocked") as nursery:
        for url in urls:
            await enqueue_visits(url, [storm_jobs.Hold(BLOCKED)] * 2)
            nursery.worker(url, queues=["hold"])
        await asyncio.sleep(2)  # until they hold both slots
        await enqueue_visits(urls[1], [storm_jobs.Visit(0, BLOCKED)] * size.blocked)
        for url in urls:
            for _ in range(3):
                nursery.worker(url, spans=nursery.folder / "spans", **BUSY)
        for round_ in range(size.rounds + 1):
            pair = {}
            for url in urls if round_ % 2 else reversed(urls):
                pair[url] = await one_round(url, size.round_jobs)
            if round_:  # the first one is for warming up
                shares.append(pair[urls[0]] / pair[urls[1]])
        left = await harness.ask(urls[1], STILL_BLOCKED)
    assert left == size.blocked, "the blocked domain was not blocked"
    low, share, high = statistics.quantiles(shares, n=4)
    print(f"  shares: quartiles {low:.3f} {share:.3f} {high:.3f}", flush=True)
    return share


async def suffer(storm: Storm, name: str, seconds: float) -> set[int]:
    """Work through one of the accidents; which jobs died of it."""
    print(f"{name} for {seconds:.0f} s", flush=True)
    url = await storm.database(name)
    with storm.nursery(name) as nursery:
        workers = [nursery.worker(url, **accidents.OPTIONS.get(name, {})) for _ in range(3)]
        enqueuers = [nursery.enqueuer(url, jobs=10**6, per_s=40) for _ in range(2)]
        async with harness.Watcher(url) as watcher:
            await asyncio.sleep(1)
            await accidents.ACCIDENTS[name](accidents.Scene(url, storm.server, workers), seconds)
            await storm.end(url, nursery, workers, enqueuers, watcher)
    return watcher.dead


async def two_releases(storm: Storm, seconds: float) -> tuple[float, set[int], int]:
    """The new kind's p90 beside old workers, which jobs died, and how many were left undone."""
    print(f"old and new workers together for {seconds:.0f} s", flush=True)
    url = await storm.database("releases")
    with storm.nursery("releases") as nursery:
        async with harness.Watcher(url) as watcher:
            p90_s, workers = await accidents.run_releases_together(url, nursery, seconds)
            left = await harness.ask(url, harness.LIVE)
        await harness.stop(workers)
    print(f"  p90 {p90_s:.2f} s, {len(watcher.dead)} dead, {left} left", flush=True)
    return p90_s, watcher.dead, left


async def run(options: Options) -> None:
    size = QUICK if options.quick else Size()
    began = time.monotonic()
    with new_storm() as storm:
        await kill_workers(storm, size.kills)
        await kill_the_database(storm, size.restarts)
        await break_the_network(storm, size.network_faults)
        dead = [await suffer(storm, name, size.accident_s) for name in accidents.ACCIDENTS]
        p90_s, dead_of_releases, left = await two_releases(storm, size.releases_s)
        ran, most = await crowd_the_domains(storm, size.domain_jobs)
        share = await block_a_domain(storm, size)
    verdicts = storm.verdicts
    report = Report("Faults")
    report.settings |= {f"storm_{name}": value for name, value in harness.QUICK.items()}
    report.settings |= {f"domains_{name}": value for name, value in BUSY.items()}
    report.settings |= {"domains": len(SITES), "blocked_rows": size.blocked, "rounds": size.rounds}
    report.settings["command"] = f"python -m tests.faults.storm{' --quick' * options.quick}"
    report.settings["minutes"] = round((time.monotonic() - began) / 60, 1)
    report.add("kills", size.kills)
    report.add("database_restarts", size.restarts)
    report.add("network_faults", size.network_faults)
    report.add("jobs", sum(v.jobs for v in verdicts))
    report.add("lost", sum(len(v.lost) + len(v.stale_facts) for v in verdicts), exactly(0))
    report.add("twice", sum(len(v.twice) + len(v.ghosts) for v in verdicts), exactly(0))
    report.add("stuck", sum(len(v.stuck) + v.unfinished for v in verdicts), exactly(0))
    report.add("slots_astray", sum(v.astray + v.slots_left for v in verdicts), exactly(0))
    report.add("workers_hanging_or_broken", storm.ended_by_themselves, exactly(0))
    report.add("longest_past_lease_s", round(storm.longest_overdue_s, 1), at_most(30))
    report.add("accidents", len(accidents.ACCIDENTS))
    report.add("dead_unrun", sum(map(len, dead)) + len(dead_of_releases), exactly(0))
    report.add("new_kind_beside_old_workers_p90_s", round(p90_s, 2), at_most(5))
    report.add("left_by_old_workers", left, exactly(0))
    report.add("dead_retried", sum(v.revived for v in verdicts))
    report.add("domain_jobs", ran)
    report.add("domain_most_running", max(most, storm.most_in_a_domain), at_most(2))
    report.add("blocked_domain_throughput", round(share, 3), at_least(0.95))
    report.close(options)


if __name__ == "__main__":
    asyncio.run(run(read_options(__doc__ or "")))
