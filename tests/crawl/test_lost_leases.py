"""Workers that go on after their lease: stopped or cut off for so long that others have their jobs.

Stopped with SIGSTOP, as a process that a suspended or overloaded machine does not run. No renewal runs beside
these (`drain`), so nothing tells them what happened: each goes on exactly where it stopped.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

import pytest
from aiohttp import web

from mindhit.accounts import Person
from mindhit.crawl import metrics
from mindhit.crawl.jobs import make_transport
from mindhit.crawl.settings import CrawlSettings
from mindhit.crawl.transport.port import Message
from mindhit.crawl.transport.relay import LEASE_S, relay
from mindhit.db import Database, Tx
from mindhit.work.leases.rescuer import Rescuer
from tests.crawl.crashing import Crasher, crasher
from tests.crawl.farm import Shop
from tests.crawl.kit import config, later, open_shops, rows, run, watch, work_off

# Whether everything of one task is done, and was done once.
END = """
select t.status, t.retry_count, o.status as message,
       (select count(*) from crawl_executions where status = 'SUCCESS') as fetched,
       (select count(*) from crawl_executions where status = 'RUNNING') as fetching,
       (select count(*) from crawled_raws where status = 'PROCESSED') as raws,
       (select count(*) from crawled_product_history) as prices,
       (select count(*) from jobs where status in ('queued', 'running', 'dead')) as jobs
  from crawl_tasks t join crawl_task_outbox o on o.task_id = t.id"""
# The server ends the first connection that says of a task that it is done. A sequence counts also what is
# rolled back.
CUT_OFF_ONCE = (
    "create sequence cuts",
    """
    create function cut_off() returns trigger language plpgsql as
    $$ begin
      if nextval('cuts') = 1 then perform pg_terminate_backend(pg_backend_pid()); end if;
      return new;
    end $$""",
    """
    create trigger cut_off before update on crawl_tasks for each row
      when (new.status = 'SUCCESS') execute function cut_off()""",
)
DONE_ONCE = ("SUCCESS", 0, "SENT", 1, 0, 1, 1, 0)
SETTINGS = config()[CrawlSettings]


@pytest.fixture
def workers(database_url: str) -> Iterator[Crasher]:
    with crasher(database_url) as made:
        yield made


async def end(db: Database) -> tuple[object, ...]:
    [found] = await rows(db, END)
    return tuple(found)


async def stop(workers: Crasher, **where: object) -> int:
    """A worker that stopped after this commit."""
    pid: int = (await workers.run(when="after", stop=True, **where))["stopped"]
    return pid


async def go_on(workers: Crasher, pid: int) -> None:
    assert (await workers.run(**{"continue": pid}))["code"] == 0


async def lose_leases(db: Database) -> None:
    await later(db, seconds=LEASE_S + 1)
    assert await Rescuer(db).run_once() > 0


async def start(db: Database, ada: Person, shop: Shop) -> None:
    await run(db, ada, await watch(db, ada, shop.product("cup")))


async def outlive(db: Database, workers: Crasher, since: str) -> None:
    """A worker that stopped there goes on while another has its task; that one ends it."""
    first = await stop(workers, since=since, at=1)
    await rows(db, "delete from fetch_waits")
    await lose_leases(db)
    second = await stop(workers, since="agent", at=2)
    assert (await end(db))[:5] == ("RUNNING", 0, "SENT", 0, 1)
    await go_on(workers, first)
    assert (await end(db))[:5] == ("RUNNING", 0, "SENT", 0, 1)
    await go_on(workers, second)
    assert await end(db) == DONE_ONCE


@pytest.mark.parametrize(("since", "executions"), [("agent", 1), ("lookup", 2)])
async def test_stopped_before_it_starts_a_task_or_fetches_it_leaves_it_to_whoever_has_it_now(
    db: Database, workers: Crasher, ada: Person, since: str, executions: int
) -> None:
    shop = Shop("127.0.0.45").add("cup")
    async with open_shops(shop):
        await start(db, ada, shop)
        await outlive(db, workers, since)
    assert len(await rows(db, "select from crawl_executions")) == executions


async def test_stopped_before_it_puts_a_task_back_it_does_not_take_it_from_another(
    db: Database, workers: Crasher, ada: Person
) -> None:
    """The site asked the first for time."""
    shop = Shop("127.0.0.47").add("cup")
    wait = "insert into fetch_waits values ('127.0.0.47', now() + interval '1 hour')"
    async with open_shops(shop):
        await start(db, ada, shop)
        await rows(db, wait)
        await outlive(db, workers, "lookup")


async def test_cut_off_from_the_database_between_a_page_and_its_commit_it_is_fetched_again(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.48").add("cup")
    for statement in CUT_OFF_ONCE:
        await rows(db, statement)
    async with open_shops(shop):
        await start(db, ada, shop)
        await work_off(db)
        assert (await end(db))[:5] == ("RUNNING", 0, "SENT", 0, 1)
        await later(db, minutes=5)
        await work_off(db)
    assert await end(db) == DONE_ONCE


def before_page(shop: Shop, do: Callable[[], Awaitable[object]]) -> None:
    """What happens once, while the first page is asked for."""
    answer = shop.answer
    left = [do]

    async def do_then_answer(request: web.Request) -> web.StreamResponse:
        if left:
            await left.pop()()
        return await answer(request)

    shop.site.pages["*"] = do_then_answer


async def test_a_failure_after_the_lease_counts_for_nothing_and_raises_no_alert(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.49", refusals={"/product/cup": 1}).add("cup")
    before_page(shop, lambda: lose_leases(db))
    counter = metrics.FAILURE_PATH.labels("execute")
    before = counter._value.get()
    async with open_shops(shop):
        await start(db, ada, shop)
        await work_off(db)
    assert counter._value.get() == before
    assert await end(db) == DONE_ONCE


class Slow:
    """A queue that answers late: `do` happens before."""

    is_transactional = False

    def __init__(
        self, do: Callable[[Sequence[Message]], Awaitable[object]], problem: str | None
    ) -> None:
        self._do = do
        self._problem = problem

    async def publish(self, _tx: Tx | None, messages: Sequence[Message]) -> Mapping[str, str]:
        await self._do(messages)
        return {} if self._problem is None else {each.key: self._problem for each in messages}

    async def close(self) -> None:
        """Nothing is open."""


async def test_a_message_may_arrive_before_its_relay_has_written_that_it_was_sent(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.50").add("cup")

    async def deliver(messages: Sequence[Message]) -> None:
        async with db.transaction() as tx:
            await make_transport(SETTINGS).publish(tx, messages)
        await work_off(db)

    async with open_shops(shop):
        await start(db, ada, shop)
        await relay(db, Slow(deliver, None), SETTINGS)
    assert await end(db) == DONE_ONCE


@pytest.mark.parametrize("retries", [0, 3])
async def test_a_relay_that_fails_late_leaves_messages_alone_that_another_has_sent(
    db: Database, ada: Person, retries: int
) -> None:
    shop = Shop("127.0.0.50").add("cup")

    async def relay_elsewhere(_messages: Sequence[Message]) -> None:
        await later(db, seconds=LEASE_S + 1)
        await relay(db, make_transport(SETTINGS), SETTINGS)

    async with open_shops(shop):
        await start(db, ada, shop)
        settings = config(crawl_outbox_retries=retries)[CrawlSettings]
        await relay(db, Slow(relay_elsewhere, "no answer"), settings)
        assert (await end(db))[:3] == ("PUBLISHED", 0, "SENT")
        await work_off(db)
    assert await end(db) == DONE_ONCE
