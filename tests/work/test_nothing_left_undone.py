"""Work that commits while a handler is finishing is done, too: the reason for `again`.

Enqueuers write a fact and ask for its key to be drained, in one transaction; handlers take what
they see of their key and settle in one transaction. Were a conflict with a running job to do
nothing, facts that the running handler cannot see any more would be left for ever.
"""

from __future__ import annotations

import asyncio
import random
from dataclasses import dataclass

from mindhit.db import Contended, Database, Nothing, Write
from mindhit.work import Work, enqueue, job
from tests.work.kit import execute, rows, soon, working

KEYS = 1000
ENQUEUERS = 6
EACH = 500


@job("test:drain", key="key")
@dataclass(frozen=True, slots=True)
class Drain:
    key: int


ADD = Write(Nothing, "insert into pending (key) values ($1)")
TAKE = Write(int, "delete from pending where key = $1 returning key")


async def test_nothing_is_left_undone_when_enqueuers_and_handlers_race(database_url: str) -> None:
    callers = await Database.open(database_url, name="callers", size=ENQUEUERS)
    workers = await Database.open(database_url, name="workers", size=16)
    try:
        await execute(callers, "create table pending (key int not null)")
        await execute(callers, "create index on pending (key)")
        drained = 0
        everything = asyncio.Event()

        async def drain(work: Work[Drain]) -> None:
            nonlocal drained
            async with work.settling() as tx:
                taken = await tx.all(TAKE, work.args.key)
                await asyncio.sleep(0)  # facts may come in behind the one look at them
            drained += len(taken)
            if drained == ENQUEUERS * EACH:
                everything.set()

        async def ask(seed: int) -> None:
            chance = random.Random(seed)
            for number in range(EACH):
                # Half of it falls on a few keys, where callers and handlers meet all the time.
                key = chance.randrange(4 if number % 2 else KEYS)
                async with callers.transaction() as tx:
                    await tx.run(ADD, key)
                    await enqueue(tx, Drain(key))

        async with (
            working(workers, {Drain: drain}, concurrency=6, claim_size=20, poll_s=0.2),
            working(workers, {Drain: drain}, concurrency=6, claim_size=6, poll_s=0.2),
        ):
            await soon(asyncio.gather(*(ask(seed) for seed in range(ENQUEUERS))))
            await soon(everything.wait())
        assert await rows(callers, "select key from pending") == []
        ended = await rows(callers, "select status, count(*) as n from jobs group by status")
        assert [each["status"] for each in ended] == ["succeeded"]
    finally:
        await callers.close()
        await workers.close()


async def test_what_races_with_a_settlement_by_the_completer_is_not_lost_either(
    db: Database,
) -> None:
    """The same through the batched settle, which locks rows in another way."""
    seen: set[int] = set()
    everything = asyncio.Event()
    facts: dict[int, set[int]] = {key: set() for key in range(3)}

    async def look(work: Work[Drain]) -> None:
        seen.update(facts[work.args.key])
        if len(seen) == 600:
            everything.set()

    async def ask(seed: int) -> None:
        chance = random.Random(seed)
        for number in range(200):
            key = chance.randrange(3)
            try:
                async with db.transaction() as tx:
                    await enqueue(tx, Drain(key))
                    facts[key].add(seed * 1000 + number)
            except Contended:
                continue

    async with working(db, {Drain: look}, concurrency=3, poll_s=0.2):
        await soon(asyncio.gather(*(ask(seed) for seed in range(3))))
        await soon(everything.wait())
