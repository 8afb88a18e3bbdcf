"""How much of this machine's memory the database may keep its pages in."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

MB: Final = 2**20
# PostgreSQL's own default; and a gigabyte at most: a home server has other things to do.
LEAST: Final = 128 * MB
MOST: Final = 1024 * MB
# Of the memory there is. API, workers and browsers need theirs, and the system caches the same files.
SHARE: Final = 8
_LIMITS: Final = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


def shared_buffers() -> int:
    """In bytes."""
    return min(max(memory() // SHARE, LEAST), MOST)


def memory(limits: tuple[Path, ...] = _LIMITS) -> int:
    """Of this machine, or of the container if that has less; 0 where nobody knows."""
    found = [limit for limit in map(_limit, limits) if limit is not None]
    with suppress(ValueError, OSError):  # where the system has no such names
        found.append(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    return max(min(found, default=0), 0)


def _limit(file: Path) -> int | None:
    try:
        return int(file.read_text("ascii"))
    except (OSError, ValueError):  # there is none, or it says "max"
        return None
