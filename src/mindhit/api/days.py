"""Where the time went, day by day: the same sums as `/totals`, cut at the reader's own midnights."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Annotated, Final

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from mindhit import tracking
from mindhit.api import access
from mindhit.api.access import ACCESS, Db
from mindhit.clock import utc_now
from mindhit.tracking import shapes

router = APIRouter(tags=["totals"], responses=ACCESS)
MOST_DAYS: Final = 42  # six whole weeks, as a calendar's page has them
EARLIEST, LATEST = date(2000, 1, 1), date(2200, 1, 1)


class DomainTime(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    domain: str
    focused_ms: int
    visits: int
    pages: int


class Day(BaseModel):
    date: date
    focused_ms: int = Field(description="Of all domains, listed or not.")
    visits: int
    domains: list[DomainTime] = Field(description="Most first.")


class Days(BaseModel):
    today: date = Field(description="In the time zone that I have chosen.")
    days: list[Day]


@router.get("/totals/days", summary="Time in the foreground by day and domain")
async def days(
    db: Db,
    caller: access.Me,
    from_: Annotated[date | None, Query(alias="from", ge=EARLIEST, le=LATEST)] = None,
    count: Annotated[int, Query(ge=1, le=MOST_DAYS)] = 7,
    limit: Annotated[int, Query(ge=1, le=100, description="Most domains of a day.")] = 20,
) -> Days:
    """The `count` days up to today where `from` is not given."""
    async with db.read() as tx:
        zone = await tracking.zone_of(tx, caller.user_id)
        today = utc_now().astimezone(zone).date()
        first = from_ or today - timedelta(days=count - 1)
        dates = [first + timedelta(days=number) for number in range(count + 1)]
        edges = [_midnight(each, zone) for each in dates]
        sums = await tracking.total_by_stretch(tx, caller.user_id, edges, limit)
    return Days(today=today, days=[_day(*each) for each in zip(dates, sums, strict=False)])


def _midnight(day: date, zone: tzinfo) -> datetime:
    """A day begins when its date does, however many hours it has."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def _day(day: date, sums: shapes.Totals) -> Day:
    domains = [DomainTime.model_validate(each) for each in sums.domains]
    return Day(date=day, focused_ms=sums.focused_ms, visits=sums.visits, domains=domains)
