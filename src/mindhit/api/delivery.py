"""Notices, and the channels over which they come."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, Final, Literal
from uuid import UUID

from fastapi import APIRouter, Path, Response
from fastapi import Query as Parameter
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, computed_field

from mindhit import delivery
from mindhit.api.http.authentication import SIGNED_IN, BrowserCaller, PersonCaller, RecorderCaller
from mindhit.api.http.delivery_reason import DeliveryReason, reason_of
from mindhit.api.http.dependencies import AppSettings, Db
from mindhit.api.http.fields import one_line
from mindhit.api.http.paging import Cursor, Limit, cut, decode_time, encode_time
from mindhit.api.http.problems import documented
from mindhit.api.http.unsubscribe_page import HTML, Token, unsubscribe_page
from mindhit.clock import utc_now
from mindhit.delivery import (
    BadChannel,
    BadNoticeLink,
    ChannelExists,
    ChannelId,
    ChannelKind,
    ChannelNotFound,
    NoticeId,
    NoticeKind,
    NoticeNotFound,
    SubscriptionId,
    SubscriptionNotFound,
    TooManyChannels,
    unsubscribing,
)
from mindhit.delivery.limits import NAME, URL

router = APIRouter(tags=["notices"], responses=SIGNED_IN)
open_router = APIRouter(tags=["notices"])

Kind = Literal["reminder", "price", "usage", "retention", "test"]
Channels = Literal["webpush", "email", "ntfy", "webhook", "apprise"]
Name = Annotated[str, *one_line(NAME)]


class Notice(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: UUID
    kind: Kind
    title: str
    body: str
    url: str | None
    page_id: UUID | None
    read_at: datetime | None
    created_at: datetime


class NoticeList(BaseModel):
    """Newest first."""

    items: list[Notice]
    next_cursor: str | None = Field(description="Cursor of the next page; null on the last page.")
    unread: int = Field(description="How many are unread, on all pages.")
    quiet_since: datetime | None = Field(
        description="When your quiet hours began; null outside of them. Of what came before, show"
        " nothing until they end; of what came since, reminders: you chose their time."
    )
    quiet_until: datetime | None = Field(description="When your quiet hours end.")


class Channel(BaseModel):
    """Where it leads is never shown in full: topics, paths and tokens are secrets."""

    model_config = ConfigDict(from_attributes=True)

    id: UUID
    kind: Channels
    name: str
    target: str | None = Field(description="Its host, or what kind of service it is.")
    enabled: bool
    kinds: list[Kind] | None = Field(description="Kinds of notices it is for; null: all.")
    last_ok_at: datetime | None
    last_error: str | None = Field(description="Why the last notice didn't arrive.")
    created_at: datetime

    @computed_field(description="The same, to be translated; null where it has no code.")  # type: ignore[prop-decorator]
    @property
    def last_error_reason(self) -> DeliveryReason | None:
        return reason_of(self.last_error)


class ChannelList(BaseModel):
    items: list[Channel]
    offered: list[Channels] = Field(description="Kinds that this server can send over.")


class NewChannel(BaseModel):
    model_config = ConfigDict(extra="forbid")

    kind: Channels
    name: Name
    config: dict[str, Any] = Field(
        default={},
        description="ntfy: `topic`, `server`, `token`; webhook: `url`; apprise: `url`; others: nothing.",
        max_length=10,
    )
    enabled: bool = True
    kinds: list[Kind] | None = Field(default=None, max_length=10)


class AddedChannel(Channel):
    secret: str | None = Field(description="Of a webhook, to check signatures; shown this once.")


class ChannelChanges(BaseModel):
    model_config = ConfigDict(extra="forbid")

    name: Name = ""
    config: dict[str, Any] = Field(default={}, max_length=10)
    enabled: bool = True
    kinds: list[Kind] | None = Field(default=None, max_length=10)


class ChannelTest(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    status: Literal["SENT", "DEAD", "PENDING"]
    detail: str | None = Field(description="Why it didn't arrive.")

    @computed_field(description="The same, to be translated; null where it has no code.")  # type: ignore[prop-decorator]
    @property
    def reason(self) -> DeliveryReason | None:
        return reason_of(self.detail)


class PushKey(BaseModel):
    key: str = Field(description="`applicationServerKey` of a push subscription.")


class PushKeys(BaseModel):
    p256dh: Annotated[str, StringConstraints(max_length=200)]
    auth: Annotated[str, StringConstraints(max_length=100)]


class PushSubscription(BaseModel):
    """As a browser's `PushSubscription.toJSON()` has it."""

    endpoint: Annotated[str, StringConstraints(max_length=URL)]
    keys: PushKeys


class PushSubscribed(BaseModel):
    id: UUID


ChannelPath = Annotated[UUID, Path()]


@router.get("/notices", summary="List my notices")
async def list_notices(
    db: Db,
    caller: RecorderCaller,
    unread: Annotated[bool, Parameter(description="Only those not read yet.")] = False,
    kind: Annotated[Kind | None, Parameter(description="Only those of this kind.")] = None,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> NoticeList:
    behind = decode_time(cursor) if cursor else None
    async with db.read() as tx:
        found = await delivery.list_notices(
            tx,
            caller.user_id,
            unread=unread,
            behind=behind,
            limit=limit + 1,
            kind=NoticeKind(kind) if kind else None,
        )
        count = await delivery.count_unread(tx, caller.user_id)
        quiet = await delivery.quiet_now(tx, caller.user_id, utc_now())
    shown, next_cursor = cut(found, limit, lambda each: encode_time(each.created_at, each.id))
    items = [Notice.model_validate(each) for each in shown]
    since, until = quiet or (None, None)
    return NoticeList(
        items=items,
        next_cursor=next_cursor,
        unread=count,
        quiet_since=since,
        quiet_until=until,
    )


@router.post("/notices/read", summary="Mark all my notices as read", status_code=204)
async def read_all(db: Db, caller: RecorderCaller) -> None:
    async with db.transaction() as tx:
        await delivery.read_all_notices(tx, caller.user_id)


@router.post(
    "/notices/{notice_id}/read",
    summary="Mark a notice as read",
    responses=documented(NoticeNotFound),
)
async def read(db: Db, caller: RecorderCaller, notice_id: UUID) -> Notice:
    async with db.transaction() as tx:
        return Notice.model_validate(
            await delivery.read_notice(tx, caller.user_id, NoticeId(notice_id))
        )


@router.get("/channels", summary="List my channels")
async def list_channels(db: Db, settings: AppSettings, caller: PersonCaller) -> ChannelList:
    async with db.read() as tx:
        found = await delivery.list_channels(tx, settings, caller.user_id)
    return ChannelList(
        items=[Channel.model_validate(each) for each in found],
        offered=[each.value for each in delivery.offered(settings)],
    )


@router.post(
    "/channels",
    summary="Add a channel",
    status_code=201,
    responses=documented(BadChannel, ChannelExists, TooManyChannels),
)
async def add_channel(
    db: Db, settings: AppSettings, caller: BrowserCaller, asked: NewChannel
) -> AddedChannel:
    async with db.transaction() as tx:
        added, secret = await delivery.add_channel(
            tx,
            settings,
            caller.user_id,
            ChannelKind(asked.kind),
            name=asked.name,
            config=asked.config,
            enabled=asked.enabled,
            kinds=None if asked.kinds is None else [NoticeKind(each) for each in asked.kinds],
        )
    shown = Channel.model_validate(added)
    return AddedChannel(**shown.model_dump(), secret=secret)


@router.patch(
    "/channels/{channel_id}",
    summary="Change a channel",
    responses=documented(ChannelNotFound, BadChannel),
)
async def change_channel(
    db: Db,
    settings: AppSettings,
    caller: BrowserCaller,
    channel_id: ChannelPath,
    asked: ChannelChanges,
) -> Channel:
    """What is left out stays as it is. A webhook keeps its secret."""
    changes = asked.model_dump(exclude_unset=True)
    async with db.transaction() as tx:
        changed = await delivery.change_channel(
            tx, settings, caller.user_id, ChannelId(channel_id), changes
        )
    return Channel.model_validate(changed)


@router.delete(
    "/channels/{channel_id}",
    summary="Remove a channel",
    status_code=204,
    responses=documented(ChannelNotFound),
)
async def remove_channel(db: Db, caller: BrowserCaller, channel_id: ChannelPath) -> None:
    async with db.transaction() as tx:
        await delivery.remove_channel(tx, caller.user_id, ChannelId(channel_id))


@router.post(
    "/channels/{channel_id}/test",
    summary="Send me a test",
    responses=documented(ChannelNotFound),
)
async def test_channel(db: Db, caller: BrowserCaller, channel_id: ChannelPath) -> ChannelTest:
    """Sends a notice over this channel, whatever the hour. May take half a minute."""
    tested = await delivery.test_channel(db, caller.user_id, ChannelId(channel_id))
    return ChannelTest.model_validate(tested)


@router.get("/push/key", summary="Show this server's push key")
async def push_key(db: Db, settings: AppSettings, _: RecorderCaller) -> PushKey:
    async with db.transaction() as tx:
        return PushKey(key=await delivery.public_key(tx, settings))


@router.put(
    "/push/subscriptions",
    summary="Show notices in this browser",
    responses=documented(BadChannel),
)
async def subscribe(
    db: Db, settings: AppSettings, caller: RecorderCaller, asked: PushSubscription
) -> PushSubscribed:
    async with db.transaction() as tx:
        made = await delivery.subscribe(
            tx,
            settings,
            caller.user_id,
            caller.device_id,
            endpoint=asked.endpoint,
            p256dh=asked.keys.p256dh,
            auth=asked.keys.auth,
        )
    return PushSubscribed(id=made)


@router.delete(
    "/push/subscriptions/{subscription_id}",
    summary="Stop showing notices in a browser",
    status_code=204,
    responses=documented(SubscriptionNotFound),
)
async def unsubscribe(db: Db, caller: RecorderCaller, subscription_id: UUID) -> None:
    async with db.transaction() as tx:
        await delivery.unsubscribe(tx, caller.user_id, SubscriptionId(subscription_id))


@open_router.get(
    "/channels/unsubscribe/{token}",
    summary="Show the unsubscribe page for notification emails",
    response_class=Response,
    responses={**HTML, **documented(BadNoticeLink)},
)
async def ask_to_stop_mails(db: Db, settings: AppSettings, token: Token) -> Response:
    """Changes nothing: programs that check mails open every link."""
    user_id, _ = unsubscribing.read_token(settings, token)
    async with db.read() as tx:
        language = await unsubscribing.language_of(tx, user_id)
    return unsubscribe_page(_STOP_MAILS, language, "ask")


@open_router.post(
    "/channels/unsubscribe/{token}",
    summary="Unsubscribe from notification emails",
    response_class=Response,
    responses={**HTML, **documented(BadNoticeLink)},
)
async def stop_mails(db: Db, settings: AppSettings, token: Token) -> Response:
    """One click (RFC 8058): no sign-in, and no body is needed. Notices stay in the app."""
    user_id, channel_id = unsubscribing.read_token(settings, token)
    async with db.transaction() as tx:
        language = await unsubscribing.language_of(tx, user_id)
        await unsubscribing.unsubscribe(tx, user_id, channel_id)
    return unsubscribe_page(_STOP_MAILS, language, "done")


_STOP_MAILS: Final[dict[str, dict[str, str]]] = {
    "en": {
        "ask": "Stop notifications by email?",
        "button": "Stop these emails",
        "done": "You won’t get notifications by email any more.",
        "how": "They’re still in your inbox in MindHit. You can turn email on again in your settings.",
    },
    "ko": {
        "ask": "알림 메일을 그만 받을까요?",
        "button": "그만 받기",
        "done": "이제 알림을 메일로 보내지 않아요.",
        "how": "알림은 MindHit 알림함에 그대로 있어요. 설정에서 이메일을 다시 켤 수 있어요.",
    },
}
