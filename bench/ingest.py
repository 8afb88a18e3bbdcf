"""Batches of browser events over HTTP, beside COPY, aw-server and the seed's way.

ingest_vs_copy             events per second of 16 clients that post batches of 200, divided by those
                           of one connection that copies the same rows, ready-made, 10,000 a commit,
                           into a table without an index
ingest_vs_awserver_bulk_c16  the same against ActivityWatch's server, 16 clients, 200 events a request
ingest_vs_row_by_row       the same against the seed's way as a server: a batch by HTTP, each event and
                           visit by itself through an ORM (4 clients: with 16 its batches stand in each
                           other's way)
ingest_vs_row_by_row_bare  against the same rows one by one on one connection, spared HTTP and the ORM
batch_p99_ms_c1            one client, one batch after the other
batch_1000_vs_first        the 1,000th batch of a session beside the first of another, taking turns

One API process on PostgreSQL with its default durability (fsync, synchronous_commit on). Every page
is new, one event in eight is a navigation with 4 KB of text; checking the token and folding the
timeline are part of it. Rounds take turns; figures are medians of the rounds' ratios.
"""

import sys
from pathlib import Path

sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import asyncio
import itertools
import shutil
import statistics
import tempfile
import uuid
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import psutil

from bench import ingest_batches as made
from bench import ingest_peers as peers
from bench.figures import Report, at_least, at_most, peer_environment, read_options
from bench.ingest_client import Post, post_all
from mindhit import accounts, log, tracking, wiring
from mindhit.accounts import Origin, Scope
from mindhit.clock import utc_now
from mindhit.db import Database, migrate
from mindhit.db.embedded import Server
from mindhit.tracking import SessionId
from tests import servers

CLIENTS = 16
SEED_CLIENTS = 4
SEED = ["fastapi", "uvicorn[standard]", "sqlalchemy[asyncio]", "asyncpg"]
LIMITS = {"rate_limit": 0, "log_level": "warning"}


@dataclass(frozen=True, slots=True)
class Plan:
    """How much is measured: batches of each client and round, rounds, batches of the long session."""

    batches: int
    rounds: int
    alone: int
    long_session: int
    turns: int
    rows: int


FULL = Plan(batches=30, rounds=5, alone=300, long_session=980, turns=40, rows=4)
QUICK = Plan(batches=6, rounds=2, alone=60, long_session=150, turns=10, rows=1)


@dataclass(slots=True)
class Readers:
    """People with tokens, and sessions that nobody used yet."""

    db: Database
    tokens: list[str] = field(default_factory=list)
    ids: list[Any] = field(default_factory=list)

    async def add(self, count: int) -> None:
        for number in range(count):
            async with self.db.transaction() as tx:
                person = await accounts.add_person(
                    tx, f"reader{number}@example.org", password_hash=None, origin=Origin()
                )
                _, token = await accounts.make_token(
                    tx, person.id, "bench", [Scope.EXTENSION], None, Origin()
                )
            self.ids.append(person.id)
            self.tokens.append(token)

    async def session(self, reader: int) -> str:
        session_id = SessionId(uuid.uuid4())
        now = utc_now()
        async with self.db.transaction() as tx:
            await tracking.start(tx, self.ids[reader], session_id, now, now)
        return str(session_id)

    def post(self, reader: int, session_id: str, body: bytes) -> Post:
        return Post(
            f"/v1/sessions/{session_id}/events:batch",
            {"Authorization": f"Bearer {self.tokens[reader]}"},
            body,
        )


class Bench:
    def __init__(self, plan: Plan, url: str, api: str, readers: Readers) -> None:
        self.plan, self.url, self.api, self.readers = plan, url, api, readers
        self.number = itertools.count(1)
        self.browsers = [made.browser(seed) for seed in range(CLIENTS)]
        self.batches = [
            list(itertools.islice(each.batches(), plan.batches)) for each in self.browsers
        ]
        self.bodies = [[made.encode(batch) for batch in one] for one in self.batches]
        self.events = CLIENTS * plan.batches * made.EVENTS
        self.rates: dict[str, list[float]] = defaultdict(list)

    async def ours(self) -> None:
        clients, number = [], next(self.number)
        for reader, browser in enumerate(self.browsers):
            session_id = await self.readers.session(reader)
            clients.append(
                [
                    self.readers.post(
                        reader,
                        session_id,
                        made.remade(body, browser.session_id, session_id, number),
                    )
                    for body in self.bodies[reader]
                ]
            )
        seconds, _ = await post_all(self.api, clients)
        self.rates["ours"].append(self.events / seconds)

    async def copied(self) -> None:
        flat = [batch for one in self.batches for batch in one]
        pieces = [peers.as_copy(flat[at : at + 50]) for at in range(0, len(flat), 50)]
        self.rates["copy"].append(self.events / await peers.copy(self.url, pieces))

    async def by_rows(self, python: Path) -> None:
        batches = self.batches[0][: self.plan.rows]
        seconds = await peers.row_by_row(self.url, batches)
        self.rates["row_by_row_bare"].append(len(batches) * made.EVENTS / seconds)
        clients, number = [], next(self.number)
        for browser, bodies in zip(self.browsers[:SEED_CLIENTS], self.bodies, strict=False):
            session_id = str(uuid.uuid4())
            remade = [
                made.remade(body, browser.session_id, session_id, number)
                for body in bodies[: self.plan.rows]
            ]
            clients.append([Post("/events/batch", {}, body) for body in remade])
        with peers.seed_server(python, self.url) as server:
            seconds, _ = await post_all(server, clients)
        self.rates["row_by_row"].append(SEED_CLIENTS * self.plan.rows * made.EVENTS / seconds)

    async def activitywatch(self, python: Path) -> None:
        buckets = [f"bench-{number}" for number in range(CLIENTS)]
        clients = [
            [peers.aw_post(bucket, batch) for batch in one]
            for bucket, one in zip(buckets, self.batches, strict=True)
        ]
        with peers.aw_server(python, buckets) as url:
            seconds, _ = await post_all(url, clients)
        self.rates["awserver"].append(self.events / seconds)

    async def alone(self) -> list[float]:
        """Seconds of each batch of one client with nobody beside it."""
        session_id = await self.readers.session(0)
        posts = self._long(0, session_id, 1, self.plan.alone)
        _, taken = await post_all(self.api, [posts])
        return taken

    async def first_and_late(self) -> tuple[float, float]:
        """Median seconds of late batches of a long session, and of first ones, taking turns."""
        long_id = await self.readers.session(0)
        posts = self._long(0, long_id, 2, self.plan.long_session + self.plan.turns)
        await post_all(self.api, [posts[: self.plan.long_session]])
        first, late = [], []
        for post in posts[self.plan.long_session :]:
            fresh_id = await self.readers.session(1)
            [fresh] = self._long(1, fresh_id, next(self.number) + 1000, 1)
            late += (await post_all(self.api, [[post]]))[1]
            first += (await post_all(self.api, [[fresh]]))[1]
        return statistics.median(first), statistics.median(late)

    def _long(self, reader: int, session_id: str, seed: int, count: int) -> list[Post]:
        browser = made.browser(seed + 5000)
        number = next(self.number)
        return [
            self.readers.post(
                reader,
                session_id,
                made.remade(made.encode(batch), browser.session_id, session_id, number),
            )
            for batch in itertools.islice(browser.batches(), count)
        ]

    def ratio(self, peer: str) -> float:
        """Median over the rounds of ours divided by theirs."""
        return statistics.median(
            ours / theirs for ours, theirs in zip(self.rates["ours"], self.rates[peer], strict=True)
        )

    def rate(self, side: str) -> float:
        return statistics.median(self.rates[side])


def cpu_of_api() -> float:
    """CPU seconds of the API process, which is a child of this one."""
    for child in psutil.Process().children():
        if "api" in child.cmdline():
            times = child.cpu_times()
            return float(times.user + times.system)
    return 0.0


async def measure(
    report: Report, plan: Plan, url: str, api: str, aw_server: Path, seed: Path
) -> None:
    db = await Database.open(url, size=4)
    readers = Readers(db)
    try:
        await readers.add(CLIENTS)
        bench = Bench(plan, url, api, readers)
        await bench.ours()  # not counted: caches, prepared statements
        bench.rates.clear()
        cpu = 0.0
        for _ in range(plan.rounds):
            await bench.copied()
            before = cpu_of_api()
            await bench.ours()
            cpu += cpu_of_api() - before
            await bench.activitywatch(aw_server)
            await bench.by_rows(seed)
        taken = await bench.alone()
        first, late = await bench.first_and_late()
    finally:
        await db.close()
    report.add("ingest_vs_copy", bench.ratio("copy"), at_least(0.40))
    report.add("ingest_vs_awserver_bulk_c16", bench.ratio("awserver"), at_least(3))
    report.add("ingest_vs_row_by_row", bench.ratio("row_by_row"), at_least(25))
    report.add("ingest_vs_row_by_row_bare", bench.ratio("row_by_row_bare"))
    report.add("batch_p99_ms_c1", 1000 * statistics.quantiles(taken, n=100)[98], at_most(100))
    report.add("batch_p50_ms_c1", 1000 * statistics.median(taken))
    report.add("batch_1000_vs_first", late / first, at_most(1.2))
    report.add(
        "events_per_s",
        bench.rate("ours"),
        copy=bench.rate("copy"),
        awserver=bench.rate("awserver"),
        row_by_row=bench.rate("row_by_row"),
        row_by_row_bare=bench.rate("row_by_row_bare"),
    )
    report.add("api_cpu_ms_per_batch", 1000 * cpu * made.EVENTS / (plan.rounds * bench.events))


def main() -> None:
    options = read_options(str(__doc__))
    plan = QUICK if options.quick else FULL
    aw_server = peer_environment("aw-server", ["aw-server==0.12.0", "peewee<4"])
    seed = peer_environment("seed", SEED)
    folder = Path(tempfile.mkdtemp(prefix="mindhit-bench-"))
    folder.chmod(0o755)
    server = Server(folder, min_free_bytes=0)
    report = Report("Ingest: batches of 200 events")
    report.settings |= {"clients": CLIENTS, "rounds": plan.rounds, "aw_server": "0.12.0"}
    log.configure("console", "warning")
    wiring.install(wiring.product(wiring.make_settings()))
    try:
        access = server.start()
        asyncio.run(migrate.migrate(access.url))
        with servers.api(folder / "api.log", access.url, **LIMITS) as api:
            asyncio.run(measure(report, plan, access.url, api, aw_server, seed))
    finally:
        server.stop()
        for home in {folder, server.layout.home if server.layout else folder}:
            shutil.rmtree(home, ignore_errors=True)
    report.close(options)


if __name__ == "__main__":
    main()
