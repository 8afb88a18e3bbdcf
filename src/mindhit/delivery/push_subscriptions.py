"""Browsers that show notices, and the key by which push services know this installation."""

from __future__ import annotations

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
    from mindhit.delivery.senders.web_push import new_key  # noqa: PLC0415  loads HTTP libraries

    if (known := await tx.maybe(store.VAPID)) is not None:
        return known.public
    public, private = new_key()
    await tx.run(store.KEEP_VAPID, public, installation_sealer(settings).seal(private, _PURPOSE))
    return (await tx.one(store.VAPID)).public  # of two processes, the first one's


async def private_key(tx: ReadTx, settings: Settings) -> str | None:
    """Raises `SealBroken`."""
    known = await tx.maybe(store.VAPID)
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
    added = store.AddedSubscription(
        user_id=user_id,
        endpoint=check_push_endpoint(endpoint, settings),
        p256dh=p256dh,
        auth=auth,
        device_id=device_id,
    )
    await tx.run(store.LOCK_PERSON, user_id)
    id_ = await tx.one(store.ADD_SUBSCRIPTION, added)
    await tx.run(store.TRIM_SUBSCRIPTIONS, user_id, limits.SUBSCRIPTIONS)
    await tx.maybe(
        store.ADD_CHANNEL,
        store.AddedChannel(
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
    if await tx.maybe(store.REMOVE_SUBSCRIPTION, user_id, subscription_id) is None:
        raise SubscriptionNotFound
