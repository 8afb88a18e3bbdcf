"""What a query costs the processor: other work on the machine changes that little. Part of `bench/search.py`."""

import os
from collections.abc import Iterator
from pathlib import Path

_PROC = Path("/proc")


def used_ms() -> float:
    """Milliseconds that the processes below this one have run: the API, and the server with all of its
    connections. 0 where the system does not tell."""
    return sum(_run_ns(pid) for pid in _below(os.getpid())) / 1e6


def _below(pid: int) -> Iterator[int]:
    for thread in _PROC.glob(f"{pid}/task/*/children"):
        try:
            children = [int(each) for each in thread.read_text().split()]
        except OSError:
            continue
        for child in children:
            yield child
            yield from _below(child)


def _run_ns(pid: int) -> int:
    total = 0
    for thread in _PROC.glob(f"{pid}/task/*/schedstat"):
        try:
            total += int(thread.read_text().split()[0])
        except (OSError, IndexError):
            continue  # it has just ended
    return total
