"""Forgetting a person, and what every slice says about people who leave.

Each slice says what it would give (`EXPORT`: a file's name and the query that fills it, with the
person as its one parameter) and how it forgets (`erase`). Wiring hands both to here.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from mindhit import log
from mindhit.accounts import addresses, store
from mindhit.accounts.model import UserId
from mindhit.db import Database, Query, Tx

_log = log.get(__name__)

Exports = Mapping[str, Query[Any]]


class Erase(Protocol):
    """One slice forgets a person, in a transaction of its own; twice does no harm."""

    def __call__(self, tx: Tx, user_id: UUID, email: str, /) -> Awaitable[object]: ...


@dataclass(frozen=True, slots=True)
class Slices:
    """What all slices together give a person who leaves, and do to forget them."""

    export: Exports
    erase: tuple[Erase, ...]


async def erase_rows(db: Database, user_id: UserId, slices: Sequence[Erase]) -> None:
    """Forget a person, slice by slice, the account itself last: should this be cut off, the next
    try still knows whom to forget."""
    async with db.read() as tx:
        known = await tx.maybe(store.erasing.ADDRESSES_OF, user_id)
    if known is None:
        return
    spellings = {*known, *map(addresses.key, known)}
    for erase in slices:
        async with db.transaction() as tx:
            for address in sorted(spellings):
                await erase(tx, user_id, address)
    async with db.transaction() as tx:
        for address in known:
            await tx.run(store.links.DROP_SIGN_UPS, addresses.key(address))
        await tx.run(store.erasing.DELETE_PERSON, user_id)
    _log.info("a person was forgotten")
