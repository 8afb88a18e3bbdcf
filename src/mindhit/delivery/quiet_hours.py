"""Quiet hours in a person's time zone: whether it is quiet, since when, and when that ends. Pure."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from mindhit.accounts import Preferences, is_quiet
from mindhit.clock import moment_of

_SEARCHED: Final = 3  # days; a gap in which clocks jump may swallow one end


def quiet_until(chosen: Preferences, now: datetime) -> datetime | None:
    """When the quiet hours that `now` is in are over, in UTC; None outside of them.

    An end that a change of clocks skips is the first moment after the gap; one that comes twice is the
    first of the two that is after `now`.
    """
    zone = chosen.zone
    local = now.astimezone(zone)
    if chosen.quiet_until is None or not is_quiet(chosen, local.time()):
        return None
    days = (local.date() + timedelta(days=day) for day in range(_SEARCHED))
    ends = (_moment(datetime.combine(day, chosen.quiet_until), zone, now) for day in days)
    return next(end for end in ends if end > now)


def quiet_since(chosen: Preferences, now: datetime) -> datetime | None:
    """When the quiet hours that `now` is in began, in UTC; None outside of them."""
    zone = chosen.zone
    local = now.astimezone(zone)
    if chosen.quiet_from is None or not is_quiet(chosen, local.time()):
        return None
    days = (local.date() - timedelta(days=day) for day in range(_SEARCHED))
    begins = (moment_of(datetime.combine(day, chosen.quiet_from), zone) for day in days)
    return next(begin for begin in begins if begin <= now)


def _moment(wall: datetime, zone: ZoneInfo, after: datetime) -> datetime:
    first = moment_of(wall, zone)
    return first if first > after else wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
