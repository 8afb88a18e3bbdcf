"""What the jobs of this slice do, and when they run. Their arguments are in `job_types.py`."""

from __future__ import annotations

from datetime import timedelta

from mindhit.clock import utc_now
from mindhit.errors import NotFound
from mindhit.slices import Jobs, Product
from mindhit.tracking.forgetting import redacting
from mindhit.tracking.forgetting.forget import proceed
from mindhit.tracking.job_types import Close, Expire, Forget, Measure, Redact, Refold, Sweep, Tidy
from mindhit.tracking.maintenance import cleanup, plans, retention, sweeping
from mindhit.tracking.model import LogGone, SessionId
from mindhit.tracking.quotas import MEASURE_EVERY_S, measure
from mindhit.tracking.settings import TrackingSettings
from mindhit.tracking.timeline import closing, refolding
from mindhit.work import Cancelled, Discard, Schedule, Snooze, Work


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
    return Snooze(
        min(closing.CHECK_EVERY_S, wait.total_seconds()), "waiting for the session's last events"
    )


async def refold(work: Work[Refold]) -> Cancelled | Discard | None:
    async with work.db.transaction() as tx:
        try:
            session_id = SessionId(work.args.session_id)
            if not await redacting.redact_late(tx, work.args.user_id, session_id):
                await refolding.refold(tx, work.args.user_id, session_id)
        except NotFound:
            return Cancelled("the session was deleted")
        except LogGone as gone:
            return Discard(str(gone))
    return None


async def forget(work: Work[Forget]) -> None:
    await cleanup.forget(work.db, work.args.user_id)


async def redact(work: Work[Redact]) -> Snooze | None:
    if await proceed(work.db, work.args.user_id, work.args.id):
        return None
    return Snooze(0, "more sessions are to be redacted")


async def sweep(work: Work[Sweep]) -> None:
    await sweeping.sweep(work.db)


class _Tidier:
    def __init__(self, settings: TrackingSettings) -> None:
        days = settings.raw_event_retention
        self._keep = timedelta(days=days) if days else None

    async def __call__(self, work: Work[Tidy]) -> None:
        now = utc_now()
        await retention.create_partitions(work.db, now.date())
        await retention.drop_logs(work.db, now, self._keep)
        await retention.forget_deleted_sessions(work.db, now)
        await retention.drop_forgotten_ranges(work.db, now)
        await cleanup.forget_everywhere(work.db)


class _Measurer:
    def __init__(self, settings: TrackingSettings) -> None:
        self._quotas = settings.quotas

    async def __call__(self, work: Work[Measure]) -> None:
        await measure(work.db, self._quotas)


class _Expirer:
    def __init__(self, public_url: str) -> None:
        self._public_url = public_url

    async def __call__(self, work: Work[Expire]) -> Snooze | None:
        if await plans.keep_to_plans(work.db, utc_now(), self._public_url):
            return None
        return Snooze(0, "more sessions are to be deleted")


def jobs(product: Product) -> Jobs:
    return {
        Close: close,
        Refold: refold,
        Forget: forget,
        Redact: redact,
        Sweep: sweep,
        Expire: _Expirer(product.settings.public_url),
        Measure: _Measurer(product.settings[TrackingSettings]),
        Tidy: _Tidier(product.settings[TrackingSettings]),
    }


def schedules(_: Product) -> tuple[Schedule, ...]:
    return (
        Schedule("tracking:sweep", Sweep(), every_s=sweeping.SWEEP_EVERY_S),
        Schedule("tracking:expire", Expire(), every_s=plans.EVERY_S),
        Schedule("tracking:measure", Measure(), every_s=MEASURE_EVERY_S),
        Schedule("tracking:tidy", Tidy(), every_s=retention.TIDY_EVERY_S),
    )
