"""The limit in bench/queue.py: our claim and our settle in a loop inside the database.

One session, no client, no Python: claim n; COMMIT; settle n; COMMIT; until nothing is left. The
statements are the engine's own, word for word, but that the claim gives back ids alone.
"""

import asyncio
import time

from bench.queue_stage import Drain, Side, Stage, ask, closed_gate, until_waiting
from mindhit.work import store

_CLAIM = store.CLAIM.sql.rpartition("returning")[0] + "returning id"
_INSTALL = f"""
create function bench_claim(text[], text[], float8[], float8[], int, uuid, text, float8)
returns setof bigint language plpgsql as $$
begin
  return query {_CLAIM};
end $$;

create function bench_settle(bigint[], uuid[])
returns table (settled bigint[], is_some_queued bool) language plpgsql as $$
begin
  return query {store.SUCCEED.sql};
end $$;

create procedure bench_drain(n int) language plpgsql as $$
declare
  lease uuid;
  ids bigint[];
begin
  loop
    lease := gen_random_uuid();
    ids := array(select claimed from bench_claim(
      array['default', 'default', 'default'], array['critical', 'default', 'low'],
      array[0, 0, 0], array[6, 3, 1], n, lease, 'bench', 30) as claimed order by 1);
    commit;
    exit when cardinality(ids) = 0;
    perform bench_settle(ids, array_fill(lease, array[cardinality(ids)]));
    commit;
  end loop;
end $$;
"""


async def drain(stage: Stage, ours: Side, jobs: int, size: int) -> Drain:
    """The same drain as everybody's; the barrier is the same lock on our table."""
    async with stage.database(ours) as dsn, stage.connection(dsn) as session:
        added = await ask(ours, "enqueue", dsn, jobs=jobs)
        await session.execute("vacuum analyze")
        await session.execute(_INSTALL)
        async with closed_gate(stage, dsn, ours.table) as watch:
            draining = asyncio.create_task(session.execute(f"call bench_drain({size})"))
            await until_waiting(watch, ours.table)
            before = stage.cpu_s()
            began = time.perf_counter()
        await draining
        took = time.perf_counter() - began
        postgres_us = (stage.cpu_s() - before) * 1e6 / jobs
        done = await session.fetchval(ours.count_done)
    if done != jobs:
        raise RuntimeError(f"the loop in SQL finished {done} of {jobs} jobs")
    return Drain(jobs / took, 0.0, postgres_us, jobs / added["seconds"])
