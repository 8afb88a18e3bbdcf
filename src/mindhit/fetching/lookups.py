"""Looking up where jobs are on their way: those that ask at the same moment share one statement.

A worker starts what it claimed together, so a page costs a share of a round trip instead of one.
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from mindhit.db import Database
from mindhit.fetching import store
from mindhit.work import JobId


class _Asked(NamedTuple):
    job_id: JobId
    domain: str | None
    answer: asyncio.Future[store.Whereabouts]


class Lookups:
    """Of one process and its database."""

    def __init__(self) -> None:
        self._asked: list[_Asked] = []
        self._under_way: set[asyncio.Task[None]] = set()

    async def whereabouts(
        self, db: Database, job_id: JobId, domain: str | None
    ) -> store.Whereabouts:
        answer: asyncio.Future[store.Whereabouts] = asyncio.get_running_loop().create_future()
        self._asked.append(_Asked(job_id, domain, answer))
        if len(self._asked) == 1:  # it runs after everybody else who is ready now
            task = asyncio.create_task(self._look_up(db), name="lookup of jobs")
            self._under_way.add(task)
            task.add_done_callback(self._under_way.discard)
        return await answer

    async def _look_up(self, db: Database) -> None:
        asked, self._asked = self._asked, []
        try:
            found = await db.alone(
                store.WHEREABOUTS, [each.job_id for each in asked], [each.domain for each in asked]
            )
        except BaseException as error:
            for each in asked:
                if not each.answer.done():
                    each.answer.set_exception(_as_exception(error))
            if not isinstance(error, Exception):
                raise
            return
        for each, row in zip(asked, found, strict=True):
            if not each.answer.done():  # its job may have been stopped
                each.answer.set_result(row)


def _as_exception(error: BaseException) -> BaseException:
    """A cancelled lookup cancels those who wait for it."""
    return asyncio.CancelledError() if isinstance(error, asyncio.CancelledError) else error
