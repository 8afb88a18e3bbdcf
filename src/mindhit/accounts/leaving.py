"""A person leaves: out at once, forgotten in moments."""

from __future__ import annotations

from mindhit.accounts import audit, devices, store
from mindhit.accounts.erasing import erase_person
from mindhit.accounts.jobs import Erase
from mindhit.accounts.model import Event, Origin, OwnerNeeded, PersonNotFound, Role, UserId
from mindhit.db import Database, Tx
from mindhit.slices import Product
from mindhit.work import enqueue


async def ask_erasure(tx: Tx, user_id: UserId, origin: Origin) -> None:
    """From here on the person cannot sign in and no device of theirs is let in; a job does the
    rest. It knows the person only by the number of the request, so that no trace is left of them
    in the queue."""
    person = await tx.maybe(store.people.BY_ID, user_id)
    if person is None:
        raise PersonNotFound
    if person.role == Role.OWNER and await tx.one(store.people.COUNT) > 1:
        raise OwnerNeeded
    erasure_id = await tx.one(store.erasing.ASK, user_id)
    await devices.shut_out(tx, user_id)
    if person.role == Role.OWNER:
        await tx.run(store.links.DROP_OWNERS)
    await audit.note(tx, Event.ERASURE_ASKED, user_id, origin)
    await enqueue(tx, Erase(erasure_id))


async def erase_now(db: Database, user_id: UserId, origin: Origin, product: Product) -> None:
    """The same without a worker, for the command line."""
    async with db.transaction() as tx:
        await ask_erasure(tx, user_id, origin)
    await erase_person(db, user_id, product)
