"""Recurring work: old notes are deleted."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from mindhit.notes import store
from mindhit.notes.settings import NotesSettings

from mindhit.clock import utc_now
from mindhit.slices import Jobs, Product
from mindhit.work import Lane, Schedule, Work, job

TIDY_EVERY_S = 3600


@job("notes:tidy", lane=Lane.LOW, key="name")
@dataclass(frozen=True, slots=True)
class Tidy:
    name: str = "all"


def jobs(product: Product) -> Jobs:
    kept = timedelta(days=product.settings[NotesSettings].note_retention)

    async def tidy(work: Work[Tidy]) -> None:
        async with work.settling() as tx:
            await tx.run(store.DELETE_OLD, utc_now() - kept)

    return {Tidy: tidy}


def schedules(_: Product) -> tuple[Schedule, ...]:
    return (Schedule("notes:tidy", Tidy(), every_s=TIDY_EVERY_S),)
