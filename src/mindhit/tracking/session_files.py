"""One session as a file to download, with times in the person's time zone."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import UTC, tzinfo
from uuid import UUID
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from mindhit import accounts
from mindhit.accounts import UserId
from mindhit.db import Database, ReadTx
from mindhit.tracking import rendering
from mindhit.tracking.model import SessionId
from mindhit.tracking.queries import session_detail
from mindhit.tracking.rendering import Format


@dataclass(frozen=True, slots=True)
class File:
    name: str
    body: bytes


async def export(db: Database, user_id: UUID, session_id: SessionId, format_: Format) -> File:
    """Rendered in a thread, and without a connection: a timeline may be long."""
    async with db.read() as tx:
        detail = await session_detail.show(tx, user_id, session_id)
        zone = await zone_of(tx, user_id)
    body = await asyncio.to_thread(rendering.render, detail, format_, zone)
    return File(rendering.file_name(detail, format_, zone), body)


async def zone_of(tx: ReadTx, user_id: UUID) -> tzinfo:
    """The time zone that a person chose; UTC where this machine does not know it."""
    chosen = await accounts.show_preferences(tx, UserId(user_id))
    try:
        return ZoneInfo(chosen.timezone)
    except (ZoneInfoNotFoundError, ValueError):
        return UTC
