"""Both transports from schedule to product; SQS as moto serves it over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from random import Random
from typing import Any
from uuid import uuid4

import pytest
from moto.server import ThreadedMotoServer

from mindhit.accounts import Person
from mindhit.clock import utc_now
from mindhit.crawl.executing.results import message_key
from mindhit.crawl.job_types import Execute, Relay, Sweep
from mindhit.crawl.recovery.sweeping import ORPHANED_IN_QUEUE_S
from mindhit.crawl.settings import CrawlSettings
from mindhit.crawl.transport.receiving import receive_tasks, receive_triggers
from mindhit.crawl.transport.relay import relay
from mindhit.crawl.transport.sqs import SqsQueue, SqsTransport
from mindhit.db import Database
from mindhit.settings import Settings
from mindhit.work import enqueue
from tests import servers
from tests.crawl.crashing import crasher
from tests.crawl.farm import Shop
from tests.crawl.kit import (
    HISTORY,
    PRODUCTS,
    config,
    do,
    later,
    open_shops,
    rows,
    run,
    states,
    watch,
    work_off,
)
from tests.crawl.wire import Wire, crawl_over

END = (
    PRODUCTS,
    HISTORY,
    "select status, count(*) from crawl_executions group by 1 order by 1",
)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=servers.free_port(), verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
async def sqs(endpoint: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    from aiobotocore.session import get_session

    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "for-tests")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    made: dict[str, str] = {}
    async with get_session().create_client(
        "sqs", region_name="us-east-1", endpoint_url=endpoint
    ) as client:
        for name in ("dead", "tasks", "triggers"):
            attributes = {}
            if name != "dead":
                arn = await client.get_queue_attributes(
                    QueueUrl=made["dead"], AttributeNames=["QueueArn"]
                )
                policy = {
                    "deadLetterTargetArn": arn["Attributes"]["QueueArn"],
                    "maxReceiveCount": 2,
                }
                attributes = {"RedrivePolicy": json.dumps(policy)}
            answer = await client.create_queue(
                QueueName=f"{name}-{uuid4().hex[:8]}", Attributes=attributes
            )
            made[name] = answer["QueueUrl"]
    return config(
        crawl_transport="sqs",
        sqs_endpoint=endpoint,
        sqs_task_queue=made["tasks"],
        sqs_trigger_queue=made["triggers"],
        crawl_user_agents=made["dead"],  # where the dead letters go, for the tests
        sqs_visibility=30,
    )


@pytest.mark.parametrize("half", [{"crawl_transport": "sqs"}, {"crawl_trigger": "message"}])
def test_a_queue_that_is_not_named_is_refused_at_start(half: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="MINDHIT_SQS_"):
        CrawlSettings(**half)


async def work_off_sqs(db: Database, settings: Settings) -> None:
    """Relay, receive and execute until nothing is left."""
    while True:
        async with db.transaction() as tx:
            await enqueue(tx, Relay())
        await work_off(db, settings)
        crawl = settings[CrawlSettings]
        assert crawl.sqs_task_queue is not None
        queue = SqsQueue(crawl.sqs_task_queue, crawl)
        received = await receive_tasks(db, queue, wait_s=0)
        await queue.close()
        await work_off(db, settings)
        if not received:
            return


async def test_both_transports_end_with_the_same_products(
    db: Database, ada: Person, sqs: Settings
) -> None:
    shop = Shop("127.0.0.51").add(*"abcd")
    ends = []
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.listing)
        for settings in (None, sqs):
            await run(db, ada, schedule)
            if settings is None:
                await work_off(db)
            else:
                await work_off_sqs(db, settings)
            ends.append(
                [[tuple(each) for each in await rows(db, sql)] for sql in (PRODUCTS, HISTORY)]
            )
            assert await states(db) == {("SEARCH", "SUCCESS"): 2, ("DETAIL", "SUCCESS"): 4}
            await rows(db, "truncate crawl_tasks, crawled_products, jobs cascade")
    assert ends[0] == ends[1]
    assert ends[0][0]


async def test_a_message_that_is_sent_twice_has_one_effect(
    db: Database, ada: Person, sqs: Settings
) -> None:
    """A crash after sending and before marking: the relay takes it again when its lease is over."""
    shop = Shop("127.0.0.52").add("a")
    crawl = sqs[CrawlSettings]
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.product("a"))
        await run(db, ada, schedule)
        transport = SqsTransport(crawl)
        await relay(db, transport, crawl)
        await rows(db, "update crawl_task_outbox set status = 'PROCESSING', available_at = now()")
        await rows(db, "update crawl_tasks set status = 'WAITING'")
        await relay(db, transport, crawl)
        assert await receive_tasks(db, transport.queue, wait_s=0) == 2
        await transport.close()
        await work_off(db, sqs)
    assert await states(db) == {("DETAIL", "SUCCESS"): 1}
    assert len(await rows(db, "select from crawl_executions")) == 1
    assert len([each for each in shop.site.asked if each != "/robots.txt"]) == 1


async def test_killed_between_sending_and_marking_a_message_comes_twice_and_has_one_effect(
    db: Database, database_url: str, ada: Person, sqs: Settings
) -> None:
    """Relays that are killed before each of their commits: one of them has sent and not marked."""
    crawl = sqs[CrawlSettings]
    assert crawl.sqs_task_queue is not None
    names = ("crawl_transport", "sqs_endpoint", "sqs_task_queue")
    settings = {name: getattr(crawl, name) for name in names}
    shops = [Shop(f"127.0.2.{at}").add("a") for at in range(1, 5)]
    async with open_shops(*shops):
        with crasher(database_url) as workers:
            for at, shop in enumerate(shops, 1):
                await run(db, ada, await watch(db, ada, shop.product("a")))
                crashed = await workers.run(at=at, when="before", settings=settings)
                assert crashed["code"] == -9, at
                await rows(db, "delete from jobs where kind = 'crawl:relay'")
        await later(db, seconds=61)
        transport = SqsTransport(crawl)
        await relay(db, transport, crawl)
        received = await receive_tasks(db, transport.queue, wait_s=0)
        await transport.close()
        await work_off(db, sqs)
    assert received > len(shops)
    assert await states(db) == {("DETAIL", "SUCCESS"): len(shops)}
    assert len(await rows(db, "select from crawl_executions")) == len(shops)


async def test_a_message_that_is_not_acknowledged_comes_again_and_an_unreadable_one_goes_to_the_dead_letters(
    db: Database, sqs: Settings
) -> None:
    crawl = sqs[CrawlSettings]
    assert crawl.sqs_task_queue is not None
    queue = SqsQueue(crawl.sqs_task_queue, crawl)
    dead = SqsQueue(crawl.crawl_user_agents[0], crawl)
    assert await queue.send([("key", "no message of ours")]) == {}
    assert not await queue.is_empty()
    [first] = await queue.receive(10, 0)
    assert await queue.receive(10, 0) == []  # invisible
    assert not await queue.is_empty()
    await queue.extend(first, 30)
    await queue.nack(first, 0)
    assert await receive_tasks(db, queue, wait_s=0) == 0
    assert await receive_tasks(db, queue, wait_s=0) == 0
    [given_up] = await dead.receive(10, 0)
    assert given_up.body == "no message of ours"
    await dead.ack(given_up)
    assert await dead.is_empty()
    await queue.close()
    await dead.close()
    assert await rows(db, "select from jobs where kind = 'crawl:execute'") == []


async def test_a_message_that_no_job_can_be_made_of_holds_up_no_other(
    db: Database, sqs: Settings
) -> None:
    crawl = sqs[CrawlSettings]
    assert crawl.sqs_task_queue is not None
    queue = SqsQueue(crawl.sqs_task_queue, crawl)
    messages = [
        json.dumps({"key": key, "user_id": str(uuid4()), "task_id": str(uuid4()), "domain": domain})
        for key, domain in (("a", "x.example"), ("b", ""), ("c", "y.example"))
    ]
    await queue.send([(each, each) for each in messages])
    assert await receive_tasks(db, queue, wait_s=0) == 2
    await queue.close()
    found = await rows(db, "select key from jobs where kind = 'crawl:execute' order by key")
    assert [each["key"] for each in found] == ["a", "c"]


async def test_triggers_start_runs_and_late_unknown_and_repeated_ones_do_not(
    db: Database, ada: Person, sqs: Settings
) -> None:
    crawl = sqs[CrawlSettings]
    assert crawl.sqs_trigger_queue is not None
    queue = SqsQueue(crawl.sqs_trigger_queue, crawl)
    schedule = await watch(db, ada, "https://shop.example/p/1")

    def trigger(**more: Any) -> str:
        envelope = {
            "id": str(uuid4()),
            "detail-type": "CrawlTrigger",
            "time": utc_now().isoformat(),
            "detail": {"schedulerId": str(schedule.id)},
        }
        return json.dumps(envelope | more)

    early = trigger()
    unknown = trigger(detail={"schedulerId": str(uuid4())})
    await queue.send([("1", early), ("2", early), ("3", unknown), ("4", trigger(time="never"))])
    assert await receive_triggers(db, queue, wait_s=0) == 3
    assert await states(db) == {("DETAIL", "WAITING"): 1}
    await rows(db, "update crawl_tasks set status = 'SUCCESS', finished_at = now()")
    old = (utc_now() - timedelta(minutes=5)).isoformat()
    await queue.send([("5", trigger(time=old))])
    assert await receive_triggers(db, queue, wait_s=0) == 1
    assert await states(db) == {("DETAIL", "SUCCESS"): 1}
    await rows(db, "update crawl_schedulers set status = 'INACTIVE'")
    await queue.send([("6", trigger())])
    assert await receive_triggers(db, queue, wait_s=0) == 1
    assert await states(db) == {("DETAIL", "SUCCESS"): 1}
    await rows(db, "update crawl_schedulers set status = 'ACTIVE'")
    await queue.send([("7", trigger())])
    assert await receive_triggers(db, queue, wait_s=0) == 1
    assert (await states(db))["DETAIL", "WAITING"] == 1
    await queue.close()


async def test_messages_that_are_duplicated_delayed_and_shuffled_leave_the_tables_of_a_serial_run(
    db: Database, ada: Person
) -> None:
    """Of first attempts, which fail, and of second ones, while they are under way and long after."""
    shop = Shop("127.0.0.53").add(*"abcdefgh")
    wire = Wire(Random(7), copies=20, at_once=60)
    ends = []
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.listing)
        for is_wild in (False, True):
            shop.refusals = {f"/product/{name}": 1 for name in "aceg"}
            await run(db, ada, schedule)
            if is_wild:
                await crawl_over(db, wire)
            else:
                await work_off(db)
                await later(db, seconds=31)
                await do(db, Relay())
            ends.append([[tuple(each) for each in await rows(db, sql)] for sql in END])
            await rows(db, "truncate crawl_tasks, crawled_products, jobs cascade")
    assert ends[0] == ends[1]
    assert ends[0][-1] == [("FAILED", 4), ("SUCCESS", 11)]
    assert wire.delivered > 150


async def test_a_message_of_the_last_attempt_does_not_bring_the_next_one_forward(
    db: Database, ada: Person
) -> None:
    shop = Shop("127.0.0.56", refusals={"/product/a": 1}).add("a")
    async with open_shops(shop):
        task_id = await run(db, ada, await watch(db, ada, shop.product("a")))
        await work_off(db)
        assert await states(db) == {("DETAIL", "RETRY"): 1}
        await do(db, Execute(ada.id, task_id, message_key(task_id, 1), shop.host))
        assert await states(db) == {("DETAIL", "RETRY"): 1}
        await do(db, Execute(ada.id, task_id, message_key(task_id, 2), shop.host))
        assert await states(db) == {("DETAIL", "SUCCESS"): 1}


async def test_a_message_waits_for_as_long_as_the_setting_says(db: Database, ada: Person) -> None:
    shop = Shop("127.0.0.55").add("a")
    slow = config(crawl_relay_delay=60)
    async with open_shops(shop):
        await run(db, ada, await watch(db, ada, shop.product("a")))
        await work_off(db, slow)
        assert await states(db) == {("DETAIL", "WAITING"): 1}
        await later(db, seconds=61)
        await do(db, Relay(), slow)
        assert await states(db) == {("DETAIL", "SUCCESS"): 1}


async def test_a_task_is_no_orphan_while_its_message_may_be_in_the_queue(
    db: Database, ada: Person, sqs: Settings
) -> None:
    crawl = sqs[CrawlSettings]
    transport = SqsTransport(crawl)
    await run(db, ada, await watch(db, ada, "https://shop.example/p/1"))
    await relay(db, transport, crawl)
    await rows(db, "delete from jobs")

    async def tries_after_a_sweep() -> int:
        await later(db, seconds=ORPHANED_IN_QUEUE_S + 1)
        await do(db, Sweep(), sqs)
        [task] = await rows(db, "select status, retry_count from crawl_tasks")
        assert task["status"] == "PUBLISHED"
        return int(task["retry_count"])

    assert await tries_after_a_sweep() == 0
    [received] = await transport.queue.receive(10, 0)
    assert await tries_after_a_sweep() == 0  # whoever has received it may still make a job of it
    await transport.queue.ack(received)
    assert await tries_after_a_sweep() == 1
    [again] = await transport.queue.receive(10, 0)
    assert again.body != received.body  # of the second attempt
    await transport.close()


async def test_the_sweep_goes_on_while_the_queue_is_away(db: Database, ada: Person) -> None:
    away = config(
        crawl_transport="sqs",
        sqs_task_queue="http://127.0.0.1:9/queue/tasks",
        sqs_endpoint="http://127.0.0.1:9",
    )
    shop = Shop("127.0.0.54").add("a")
    async with open_shops(shop):
        await run(db, ada, await watch(db, ada, shop.product("a")))
        await work_off(db)
    await rows(db, "update crawled_raws set status = 'PENDING', processed_at = null")
    await rows(db, "delete from crawled_products")
    await rows(db, "update crawl_tasks set status = 'PUBLISHED', finished_at = null")
    await later(db, hours=1)
    await do(db, Sweep(), away)
    assert len(await rows(db, PRODUCTS)) == 1
    assert await states(db) == {("DETAIL", "PUBLISHED"): 1}  # its message may be in the queue
