"""Work behind recording: closing timelines, folding again, sweeps."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from mindhit.clock import utc_now
from mindhit.errors import NotFound
from mindhit.slices import Jobs, Product
from mindhit.tracking import closing, sweeping
from mindhit.tracking.kinds import Close, Forget, Refold, Sweep, Tidy
from mindhit.tracking.model import LogGone, SessionId
from mindhit.tracking.settings import TrackingSettings
from mindhit.work import Cancelled, Discard, Schedule, Snooze, Work

GLANCE_S: Final = 2.0  # between two looks whether the last events have come


async def close(work: Work[Close]) -> Snooze | Cancelled | None:
    session_id = SessionId(work.args.session_id)
    try:
        async with work.db.transaction() as tx:
            wait = await closing.close(tx, work.args.user_id, session_id)
    except NotFound:
        return Cancelled("the session was deleted")
    except Exception as error:
        if work.is_last_attempt:
            async with work.db.transaction() as tx:
                await closing.fail(tx, work.args.user_id, session_id, error)
        raise
    if wait is None:
        return None
    return Snooze(min(GLANCE_S, wait.total_seconds()), "the last events are on their way")


async def refold(work: Work[Refold]) -> Cancelled | Discard | None:
    async with work.db.transaction() as tx:
        try:
            await closing.refold(tx, work.args.user_id, SessionId(work.args.session_id))
        except NotFound:
            return Cancelled("the session was deleted")
        except LogGone as gone:
            return Discard(str(gone))
    return None


async def forget(work: Work[Forget]) -> None:
    await sweeping.forget(work.db, work.args.user_id)


async def sweep(work: Work[Sweep]) -> None:
    await sweeping.give_up_old_holes(work.db)
    await sweeping.rest_silent(work.db)
    await sweeping.stop_silent(work.db)
    await sweeping.fold_stale(work.db)


class _Tidier:
    def __init__(self, settings: TrackingSettings) -> None:
        days = settings.raw_event_retention
        self._keep = timedelta(days=days) if days else None

    async def __call__(self, work: Work[Tidy]) -> None:
        now = utc_now()
        await sweeping.make_partitions(work.db, now.date())
        await sweeping.drop_logs(work.db, now, self._keep)
        await sweeping.forget_everywhere(work.db)


def jobs(product: Product) -> Jobs:
    return {
        Close: close,
        Refold: refold,
        Forget: forget,
        Sweep: sweep,
        Tidy: _Tidier(product.settings[TrackingSettings]),
    }


def schedules(_: Product) -> tuple[Schedule, ...]:
    return (
        Schedule("tracking:sweep", Sweep(), every_s=60),
        Schedule("tracking:tidy", Tidy(), every_s=86_400),
    )
