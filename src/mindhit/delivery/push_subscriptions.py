"""Browsers that show notices, and the key by which push services know this installation."""

from __future__ import annotations

import asyncio
from typing import Final
from uuid import UUID

from mindhit.db import ReadTx, Tx
from mindhit.delivery import configs, limits, store
from mindhit.delivery.channels import seal
from mindhit.delivery.configs import check_push_endpoint, check_push_keys
from mindhit.delivery.model import ChannelKind, SubscriptionId, SubscriptionNotFound
from mindhit.installation import installation_sealer
from mindhit.settings import Settings

_PURPOSE: Final = "vapid key"
_NAME: Final = "Browsers"


async def public_key(tx: Tx, settings: Settings) -> str:
    """Made when it is first asked for, and the same for as long as the database lives: a browser's
    subscription is bound to it."""
    if (known := await tx.maybe(store.push_subscriptions.VAPID)) is not None:
        return known.public
    public, private = await asyncio.to_thread(_new_key)
    sealed = installation_sealer(settings).seal(private, _PURPOSE)
    await tx.run(store.push_subscriptions.KEEP_VAPID, public, sealed)
    kept = await tx.one(store.push_subscriptions.VAPID)  # of two processes, the first one's
    return kept.public


def _new_key() -> tuple[str, str]:
    """Loads HTTP libraries for half a second."""
    from mindhit.delivery.senders.web_push import new_key  # noqa: PLC0415

    return new_key()


async def private_key(tx: ReadTx, settings: Settings) -> str | None:
    """Raises `SealBroken`."""
    known = await tx.maybe(store.push_subscriptions.VAPID)
    return None if known is None else installation_sealer(settings).open(known.private, _PURPOSE)


async def subscribe(
    tx: Tx,
    settings: Settings,
    user_id: UUID,
    device_id: UUID,
    *,
    endpoint: str,
    p256dh: str,
    auth: str,
) -> SubscriptionId:
    """Show notices in this browser. The first one makes the channel, switched on."""
    check_push_keys(p256dh, auth)
    added = store.push_subscriptions.AddedSubscription(
        user_id=user_id,
        endpoint=check_push_endpoint(endpoint, settings),
        p256dh=p256dh,
        auth=auth,
        device_id=device_id,
    )
    await tx.run(store.channels.LOCK_PERSON, user_id)
    id_ = await tx.one(store.push_subscriptions.ADD, added)
    await tx.run(store.push_subscriptions.TRIM, user_id, limits.SUBSCRIPTIONS)
    await tx.maybe(
        store.channels.ADD,
        store.channels.AddedChannel(
            user_id=user_id,
            kind=ChannelKind.WEBPUSH,
            name=_NAME,
            config=seal(settings, user_id, configs.Nothing()),
            enabled=True,
            kinds=None,
        ),
    )
    return SubscriptionId(id_)


async def unsubscribe(tx: Tx, user_id: UUID, subscription_id: SubscriptionId) -> None:
    if await tx.maybe(store.push_subscriptions.REMOVE, user_id, subscription_id) is None:
        raise SubscriptionNotFound
