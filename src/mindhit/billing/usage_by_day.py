"""What people see of their plan: usage day by day, and invoices."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from uuid import UUID
from zoneinfo import ZoneInfo

from mindhit import accounts
from mindhit.accounts import UserId
from mindhit.billing.ledger import current_period
from mindhit.billing.model import BadDays, Invoice, UsageDay
from mindhit.billing.store import ledger, stripe
from mindhit.db import ReadTx

MOST_DAYS: Final = 367  # that a year has: a leap year from noon to noon


async def usage_by_day(
    tx: ReadTx, user_id: UUID, first: date | None, last: date | None, now: datetime
) -> list[UsageDay]:
    """From `first` to `last`, both included, in the person's zone. By default the current period: of the
    day on which it began, what came after."""
    zone = ZoneInfo((await accounts.show_preferences(tx, UserId(user_id))).timezone)
    period = await current_period(tx, UserId(user_id), now)
    earliest = period.start if first is None else None
    first = first or period.start.astimezone(zone).date()
    last = last or max(first, now.astimezone(zone).date())
    if last < first or (last - first).days >= MOST_DAYS:
        raise BadDays
    try:
        start, end = (
            datetime.combine(day, time(), zone).astimezone(UTC)
            for day in (first, last + timedelta(days=1))
        )
    except OverflowError as error:  # the first and the last day there are
        raise BadDays from error
    return await tx.all(ledger.BY_DAY, user_id, max(start, earliest or start), end, zone.key)


async def list_invoices(
    tx: ReadTx, user_id: UUID, *, behind: tuple[datetime, UUID] | None, limit: int
) -> list[Invoice]:
    """Newest first."""
    at, id_ = behind or (None, None)
    return await tx.all(stripe.INVOICES, user_id, at, id_, limit)
