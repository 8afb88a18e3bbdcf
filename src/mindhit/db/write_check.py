"""Checks that the database takes writes: one that answers may be read-only, out of disk space, or unable
to commit because its synchronous standby is gone."""

from __future__ import annotations

import asyncio
from time import monotonic

from mindhit.db.failures import NOT_NOW, DatabaseUnavailable
from mindhit.db.pool import Database
from mindhit.db.query import Nothing, Write

EVERY_S = 10.0  # at most one write in this time, however often somebody asks
FAILED_S = 2.0  # after a failure

CHECK_WRITES = Write(Nothing, "select check_writes()")


class DatabaseNotWritable(DatabaseUnavailable):
    """The database answers but doesn't save changes."""


class WriteCheck:
    """Writes one row, at most every few seconds, and remembers how that went."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._one_at_a_time = asyncio.Lock()
        self._valid_until = 0.0
        self._failure: DatabaseNotWritable | None = None

    async def run(self, within_s: float = 2.0) -> None:
        """Raise `DatabaseNotWritable` where nothing can be written."""
        async with self._one_at_a_time:
            if monotonic() >= self._valid_until:
                self._failure = await self._write(within_s)
                self._valid_until = monotonic() + (FAILED_S if self._failure else EVERY_S)
        if self._failure is not None:
            raise self._failure

    async def _write(self, within_s: float) -> DatabaseNotWritable | None:
        try:
            await self._db.alone(CHECK_WRITES, timeout_s=within_s)
        except NOT_NOW as error:
            reason = error.facts.get("reason") or str(error)
            return DatabaseNotWritable(
                reason=reason,
                way_out="Check the database's disk space, its standbys and its log; MindHit continues"
                " when it takes writes again.",
            )
        return None
