"""Erasing a person: each slice deletes its rows, accounts last."""

from __future__ import annotations

from typing import Final

from mindhit import log
from mindhit.accounts import email_addresses, store
from mindhit.accounts.model import UserId
from mindhit.db import Database
from mindhit.errors import Upstream
from mindhit.slices import Product

RETRY_S: Final = 300.0  # after a slice's `leave` failed
_log = log.get(__name__)


class NotLeft(Upstream):
    """Something outside this server still has to be ended before the account can be erased."""


async def erase_person(db: Database, user_id: UserId, product: Product) -> None:
    """Run every slice's `leave`, then delete the person's rows slice by slice, the account last: if
    this is interrupted, the next run still knows whom to erase."""
    async with db.read() as tx:
        known = await tx.maybe(store.erasure.ADDRESSES_OF, user_id)
    if known is None:
        return
    for leave in product.leavers:
        try:
            await leave(db, user_id, product.settings)
        except Exception as failed:
            raise NotLeft(str(failed)) from failed
    spellings = {*known, *map(email_addresses.key, known)}
    for erase in product.erasers:
        async with db.transaction() as tx:
            for address in sorted(spellings):
                await erase(tx, user_id, address)
    async with db.transaction() as tx:
        for address in known:
            await tx.run(store.links.DROP_SIGN_UPS, email_addresses.key(address))
        await tx.run(store.erasure.DELETE_PERSON, user_id)
    _log.info("person erased")
