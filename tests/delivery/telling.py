"""Telling a person something over channels, and what became of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

from mindhit import delivery, wiring
from mindhit.accounts import Person
from mindhit.db import Database
from mindhit.delivery import ChannelId, ChannelKind, DeliveryId, NewNotice, NoticeId, NoticeKind
from mindhit.delivery.model import Outgoing
from mindhit.settings import Settings
from mindhit.work.testing import drain
from tests.accounts.kit import browser_of, rows
from tests.delivery.kit import BROWSER, Browser, config

NOTICE = NewNotice(
    kind=NoticeKind.PRICE,
    key="price:1",
    title="Kettle: 20 % less",
    body="It was 50 €, now it is 40 €.\n가격이 내렸어요.",
    url="https://shop.example/kettle",
)
OUTGOING = Outgoing(
    id=DeliveryId(uuid4()),
    user_id=uuid4(),
    channel_id=ChannelId(uuid4()),
    notice_id=NoticeId(uuid4()),
    channel_kind=ChannelKind.APPRISE,
    config="",
    was_sending=False,
    kind=NOTICE.kind,
    key=NOTICE.key,
    title=NOTICE.title,
    body=NOTICE.body,
    url=NOTICE.url,
    digest_id=None,
)


async def channel(
    db: Database, person: Person, kind: ChannelKind, settings: Settings, **of: Any
) -> tuple[UUID, str | None]:
    async with db.transaction() as tx:
        made, secret = await delivery.add_channel(
            tx, settings, person.id, kind, name="mine", config=of
        )
    return made.id, secret


async def tell(db: Database, person: Person, notice: NewNotice = NOTICE) -> UUID | None:
    async with db.transaction() as tx:
        return await delivery.notify(tx, person.id, notice)


async def work_off(db: Database, settings: Settings | None = None) -> None:
    await drain(db, wiring.product(settings or config()).jobs)


async def only_delivery(db: Database) -> dict[str, Any]:
    [found] = await rows(db, "select * from deliveries")
    return dict(found)


async def subscribe(db: Database, person: Person, url: str, of: Browser = BROWSER) -> None:
    async with browser_of(db, person, config()) as browser:
        assert (await browser.get("/v1/push/key")).status_code == 200  # a subscription needs it
        body = {"endpoint": url, "keys": of.keys}
        assert (await browser.put("/v1/push/subscriptions", json=body)).status_code == 200
