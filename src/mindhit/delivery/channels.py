"""A person's channels: adding, changing, removing. Where one leads is encrypted, and never shown.

What can be seen of it is its host, its scheme or the person's own address: enough to know it by.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from mindhit.db import ReadTx, Tx
from mindhit.delivery import configs, limits, store
from mindhit.delivery.configs import Config
from mindhit.delivery.model import (
    Channel,
    ChannelExists,
    ChannelId,
    ChannelKind,
    ChannelNotFound,
    ChannelUnreadable,
    NoticeKind,
    TooManyChannels,
)
from mindhit.delivery.reasons import Reason, ReasonCode
from mindhit.installation import installation_sealer
from mindhit.sealing import SealBroken
from mindhit.settings import Settings


@dataclass(frozen=True, slots=True)
class Shown:
    """A channel as its person sees it. `target` says where it leads, without what is secret."""

    id: ChannelId
    kind: str
    name: str
    target: str | None
    enabled: bool
    kinds: list[str] | None
    last_ok_at: datetime | None
    last_error: str | None
    created_at: datetime


async def list_channels(tx: ReadTx, settings: Settings, user_id: UUID) -> list[Shown]:
    found = await tx.all(store.channels.LIST, user_id)
    return [_shown(settings, user_id, each) for each in found]


async def add_channel(
    tx: Tx,
    settings: Settings,
    user_id: UUID,
    kind: ChannelKind,
    *,
    name: str,
    config: Mapping[str, Any],
    enabled: bool = True,
    kinds: list[NoticeKind] | None = None,
) -> tuple[Shown, str | None]:
    """The channel, and the secret of a webhook: it is shown this once."""
    checked = configs.check(kind, config, settings)
    await tx.run(store.channels.LOCK_PERSON, user_id)
    if await tx.one(store.channels.COUNT, user_id) >= limits.CHANNELS:
        raise TooManyChannels(most=limits.CHANNELS)
    added = await tx.maybe(
        store.channels.ADD,
        store.channels.AddedChannel(
            user_id=user_id,
            kind=kind,
            name=name,
            config=seal(settings, user_id, checked),
            enabled=enabled,
            kinds=None if kinds is None else [*map(str, kinds)],
        ),
    )
    if added is None:
        raise ChannelExists(kind=kind)
    return _shown(settings, user_id, added), configs.secret_of(checked)


async def change_channel(
    tx: Tx, settings: Settings, user_id: UUID, channel_id: ChannelId, changes: Mapping[str, Any]
) -> Shown:
    """Change some of `name`, `config`, `enabled`, `kinds`, and keep the others. A webhook keeps its
    secret. The last error is forgotten: it was that of the channel as it was."""
    known = await tx.maybe(store.channels.LOCK, user_id, channel_id)
    if known is None:
        raise ChannelNotFound
    sealed = known.config
    if "config" in changes:
        kind = ChannelKind(known.kind)
        checked = configs.check(kind, changes["config"], settings)
        if kind is ChannelKind.WEBHOOK:
            checked = configs.keep_secret(checked, _opened_or_none(settings, user_id, known))
        sealed = seal(settings, user_id, checked)
    changed = await tx.one(
        store.channels.CHANGE,
        store.channels.ChangedChannel(
            user_id=user_id,
            id=channel_id,
            name=changes.get("name", known.name),
            config=sealed,
            enabled=changes.get("enabled", known.enabled),
            kinds=changes.get("kinds", known.kinds),
        ),
    )
    return _shown(settings, user_id, changed)


async def remove_channel(tx: Tx, user_id: UUID, channel_id: ChannelId) -> None:
    """What is still on its way over it is not sent."""
    if await tx.maybe(store.channels.REMOVE, user_id, channel_id) is None:
        raise ChannelNotFound


def seal(settings: Settings, user_id: UUID, config: Config) -> str:
    return installation_sealer(settings).seal(
        msgspec.json.encode(config).decode(), _purpose(user_id)
    )


def unseal(settings: Settings, user_id: UUID, sealed: str, kind: ChannelKind) -> Config:
    try:
        opened = installation_sealer(settings).open(sealed, _purpose(user_id))
    except SealBroken as error:
        raise ChannelUnreadable(way_out=error.way_out) from None
    try:
        return configs.decode(kind, opened)
    except msgspec.MsgspecError:  # as an older or newer release has it
        raise ChannelUnreadable from None


def _opened_or_none(settings: Settings, user_id: UUID, channel: Channel) -> Config | None:
    try:
        return unseal(settings, user_id, channel.config, ChannelKind(channel.kind))
    except ChannelUnreadable:
        return None


def _shown(settings: Settings, user_id: UUID, channel: Channel) -> Shown:
    config = _opened_or_none(settings, user_id, channel)
    return Shown(
        id=channel.id,
        kind=channel.kind,
        name=channel.name,
        target=None if config is None else configs.target_of(config),
        enabled=channel.enabled,
        kinds=channel.kinds,
        last_ok_at=channel.last_ok_at,
        last_error=str(Reason(ReasonCode.UNREADABLE)) if config is None else channel.last_error,
        created_at=channel.created_at,
    )


def _purpose(user_id: UUID) -> str:
    return f"channel of {user_id}"
