"""Our fetching, a job and a durable row per page, beside Scrapy and Crawlee, which keep nothing.

pages_vs_scrapy, pages_vs_crawlee   pages per second divided by theirs, from the first request that the
                                    farm saw until the last page was parsed (ours: and committed)
most_in_flight_per_host             requests at once on one host, robots.txt among them, in any round: from the
                                    last byte of a request until the farm writes its answer
cpu_ms_per_page                     CPU of our process for each page; postgres_ms_per_page is the database's

2,000 pages of 18 kB over ten hosts (127.0.0.1 to .10), for all: robots.txt obeyed, no delay, two requests
per host (a peer that the farm saw with more ends the bench: it would be another comparison), uvloop, the same
parsing (title and JSON-LD, bench/crawl_pages.py). One process each, in alternating rounds; a farm of its
own process answers after 2 ms.
"""

import sys
from pathlib import Path

sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import asyncio
import json
import os
import shutil
import socket
import statistics
import subprocess
import tempfile
import urllib.request
import uuid
from collections import defaultdict
from dataclasses import dataclass

import asyncpg
import psutil

from bench.figures import Report, at_least, at_most, peer_environment, read_options
from mindhit.db import migrate
from mindhit.db.embedded import Server

BENCH = Path(__file__).resolve().parent
LONGEST_S = 180
PER_HOST = 2  # as in crawl_pages.py, which turns stdout, so that it can't be imported here


@dataclass(frozen=True, slots=True)
class Crawl:
    """What one crawl showed."""

    pages_per_s: float
    most: int
    cpu_ms: float
    postgres_ms: float = 0.0


def sides() -> dict[str, Path]:
    return {
        "ours": Path(sys.executable),
        "scrapy": peer_environment("scrapy", ["scrapy==2.19.0", "uvloop==0.23.0"]),
        "crawlee": peer_environment("crawlee", ["crawlee==1.11.0", "uvloop==0.23.0"]),
    }


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def stats(port: int) -> dict[str, float]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/stats", timeout=10) as answer:
        return json.load(answer)


def crawl(name: str, python: Path, port: int, pages: int, server: Server) -> Crawl:
    stats(port)
    dsn = asyncio.run(fresh_database(server)) if name == "ours" else ""
    program = [str(python), str(BENCH / f"crawl_{name}.py"), str(port), str(pages), dsn]
    before = postgres_s(server)
    process = subprocess.Popen(program, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        after = postgres_s(server)
        seen = stats(port)
    finally:
        process.kill()
        process.wait()
    if not line or seen["pages"] != pages:
        raise RuntimeError(f"{name} fetched {seen['pages']:.0f} of {pages} pages")
    if name != "ours" and seen["most"] > PER_HOST:  # of ours it is a figure
        raise RuntimeError(f"{name} had {seen['most']:.0f} requests at once on a host")
    said = json.loads(line)
    took_s = said["done_at"] - seen["first_at"]
    return Crawl(
        pages / took_s,
        int(seen["most"]),
        said["cpu_s"] * 1000 / pages,
        (after - before) * 1000 / pages if name == "ours" else 0.0,
    )


async def fresh_database(server: Server) -> str:
    name = f"crawl_{uuid.uuid4().hex[:8]}"
    connection = await asyncpg.connect(server.url)
    await connection.execute(f"create database {name}")
    await connection.close()
    dsn = server.url.replace("@/mindhit?", f"@/{name}?")
    await migrate.migrate(dsn)
    return dsn


def postgres_s(server: Server) -> float:
    assert server.process is not None
    postmaster = psutil.Process(server.process.pid)
    total = 0.0
    for process in (postmaster, *postmaster.children()):
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system
    return total


def measure(server: Server, pages: int, rounds: int) -> dict[str, list[Crawl]]:
    taking_part = sides()
    port = free_port()
    farm = subprocess.Popen(
        [sys.executable, str(BENCH / "crawl_farm.py"), str(port)], stderr=subprocess.PIPE
    )
    try:
        assert farm.stderr is not None
        farm.stderr.readline()
        shown: dict[str, list[Crawl]] = defaultdict(list)
        for turn in range(rounds):
            for name in sorted(taking_part, reverse=bool(turn % 2)):
                one = crawl(name, taking_part[name], port, pages, server)
                shown[name].append(one)
                print(
                    f"{name}: {one.pages_per_s:,.0f} pages/s, {one.cpu_ms:.2f} ms CPU a page,"
                    f" at most {one.most} at once on a host",
                    file=sys.stderr,
                )
        return shown
    finally:
        farm.kill()
        farm.wait()


def middle(shown: list[Crawl], what: str) -> float:
    return statistics.median(getattr(one, what) for one in shown)


def ratio(shown: dict[str, list[Crawl]], other: str) -> float:
    """The median of the rounds' ratios: a noisy minute is in both numbers of a round."""
    pairs = zip(shown["ours"], shown[other], strict=True)
    return statistics.median(a.pages_per_s / b.pages_per_s for a, b in pairs)


def report_on(report: Report, shown: dict[str, list[Crawl]]) -> None:
    report.add("pages_vs_scrapy", ratio(shown, "scrapy"), at_least(2))
    report.add("pages_vs_crawlee", ratio(shown, "crawlee"), at_least(1))
    most = {name: max(one.most for one in runs) for name, runs in shown.items()}
    report.add("most_in_flight_per_host", most.pop("ours"), at_most(2), **most)
    cpu = {name: middle(runs, "cpu_ms") for name, runs in shown.items()}
    report.add("cpu_ms_per_page", cpu.pop("ours"), at_most(1.5), **cpu)
    report.add("postgres_ms_per_page", middle(shown["ours"], "postgres_ms"))
    pages = {name: middle(runs, "pages_per_s") for name, runs in shown.items()}
    report.add("pages_per_s", pages.pop("ours"), **pages)


def main() -> None:
    options = read_options(__doc__ or "")
    pages, rounds = (500, 1) if options.quick else (2_000, 5)
    folder = Path(tempfile.mkdtemp(prefix="mindhit-bench-"))
    folder.chmod(0o755)
    server = Server(folder, min_free_bytes=0)
    server.start()
    home = server.layout.home if server.layout else folder
    report = Report("Crawling")
    report.settings |= {
        "pages": pages,
        "rounds": rounds,
        "hosts": 10,
        "per_host": PER_HOST,
        "answer": "18 kB after 2 ms, keep-alive",
        "ours": "one worker, concurrency 20, claims of up to 20, whose rows share a commit, fsync on",
        "scrapy": "2.19.0, uvloop, robots.txt obeyed, 20 at once, 2 per host (counted when they are started: bench/crawl_scrapy.py), nothing stored",
        "crawlee": "1.11.0 HttpCrawler (impit), memory storage, uvloop, robots.txt obeyed, 20 at once, 2 per host (by its client: bench/crawl_crawlee.py)",
        "postgresql": server.access.installation.version,
    }
    before = os.getloadavg()[0]
    try:
        report_on(report, measure(server, pages, rounds))
        # Of others and of ours: four processes take turns, so beside others all of these are slower,
        # and ours, of which a page waits for another process most often, more than the peers.
        report.settings["load_before_and_after"] = [round(before, 1), round(os.getloadavg()[0], 1)]
    finally:
        server.stop()
        for each in {folder, home}:
            shutil.rmtree(each, ignore_errors=True)
    report.close(options)


if __name__ == "__main__":
    main()
