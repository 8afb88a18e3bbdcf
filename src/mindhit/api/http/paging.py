"""Paging: every list answers a page of items and the cursor of the next page.

A cursor is opaque to callers; to us it is the key of the last row they got. The next page starts
behind that key, so rows that are added or deleted in between are neither repeated nor skipped.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Generic, NamedTuple, Self, TypeVar
from uuid import UUID

import msgspec
from fastapi import Query
from pydantic import BaseModel, Field

from mindhit.errors import Invalid

Item = TypeVar("Item")
Row = TypeVar("Row")
Key = TypeVar("Key")

LARGEST_PAGE: Final = 200
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)

Limit = Annotated[int, Query(ge=1, le=LARGEST_PAGE, description="Most items on a page.")]
Cursor = Annotated[
    str | None, Query(max_length=500, description="`next_cursor` of the previous page.")
]


class ItemPage(BaseModel, Generic[Item]):
    items: list[Item]
    next_cursor: str | None = Field(description="Cursor of the next page; null on the last page.")

    @classmethod
    def of(cls, rows: Sequence[Row], limit: int, cursor_of: Callable[[Row], str]) -> Self:
        """Of `limit + 1` rows that were asked for; the model of an item reads them by attributes."""
        shown, next_cursor = cut(rows, limit, cursor_of)
        return cls.model_validate(
            {"items": shown, "next_cursor": next_cursor}, from_attributes=True
        )


class NotOurs(Invalid):
    """This cursor is not one that this server returned."""


class _TimeKey(NamedTuple):
    """Microseconds since 1970, as PostgreSQL keeps times, and the id that breaks ties."""

    at_us: int
    id: UUID


def encode(key: object) -> str:
    return base64.urlsafe_b64encode(msgspec.msgpack.encode(key)).decode().rstrip("=")


def decode(cursor: str, kind: type[Key]) -> Key:
    try:
        raw = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        return msgspec.msgpack.decode(raw, type=kind)
    except (binascii.Error, ValueError, msgspec.MsgspecError):
        raise NotOurs from None


def decode_number(cursor: str) -> int:
    """The key of a list that is ordered by a bigint."""
    number = decode(cursor, int)
    if not 0 <= number < 2**63:
        raise NotOurs
    return number


def encode_time(at: datetime, id_: UUID) -> str:
    """The key of a list that is ordered by a time and an id, to the microsecond."""
    return encode(_TimeKey((at - _EPOCH) // timedelta(microseconds=1), id_))


def decode_time(cursor: str) -> tuple[datetime, UUID]:
    at_us, id_ = decode(cursor, _TimeKey)
    try:
        return _EPOCH + timedelta(microseconds=at_us), id_
    except OverflowError:
        raise NotOurs from None


def after_time(cursor: str | None) -> tuple[datetime, UUID] | None:
    """Behind which row a page begins; None: with the first."""
    return decode_time(cursor) if cursor else None


def cut(
    rows: Sequence[Row], limit: int, cursor_of: Callable[[Row], str]
) -> tuple[Sequence[Row], str | None]:
    """A page and the cursor of the next one, of `limit + 1` rows that were asked for."""
    shown = rows[:limit]
    return shown, cursor_of(shown[-1]) if len(rows) > limit else None
