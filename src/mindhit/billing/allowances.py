"""What a person may use: asked of their plan, and its sibling that allows everything.

Self-hosted installations have billing off: no plan is offered, and `allowance` answers `UNLIMITED`.
"""

from __future__ import annotations

from typing import Final, Protocol
from uuid import UUID

from mindhit.billing.model import Allowance, Flag, NotInPlan, Subscription
from mindhit.billing.store import plans as store
from mindhit.db import ReadTx

UNLIMITED: Final = Allowance("unlimited", token_limit=None, features=frozenset(Flag), is_on=False)
_MONTHS: Final = {"monthly": 1, "yearly": 12}


class Allowances(Protocol):
    async def __call__(self, tx: ReadTx, user_id: UUID, /) -> Allowance: ...


async def unlimited(_tx: ReadTx, _user_id: UUID, /) -> Allowance:
    return UNLIMITED


async def allowance(tx: ReadTx, user_id: UUID, /) -> Allowance:
    """What the person's plan allows now."""
    found = await tx.maybe(store.PLAN_OF, user_id)
    if found is None:
        return UNLIMITED
    return Allowance(
        found.plan,
        found.token_limit,
        subscription=_subscription(found),
        sessions_at_once=found.max_concurrent_sessions,
        retention_days=found.session_retention_days,
        features=frozenset(found.features),
        status=found.status,
        is_granted=found.is_granted,
        cancel_at_period_end=found.cancel_at_period_end,
        name=found.name,
    )


async def require(tx: ReadTx, user_id: UUID, flag: Flag) -> None:
    """Raises `NotInPlan`."""
    allowed = await allowance(tx, user_id)
    if not allowed.has(flag):
        raise NotInPlan(flag=str(flag), plan=allowed.plan)


def _subscription(found: store.HasPlan) -> Subscription | None:
    if found.current_period_start is None:
        return None
    # Stripe says when the period ends; of one that was granted nobody does, and months are counted.
    end = None if found.is_granted else found.current_period_end
    return Subscription(found.current_period_start, _MONTHS[found.billing_period], end)
