"""Webhooks, signed as Standard Webhooks has it.

webhook-id          the same for every repeat
webhook-timestamp   when it was sent, in seconds
webhook-signature   v1, and base64 of HMAC-SHA256 over "id.timestamp.body" with the secret's bytes
"""

from __future__ import annotations

import base64
import hmac
from datetime import datetime

import msgspec

from mindhit.delivery.configs import Webhook
from mindhit.delivery.model import Outgoing
from mindhit.delivery.reasons import ServiceName
from mindhit.delivery.senders.http import Poster


async def send(poster: Poster, config: Webhook, notice: Outgoing, now: datetime) -> None:
    content = {
        "type": f"notice.{notice.kind}",
        "timestamp": now.isoformat(),
        "data": {
            "notice_id": str(notice.notice_id),
            "kind": notice.kind,
            "key": notice.key,
            "title": notice.title,
            "body": notice.body,
            "url": notice.url,
        },
    }
    body = msgspec.json.encode(content)
    at = str(int(now.timestamp()))
    headers = {
        "Content-Type": "application/json",
        "webhook-id": str(notice.id),
        "webhook-timestamp": at,
        "webhook-signature": signature(config.secret, str(notice.id), at, body),
    }
    await poster.post(ServiceName.WEBHOOK, config.url, body=body, headers=headers)


def signature(secret: str, id_: str, timestamp: str, body: bytes) -> str:
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{id_}.{timestamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, "sha256")).decode()
