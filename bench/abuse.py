"""One person attacks the server, another records and reads.

attacks             how many attacks there are, by name in `bench/abuse_attacks.py`
worst_p99_ms        the other person's p99 during the worst of them
lost                events of the other person that were acknowledged and are not stored, or never were
                    acknowledged
failed              requests of the other person that were not answered as they should be
unclear             attacks that got no answer at all, or a 500, where they should be told something
loop_longest_hold_ms  as the API's event loop measured it
api_rss_mb_max      most memory of the API process

The real server, one API process and one worker. The attackers have an account and an address of their own;
the rate limit is off, so that every other defence is on its own.
"""

import sys
from pathlib import Path

sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import asyncio
import json
import multiprocessing
import os
import re
import shutil
import statistics
import tempfile
import time
import urllib.request
import uuid
from dataclasses import dataclass

import psutil

from bench.abuse_attacks import ATTACKS
from bench.abuse_client import Target, other_person
from bench.figures import Report, at_least, at_most, read_options
from mindhit import accounts, log, tracking, wiring
from mindhit.accounts import Origin, Scope
from mindhit.clock import utc_now
from mindhit.db import Database, Query, migrate
from mindhit.db.embedded import Server
from mindhit.tracking import SessionId
from tests import servers

SETTINGS = {"rate_limit": 0, "log_level": "error", "min_free_space": 0}
STORED = Query(
    int,
    """
select count(*)::int from sessions s
  join raw_events e on e.month = s.month and e.session_id = s.id
 where s.id = $1 and s.user_id = $2""",
)
# Attacks that hold on to something say nothing that could be answered.
SILENT = {
    "190 live views",
    "connections that say nothing",
    "headers that come byte by byte",
    "bodies that come byte by byte",
    "imports that come byte by byte",
    "answers that nobody reads",
    "hanging up in the middle of a request",
}


@dataclass(frozen=True, slots=True)
class Person:
    user_id: uuid.UUID
    token: str
    session_id: str


@dataclass(frozen=True, slots=True)
class Round:
    name: str
    began: float
    ended: float
    answers: dict[int, int]


async def add(db: Database, email: str) -> Person:
    session_id, now = SessionId(uuid.uuid4()), utc_now()
    async with db.transaction() as tx:
        person = await accounts.add_person(tx, email, password_hash=None, origin=Origin())
        scopes = [Scope.API, Scope.EXTENSION]
        _, token = await accounts.make_token(tx, person.id, "bench", scopes, None, Origin())
        await tracking.start(tx, person.id, session_id, now, now)
    return Person(person.id, token, str(session_id))


async def attack_all(attacker: Person, port: int, seconds: float) -> list[Round]:
    rounds = []
    for name, run in ATTACKS.items():
        target = Target(port, attacker.token, attacker.session_id)
        began = time.monotonic()
        target.until = began + seconds
        target.seq = int(began * 1000) % 1_000_000_000
        try:
            async with asyncio.timeout(seconds + 40):
                await run(target)
        except TimeoutError:
            target.answers[0] += 1
        rounds.append(Round(name, began, time.monotonic(), dict(target.answers)))
    return rounds


def api_process() -> psutil.Process:
    return next(each for each in psutil.Process().children() if "api" in each.cmdline())


async def most_memory(process: psutil.Process) -> float:
    """Until cancelled; then in MB."""
    most = 0
    try:
        while True:
            most = max(most, process.memory_info().rss)
            await asyncio.sleep(0.2)
    except asyncio.CancelledError:
        return most / 2**20


def longest_hold_ms(api: str) -> float:
    with urllib.request.urlopen(f"{api}/metrics", timeout=60) as answer:
        text = answer.read().decode()
    found = re.search(r"^mindhit_api_loop_longest_hold_seconds\S* (\S+)$", text, re.MULTILINE)
    return 1000 * float(found[1]) if found else 0.0


def p99_ms(taken: list[tuple[float, float, int]], round_: Round) -> float:
    during = [
        1000 * took for at, took, _ in taken if at < round_.ended and at + took > round_.began
    ]
    if len(during) < 2:
        return max(during, default=0.0)
    return statistics.quantiles(during, n=100, method="inclusive")[98]


def is_unclear(round_: Round) -> bool:
    if round_.name in SILENT:
        return False
    return not round_.answers or bool(round_.answers.get(0)) or bool(round_.answers.get(500))


async def measure(report: Report, url: str, api: str, folder: Path, seconds: float) -> None:
    db = await Database.open(url, size=2)
    victim, attacker = await add(db, "other@example.org"), await add(db, "attacker@example.org")
    port = int(api.rpartition(":")[2])
    process = multiprocessing.get_context("spawn")
    stop, ready, file = process.Event(), process.Event(), folder / "taken.json"
    child = process.Process(
        target=other_person, args=(port, victim.token, victim.session_id, stop, file, ready)
    )
    child.start()
    await asyncio.to_thread(ready.wait, 60)
    memory = asyncio.create_task(most_memory(api_process()))
    rounds = await attack_all(attacker, port, seconds)
    stop.set()
    await asyncio.to_thread(child.join, 90)
    memory.cancel()
    noted = json.loads(file.read_text())
    async with db.read() as tx:
        stored = await tx.one(STORED, SessionId(uuid.UUID(victim.session_id)), victim.user_id)
    await db.close()
    taken = [(at, took, status) for at, took, status in noted["taken"]]
    worst = sorted(((p99_ms(taken, each), each) for each in rounds), key=lambda pair: -pair[0])
    for p99, each in worst:
        print(f"{p99:8.0f} ms  {each.name}  {each.answers}")
    report.add("attacks", len(rounds), at_least(40))
    report.add("worst_p99_ms", worst[0][0], at_most(500))
    report.add("median_p99_ms", statistics.median(p99 for p99, _ in worst))
    report.add("lost", abs(noted["sent"] - stored) + noted["sent"] - noted["acked"], at_most(0))
    report.add("failed", sum(status != 200 for _, _, status in taken), at_most(0))
    report.add("unclear", sum(is_unclear(each) for each in rounds), at_most(0))
    report.add("loop_longest_hold_ms", longest_hold_ms(api))
    report.add("api_rss_mb_max", await memory)
    report.settings |= {"requests_of_the_other": len(taken), "worst": worst[0][1].name}


def main() -> None:
    options = read_options(str(__doc__))
    seconds = 0.7 if options.quick else 5.0
    folder = Path(tempfile.mkdtemp(prefix="mindhit-bench-"))
    folder.chmod(0o755)
    server = Server(folder, min_free_bytes=0)
    report = Report("Abuse: what one person can do to another")
    report.settings |= {"seconds_each": seconds, "load_at_start": round(os.getloadavg()[0], 1)}
    log.configure("console", "warning")
    wiring.install(wiring.product(wiring.make_settings()))
    try:
        access = server.start()
        asyncio.run(migrate.migrate(access.url))
        with servers.api(folder / "api.log", access.url, **SETTINGS) as api:
            worker = servers.start(
                folder / "worker.log", "worker", database_url=access.url, data_dir=folder / "data"
            )
            try:
                asyncio.run(measure(report, access.url, api, folder, seconds))
            finally:
                servers.end(worker)
    finally:
        server.stop()
        for home in {folder, server.layout.home if server.layout else folder}:
            shutil.rmtree(home, ignore_errors=True)
    report.close(options)


if __name__ == "__main__":
    main()
