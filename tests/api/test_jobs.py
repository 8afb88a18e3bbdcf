"""The owner's routes on the queue."""

from __future__ import annotations

from dataclasses import dataclass

import httpx2

from mindhit.api.paging import encode
from mindhit.db import Database
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


async def test_metrics_show_the_queue(client: httpx2.AsyncClient, db: Database) -> None:
    await queue(db, 4)
    text = (await client.get("/metrics")).text
    assert 'mindhit_jobs{lane="default",queue="default",state="ready"} 4.0' in text
    assert "mindhit_http_requests_total" in text
