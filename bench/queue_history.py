"""What a long history does to the claim: the same claims on an empty table and on a full one."""

import statistics
import time

from bench.queue_ours import Note
from bench.queue_stage import Side, Stage
from mindhit.db import Database
from mindhit.work import enqueue_many
from mindhit.work.claiming.claimer import Claimer

CLAIM = 10
_CHUNK = 500_000  # rows of one insert: progress is committed, and no transaction is endless
_FINISHED = """
insert into jobs (queue, kind, lane, args, status, attempts, max_attempts, run_after, created_at,
                  updated_at, finished_at)
select 'default', 'bench:note', 'default', '{"sent": 0}', 'succeeded', 1, 3, moment, moment,
       moment, moment
  from (select now() - make_interval(secs => n) as moment from generate_series(1, $1::int) n) past
"""


class Table:
    """A queue with so many finished jobs in it, and fresh ones to be claimed."""

    def __init__(self, db: Database) -> None:
        self._db = db
        self._claimer = Claimer(db, ["default"], "bench", by_domain=False)
        self.took_ms: list[float] = []

    async def fill(self, jobs: int) -> None:
        async with self._db.transaction() as tx:
            await enqueue_many(tx, [Note(0)] * jobs)

    async def claim(self) -> None:
        began = time.perf_counter()
        claimed = await self._claimer.claim(CLAIM)
        self.took_ms.append((time.perf_counter() - began) * 1000)
        if len(claimed) != CLAIM:
            raise RuntimeError(f"{len(claimed)} jobs were claimed where {CLAIM} were waiting")


async def measure(stage: Stage, ours: Side, history: int, claims: int) -> tuple[float, float]:
    """Median milliseconds of a claim of 10, with `history` finished rows and with none."""
    async with stage.database(ours) as full_dsn, stage.database(ours) as empty_dsn:
        await _write_history(stage, full_dsn, history)
        full, empty = await Database.open(full_dsn), await Database.open(empty_dsn)
        try:
            tables = [Table(full), Table(empty)]
            for table in tables:
                await table.fill(claims * CLAIM)
            for dsn in (full_dsn, empty_dsn):
                async with stage.connection(dsn) as connection:
                    await connection.execute("vacuum analyze jobs")
            for turn in range(claims):
                for table in tables if turn % 2 else reversed(tables):
                    await table.claim()
        finally:
            await full.close()
            await empty.close()
    warm = claims // 10
    with_history, without = (statistics.median(table.took_ms[warm:]) for table in tables)
    return with_history, without


async def _write_history(stage: Stage, dsn: str, rows: int) -> None:
    async with stage.connection(dsn) as connection:
        for start in range(0, rows, _CHUNK):
            await connection.execute(_FINISHED, min(_CHUNK, rows - start))
