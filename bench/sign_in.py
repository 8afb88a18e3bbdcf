"""How long the answers about an address take, whether somebody has it or nobody.

*_known_vs_unknown   median time of the answer for an address that has an account, divided by that
                     for one that has none (sign_in with a wrong password, sign_up, reset)
*_unknown_vs_known   the same the other way round: both have to stay below 1.25

One API process with the default cost of a password, on a database with fsync on, its limits off;
the two sorts of addresses take turns, in an order that is drawn for each pair.
"""

import sys
from pathlib import Path

sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import asyncio
import random
import shutil
import statistics
import tempfile
import time

import httpx2

from bench.figures import Report, at_most, read_options
from mindhit import accounts, wiring
from mindhit.accounts import Origin, SignInGuard
from mindhit.db import Database, migrate
from mindhit.db.embedded import Server
from tests import servers

KNOWN, UNKNOWN = "known@example.org", "nobody@example.org"
PASSWORD = "correct horse battery"
BODIES = {
    "sign_in": ("/v1/auth/sign-in", {"password": "a wrong password"}),
    "sign_up": ("/v1/auth/sign-up", {}),
    "reset": ("/v1/auth/reset", {}),
}


async def prepare(url: str) -> None:
    await migrate.migrate(url)
    db = await Database.open(url, size=2)
    try:
        hashed = await SignInGuard(wiring.make_settings()).hasher.hash(PASSWORD)
        async with db.transaction() as tx:
            await accounts.add_person(tx, KNOWN, password_hash=hashed, origin=Origin())
    finally:
        await db.close()


def measure(url: str, tries: int) -> dict[str, tuple[float, float]]:
    """Median seconds of known and unknown addresses for each route."""
    medians = {}
    with httpx2.Client(base_url=url, headers={"Origin": url}, timeout=60) as client:
        for name, (path, body) in BODIES.items():
            taken: dict[str, list[float]] = {KNOWN: [], UNKNOWN: []}
            for turn in range(tries + 5):
                for email in random.sample([KNOWN, UNKNOWN], 2):
                    began = time.perf_counter()
                    client.post(path, json={"email": email, **body})
                    if turn >= 5:
                        taken[email].append(time.perf_counter() - began)
            medians[name] = (statistics.median(taken[KNOWN]), statistics.median(taken[UNKNOWN]))
    return medians


def main() -> None:
    options = read_options(str(__doc__))
    tries = 40 if options.quick else 200
    folder = Path(tempfile.mkdtemp(prefix="mindhit-bench-"))
    folder.chmod(0o755)
    server = Server(folder, min_free_bytes=0)
    report = Report("Answers about an address: known beside unknown")
    report.settings |= {"tries": tries}
    try:
        access = server.start()
        asyncio.run(prepare(access.url))
        limits = {"sign_in_limit": 0, "rate_limit": 0, "sign_up": "open"}
        with servers.api(folder / "api.log", access.url, **limits) as url:
            for name, (known, unknown) in measure(url, tries).items():
                report.add(f"{name}_known_vs_unknown", known / unknown, at_most(1.25))
                report.add(f"{name}_unknown_vs_known", unknown / known, at_most(1.25))
                report.add(f"{name}_known_ms", known * 1000)
                report.add(f"{name}_unknown_ms", unknown * 1000)
    finally:
        server.stop()
        for home in {folder, server.layout.home if server.layout else folder}:
            shutil.rmtree(home, ignore_errors=True)
    report.close(options)


if __name__ == "__main__":
    main()
