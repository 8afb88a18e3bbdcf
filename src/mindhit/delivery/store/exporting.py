"""What a person gets in the export of their account."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from mindhit.db import Query
from mindhit.delivery.model import DeliveryId, NoticeId


@dataclass(frozen=True, slots=True)
class ExportedNotice:
    id: NoticeId
    kind: str
    key: str
    title: str
    body: str
    url: str | None
    page_id: UUID | None
    read_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedChannel:
    id: UUID
    kind: str
    name: str
    enabled: bool
    kinds: list[str] | None
    last_ok_at: datetime | None
    last_error: str | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedDelivery:
    id: DeliveryId
    notice_id: NoticeId
    channel_id: UUID
    digest_id: UUID | None
    status: str
    attempts: int
    provider_id: str | None
    last_error: str | None
    tried_at: datetime | None
    sent_at: datetime | None
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class ExportedSubscription:
    id: UUID
    endpoint: str
    device_id: UUID | None
    last_ok_at: datetime | None
    created_at: datetime
    updated_at: datetime


NOTICES = Query(
    ExportedNotice,
    """
select id, kind, key, title, body, url, page_id, read_at, created_at, updated_at
  from notices where user_id = $1 order by created_at, id""",
)
CHANNELS = Query(
    ExportedChannel,
    """
select id, kind, name, enabled, kinds, last_ok_at, last_error, created_at, updated_at
  from channels where user_id = $1 order by created_at, id""",
)
DELIVERIES = Query(
    ExportedDelivery,
    """
select id, notice_id, channel_id, digest_id, status, attempts, provider_id, last_error, tried_at, sent_at,
       created_at, updated_at
  from deliveries where user_id = $1 order by created_at, id""",
)
SUBSCRIPTIONS = Query(
    ExportedSubscription,
    """
select id, endpoint, device_id, last_ok_at, created_at, updated_at
  from push_subscriptions where user_id = $1 order by created_at, id""",
)
