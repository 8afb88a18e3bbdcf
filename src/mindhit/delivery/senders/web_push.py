"""Web Push: encrypted for each browser (RFC 8291), signed as this installation (VAPID, RFC 8292).

One channel is all browsers of a person. One that has unsubscribed is removed; the notice is delivered
if one browser's service took it. A repeat has the same `Topic`, by which a service replaces the one it
still holds, and the same tag, by which a browser replaces the one it shows.
"""

from __future__ import annotations

import asyncio
import base64
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

import msgspec
from cryptography.hazmat.primitives import serialization
from py_vapid import Vapid02, VapidException
from pywebpush import WebPusher, WebPushException

from mindhit.delivery.model import Outgoing, Subscription, SubscriptionId
from mindhit.delivery.reasons import Reason, ReasonCode, ServiceName
from mindhit.delivery.senders.failures import DeliveryFailed, DeliveryRefused, NoSubscriptions
from mindhit.delivery.senders.http import Poster

TTL_S: Final = 86_400  # how long a service keeps a notice for a browser that is off
PAYLOAD_BYTES: Final = 3000  # services take 4,096, encrypted
_TOKEN_S: Final = 12 * 3600  # a VAPID token may be valid for a day
_GONE: Final = frozenset({404, 410})
_AT_ONCE: Final = 5


@dataclass(slots=True)
class Pushed:
    """What became of a notice in each browser."""

    ok: list[SubscriptionId] = field(default_factory=list)
    gone: list[SubscriptionId] = field(default_factory=list)
    failures: list[DeliveryFailed | DeliveryRefused] = field(default_factory=list)

    def raise_if_none(self) -> None:
        """Raises what stopped it, unless one browser's service took it."""
        if self.ok:
            return
        retried = [each for each in self.failures if isinstance(each, DeliveryFailed)]
        raise next(iter(retried or self.failures), NoSubscriptions())


def new_key() -> tuple[str, str]:
    """A pair for VAPID: public as browsers want it, private as PEM."""
    key = Vapid02()
    key.generate_keys()
    point = key.public_key.public_bytes(
        serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    )
    public = base64.urlsafe_b64encode(point).rstrip(b"=").decode()
    return public, key.private_pem().decode()


async def send(
    poster: Poster,
    subscriptions: Sequence[Subscription],
    notice: Outgoing,
    *,
    private_key: str,
    subject: str,
) -> Pushed:
    """To every browser; what each of them answered."""
    payload = payload_of(notice)
    pushed, turns = Pushed(), asyncio.Semaphore(_AT_ONCE)

    async def push(to: Subscription) -> None:
        async with turns:
            try:
                body = await asyncio.to_thread(_encrypted, to, payload)
                headers = _headers(to, notice, private_key, subject)
                answer = await poster.post(
                    ServiceName.PUSH, to.endpoint, body=body, headers=headers, accepted=_GONE
                )
            except (DeliveryFailed, DeliveryRefused) as error:
                pushed.failures.append(error)
                return
        (pushed.gone if answer.status in _GONE else pushed.ok).append(to.id)

    await asyncio.gather(*map(push, subscriptions))
    return pushed


def payload_of(notice: Outgoing) -> bytes:
    """What the browser gets. The body is cut, then the title, until it fits."""
    title, body = notice.title, notice.body
    while True:
        payload = msgspec.json.encode(
            {
                "key": notice.key,
                "kind": notice.kind,
                "title": title,
                "body": body,
                "url": notice.url if len(notice.url or "") <= 1000 else None,
                "notice_id": str(notice.notice_id),
            }
        )
        over = len(payload) - PAYLOAD_BYTES
        if over <= 0:
            return payload
        # A character has up to 6 bytes, as an escape.
        if body:
            body = body[: max(0, len(body) - max(1, over // 6))]
        else:
            title = title[: max(1, len(title) - max(1, over // 6))]


def _encrypted(to: Subscription, payload: bytes) -> bytes:
    about = {"endpoint": to.endpoint, "keys": {"p256dh": to.p256dh, "auth": to.auth}}
    try:
        return bytes(WebPusher(about).encode(payload)["body"])
    except (WebPushException, ValueError) as error:
        raise DeliveryRefused(Reason(ReasonCode.BAD_SUBSCRIPTION)) from error


def _headers(to: Subscription, notice: Outgoing, private_key: str, subject: str) -> dict[str, str]:
    parts = urlsplit(to.endpoint)
    claims = {
        "sub": subject,
        "aud": f"{parts.scheme}://{parts.netloc}",
        "exp": int(time.time()) + _TOKEN_S,
    }
    try:
        signed = Vapid02.from_pem(private_key.encode()).sign(claims)
    except VapidException as error:
        raise DeliveryRefused(Reason(ReasonCode.BAD_PUSH_CONTACT)) from error
    topic = base64.urlsafe_b64encode(notice.id.bytes).rstrip(b"=").decode()  # 22 of at most 32
    return {
        **signed,
        "Content-Type": "application/octet-stream",
        "Content-Encoding": "aes128gcm",
        "TTL": str(TTL_S),
        "Urgency": "normal",
        "Topic": topic,
    }
