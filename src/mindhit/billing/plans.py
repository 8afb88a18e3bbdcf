"""Plans: those of the configuration, and writing them down when a process starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from mindhit.billing.model import FREE, Flag, Plan
from mindhit.billing.settings import BillingSettings, PlanSettings
from mindhit.billing.store import plans as store
from mindhit.db import Database, ReadTx
from mindhit.settings import Settings

_ALL: Final = tuple(Flag)
DEFAULTS: Final[Mapping[str, PlanSettings]] = {
    FREE: PlanSettings(
        name="Free",
        price_cents=0,
        token_limit=50_000,
        session_retention_days=30,
        max_concurrent_sessions=1,
        features=(Flag.MODELS,),
    ),
    "pro": PlanSettings(
        name="Pro",
        price_cents=1200,
        token_limit=500_000,
        max_concurrent_sessions=5,
        features=_ALL,
    ),
    "enterprise": PlanSettings(name="Enterprise", features=_ALL),
}


async def seed_plans(db: Database, settings: Settings) -> None:
    """What this server offers from now on; nothing where billing is off. Every process does it when it
    starts, so the database says to all of them, and to commands, whether there are limits."""
    chosen = settings[BillingSettings]
    offered = (chosen.plans or DEFAULTS) if chosen.billing else {}
    rows = {
        id_: store.OfferedPlan(
            id=id_,
            name=plan.name,
            price_cents=plan.price_cents,
            billing_period=plan.billing_period,
            token_limit=plan.token_limit,
            session_retention_days=plan.session_retention_days,
            max_concurrent_sessions=plan.max_concurrent_sessions,
            features=[str(flag) for flag in plan.features],
            stripe_prices=list(plan.stripe_prices),
            place=place,
        )
        for place, (id_, plan) in enumerate(offered.items())
    }
    async with db.transaction() as tx:
        for id_ in sorted(rows):  # in one order: several processes start at the same time
            await tx.run(store.OFFER, rows[id_])
        await tx.run(store.WITHDRAW, list(rows))


async def list_plans(tx: ReadTx) -> list[Plan]:
    """None where billing is off."""
    return await tx.all(store.OFFERED)
