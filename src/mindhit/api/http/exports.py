"""How many exports are made at once: one for each person, `AT_ONCE` in all. Each reads everything there is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final
from uuid import UUID

from mindhit.errors import TooMany

AT_ONCE: Final = 2
RETRY_S: Final = 15


class ExportRunning(TooMany):
    """Another export is in progress. Try again when it is done."""


class Exports:
    def __init__(self) -> None:
        self._running: set[UUID] = set()

    @contextmanager
    def place(self, user_id: UUID) -> Iterator[None]:
        """While a file is written, not while it is downloaded. Raises `ExportRunning`."""
        if user_id in self._running or len(self._running) >= AT_ONCE:
            raise ExportRunning(RETRY_S)
        self._running.add(user_id)
        try:
            yield
        finally:
            self._running.discard(user_id)
