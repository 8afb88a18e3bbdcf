"""Cursors: opaque to the caller, to us the key of the last row that was given.

Pages are cut by key, never by offset, so rows that come or go between two pages neither repeat
nor vanish.
"""

from __future__ import annotations

import base64
import binascii
from typing import Annotated, Generic, TypeVar

import msgspec
from fastapi import Query
from pydantic import BaseModel, Field

from mindhit.errors import Invalid

Item = TypeVar("Item")
Key = TypeVar("Key")

Limit = Annotated[int, Query(ge=1, le=200, description="Most items on the page.")]
Cursor = Annotated[
    str | None, Query(max_length=500, description="`next_cursor` of the page before.")
]


class Page(BaseModel, Generic[Item]):
    items: list[Item]
    next_cursor: str | None = Field(description="Cursor of the next page; null on the last one.")


class NotOurs(Invalid):
    """That cursor was not made by this server."""


def encode(key: object) -> str:
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(key)).decode().rstrip("=")


def decode(cursor: str, kind: type[Key]) -> Key:
    try:
        raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        key = msgspec.msgpack.decode(raw, type=kind)
    except (binascii.Error, ValueError, msgspec.MsgspecError):
        raise NotOurs from None
    if (
        isinstance(key, int) and not 0 <= key < 2**63
    ):  # no id of ours, nor one that could be asked for
        raise NotOurs
    return key
