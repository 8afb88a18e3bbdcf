"""Jobs of language: deleting old answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from mindhit.db import Tx
from mindhit.language import store
from mindhit.language.limits import ANSWERS_KEPT_DAYS
from mindhit.slices import Jobs, Product
from mindhit.work import Lane, Schedule, Work, job

SWEEP_EVERY_S: Final = 3600


@job("language:sweep", lane=Lane.LOW, key="name", attempts=3)
@dataclass(frozen=True, slots=True)
class Sweep:
    name: str = "all"


async def sweep(work: Work[Sweep]) -> None:
    await work.db.alone(store.PRUNE_ANSWERS, ANSWERS_KEPT_DAYS)


async def erase(tx: Tx, user_id: UUID, _email: str) -> None:
    await tx.run(store.ERASE_ANSWERS, user_id)
    await tx.maybe(store.DROP, user_id)


async def forget_answers(tx: Tx, user_id: UUID) -> None:
    """Delete what models answered about a person's texts; it is only kept so as not to pay twice."""
    await tx.run(store.ERASE_ANSWERS, user_id)


def jobs(_: Product) -> Jobs:
    return {Sweep: sweep}


def schedules(_: Product) -> tuple[Schedule, ...]:
    return (Schedule("language:sweep", Sweep(), every_s=SWEEP_EVERY_S),)
