"""Due reminders of many people at the same moment: how fast they are taken, and whether all are sent once.

claim_per_s       due alarms that ten takers in three processes take per second, together
lost              alarms that were due and of which nothing was told, when all has come to rest
twice             told more than once for the same page and count, in the inbox or at the service
p95_lateness_s    from the moment at which all of them were due until the notice was in the inbox
sent_per_s        from the first worker's start until the last alarm was settled

One server with fsync and synchronous_commit on. Every tenth person has an ntfy channel, a real HTTP
server on this machine that notes what it gets; the others have the inbox alone.
"""

import sys
from pathlib import Path

sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import asyncio
import json
import shutil
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import asyncpg
from aiohttp import web

from bench.figures import Report, at_least, at_most, exactly, read_options
from mindhit import delivery, wiring
from mindhit.db import Database, migrate
from mindhit.db.embedded import Server
from mindhit.delivery import ChannelKind

SIDE = Path(__file__).with_name("alarms_side.py")
TAKERS = (4, 3, 3)  # of each process
CHANNEL_EVERY = 10
LONGEST_S = 300.0
SECRET = "a key of the benchmark, long enough for one"

# People with as many pages and alarms each, all due a moment ago.
PEOPLE = """
with made as (
  insert into users (email, email_key)
  select 'p' || n || '@bench.example', 'p' || n || '@bench.example' from generate_series(1, $1) n
  returning id
)
insert into user_settings (user_id, timezone, quiet_mode) select id, 'UTC', 'off' from made"""
URLS = """
insert into urls (id, url, domain)
select gen_random_uuid(), 'https://bench.example/' || n, 'bench.example' from generate_series(1, $1) n"""
PAGES = """
insert into pages (id, user_id, kind, url_id, address, title, position, created_seq, seq)
select gen_random_uuid(), s.user_id, 'link', u.id, u.url, 'Page of the benchmark', 1, 1, 1
  from user_settings s cross join urls u"""
ALARMS = """
insert into alarms (page_id, user_id, title, body, next_alarm_time)
select id, user_id, title, 'What it is about', now() from pages"""
LEFT = """
select count(*) from jobs where kind = 'reminders:send' and status in ('queued', 'running')"""
LATENESS = """
select percentile_cont(0.95) within group (order by extract(epoch from n.created_at - $1::timestamptz))
  from notices n"""
LOST = """
select count(*) from alarms a
 where a.sent_count < 2
    or not exists (select from notices n where n.user_id = a.user_id and n.page_id = a.page_id)"""
TWICE = """
select (select count(*) from alarms where sent_count > 2)
     + (select count(*) from (select from notices group by user_id, page_id having count(*) > 1) n)"""


@dataclass(frozen=True, slots=True)
class Plan:
    people: int
    pages: int
    fetch_limit: int = 500

    @property
    def alarms(self) -> int:
        return self.people * self.pages


FULL, QUICK = Plan(200, 100), Plan(50, 80)


@dataclass(slots=True)
class Ntfy:
    """A service that notes the ids of what it got."""

    url: str = ""
    got: Counter[str] = field(default_factory=Counter)

    async def handle(self, request: web.Request) -> web.Response:
        self.got[(await request.json())["sequence_id"]] += 1
        return web.json_response({"id": "x"})


@asynccontextmanager
async def ntfy() -> AsyncIterator[Ntfy]:
    made = Ntfy()
    app = web.Application()
    app.router.add_post("/", made.handle)
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    made.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
    try:
        yield made
    finally:
        await runner.cleanup()


class Side:
    """A process that is ready, and begins when told."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process

    @classmethod
    async def start(cls, **task: Any) -> "Side":
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable, SIDE, stdin=pipe, stdout=pipe
        )
        side = cls(process)
        await side.tell(json.dumps(task))
        await side.answer()
        return side

    async def tell(self, line: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line.encode() + b"\n")
        await self.process.stdin.drain()

    async def answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = await asyncio.wait_for(self.process.stdout.readline(), LONGEST_S)
        if not line:
            raise RuntimeError("a process of the benchmark ended without an answer")
        return json.loads(line)

    async def end(self) -> None:
        if self.process.returncode is None:
            self.process.terminate()
        await self.process.wait()


async def fill(dsn: str, plan: Plan, service: Ntfy) -> None:
    connection = await asyncpg.connect(dsn)
    try:
        await connection.execute(PEOPLE, plan.people)
        await connection.execute(URLS, plan.pages)
        await connection.execute(PAGES)
        people = await connection.fetch("select id from users order by id")
    finally:
        await connection.close()
    settings = wiring.make_settings(delivery_hosts=("127.0.0.1",), secret_key=SECRET)
    db = await Database.open(dsn, size=2)
    async with db.transaction() as tx:
        for each in people[::CHANNEL_EVERY]:
            await delivery.add_channel(
                tx,
                settings,
                each["id"],
                ChannelKind.NTFY,
                name="n",
                config={"server": service.url, "topic": "t"},
            )
    await db.close()


async def sides(stack: AsyncExitStack, role: str, dsn: str, **more: Any) -> list[Side]:
    made = []
    for at_once in TAKERS:
        side = await Side.start(role=role, dsn=dsn, at_once=at_once, **more)
        stack.push_async_callback(side.end)
        made.append(side)
    return made


async def take(dsn: str, plan: Plan) -> tuple[int, float]:
    """How many were taken, and in how many seconds, from the first process's start to the last's end."""
    async with AsyncExitStack() as stack:
        taking = await sides(stack, "take", dsn, fetch_limit=plan.fetch_limit)
        await asyncio.gather(*(each.tell("go") for each in taking))
        answers = await asyncio.gather(*(each.answer() for each in taking))
    took = max(each["ended"] for each in answers) - min(each["began"] for each in answers)
    return sum(each["taken"] for each in answers), took


async def send(dsn: str, watch: asyncpg.Connection) -> float:
    async with AsyncExitStack() as stack:
        sending = await sides(stack, "send", dsn)
        began = time.perf_counter()
        await asyncio.gather(*(each.tell("go") for each in sending))
        async with asyncio.timeout(LONGEST_S):
            while await watch.fetchval(LEFT):
                await asyncio.sleep(0.05)
        return time.perf_counter() - began


async def measure(dsn: str, plan: Plan, report: Report) -> None:
    await migrate.migrate(dsn)
    async with ntfy() as service:
        await fill(dsn, plan, service)
        watch = await asyncpg.connect(dsn)
        try:
            await watch.execute(ALARMS)
            await watch.execute("vacuum analyze")
            await watch.execute("update alarms set next_alarm_time = now()")
            due_at = await watch.fetchval("select max(next_alarm_time) from alarms")
            taken, took = await take(dsn, plan)
            sent_s = await send(dsn, watch)
            lost, twice = await watch.fetchval(LOST), await watch.fetchval(TWICE)
            lateness = float(await watch.fetchval(LATENESS, due_at))
        finally:
            await watch.close()
    expected = plan.people // CHANNEL_EVERY * plan.pages
    lost += plan.alarms - taken + expected - len(service.got)
    twice += sum(count - 1 for count in service.got.values())
    report.add("lost", lost, exactly(0))
    report.add("twice", twice, exactly(0))
    report.add("claim_per_s", taken / took, at_least(5_000))
    report.add("p95_lateness_s", lateness, at_most(60))
    report.add("sent_per_s", plan.alarms / sent_s)
    report.settings |= {
        "alarms": plan.alarms,
        "people": plan.people,
        "workers": f"{sum(TAKERS)} in {len(TAKERS)} processes",
        "fetch_limit": plan.fetch_limit,
        "over_http": expected,
        "durability": "fsync on, synchronous_commit on",
    }


def main() -> None:
    options = read_options(__doc__ or "")
    folder = Path(tempfile.mkdtemp(prefix="mindhit-bench-"))
    folder.chmod(0o755)
    server = Server(folder, min_free_bytes=0)
    server.start()
    home = server.layout.home if server.layout else folder
    report = Report("Due reminders")
    try:
        asyncio.run(measure(server.url, QUICK if options.quick else FULL, report))
    finally:
        server.stop()
        for each in {folder, home}:
            shutil.rmtree(each, ignore_errors=True)
    report.close(options)


if __name__ == "__main__":
    main()
