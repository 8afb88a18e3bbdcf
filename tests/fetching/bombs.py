"""A process of its own that fetches what does harm, and says what it cost it.

    python -m tests.fetching.bombs URL PATHS LIMITS  →  {"said": {path: [outcome, reason]}, "grown_mib"}

Memory is what the process has more of than after an ordinary page: its resident set at its highest.
"""

from __future__ import annotations

import asyncio
import json
import resource
import sys
from pathlib import Path

from mindhit import log
from mindhit.fetching import Fetcher, FetchFailed, FetchSettings, Guard


def resident_mib() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize() / 2**20


def highest_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def main(base: str, paths: list[str], **limits: float) -> None:
    log.configure("json", "error")
    fetch = Fetcher(None, FetchSettings(**limits), guard=Guard(["127.0.0.0/8"]))  # type: ignore[arg-type]
    await fetch.fetch(f"{base}/plain")  # what is loaded and opened once
    before = max(resident_mib(), highest_mib())
    said = {}
    for path in paths:
        try:
            fetched = await fetch.fetch(f"{base}{path}")
            said[path] = [type(fetched).__name__, ""]
        except FetchFailed as failed:
            said[path] = [type(failed).__name__, failed.reason]
    await fetch.close()
    print(json.dumps({"said": said, "grown_mib": highest_mib() - before}))  # noqa: T201


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], json.loads(sys.argv[2]), **json.loads(sys.argv[3])))
