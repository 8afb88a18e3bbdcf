"""“Send me a test”: a notice over one channel, by the same job as any other, and what became of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Final
from uuid import UUID, uuid4

from mindhit.accounts import UserId, show_preferences
from mindhit.db import Database
from mindhit.delivery import store
from mindhit.delivery.job_types import SendTest
from mindhit.delivery.model import (
    ChannelId,
    ChannelNotFound,
    DeliveryId,
    NewNotice,
    NoticeKind,
    Status,
)
from mindhit.delivery.notices import add_deliveries, add_notice
from mindhit.delivery.texts import TEST_BODY, TEST_TITLE
from mindhit.work import enqueue

WAIT_S: Final = 25.0
_LOOK_EVERY_S: Final = 0.25
_OVER: Final = frozenset({Status.SENT, Status.DEAD})


@dataclass(frozen=True, slots=True)
class Tested:
    """`status` is PENDING where it is still on its way when nobody waits any longer."""

    status: str
    detail: str | None


async def test_channel(db: Database, user_id: UUID, channel_id: ChannelId) -> Tested:
    delivery_id = await _enqueue(db, user_id, channel_id)
    try:
        async with asyncio.timeout(WAIT_S):
            while True:
                found = await db.alone(store.deliveries.STATE, user_id, delivery_id)
                if not found or found[0].status in _OVER:
                    break
                await asyncio.sleep(_LOOK_EVERY_S)
    except TimeoutError:
        return Tested(Status.PENDING, None)
    if not found:
        raise ChannelNotFound  # removed meanwhile
    return Tested(found[0].status, found[0].last_error)


async def _enqueue(db: Database, user_id: UUID, channel_id: ChannelId) -> DeliveryId:
    async with db.transaction() as tx:
        if await tx.maybe(store.channels.SHOW, user_id, channel_id) is None:
            raise ChannelNotFound
        language = (await show_preferences(tx, UserId(user_id))).language
        notice = NewNotice(
            kind=NoticeKind.TEST,
            key=f"test:{uuid4()}",
            title=TEST_TITLE.get(language, TEST_TITLE["en"]),
            body=TEST_BODY.get(language, TEST_BODY["en"]),
        )
        notice_id = await add_notice(tx, user_id, notice)
        assert notice_id is not None
        await tx.maybe(store.notices.READ, user_id, notice_id)  # nobody needs it in the inbox
        [delivery_id] = await add_deliveries(tx, user_id, notice_id, [channel_id])
        await enqueue(tx, SendTest(user_id, delivery_id))
    return delivery_id
