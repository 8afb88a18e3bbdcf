"""When a page comes back: 1, 2, 4 … 256 days after it was last shown. Pure: no clock, no database.

After the n-th time, the next is 2^(n-1) calendar days later in the person's time zone, at most 256. From
there:

    later of the planned time and now, plus the days
    → up to the full local hour, so never earlier than those days
    → out of quiet hours, to their end
    → away from the person's other alarms: as long as one is in the same hour, a few hours later

Where clocks jump, a time that does not exist is the first moment after the gap, and one that comes twice
is the first of the two.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

from mindhit.accounts import Preferences
from mindhit.clock import moment_of
from mindhit.delivery import quiet_until

LONGEST_DAYS: Final = 256
TRIES: Final = 50  # to find an hour of its own by chance
FALLBACK: Final = timedelta(days=7)  # then the first free hour after this
_HOUR: Final = timedelta(hours=1)
TONIGHT: Final = time(20)
MORNING: Final = time(9)


@dataclass(frozen=True, slots=True)
class Next:
    """`tries`: how often another alarm was in the way."""

    at: datetime
    tries: int = 0
    is_fallback: bool = False


def days_after(sending: int) -> int:
    """Days between the n-th sending and the next."""
    return min(1 << min(sending - 1, 16), LONGEST_DAYS)


def next_alarm(
    sending: int,
    planned: datetime,
    now: datetime,
    chosen: Preferences,
    hours: AbstractSet[datetime],
    random: Random,
    *,
    digest: bool = False,
) -> Next:
    """When the page comes back after its n-th sending. `hours` are those of the person's
    other alarms (`hour_of`). With `digest`, what quiet hours hold back stays at their end."""
    zone = chosen.zone
    base = max(planned, now).astimezone(zone).replace(tzinfo=None)
    wanted = full_hour(base + timedelta(days=days_after(sending)), zone)
    first = out_of_quiet(chosen, wanted)
    if digest and first != wanted:
        return Next(first)
    at = first
    for tries in range(TRIES + 1):
        if hour_of(at, zone) not in hours:
            return Next(at, tries)
        at = out_of_quiet(chosen, at + random.randint(1, 23) * _HOUR)
    at = out_of_quiet(chosen, first + FALLBACK)
    while hour_of(at, zone) in hours:
        at = out_of_quiet(chosen, at + _HOUR)
    return Next(at, TRIES, is_fallback=True)


def next_full_hour(now: datetime, chosen: Preferences) -> datetime:
    """For an alarm that is resumed after its time has passed."""
    zone = chosen.zone
    local = now.astimezone(zone).replace(tzinfo=None)
    return out_of_quiet(chosen, full_hour(local, zone))


def snoozed_until(wish: str, now: datetime, zone: ZoneInfo) -> datetime:
    """`1h`, `tonight`, `tomorrow` or `next_week`, as the person's clocks show it."""
    today = now.astimezone(zone).date()
    match wish:
        case "1h":
            return now + _HOUR
        case "tonight":
            tonight = moment_of(datetime.combine(today, TONIGHT), zone)
            return tonight if tonight > now else now + _HOUR
        case "tomorrow":
            return moment_of(datetime.combine(today + timedelta(days=1), MORNING), zone)
        case "next_week":
            monday = today + timedelta(days=7 - today.weekday())
            return moment_of(datetime.combine(monday, MORNING), zone)
    raise ValueError(wish)


def out_of_quiet(chosen: Preferences, at: datetime) -> datetime:
    return quiet_until(chosen, at) or at


def is_end_of_quiet(chosen: Preferences, at: datetime) -> bool:
    """Whether quiet hours end at this moment: an alarm of then may have been held back by them."""
    return quiet_until(chosen, at - timedelta(seconds=1)) == at


def full_hour(wall: datetime, zone: ZoneInfo) -> datetime:
    """The first moment, not before clocks show `wall`, at which they show a full hour."""
    while True:
        at = moment_of(_rounded_up(wall), zone)
        shown = at.astimezone(zone).replace(tzinfo=None)
        if shown == _rounded_up(shown):
            return at
        wall = shown  # the gap ended at half past: on to the next hour


def hour_of(at: datetime, zone: ZoneInfo) -> datetime:
    """The local hour that a moment is in, as the moment at which it began."""
    local = at.astimezone(zone)
    return at.astimezone(UTC) - timedelta(
        minutes=local.minute, seconds=local.second, microseconds=local.microsecond
    )


def _rounded_up(wall: datetime) -> datetime:
    down = wall.replace(minute=0, second=0, microsecond=0)
    return down if down == wall else down + _HOUR
