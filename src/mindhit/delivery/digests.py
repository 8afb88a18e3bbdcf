"""Several notices as one message: what quiet hours held back, for whoever wants it so.

Each notice is in the inbox and has a delivery for every channel, as ever. The deliveries of one channel
share a digest, are sent as one message under its id, and end alike.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID, uuid5

from mindhit import accounts
from mindhit.accounts import UserId
from mindhit.db import Database, Tx
from mindhit.delivery import store
from mindhit.delivery.at_once import Delivered, deliver
from mindhit.delivery.job_types import SendDigest
from mindhit.delivery.limits import RETRY_S
from mindhit.delivery.model import (
    ChannelId,
    DeliveryId,
    DigestId,
    NewNotice,
    NoticeId,
    Outgoing,
    Status,
)
from mindhit.delivery.notices import add_many_deliveries, put_many_into_inbox
from mindhit.delivery.sending import Sender
from mindhit.delivery.texts import digest_body, digest_title
from mindhit.work import enqueue_many

_NAMESPACE: Final = UUID("5d0f6f6c-8a0e-4b8e-9d33-1c1f7f3f5a52")


async def prepare_digest(
    tx: Tx, user_id: UUID, key: str, notices: Sequence[tuple[NewNotice, datetime]]
) -> list[NoticeId]:
    """The notices in the inbox, in their order, and their deliveries. Repeated with the same key,
    nothing is added, and what is no longer wanted is left out. Each with the time since when it is
    under way; see `at_once.prepare`."""
    told = await put_many_into_inbox(tx, [(user_id, notice) for notice, _ in notices])
    ids = [told[user_id, notice.key] for notice, _ in notices]
    channels = {
        kind: await tx.all(store.channels.FOR_KIND, user_id, kind)
        for kind in sorted({notice.kind for notice, _ in notices})
    }
    wanted = [
        (notice_id, channel_id, digest_id(user_id, key, channel_id))
        for notice_id, (notice, _) in zip(ids, notices, strict=True)
        for channel_id in channels[notice.kind]
    ]
    await add_many_deliveries(tx, user_id, wanted)
    digests = sorted({each for _, _, each in wanted})
    await tx.run(store.deliveries.LEAVE_DIGESTS, user_id, digests, ids)
    await tx.run(store.deliveries.START_OVER, user_id, ids, [since for _, since in notices])
    return ids


async def deliver_digest(
    db: Database, sender: Sender, user_id: UUID, key: str, notices: Sequence[NoticeId]
) -> Delivered:
    """One message over every channel that has not had it yet."""
    async with db.read() as tx:
        found = await tx.all(store.deliveries.OF_NOTICES, user_id, notices)
    done = Delivered(has_channels=bool(found))
    done.sent = [each.provider_id for each in found if each.status == Status.SENT]
    waiting = {
        digest_id(user_id, key, ChannelId(each.channel_id))
        for each in found
        if each.status not in {Status.SENT, Status.DEAD}
    }

    async def one(id_: DigestId) -> None:
        notice = await begin(db, sender, user_id, id_)
        await deliver(db, sender, notice, DeliveryId(id_), done)

    await asyncio.gather(*map(one, sorted(waiting)))
    return done


async def leave_digests(tx: Tx, user_id: UUID, done: Delivered) -> None:
    """What failed is tried again by itself, still as one message."""
    jobs = [SendDigest(user_id, each) for each in done.failed]
    await enqueue_many(tx, jobs, after_s=RETRY_S[0])


async def begin(db: Database, sender: Sender, user_id: UUID, id_: UUID) -> Outgoing | None:
    """The message, its deliveries marked as being sent; None where there is nothing left to send."""
    async with db.transaction() as tx:
        found = await tx.all(store.deliveries.BEGIN_DIGEST, user_id, id_)
        if not found:
            return None
        language = (await accounts.show_preferences(tx, UserId(user_id))).language
    return merged(found, DigestId(id_), language, f"{sender.public_url}/inbox")


def merged(found: Sequence[Outgoing], id_: DigestId, language: str, inbox: str) -> Outgoing:
    """One message of several: their titles, and the inbox to open. A single one stays as it is."""
    first = dataclasses.replace(
        found[0],
        id=DeliveryId(id_),
        digest_id=id_,
        was_sending=any(each.was_sending for each in found),
    )
    if len(found) == 1:
        return first
    return dataclasses.replace(
        first,
        key=f"digest:{id_}",
        title=digest_title(len(found), language),
        body=digest_body([each.title for each in found], language),
        url=inbox,
    )


def digest_id(user_id: UUID, key: str, channel_id: ChannelId) -> DigestId:
    """The same whenever it is made: what a service recognises a repeat by."""
    return DigestId(uuid5(_NAMESPACE, f"{user_id}/{key}/{channel_id}"))
