"""A person's schedules: adding, changing, removing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from mindhit import accounts, urls
from mindhit.accounts import UserId
from mindhit.crawl import store
from mindhit.crawl.model import (
    LONGEST_NAME,
    AlertRules,
    AlreadyWatched,
    BadSchedule,
    Schedule,
    ScheduleNotFound,
    SchedulerId,
    SchedulerStatus,
    TooManySchedules,
)
from mindhit.crawl.scheduling import cron as crons
from mindhit.crawl.sites import registry
from mindhit.db import ReadTx, Tx
from mindhit.fetching import domain_of

SHOWN_RUNS: Final = 3


@dataclass(frozen=True, slots=True)
class Preview:
    """What a schedule would be, before it is added."""

    runs: list[datetime]
    site: str | None
    target: str | None
    watched_by: SchedulerId | None


async def preview_schedule(
    tx: ReadTx,
    user_id: UUID,
    *,
    cron: str,
    now: datetime,
    timezone: str | None = None,
    url: str | None = None,
    site: str | None = None,
) -> Preview:
    """When it would run next, what would read it, and which schedule watches this page already."""
    if timezone is None:
        timezone = (await accounts.show_preferences(tx, UserId(user_id))).timezone
    plain = crons.check(cron, timezone)
    runs = crons.next_runs(plain, timezone, now, SHOWN_RUNS)
    if url is None:
        return Preview(runs, None, None, None)
    address = _address(url)
    chosen, target = registry.choose(address, site)
    known = await tx.maybe(store.schedulers.OF_URL, user_id, address)
    return Preview(runs, chosen.name, target.kind, known)


async def add_schedule(
    tx: Tx,
    user_id: UUID,
    url: str,
    *,
    cron: str,
    now: datetime,
    most: int,
    timezone: str | None = None,
    site: str | None = None,
    name: str | None = None,
    alerts: AlertRules | None = None,
) -> Schedule:
    """Watch a page. Due at the next time of its cron; `run` starts it earlier."""
    address = _address(url)
    chosen, target = registry.choose(address, site)
    if timezone is None:
        timezone = (await accounts.show_preferences(tx, UserId(user_id))).timezone
    plain = crons.check(cron, timezone)
    if await tx.one(store.schedulers.COUNT, user_id) >= most:
        raise TooManySchedules
    domain = domain_of(address)
    made = await tx.maybe(
        store.schedulers.ADD,
        store.schedulers.Added(
            user_id=user_id,
            name=(name or "").strip()[:LONGEST_NAME] or urls.title_from(address) or domain,
            seller=target.seller,
            site=chosen.name,
            target=target.kind,
            url=address,
            domain=domain,
            cron=plain,
            timezone=timezone,
            alerts=None if alerts is None else asdict(alerts),
            next_run_at=crons.next_run(plain, timezone, now),
        ),
    )
    if made is None:
        raise AlreadyWatched
    return await show_schedule(tx, user_id, SchedulerId(made))


async def show_schedule(tx: ReadTx, user_id: UUID, scheduler_id: SchedulerId) -> Schedule:
    found = await tx.maybe(store.schedulers.SHOW, user_id, scheduler_id)
    if found is None:
        raise ScheduleNotFound
    return found


async def list_schedules(
    tx: ReadTx, user_id: UUID, *, after: tuple[datetime, UUID] | None, limit: int
) -> list[Schedule]:
    at, id_ = after or (None, None)
    return await tx.all(store.schedulers.LIST, user_id, at, id_, limit)


async def change_schedule(
    tx: Tx, user_id: UUID, scheduler_id: SchedulerId, changes: Mapping[str, Any], now: datetime
) -> Schedule:
    """Change some of `name`, `cron`, `timezone`, `status`, `alerts`. A new time counts from now."""
    known = await show_schedule(tx, user_id, scheduler_id)
    timezone = changes.get("timezone", known.timezone)
    cron = crons.check(changes.get("cron", known.cron), timezone)
    status = changes.get("status", known.status)
    at = known.next_run_at
    was_active = known.status == SchedulerStatus.ACTIVE
    if (cron, timezone) != (known.cron, known.timezone) or not was_active:
        at = crons.next_run(cron, timezone, now)
    alerts = changes.get("alerts", known.alerts)
    await tx.one(
        store.schedulers.CHANGE,
        store.schedulers.Changed(
            user_id=user_id,
            id=scheduler_id,
            name=str(changes.get("name", known.name)).strip()[:LONGEST_NAME] or known.name,
            cron=cron,
            timezone=timezone,
            status=status,
            alerts=asdict(alerts) if isinstance(alerts, AlertRules) else alerts,
            next_run_at=at,
        ),
    )
    return await show_schedule(tx, user_id, scheduler_id)


async def remove_schedule(tx: Tx, user_id: UUID, scheduler_id: SchedulerId) -> None:
    """With all that it found and no other did: prices of a product that is watched by itself too are kept."""
    await tx.run(store.products.LEAVE_TO_OTHERS, user_id, scheduler_id)
    if await tx.maybe(store.schedulers.REMOVE, user_id, scheduler_id) is None:
        raise ScheduleNotFound


def _address(url: str) -> str:
    try:
        return urls.parse(url.strip()).partition("#")[0]
    except urls.NotAPage:
        raise BadSchedule("This is not the address of a page.", setting="url") from None
