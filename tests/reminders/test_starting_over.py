"""A page that was told of comes again when counting starts over: the same count is told anew."""

from __future__ import annotations

import httpx2
import pytest

from mindhit.accounts import Person
from mindhit.db import Database
from tests.delivery.kit import Service
from tests.reminders.kit import PAGE, alarm, later, ntfy, run


@pytest.mark.parametrize("has_channel", [True, False])
async def test_one_that_was_stopped_and_is_asked_for_again_is_told_again(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service, has_channel: bool
) -> None:
    if has_channel:
        await ntfy(db, ada, at.url)
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    await run(db)
    assert (await browser.delete(f"/v1/reminders/{made['page_id']}")).status_code == 204
    await browser.post("/v1/reminders", json={"url": PAGE})
    await run(db)
    assert (await alarm(db))["sent_count"] == 2
    assert len((await browser.get("/v1/notices")).json()["items"]) == 2
    ids = {got.json["sequence_id"] for got in at.got}
    assert len(ids) == len(at.got) == (2 if has_channel else 0)


@pytest.mark.parametrize("has_channel", [True, False])
async def test_one_that_is_to_come_more_often_is_told_at_every_count_again(
    db: Database, ada: Person, browser: httpx2.AsyncClient, at: Service, has_channel: bool
) -> None:
    if has_channel:
        await ntfy(db, ada, at.url)
    made = (await browser.post("/v1/reminders", json={"url": PAGE})).json()
    for told in (1, 2):
        await run(db)
        await later(db, days=3)
        assert len((await browser.get("/v1/notices")).json()["items"]) == told
    await browser.patch(f"/v1/reminders/{made['page_id']}", json={"sent_count": 1})
    for told in (3, 4):
        await run(db)
        await later(db, days=3)
        assert len((await browser.get("/v1/notices")).json()["items"]) == told
    assert (await alarm(db))["sent_count"] == 3
    assert len(at.got) == (4 if has_channel else 0)
