"""Reading sessions, over HTTP on loopback, from a reader with years of them.

list_*      a page of 20 of the session list: the first one, and any other
search_*    the same with a word that is in many titles, in one, in Korean ones, in a domain, in none
detail_*    one session with 500 visits, their texts' summaries and keywords, and 20 highlights
detail_cpu_vs_response_model
            processor time of the API for such a detail, divided by that of the same rows through a
            plain FastAPI `response_model` in the same process (`bench/reads_plain.py`)
detail_all_cpu_vs_response_model
            the same with the database's processor time on both sides
"""

import sys
from pathlib import Path

sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import asyncio
import random
import shutil
import statistics
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import psutil

from bench import reads_stage
from bench.figures import Report, at_most, read_options
from bench.reads_stage import Size
from mindhit import accounts
from mindhit.accounts import Origin, Scope
from mindhit.db import Database, migrate
from mindhit.db.embedded import Server
from tests import servers

WORDS = {
    "many": "topic 12",
    "one": "axolotls",
    "korean": "백과사전",
    "domain": "site-77.example",
    "none": "no such words",
}
ROUNDS = 8


async def prepare(url: str, size: Size) -> tuple[str, uuid.UUID]:
    """A reader with everything; their key, and the long session."""
    await migrate.migrate(url)
    db = await Database.open(url, size=2)
    try:
        async with db.transaction() as tx:
            person = await accounts.add_person(
                tx, "reader@example.org", password_hash=None, origin=Origin()
            )
            _, token = await accounts.make_token(
                tx, person.id, "bench", [Scope.API], None, Origin()
            )
        return token, await reads_stage.fill(url, person.id, size)
    finally:
        await db.close()


def timed(client: httpx2.Client, paths: list[str]) -> list[float]:
    """Milliseconds of each answer, in order; the first few are not counted."""
    taken = []
    for path in [*paths[:5], *paths]:
        began = time.perf_counter()
        answer = client.get(path)
        taken.append((time.perf_counter() - began) * 1000)
        assert answer.status_code == 200, answer.text
    return taken[5:]


def p99(taken: list[float]) -> float:
    return statistics.quantiles(taken, n=100)[98]


def measure_lists(report: Report, client: httpx2.Client, size: Size, tries: int) -> None:
    last = size.sessions // 20
    pages = [1 if n % 2 else random.randint(1, last) for n in range(tries)]
    taken = timed(client, [f"/v1/sessions?limit=20&page={page}" for page in pages])
    report.add("list_p50_ms", statistics.median(taken))
    report.add("list_p99_ms", p99(taken), at_most(20))
    everything = []
    for name, word in WORDS.items():
        path = str(httpx2.URL("/v1/sessions", params={"search": word}))
        taken = timed(client, [path] * max(tries // 100, 10))
        report.add(f"search_{name}_p50_ms", statistics.median(taken))
        everything += taken
    report.add("search_p50_ms", statistics.median(everything))
    report.add("search_p99_ms", p99(everything))


def cpu_of(*processes: psutil.Process) -> float:
    """Seconds of processor time that these and their children have used so far."""
    family = [each for one in processes for each in (one, *one.children(recursive=True))]
    return sum(sum(each.cpu_times()[:2]) for each in family)


def measure_cpu(
    client: httpx2.Client, session: uuid.UUID, api: psutil.Process, database: psutil.Process, n: int
) -> dict[str, tuple[float, float]]:
    """Of each way to answer: milliseconds of the API, and of the API and the database, per answer."""
    paths = {"ours": f"/v1/sessions/{session}", "plain": f"/v1/plain/{session}"}
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in paths}
    for turn in range(ROUNDS + 1):
        for name, path in paths.items():
            before = cpu_of(api), cpu_of(api, database)
            timed(client, [path] * n)
            after = cpu_of(api), cpu_of(api, database)
            each = [(b - a) / (n + min(n, 5)) * 1000 for a, b in zip(before, after, strict=True)]
            if turn:
                spent[name].append((each[0], each[1]))
    return {
        name: (
            statistics.median(each[0] for each in rounds),
            statistics.median(each[1] for each in rounds),
        )
        for name, rounds in spent.items()
    }


@contextmanager
def plain_api(log: Path, url: str) -> Iterator[tuple[str, psutil.Process]]:
    port = servers.free_port()
    program = Path(__file__).with_name("reads_plain.py")
    with log.open("ab") as said:
        process = subprocess.Popen(
            [sys.executable, str(program), url, str(port)], stdout=said, stderr=said
        )
    try:
        servers.wait_for(f"http://127.0.0.1:{port}/healthz")
        yield f"http://127.0.0.1:{port}", psutil.Process(process.pid)
    finally:
        process.terminate()
        process.wait(20)


def postmaster(server: Server) -> psutil.Process:
    [found] = [
        each
        for each in psutil.process_iter()
        if each.name().startswith("postgres") and str(server.data_dir) in " ".join(each.cmdline())
    ]
    return found


def main() -> None:
    options = read_options(str(__doc__))
    size, tries = (reads_stage.QUICK, 200) if options.quick else (reads_stage.FULL, 2_000)
    folder = Path(tempfile.mkdtemp(prefix="mindhit-bench-"))
    folder.chmod(0o755)
    server = Server(folder, min_free_bytes=0)
    report = Report("Reading sessions")
    report.settings |= {
        "sessions": size.sessions,
        "visits": size.sessions * size.visits_each,
        "tries": tries,
    }
    try:
        access = server.start()
        token, session = asyncio.run(prepare(access.url, size))
        key = {"Authorization": f"Bearer {token}"}
        with (
            servers.api(folder / "api.log", access.url, rate_limit=0) as url,
            httpx2.Client(base_url=url, headers=key, timeout=60) as client,
        ):
            measure_lists(report, client, size, tries)
            taken = timed(client, [f"/v1/sessions/{session}"] * tries)
            report.add("detail_p50_ms", statistics.median(taken))
            report.add("detail_p99_ms", p99(taken), at_most(60))
        with (
            plain_api(folder / "plain.log", access.url) as (url, process),
            httpx2.Client(base_url=url, headers=key, timeout=60) as client,
        ):
            n = 30 if options.quick else 100
            spent = measure_cpu(client, session, process, postmaster(server), n)
        ours, plain = spent["ours"], spent["plain"]
        report.add("detail_cpu_vs_response_model", ours[0] / plain[0], at_most(0.7))
        report.add("detail_cpu_ms", ours[0], response_model=plain[0])
        report.add("detail_all_cpu_vs_response_model", ours[1] / plain[1])
        report.add("detail_all_cpu_ms", ours[1], response_model=plain[1])
    finally:
        server.stop()
        for home in {folder, server.layout.home if server.layout else folder}:
            shutil.rmtree(home, ignore_errors=True)
    report.close(options)


if __name__ == "__main__":
    main()
