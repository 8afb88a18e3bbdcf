"""The owner's routes on the queue."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import httpx2

from mindhit.api.http.paging import encode
from mindhit.db import Database, Write
from mindhit.work import Discard, JobId, Work, enqueue_many, job
from mindhit.work.testing import drain


@job("test:api", domain="domain")
@dataclass(frozen=True, slots=True)
class Visit:
    domain: str


async def refuse(work: Work[Visit]) -> Discard:
    return Discard("403 from the shop")


async def queue(db: Database, count: int) -> list[JobId]:
    async with db.transaction() as tx:
        return await enqueue_many(tx, [Visit(f"shop{n}.example") for n in range(count)])


async def test_pages_neither_repeat_nor_skip_while_jobs_arrive(
    client: httpx2.AsyncClient, db: Database
) -> None:
    first = await queue(db, 25)
    seen, cursor = [], None
    while True:
        page = (
            await client.get(
                "/v1/jobs", params={"limit": 10, "cursor": cursor} if cursor else {"limit": 10}
            )
        ).json()
        seen += [each["id"] for each in page["items"]]
        await queue(db, 3)
        cursor = page["next_cursor"]
        if cursor is None:
            break
    assert seen == sorted(first, reverse=True)


async def test_a_cursor_of_somebody_elses_making_is_refused(client: httpx2.AsyncClient) -> None:
    for forged in ("AAAA", "not base64!", "kgEC", encode(2**63), encode(-1)):
        answer = await client.get("/v1/jobs", params={"cursor": forged})
        assert answer.status_code == 422


async def test_a_dead_job_is_listed_retried_and_discarded(
    client: httpx2.AsyncClient, db: Database
) -> None:
    [first, second] = await queue(db, 2)
    await drain(db, {Visit: refuse})
    dead = (await client.get("/v1/jobs", params={"status": "dead"})).json()["items"]
    assert {(each["id"], each["last_error"]) for each in dead} == {
        (first, "403 from the shop"),
        (second, "403 from the shop"),
    }
    again = await client.post(f"/v1/jobs/{first}/retry")
    assert (again.status_code, again.json()["status"]) == (200, "queued")
    assert (await client.post(f"/v1/jobs/{first}/retry")).status_code == 409
    assert (await client.delete(f"/v1/jobs/{first}")).status_code == 409
    assert (await client.delete(f"/v1/jobs/{second}")).status_code == 204
    assert (await client.get(f"/v1/jobs/{second}")).status_code == 404


async def test_dead_jobs_are_retried_all_at_once_or_by_kind_and_error(
    client: httpx2.AsyncClient, db: Database
) -> None:
    await queue(db, 3)
    await drain(db, {Visit: refuse})

    async def retried(**only: str) -> int:
        answer = await client.post("/v1/jobs/retry", params=only)
        assert answer.status_code == 200
        number: int = answer.json()["retried"]
        return number

    assert await retried(kind="test:other") == 0
    assert await retried(error="timed out") == 0
    assert await retried(kind="test:api", error="from THE shop") == 3
    await drain(db, {Visit: refuse})
    assert await retried() == 3


async def test_a_queued_job_can_be_canceled_once(client: httpx2.AsyncClient, db: Database) -> None:
    [number] = await queue(db, 1)
    assert (await client.post(f"/v1/jobs/{number}/cancel")).json()["status"] == "canceled"
    assert (await client.post(f"/v1/jobs/{number}/cancel")).status_code == 409


async def test_stats_tell_depth_and_what_fails(client: httpx2.AsyncClient, db: Database) -> None:
    await queue(db, 2)
    await drain(db, {Visit: refuse})
    await queue(db, 3)
    stats = (await client.get("/v1/queues")).json()
    [depth] = stats["depths"]
    assert (depth["ready"], depth["dead"], depth["running"]) == (3, 2, 0)
    assert [each["dead"] for each in stats["failing_domains"]] == [1, 1]


async def test_metrics_show_what_keeps_the_queues_table_from_being_cleared(
    client: httpx2.AsyncClient, db: Database
) -> None:
    async def figure(name: str) -> float:
        lines = (await client.get("/metrics")).text.splitlines()
        [value] = [line.split()[1] for line in lines if line.startswith(f"{name} ")]
        return float(value)

    await queue(db, 40)
    async with db.transaction() as tx:  # with a number of its own: nothing newer is cleared away
        await tx.all(Write(int, "update jobs set lane = lane returning id"))
        assert 0 < await figure("mindhit_oldest_transaction_seconds") < 600
        # What a session did is counted in the shared figures when it says so.
        await tx.all(Write(object, "select pg_stat_force_next_flush()"))
    async with asyncio.timeout(20):
        while await figure("mindhit_jobs_dead_tuples") < 40:
            await asyncio.sleep(0.01)
    assert await figure("mindhit_oldest_transaction_seconds") == 0


async def test_metrics_show_the_queue(client: httpx2.AsyncClient, db: Database) -> None:
    await queue(db, 4)
    text = (await client.get("/metrics")).text
    assert 'mindhit_jobs{lane="default",queue="default",state="ready"} 4.0' in text
    assert "mindhit_http_requests_total" in text
