"""Telling a person something: in the app at once, over their channels outside of quiet hours."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Final
from uuid import UUID, uuid5

from mindhit.accounts import UserId, show_preferences
from mindhit.db import ReadTx, Tx
from mindhit.delivery import limits, store
from mindhit.delivery.job_types import Send
from mindhit.delivery.model import (
    ChannelId,
    DeliveryId,
    DigestId,
    NewNotice,
    Notice,
    NoticeId,
    NoticeKind,
    NoticeNotFound,
)
from mindhit.delivery.quiet_hours import quiet_since, quiet_until
from mindhit.delivery.reasons import Reason, ReasonCode
from mindhit.work import enqueue_many

READ_KEPT_DAYS: Final = 90  # in the inbox, after they were read
_NAMESPACE: Final = UUID("0b0f1f5e-6b6e-4f0c-9d0a-6d5a1c8f3b11")


async def notify(
    tx: Tx, user_id: UUID, notice: NewNotice, *, now: datetime | None = None
) -> NoticeId | None:
    """Put the notice into the inbox, and on its way over the channels that want its kind, in this
    transaction. None where one with this key was told before."""
    notice_id = await add_notice(tx, user_id, notice)
    if notice_id is None:
        return None
    channels = await tx.all(store.channels.FOR_KIND, user_id, notice.kind)
    deliveries = await add_deliveries(tx, user_id, notice_id, channels)
    if deliveries:
        now = now or datetime.now(UTC)
        end = await quiet_end(tx, user_id, now)
        jobs = [Send(user_id, each) for each in deliveries]
        await enqueue_many(tx, jobs, after_s=(end - now).total_seconds() if end else 0)
    return notice_id


async def quiet_end(tx: ReadTx, user_id: UUID, now: datetime) -> datetime | None:
    """When the person's quiet hours are over; None outside of them."""
    return quiet_until(await show_preferences(tx, UserId(user_id)), now)


async def quiet_now(tx: ReadTx, user_id: UUID, now: datetime) -> tuple[datetime, datetime] | None:
    """Since and until when it is quiet where the person is; None where it isn't."""
    chosen = await show_preferences(tx, UserId(user_id))
    since, end = quiet_since(chosen, now), quiet_until(chosen, now)
    return None if since is None or end is None else (since, end)


async def add_notice(tx: Tx, user_id: UUID, notice: NewNotice) -> NoticeId | None:
    """Into the inbox alone; texts are cut to what fits. None where one with this key is there."""
    return await tx.maybe(
        store.notices.ADD,
        store.notices.AddedNotice(
            user_id=user_id,
            kind=notice.kind,
            key=notice.key,
            title=notice.title[: limits.TITLE],
            body=notice.body[: limits.BODY],
            url=notice.url if len(notice.url or "") <= limits.URL else None,
            page_id=notice.page_id,
        ),
    )


async def put_many_into_inbox(
    tx: Tx, notices: Sequence[tuple[UUID, NewNotice]]
) -> dict[tuple[UUID, str], NoticeId]:
    """The same for several, of several people; answers the id of each by person and key, also of those
    that are there."""
    found = await tx.all(
        store.notices.ADD_MANY,
        store.notices.AddedNotices(
            user_ids=[user_id for user_id, _ in notices],
            kinds=[each.kind for _, each in notices],
            keys=[each.key for _, each in notices],
            titles=[each.title[: limits.TITLE] for _, each in notices],
            bodies=[each.body[: limits.BODY] for _, each in notices],
            urls=[each.url if len(each.url or "") <= limits.URL else None for _, each in notices],
            page_ids=[each.page_id for _, each in notices],
        ),
    )
    return {(each.user_id, each.key): each.id for each in found}


async def without_channels(tx: Tx, people: Iterable[UUID], kind: NoticeKind) -> set[UUID]:
    """Those of them whose inbox is their only channel for this kind."""
    return set(await tx.all(store.channels.WITHOUT_CHANNELS, [*people], kind))


async def withdraw(tx: Tx, user_id: UUID, page_ids: Sequence[UUID]) -> None:
    """For pages that were deleted, after it, in the same transaction: no channel announces them any
    more, also none that failed and would be tried again. What was told stays in the inbox, as read:
    browsers show what is not."""
    reason = str(Reason(ReasonCode.PAGE_DELETED))
    await tx.run(store.deliveries.WITHDRAW, user_id, page_ids, reason)
    await tx.run(store.notices.READ_OF_PAGES, user_id, page_ids)


async def retire_keys(tx: Tx, user_id: UUID, page_id: UUID, kind: NoticeKind) -> None:
    """What was told of this page no longer stands for what is to come: when counting starts over, the
    same keys come again."""
    await tx.run(store.notices.RETIRE_KEYS, user_id, page_id, kind)


async def is_under_way(tx: Tx, user_id: UUID, keys: Sequence[str]) -> bool:
    """Whether a channel has one of these notices, or may have it."""
    return await tx.one(store.deliveries.IS_UNDER_WAY, user_id, keys)


async def add_deliveries(
    tx: Tx, user_id: UUID, notice_id: NoticeId, channels: Sequence[ChannelId]
) -> list[DeliveryId]:
    """One for each channel, unless there is one."""
    return await add_many_deliveries(
        tx, user_id, [(notice_id, channel_id, None) for channel_id in channels]
    )


async def add_many_deliveries(
    tx: Tx, user_id: UUID, wanted: Sequence[tuple[NoticeId, ChannelId, DigestId | None]]
) -> list[DeliveryId]:
    """The same for several notices; those with the same digest go as one message."""
    return await tx.all(
        store.deliveries.ADD,
        user_id,
        [delivery_id(notice_id, channel_id) for notice_id, channel_id, _ in wanted],
        [notice_id for notice_id, _, _ in wanted],
        [channel_id for _, channel_id, _ in wanted],
        [digest_id for _, _, digest_id in wanted],
    )


def delivery_id(notice_id: NoticeId, channel_id: ChannelId) -> DeliveryId:
    """The same whenever it is made: what a service recognises a repeat by."""
    return DeliveryId(uuid5(_NAMESPACE, f"{notice_id}/{channel_id}"))


async def list_notices(
    tx: ReadTx,
    user_id: UUID,
    *,
    unread: bool,
    behind: tuple[datetime, UUID] | None,
    limit: int,
    kind: NoticeKind | None = None,
) -> list[Notice]:
    at, id_ = behind or (None, None)
    return await tx.all(store.notices.LIST, user_id, unread, kind, at, id_, limit)


async def count_unread(tx: ReadTx, user_id: UUID) -> int:
    return await tx.one(store.notices.COUNT_UNREAD, user_id)


async def read_notice(tx: Tx, user_id: UUID, notice_id: NoticeId) -> Notice:
    read = await tx.maybe(store.notices.READ, user_id, notice_id)
    if read is None:
        raise NoticeNotFound
    return read


async def read_all_notices(tx: Tx, user_id: UUID) -> None:
    await tx.run(store.notices.READ_ALL, user_id)
