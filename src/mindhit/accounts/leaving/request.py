"""Asking to be erased: signed out at once, erased by a job moments later."""

from __future__ import annotations

from mindhit.accounts import audit, devices, store
from mindhit.accounts.job_types import Erase
from mindhit.accounts.leaving.erase import erase_person
from mindhit.accounts.model import (
    Event,
    Origin,
    OwnerNeeded,
    Person,
    PersonNotFound,
    Role,
    UserId,
)
from mindhit.db import Database, ReadTx, Tx
from mindhit.slices import Product
from mindhit.work import enqueue


async def check_erasable(tx: ReadTx, user_id: UserId) -> Person:
    """The person, or `OwnerNeeded` if they can't leave."""
    person = await tx.maybe(store.people.BY_ID, user_id)
    if person is None:
        raise PersonNotFound
    if person.role == Role.OWNER and await tx.one(store.people.COUNT) > 1:
        raise OwnerNeeded
    return person


async def ask_erasure(tx: Tx, user_id: UserId, origin: Origin) -> None:
    """From now on the person can't sign in, and none of their devices is accepted; a job does the
    rest. Its arguments hold only the id of the request, so that the queue keeps no trace of them."""
    person = await check_erasable(tx, user_id)
    erasure_id = await tx.one(store.erasure.ASK, user_id)
    await devices.sign_out_everywhere(tx, user_id)
    if person.role == Role.OWNER:
        await tx.run(store.links.DROP_OWNERS)
    await audit.note(tx, Event.ERASURE_ASKED, user_id, origin)
    await enqueue(tx, Erase(erasure_id))


async def erase_now(db: Database, user_id: UserId, origin: Origin, product: Product) -> None:
    """The same without a worker, for the command line."""
    async with db.transaction() as tx:
        await ask_erasure(tx, user_id, origin)
    await erase_person(db, user_id, product)
