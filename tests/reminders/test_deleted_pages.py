"""A page that was deleted is never announced, however far its reminder was on the way."""

from __future__ import annotations

from datetime import UTC, datetime

import httpx2
import pytest

from mindhit import reminders, wiring
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.work.testing import drain, pass_time
from tests.accounts.kit import rows
from tests.delivery.kit import Service, config, service
from tests.reminders.kit import PAGE, ntfy, run


async def test_a_deleted_page_is_never_announced_even_if_its_alarm_was_taken(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    await ntfy(db, ada, at.url)
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    wiring.install(wiring.product(config()))
    await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
    assert (await browser.delete(f"/v1/pages/{made['page_id']}")).status_code == 204
    await drain(db, wiring.product(config()).jobs)
    assert at.got == []
    assert await rows(db, "select * from alarms") == []
    assert (await browser.get("/v1/notices")).json()["items"] == []


@pytest.mark.parametrize("what", ["page", "folder"])
async def test_a_page_deleted_between_two_channels_is_not_announced_by_the_second(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service, what: str
) -> None:
    async with service() as late:
        late.status = 503
        await ntfy(db, ada, at.url)
        await ntfy(db, ada, late.url)
        made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
        await run(db)
        assert (len(at.got), len(late.got)) == (1, 1)
        [folder] = (await browser.get("/v1/folders")).json()["folders"]
        path = f"pages/{made['page_id']}" if what == "page" else f"folders/{folder['id']}"
        assert (await browser.delete(f"/v1/{path}")).status_code in {200, 204}
        late.status = 200
        await pass_time(db, 120)
        await drain(db, wiring.product(config()).jobs)
        assert (len(at.got), len(late.got)) == (1, 1)


async def test_a_page_deleted_by_sync_takes_its_alarm_along(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service
) -> None:
    await ntfy(db, ada, at.url)
    made = {"id": "from-a-phone", "address": PAGE, "title": "T", "kind": "link"}
    pushed = await browser.post(
        "/v1/sync/push?last_pulled_at=0", json={"pages": {"created": [made]}}
    )
    assert pushed.status_code == 200
    asked = await browser.post("/api/reminder/register-by-page", json={"page_id": "from-a-phone"})
    assert asked.status_code == 200
    wiring.install(wiring.product(config()))
    await reminders.run(db, fetch_limit=10, concurrency=1, now=datetime.now(UTC))
    now = (await browser.get("/v1/sync/pull?last_pulled_at=0")).json()["timestamp"]
    deleted = {"pages": {"deleted": ["from-a-phone"]}}
    assert (
        await browser.post(f"/v1/sync/push?last_pulled_at={now}", json=deleted)
    ).status_code == 200
    assert await rows(db, "select from alarms") == []
    await drain(db, wiring.product(config()).jobs)
    assert at.got == []


async def test_what_was_told_of_a_deleted_page_is_not_news_any_more(
    db: Database, browser: httpx2.AsyncClient
) -> None:
    """Browsers that poll the inbox show what is unread."""
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    await browser.post("/v1/reminders", json={"url": f"{PAGE}/2"})
    await run(db)
    assert (await browser.get("/v1/notices")).json()["unread"] == 2
    await browser.delete(f"/v1/pages/{made['page_id']}")
    inbox = (await browser.get("/v1/notices")).json()
    assert (inbox["unread"], len(inbox["items"])) == (1, 2)
