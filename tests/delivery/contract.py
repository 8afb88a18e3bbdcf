"""Notices of a person, the channels and browsers they come over, and what became of each."""

from __future__ import annotations

from uuid import uuid4

from mindhit import accounts, delivery
from mindhit.accounts import Person, Scope
from mindhit.db import Database
from mindhit.delivery import ChannelKind, NewNotice, NoticeKind, store
from tests.accounts.kit import HERE, settings
from tests.contract.slices import Contract, Ids
from tests.delivery.kit import BROWSER

_NOBODY = "00000000-0000-4000-8000-000000000000"
_WEBHOOK = {"kind": "webhook", "name": "mine", "config": {"url": "https://hooks.example/eve"}}
_PUSH = {"endpoint": "https://push.example/eve", "keys": BROWSER.keys}


async def life(db: Database, person: Person, canary: str) -> Ids:
    async with db.transaction() as tx:
        device, _ = await accounts.open_browser(tx, person.id, HERE)
        channel, _ = await delivery.add_channel(
            tx,
            settings(),
            person.id,
            ChannelKind.NTFY,
            name=canary,
            config={"topic": "mine", "server": f"https://{canary}.example"},
        )
        subscription = await delivery.subscribe(
            tx,
            settings(),
            person.id,
            device.id,
            endpoint=f"https://push.example/{canary}/{uuid4()}",
            p256dh=BROWSER.keys["p256dh"],
            auth=BROWSER.keys["auth"],
        )
        notice_id = await delivery.notify(
            tx,
            person.id,
            NewNotice(
                kind=NoticeKind.PRICE,
                key=canary,
                title=canary,
                body=canary,
                url=f"https://shop.example/{canary}",
                page_id=uuid4(),
            ),
        )
        await delivery.public_key(tx, settings())
        await tx.run(store.channels.NOTE_ERROR, person.id, channel.id, canary)
    # The link in a mail is a key itself: whoever has it may use it. Here it is one that nobody has.
    return {
        "token": "nobody.nothing",
        "notice_id": str(notice_id),
        "channel_id": str(channel.id),
        "subscription_id": str(subscription),
    }


CONTRACT = Contract(
    paths=("/v1/notices", "/v1/channels", "/v1/push"),
    public=frozenset(
        {"GET /v1/channels/unsubscribe/{token}", "POST /v1/channels/unsubscribe/{token}"}
    ),
    spent=frozenset(
        {"GET /v1/channels/unsubscribe/{token}", "POST /v1/channels/unsubscribe/{token}"}
    ),
    bodies={
        "POST /v1/channels": _WEBHOOK,
        "PATCH /v1/channels/{channel_id}": {"enabled": False},
        "PUT /v1/push/subscriptions": _PUSH,
    },
    scopes={
        Scope.API: frozenset(
            {
                "GET /v1/notices",
                "POST /v1/notices/read",
                "POST /v1/notices/{notice_id}/read",
                "GET /v1/channels",
                "GET /v1/push/key",
                "PUT /v1/push/subscriptions",
                "DELETE /v1/push/subscriptions/{subscription_id}",
            }
        ),
        Scope.EXTENSION: frozenset(
            {
                "GET /v1/notices",
                "POST /v1/notices/read",
                "POST /v1/notices/{notice_id}/read",
                "GET /v1/push/key",
                "PUT /v1/push/subscriptions",
                "DELETE /v1/push/subscriptions/{subscription_id}",
            }
        ),
    },
    life=life,
    no_ids={
        "token": "nobody.nothing",
        "notice_id": _NOBODY,
        "channel_id": _NOBODY,
        "subscription_id": _NOBODY,
    },
    not_exported={
        "channels.config": "encrypted, and of use to nobody else; kind and name are there",
        "push_subscriptions.p256dh": "a key of the browser, of use to nobody else",
        "push_subscriptions.auth": "a secret of the browser, of use to nobody else",
    },
)
