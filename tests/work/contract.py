"""Jobs, which belong to nobody but may mention somebody."""

from __future__ import annotations

from mindhit.accounts import Person
from mindhit.accounts.job_types import MailVerifyLink
from mindhit.db import Database
from mindhit.work import enqueue
from tests.contract.slices import Contract, Ids


async def life(db: Database, person: Person, _canary: str) -> Ids:
    """A job that waits and mentions the person."""
    async with db.transaction() as tx:
        job = await enqueue(tx, MailVerifyLink(person.id))
    return {"number": str(job)}


CONTRACT = Contract(
    paths=("/v1/jobs", "/v1/queues"),
    life=life,
    no_ids={"number": "1"},
    outlives={"jobs": "the job that erased the person knows only the number of the request"},
)
