"""Forgetting a part of what was recorded: the last hour, a day, a site, a page, one visit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from enum import StrEnum
from typing import Annotated, Final
from uuid import UUID

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from mindhit import tracking
from mindhit.accounts import Caller, Scope, ScopeMissing
from mindhit.api.http.authentication import SIGNED_IN, PersonCaller, RecorderCaller
from mindhit.api.http.dependencies import Db
from mindhit.api.http.fields import Day
from mindhit.api.http.problems import documented
from mindhit.api.tracking.fields import Moment
from mindhit.clock import utc_now
from mindhit.db import ReadTx
from mindhit.tracking import (
    BadForgetting,
    ForgettingNotFound,
    SessionId,
    SessionNotFound,
    VisitNotFound,
    What,
)
from mindhit.tracking.protocol import MAX_SEQ, MAX_URL

router = APIRouter(tags=["sessions"], responses=SIGNED_IN)
LATEST_MS: Final = 253_402_300_799_999  # the end of the calendar
FORMS: Final = (
    frozenset({"last"}),
    frozenset({"day"}),
    frozenset({"from_", "to"}),
    frozenset({"domain"}),
    frozenset({"url"}),
    frozenset({"url_id"}),
    frozenset({"session_id", "visit_id"}),
)
# What an extension offers: the last hour, and the site or page it is on.
OF_EXTENSIONS: Final = (frozenset({"last"}), frozenset({"domain"}), frozenset({"url"}))


class Last(StrEnum):
    QUARTER = "15m"
    HOUR = "1h"
    HOURS = "4h"
    DAY = "1d"


SPANS: Final = {
    Last.QUARTER: timedelta(minutes=15),
    Last.HOUR: timedelta(hours=1),
    Last.HOURS: timedelta(hours=4),
    Last.DAY: timedelta(days=1),
}


class ForgetRequest(BaseModel):
    """One of `last`, `day`, `from` and `to`, `domain`, `url`, `url_id`, `session_id` and `visit_id`."""

    model_config = ConfigDict(extra="forbid")

    last: Last | None = Field(default=None, description="Everything since then.")
    day: Day | None = Field(default=None, description="A day in my time zone.")
    from_: Moment | None = Field(default=None, alias="from")
    to: Moment | None = Field(default=None, description="Exclusive.")
    domain: Annotated[str, StringConstraints(max_length=300)] | None = Field(
        default=None, description="A site, with its subdomains."
    )
    url: Annotated[str, StringConstraints(max_length=MAX_URL)] | None = Field(
        default=None, description="A page."
    )
    url_id: UUID | None = None
    session_id: UUID | None = None
    visit_id: Annotated[str, StringConstraints(max_length=60)] | None = Field(
        default=None, description="`id` of a visit of this session."
    )
    dry_run: bool = Field(default=False, description="Only count what would be forgotten.")
    now: Annotated[int, Field(ge=0, le=LATEST_MS)] | None = Field(
        default=None,
        description="The browser's clock, in milliseconds since 1970: if it is ahead, what it has not"
        " sent yet is forgotten too.",
    )

    @property
    def form(self) -> frozenset[str]:
        given = self.model_dump(exclude={"dry_run", "now"}, exclude_none=True)
        return frozenset(given)


class ForgetResult(BaseModel):
    id: UUID | None = Field(description="Null for a dry run.")
    is_done: bool = Field(
        description="False while event logs are still being cleaned up in the background; what is"
        " shown is already without it."
    )
    sessions: int = Field(description="Sessions that change.")
    visits: int
    pages: int
    highlights: int


class ForgetProgress(BaseModel):
    id: UUID
    is_done: bool
    sessions: int = Field(description="Sessions to look through.")
    sessions_done: int


@router.post(
    "/forget",
    summary="Forget a part of my history",
    responses=documented(BadForgetting, SessionNotFound, VisitNotFound),
)
async def forget(db: Db, caller: RecorderCaller, asked: ForgetRequest) -> ForgetResult:
    """With its texts and highlights. The time remains, as time without a page. Visits that reach into a
    forgotten stretch go as a whole. Events that a browser sends later are treated alike. An
    extension may forget by `last`, `domain` and `url`."""
    _check(caller, asked.form)
    async with db.read() as tx:
        what = await _what(tx, caller.user_id, asked)
        found = await tracking.preview(tx, caller.user_id, what)
    id_, is_done = None, False
    if not asked.dry_run:
        begun = await tracking.forget(db, caller.user_id, what)
        id_, is_done = begun.id, begun.is_done
    return ForgetResult(
        id=id_,
        is_done=is_done,
        sessions=found.sessions,
        visits=found.visits,
        pages=found.pages,
        highlights=found.highlights,
    )


@router.get(
    "/forget/{forget_id}",
    summary="Show the progress of a forget request",
    responses=documented(ForgettingNotFound),
)
async def show(db: Db, caller: PersonCaller, forget_id: UUID) -> ForgetProgress:
    async with db.read() as tx:
        found = await tracking.show_forgetting(tx, caller.user_id, forget_id)
    return ForgetProgress(
        id=found.id,
        is_done=found.is_done,
        sessions=found.sessions,
        sessions_done=found.sessions_done,
    )


def _check(caller: Caller, form: frozenset[str]) -> None:
    if form not in FORMS:
        raise BadForgetting
    is_extension = not {Scope.WEB, Scope.API}.intersection(caller.scopes)
    if is_extension and form not in OF_EXTENSIONS:
        raise ScopeMissing


async def _what(tx: ReadTx, user_id: UUID, asked: ForgetRequest) -> What:
    now = utc_now()
    clock = None if asked.now is None else datetime.fromtimestamp(asked.now / 1000, UTC)
    end = await tracking.moment(tx, user_id, now, clock)
    if asked.last is not None:
        return tracking.of_last(SPANS[asked.last], min(now, clock or now), end)
    if asked.day is not None:
        return tracking.of_day(asked.day, await tracking.zone_of(tx, user_id), end)
    if asked.from_ is not None and asked.to is not None:
        return tracking.of_stretch(asked.from_, asked.to, end)
    if asked.session_id is not None:
        seq = _seq_of(asked.visit_id or "", asked.session_id)
        return await tracking.find_visit(tx, user_id, SessionId(asked.session_id), seq, end)
    return _pages(asked, end)


def _pages(asked: ForgetRequest, end: datetime) -> What:
    if asked.domain is not None:
        return tracking.of_site(asked.domain, end)
    if asked.url is not None:
        return tracking.of_page(asked.url, end)
    assert asked.url_id is not None
    return tracking.of_url(asked.url_id, end)


def _seq_of(visit_id: str, session_id: UUID) -> int:
    """The number in a visit's id, `session:number`."""
    session, _, number = visit_id.rpartition(":")
    if session not in {"", str(session_id)} or not number.isdecimal() or int(number) > MAX_SEQ:
        raise VisitNotFound
    return int(number)
