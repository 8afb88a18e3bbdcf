"""Fetching has no routes. What it keeps belongs to sites and to jobs: a person's redirect goes with the
person's job."""

from __future__ import annotations

from mindhit.accounts import Person
from mindhit.accounts.job_types import MailVerifyLink
from mindhit.db import Database
from mindhit.fetching import store
from mindhit.work import enqueue
from tests.contract.slices import Contract, Ids


async def life(db: Database, person: Person, canary: str) -> Ids:
    """A job of the person's that a site redirected to an address with their name in it."""
    async with db.transaction() as tx:
        job = await enqueue(tx, MailVerifyLink(person.id))
        url = f"https://{canary}.example/"
        await tx.run(store.KEEP_REDIRECT, job, url, url, 1)
    return {}


CONTRACT = Contract(life=life)
