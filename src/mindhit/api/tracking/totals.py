"""Active time: by domain or topic in any period, day by day in the person's own time zone, or a year at a glance."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Annotated, Any, Final, Literal

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, ConfigDict, Field

from mindhit import insight, tracking
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.responses import json_response, struct_response
from mindhit.api.tracking.fields import EARLIEST, From, To
from mindhit.clock import utc_now
from mindhit.tracking import shapes

router = APIRouter(tags=["totals"], responses=SIGNED_IN)
MOST_DAYS: Final = 42  # the six weeks that a calendar month can touch
FIRST_DAY, LAST_DAY = date(2000, 1, 1), date(2200, 1, 1)
FirstDay = Annotated[date | None, Query(alias="from", ge=FIRST_DAY, le=LAST_DAY)]
MOST_CALENDAR_DAYS: Final = 366  # a leap year
WEEK: Final = timedelta(days=7)


class DomainTime(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    domain: str
    focused_ms: int
    visits: int
    pages: int


class Day(BaseModel):
    date: date
    focused_ms: int = Field(description="Of all domains, including those not listed.")
    visits: int
    domains: list[DomainTime] = Field(description="Most active first.")


class Days(BaseModel):
    today: date = Field(description="In the person's time zone.")
    days: list[Day]


class CalendarDay(BaseModel):
    date: date
    focused_ms: int
    visits: int


class Calendar(BaseModel):
    today: date = Field(description="In the person's time zone.")
    days: list[CalendarDay] = Field(description="Only days on which something was read.")


_TOTALS: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "`Totals` by domain, `TopicTotals` by topic.",
        "content": {
            "application/json": {
                "schema": {
                    "anyOf": [
                        response["content"]["application/json"]["schema"]
                        for shape in (shapes.Totals, insight.TopicTotals)
                        for response in struct_response(shape).values()
                    ]
                }
            }
        },
    }
}


@router.get(
    "/totals",
    summary="Show active time by domain or topic",
    response_class=Response,
    responses=_TOTALS,
)
async def show_totals(
    db: Db,
    caller: PersonCaller,
    by: Literal["domain", "topic"] = "domain",
    from_: From = None,
    to: To = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 50,
) -> Response:
    """Without `from`, the week before `to`; without `to`, up to now."""
    until = to or utc_now()
    since = from_ or max(until, EARLIEST + WEEK) - WEEK
    async with db.read() as tx:
        if by == "topic":
            sums = await insight.total_by_topic(tx, caller.user_id, since, until, limit)
            return json_response(sums)
        return json_response(await tracking.total(tx, caller.user_id, since, until, limit))


@router.get("/totals/days", summary="Show active time by day and domain")
async def show_days(
    db: Db,
    caller: PersonCaller,
    from_: FirstDay = None,
    count: Annotated[int, Query(ge=1, le=MOST_DAYS)] = 7,
    limit: Annotated[int, Query(ge=1, le=100, description="Most domains per day.")] = 20,
) -> Days:
    """Without `from`, the `count` days up to today."""
    async with db.read() as tx:
        days = _DaysOf.zone(await tracking.zone_of(tx, caller.user_id), from_, count)
        sums = await tracking.total_by_period(tx, caller.user_id, days.edges, limit)
    found = [_day(*each) for each in zip(days.dates, sums, strict=True)]
    return Days(today=days.today, days=found)


@router.get("/totals/calendar", summary="Show active time by day, up to a year")
async def show_calendar(
    db: Db,
    caller: PersonCaller,
    from_: FirstDay = None,
    count: Annotated[int, Query(ge=1, le=MOST_CALENDAR_DAYS)] = 365,
) -> Calendar:
    """Without `from`, the `count` days up to today."""
    async with db.read() as tx:
        days = _DaysOf.zone(await tracking.zone_of(tx, caller.user_id), from_, count)
        sums = await tracking.total_of_periods(tx, caller.user_id, days.edges)
    found = [
        CalendarDay(
            date=days.dates[each.period - 1], focused_ms=each.focused_ms, visits=each.visits
        )
        for each in sums
    ]
    return Calendar(today=days.today, days=found)


@dataclass(frozen=True, slots=True)
class _DaysOf:
    """Days in a row, and the moments between which they lie."""

    today: date
    dates: list[date]
    edges: list[datetime]

    @classmethod
    def zone(cls, zone: tzinfo, first: date | None, count: int) -> _DaysOf:
        today = utc_now().astimezone(zone).date()
        first = first or today - timedelta(days=count - 1)
        dates = [first + timedelta(days=number) for number in range(count + 1)]
        return cls(today, dates[:-1], [_midnight(each, zone) for each in dates])


def _midnight(day: date, zone: tzinfo) -> datetime:
    """A day begins when its date does, however many hours it has."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def _day(day: date, sums: shapes.Totals) -> Day:
    domains = [DomainTime.model_validate(each) for each in sums.domains]
    return Day(date=day, focused_ms=sums.focused_ms, visits=sums.visits, domains=domains)
