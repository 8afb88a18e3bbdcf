"""Notices, channels and deliveries.

States of a delivery; a crash leaves it SENDING:

    PENDING ─▶ SENDING ─┬─▶ SENT
                 ▲      ├─▶ FAILED ─┐
                 └──────┼───────────┘ again after a while
                        └─▶ DEAD
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NewType
from uuid import UUID

from mindhit.errors import Broken, Conflict, Invalid, NotFound

NoticeId = NewType("NoticeId", UUID)
ChannelId = NewType("ChannelId", UUID)
DeliveryId = NewType("DeliveryId", UUID)
DigestId = NewType("DigestId", UUID)
SubscriptionId = NewType("SubscriptionId", UUID)


class NoticeKind(StrEnum):
    REMINDER = "reminder"
    PRICE = "price"
    USAGE = "usage"
    RETENTION = "retention"
    TEST = "test"


class ChannelKind(StrEnum):
    WEBPUSH = "webpush"
    EMAIL = "email"
    NTFY = "ntfy"
    WEBHOOK = "webhook"
    APPRISE = "apprise"


class Status(StrEnum):
    PENDING = "PENDING"
    SENDING = "SENDING"
    SENT = "SENT"
    FAILED = "FAILED"
    DEAD = "DEAD"


class NoticeNotFound(NotFound):
    """There is no such notification."""


class ChannelNotFound(NotFound):
    """There is no such channel."""


class SubscriptionNotFound(NotFound):
    """There is no such push subscription."""


class BadNoticeLink(NotFound):
    """This link is not valid."""


class BadChannel(Invalid):
    """These channel settings are not valid."""


class TooManyChannels(Conflict):
    """You can't have more channels. Remove one first."""


class ChannelExists(Conflict):
    """You already have a channel of this kind."""


class SenderBroke(Broken):
    """A notice could not be sent, for a reason of ours."""


class ChannelUnreadable(Conflict):
    """This channel's settings can't be decrypted. Enter them again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewNotice:
    """`key` says what it is about: `reminder:<page>:<count>`. With the same key it is told once."""

    kind: NoticeKind
    key: str
    title: str
    body: str = ""
    url: str | None = None
    page_id: UUID | None = None


@dataclass(frozen=True, slots=True)
class Notice:
    id: NoticeId
    kind: str
    title: str
    body: str
    url: str | None
    page_id: UUID | None
    read_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Channel:
    """As it is stored; `config` is encrypted."""

    id: ChannelId
    kind: str
    name: str
    config: str
    enabled: bool
    kinds: list[str] | None
    last_ok_at: datetime | None
    last_error: str | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Subscription:
    """One browser of a person that shows notices."""

    id: SubscriptionId
    endpoint: str
    p256dh: str
    auth: str


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A notice on its way over one channel. `id` is the same for every repeat: services that take a
    key to recognise a repeat get this one. With a `digest_id` it stands for several."""

    id: DeliveryId
    user_id: UUID
    channel_id: ChannelId
    notice_id: NoticeId
    channel_kind: str
    config: str
    was_sending: bool
    kind: str
    key: str
    title: str
    body: str
    url: str | None
    digest_id: DigestId | None
