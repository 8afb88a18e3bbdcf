"""Jobs of billing: giving up on reservations whose process died, and reading what Stripe has."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final
from uuid import UUID

from mindhit import log
from mindhit.billing import ledger, syncing
from mindhit.billing.job_types import Sweep, SyncAll, SyncCustomer
from mindhit.billing.payments import is_selling
from mindhit.billing.store import stripe
from mindhit.db import Database
from mindhit.settings import Settings
from mindhit.slices import Jobs, Product
from mindhit.work import Discard, Lane, Schedule, Work, enqueue_many

SWEEP_EVERY_S: Final = 60
SYNC_EVERY_S: Final = 86_400
EVENTS_KEPT_DAYS: Final = 90  # Stripe repeats an event for three days
_FIRST: Final = UUID(int=0)
_log = log.get(__name__)


async def sweep(work: Work[Sweep]) -> None:
    lost = await ledger.expire(work.db)
    if lost:
        _log.warning("calls of models whose answer was never read", calls=lost)


@dataclass(frozen=True, slots=True)
class Handlers:
    settings: Settings

    async def sync_customer(self, work: Work[SyncCustomer]) -> Discard | None:
        if not is_selling(self.settings):
            return Discard("billing is switched off")
        is_known = await syncing.sync(work.db, self.settings, work.args.user_id)
        return None if is_known else Discard("the person no longer exists")

    async def sync_all(self, work: Work[SyncAll]) -> None:
        await work.db.alone(stripe.PRUNE_EVENTS, EVENTS_KEPT_DAYS)
        if is_selling(self.settings):
            await enqueue_all(work.db)


async def enqueue_all(db: Database) -> int:
    """A job for every customer; returns how many."""
    after, count = _FIRST, 0
    while found := await db.alone(stripe.CUSTOMERS, after):
        async with db.transaction() as tx:
            jobs = [SyncCustomer(each.customer_id, each.user_id) for each in found]
            await enqueue_many(tx, jobs, lane=Lane.LOW)
        after, count = found[-1].user_id, count + len(found)
    return count


def jobs(product: Product) -> Jobs:
    do = Handlers(product.settings)
    return {Sweep: sweep, SyncCustomer: do.sync_customer, SyncAll: do.sync_all}


def schedules(_: Product) -> tuple[Schedule, ...]:
    return (
        Schedule("billing:sweep", Sweep(), every_s=SWEEP_EVERY_S),
        Schedule("billing:sync", SyncAll(), every_s=SYNC_EVERY_S),
    )
