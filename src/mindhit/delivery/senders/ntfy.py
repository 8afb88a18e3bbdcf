"""ntfy: publishing as JSON. Its answer has the id of the message; a repeat replaces the first."""

from __future__ import annotations

from typing import Any, Final

import msgspec

from mindhit.delivery.configs import Ntfy
from mindhit.delivery.model import Outgoing
from mindhit.delivery.reasons import ServiceName
from mindhit.delivery.senders.http import Poster

MESSAGE_BYTES: Final = 4000  # over 4,096 it becomes a file, or is refused where files are off
_TAGS: Final = {
    "reminder": "bell",
    "price": "moneybag",
    "usage": "bar_chart",
    "retention": "hourglass",
}


async def send(poster: Poster, config: Ntfy, notice: Outgoing) -> str | None:
    message: dict[str, Any] = {
        "topic": config.topic,
        "title": notice.title,
        "message": _cut(notice.body or notice.title),
        "sequence_id": str(notice.id),
    }
    if notice.url:
        message["click"] = notice.url
    if tag := _TAGS.get(notice.kind):
        message["tags"] = [tag]
    headers = {"Content-Type": "application/json"}
    if config.token:
        headers["Authorization"] = f"Bearer {config.token}"
    answer = await poster.post(
        ServiceName.NTFY, config.server, body=msgspec.json.encode(message), headers=headers
    )
    try:
        said = msgspec.json.decode(answer.body, type=dict[str, Any])
    except msgspec.MsgspecError:
        return None
    found = said.get("id")
    return found[:200] if isinstance(found, str) else None


def _cut(text: str) -> str:
    """Korean has three bytes a character: a note of 2,000 would be too long."""
    if len(text.encode()) <= MESSAGE_BYTES:
        return text
    return text.encode()[: MESSAGE_BYTES - 3].decode(errors="ignore").rstrip() + "…"
