from dataclasses import dataclass

from mindhit.db import Database
from mindhit.work import Work, enqueue, job, kind_of
from mindhit.work.testing import drain, job_by_id

seen: list[int] = []


@job("test:note", key="n")
@dataclass(frozen=True, slots=True)
class Note:
    n: int


async def note(work: Work[Note]) -> None:
    async with work.settling():
        seen.append(work.args.n)


@job("test:host", domain="domain")
@dataclass(frozen=True, slots=True)
class Host:
    domain: str


async def host(work: Work[Host]) -> None:
    seen.append(1)


async def test_a_job_runs(db: Database) -> None:
    async with db.transaction() as tx:
        id_ = await enqueue(tx, Note(7))
        other = await enqueue(tx, Host("a.example"))
    assert await drain(db, {Note: note, Host: host}) == 2
    assert (await job_by_id(db, id_)).status == "succeeded"
    assert (await job_by_id(db, other)).status == "succeeded"
    assert sorted(seen) == [1, 7]
    assert kind_of(Note).name == "test:note"
