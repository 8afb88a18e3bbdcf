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
from mindhit.crawl.job_types import Execute, Relay
from mindhit.crawl.settings import CrawlSettings
from mindhit.crawl.transport.receiving import receive_tasks, receive_triggers
from mindhit.crawl.transport.relay import relay
from mindhit.crawl.transport.sqs import SqsQueue, SqsTransport
from mindhit.db import Database
from mindhit.settings import Settings
from mindhit.work import enqueue, enqueue_many
from tests import servers
from tests.crawl.crashing import crasher
from tests.crawl.farm import Shop
from tests.crawl.kit import (
    HISTORY,
    PRODUCTS,
    config,
    later,
    open_shops,
    rows,
    run,
    states,
    watch,
    work_off,
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
    await queue.extend(first, 30)
    await queue.nack(first, 0)
    assert await receive_tasks(db, queue, wait_s=0) == 0
    assert await receive_tasks(db, queue, wait_s=0) == 0
    [given_up] = await dead.receive(10, 0)
    assert given_up.body == "no message of ours"
    await dead.ack(given_up)
    assert await dead.receive(10, 0) == []
    await queue.close()
    await dead.close()
    assert await rows(db, "select from jobs where kind = 'crawl:execute'") == []


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
    await queue.send([("6", trigger())])
    assert await receive_triggers(db, queue, wait_s=0) == 1
    assert (await states(db))["DETAIL", "WAITING"] == 1
    await queue.close()


async def test_messages_that_are_duplicated_and_shuffled_leave_the_tables_of_a_serial_run(
    db: Database, ada: Person
) -> None:
    """Every message of a crawl five times, in any order, among messages of attempts that never were."""
    shop = Shop("127.0.0.53").add(*"abcdefgh")
    ends = []
    random = Random(7)
    async with open_shops(shop):
        schedule = await watch(db, ada, shop.listing)
        for is_wild in (False, True):
            await run(db, ada, schedule)
            for _ in range(12):
                await work_off(db)
                if not is_wild:
                    break
                tasks = await rows(db, "select id, domain, retry_count from crawl_tasks")
                messages = [
                    Execute(ada.id, each["id"], f"outbox-{each['id']}-{attempt}", each["domain"])
                    for each in tasks
                    for attempt in (1, 1, 1, 2, 9)
                ]
                random.shuffle(messages)
                async with db.transaction() as tx:
                    await enqueue_many(tx, messages)
            ends.append(
                [[tuple(each) for each in await rows(db, sql)] for sql in (PRODUCTS, HISTORY)]
            )
            executions = await rows(db, "select status, count(*) from crawl_executions group by 1")
            ends[-1].append([tuple(each) for each in executions])
            await rows(db, "truncate crawl_tasks, crawled_products, jobs cascade")
    assert ends[0] == ends[1]
