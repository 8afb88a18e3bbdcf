"""When a schedule runs next: cron with a time zone. Pure.

Five fields, at most every five minutes. A time that clocks skip runs at the end of the gap; of a time
that they show twice, the first. So 02:30 runs exactly once on both days on which clocks change.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from cronsim import CronSim, CronSimError

from mindhit.accounts.preferences import is_timezone
from mindhit.clock import moment_of
from mindhit.crawl.model import BadSchedule

SHORTEST: Final = timedelta(minutes=5)
_WATCHED_RUNS: Final = 400  # more than a day of the most frequent cron
_FIELDS: Final = 5
_LOOK_BACK: Final = timedelta(days=2)  # before any gap or overlap, and islands that skipped a day
_PLAIN: Final = re.compile(r"[0-9A-Za-z*,/#\- ]+")


def check(cron: str, timezone: str) -> str:
    """The expression as it is stored. Raises `BadSchedule`."""
    fields = cron.split()
    if not is_timezone(timezone):
        raise BadSchedule("There is no such time zone.", setting="timezone")
    if len(fields) != _FIELDS or not _PLAIN.fullmatch(cron.strip()):
        raise BadSchedule("Use five fields: minute, hour, day, month, weekday.", setting="cron")
    plain = " ".join(fields)
    runs = _walls(plain, datetime(2024, 1, 1))  # noqa: DTZ001  a wall clock
    before = next(runs, None)
    if before is None:
        raise BadSchedule("This schedule never runs.", setting="cron")
    for _, wall in zip(range(_WATCHED_RUNS), runs, strict=False):
        if wall - before < SHORTEST:
            raise BadSchedule(
                "A schedule can't run more often than every five minutes.", setting="cron"
            )
        before = wall
    return plain


def next_run(cron: str, timezone: str, now: datetime) -> datetime:
    """The first moment after `now` at which clocks in `timezone` show a time of `cron`, in UTC."""
    zone = ZoneInfo(timezone)
    local = now.astimezone(zone).replace(tzinfo=None)
    latest = datetime.min.replace(tzinfo=UTC)
    for wall in _walls(cron, local - _LOOK_BACK):
        at = moment_of(wall, zone)
        # Two wall times in one gap are the same moment; of a day that happens twice, the first counts.
        if at > now and at > latest:
            return at
        latest = max(latest, at)
    raise BadSchedule("This schedule never runs.", setting="cron")


def next_runs(cron: str, timezone: str, now: datetime, count: int) -> list[datetime]:
    """The first `count` of them, one after the other."""
    found: list[datetime] = []
    for _ in range(count):
        found.append(next_run(cron, timezone, found[-1] if found else now))
    return found


def _walls(cron: str, after: datetime) -> Iterator[datetime]:
    try:
        yield from CronSim(cron, after)
    except CronSimError:
        raise BadSchedule("This is not a cron expression.", setting="cron") from None
