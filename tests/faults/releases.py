"""Two releases of one program: the newer has a kind more, and other arguments for another kind."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mindhit.work import Handler, Work, job
from tests.faults import storm_jobs


@job("fault:new")
@dataclass(frozen=True, slots=True)
class New:
    """Only the new release has it."""

    token: int


@job("fault:changed")
@dataclass(frozen=True, slots=True)
class Changed:
    token: int


@job("fault:changed")
@dataclass(frozen=True, slots=True)
class ChangedSince:
    """The same kind with an argument that the old release cannot do without."""

    tokens: list[int]


async def new(work: Work[New]) -> None:
    async with work.settling() as tx:
        await storm_jobs.take_effect(tx, work.args.token, "new")


async def changed(work: Work[Changed]) -> None:
    async with work.settling() as tx:
        await storm_jobs.take_effect(tx, work.args.token, "changed")


async def changed_since(work: Work[ChangedSince]) -> None:
    async with work.settling() as tx:
        await storm_jobs.take_effect(tx, work.args.tokens[0], "changed")


RELEASES: dict[str, dict[type[Any], Handler]] = {
    "old": {**storm_jobs.JOBS, Changed: changed},
    "new": {**storm_jobs.JOBS, New: new, ChangedSince: changed_since},
}
