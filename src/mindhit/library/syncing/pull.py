"""What changed since a counter, in one snapshot, a few hundred rows at a time."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

import msgspec

from mindhit.db import Query, ReadTx
from mindhit.library import store
from mindhit.library.store.syncing import Counter
from mindhit.library.syncing.records import BadSync, SyncTooOld

FIRST: Final = 1  # the counter of a library that nobody has written
_encode = msgspec.json.Encoder().encode
_ROWS_AT_ONCE: Final = 200
_EVERYTHING: Final = 0


class AddedColumns(msgspec.Struct, frozen=True):
    table: str
    columns: list[str]


class Migration(msgspec.Struct, frozen=True, rename={"from_": "from"}):
    """What a client's newer schema has that its older one had not."""

    from_: int = 0
    tables: list[str] = []
    columns: list[AddedColumns] = []


@dataclass(frozen=True, slots=True)
class _Table:
    name: str
    rows: Query[Any]


_TABLES: Final = (
    _Table("folders", store.syncing.FOLDERS),
    _Table("pages", store.syncing.PAGES),
)


def read_migration(text: str | None) -> Migration | None:
    """WatermelonDB sends it as JSON, `null` where there is none. Raises `BadSync`."""
    try:
        return msgspec.json.decode(text, type=Migration | None) if text else None
    except msgspec.MsgspecError:
        raise BadSync("The migration is not valid.") from None


async def pull(
    tx: ReadTx, user_id: UUID, last_pulled_at: int | None, migration: Migration | None = None
) -> AsyncIterator[bytes]:
    """Pieces of the answer. Raises `SyncTooOld` before the first."""
    last = last_pulled_at or _EVERYTHING
    counter = await tx.maybe(store.syncing.COUNTER, user_id) or Counter(FIRST, 0)
    if last > counter.seq or _EVERYTHING < last < counter.floor:
        raise SyncTooOld
    yield b'{"changes":{'
    for number, table in enumerate(_TABLES):
        since = _EVERYTHING if migration and table.name in migration.tables else last
        yield b'%b"%b":{"created":' % (b"," if number else b"", table.name.encode())
        async for piece in _array(tx.stream(table.rows, user_id, since, True, [])):
            yield piece
        yield b',"updated":'
        added = _added_columns(migration, table.name)
        async for piece in _array(tx.stream(table.rows, user_id, since, False, added)):
            yield piece
        yield b',"deleted":'
        gone = tx.stream(store.syncing.DELETED, user_id, table.name, last or counter.seq)
        async for piece in _array(gone):
            yield piece
        yield b"}"
    yield b'},"timestamp":%d}' % counter.seq


def _added_columns(migration: Migration | None, table: str) -> list[str]:
    if migration is None:
        return []
    return [name for each in migration.columns if each.table == table for name in each.columns]


async def _array(rows: AsyncIterator[Any]) -> AsyncIterator[bytes]:
    waiting: list[bytes] = []
    separator = b"["
    async for row in rows:
        waiting.append(_encode(row))
        if len(waiting) == _ROWS_AT_ONCE:
            yield separator + b",".join(waiting)
            waiting, separator = [], b","
    if waiting:
        yield separator + b",".join(waiting)
        separator = b","
    yield b"[]" if separator == b"[" else b"]"
