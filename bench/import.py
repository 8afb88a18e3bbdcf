"""Importing bookmarks, beside buku and Promnesia.

import_vs_buku   bookmarks a second of ours, of 50,000, by buku's, of 5,000: ours keeps folders, their order
                 and progress, and commits every 500; buku commits once
peak_mb          memory at most above that before the import
distinct_exact   1 where exactly as many distinct links are kept as the file has, 12 % of it repeated
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.pop(0)  # bench/ itself; why is said in bench/__init__.py
sys.path.insert(0, str(ROOT))

import asyncio
import json
import statistics
import subprocess
import tempfile
from typing import Any

from bench.figures import Report, at_least, at_most, exactly, peer_environment, read_options
from mindhit.db import migrate
from mindhit.db.embedded import Server
from tests.library.bookmark_files import many

PEERS = {"buku": ["buku==5.1"], "promnesia": ["promnesia[html]==1.4.20250909"]}
OURS, THEIRS = 50_000, 5_000
REPEATED = 0.12


def run(*command: object) -> dict[str, Any]:
    done = subprocess.run(
        [str(word) for word in command], capture_output=True, text=True, check=False, cwd=ROOT
    )
    if done.returncode:
        raise SystemExit(done.stderr[-2000:])
    told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return told


def peer(name: str, file: Path) -> dict[str, Any]:
    python = peer_environment(name, PEERS[name])
    with tempfile.TemporaryDirectory() as folder:
        return run(python, "-P", ROOT / "bench" / "import_peer.py", name, file, folder)


def main() -> None:
    options = read_options(__doc__)
    count, rounds = (10_000, 1) if options.quick else (OURS, 3)
    with tempfile.TemporaryDirectory(prefix="mindhit-bench-") as scratch:
        folder = Path(scratch)
        folder.chmod(0o755)
        large, small = folder / "large.html", folder / "small.html"
        large.write_bytes(many(count, folders=200, duplicates=REPEATED))
        small.write_bytes(many(THEIRS, folders=20, duplicates=REPEATED))
        server = Server(folder / "data", min_free_bytes=0)
        url = server.start().url
        try:
            asyncio.run(migrate.migrate(url))
            ours, theirs = [], {name: [peer(name, small)] for name in PEERS}
            for turn in range(rounds):
                ours.append(
                    run(sys.executable, "-P", ROOT / "bench" / "import_ours.py", url, large)
                )
                if turn:
                    for name in PEERS:
                        theirs[name].append(peer(name, small))
        finally:
            server.stop()
    report = Report("Importing bookmarks")
    report.settings |= {"bookmarks": count, "bookmarks_of_peers": THEIRS, "repeated": REPEATED}
    rate = count / statistics.median(each["seconds"] for each in ours)
    rates = {
        name: THEIRS / statistics.median(each["seconds"] for each in found)
        for name, found in theirs.items()
    }
    expected = round(count * (1 - REPEATED))
    report.add("per_s", rate, **rates)
    report.add("import_vs_buku", rate / rates["buku"], at_least(0.7))
    report.add("peak_mb", max(each["peak_mb"] for each in ours), at_most(150))
    exact = all(each["distinct"] == expected and each["pages"] == count for each in ours)
    report.add("distinct_exact", float(exact), exactly(1))
    kept = {name: found[0]["kept"] for name, found in theirs.items()}
    report.settings |= {f"kept_of_{THEIRS}_{name}": number for name, number in kept.items()}
    report.close(options)


if __name__ == "__main__":
    main()
