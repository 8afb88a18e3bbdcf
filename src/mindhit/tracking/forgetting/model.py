"""What a person asks to be forgotten, and what can be wrong with that."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from typing import Final
from uuid import UUID

from mindhit import urls
from mindhit.errors import Invalid, NotFound
from mindhit.tracking.forgetting.ranges import Range, hash_of_domain, hash_of_url, milliseconds
from mindhit.tracking.store.forgetting import NewRange
from mindhit.urls import NotAPage

MAX_AHEAD: Final = timedelta(days=1)  # of a browser's clock before ours
_TICK: Final = timedelta(milliseconds=1)


class ForgettingNotFound(NotFound):
    """There is no such request to forget something."""


class VisitNotFound(NotFound):
    """There is no such visit."""


class BadForgetting(Invalid):
    """Name one thing to forget."""


@dataclass(frozen=True, slots=True)
class What:
    """[from, to) of one site or page, of one session, or of all."""

    from_at: datetime | None
    to_at: datetime
    domain: str | None = None
    url_id: UUID | None = None
    session_id: UUID | None = None

    def range_of(self, user_id: UUID) -> Range:
        new = self.new_range(user_id, user_id, sessions=0, is_done=False)
        return Range(
            milliseconds(self.from_at),
            milliseconds(self.to_at),
            self.session_id,
            new.domain_hash,
            new.url_hash,
        )

    def new_range(self, id_: UUID, user_id: UUID, *, sessions: int, is_done: bool) -> NewRange:
        return NewRange(
            id=id_,
            user_id=user_id,
            from_at=self.from_at,
            to_at=self.to_at,
            session_id=self.session_id,
            domain_hash=None if self.domain is None else hash_of_domain(user_id, self.domain),
            url_hash=None if self.url_id is None else hash_of_url(user_id, self.url_id),
            sessions=sessions,
            is_done=is_done,
        )


def until(now: datetime, *clocks: datetime | None) -> datetime:
    """The moment of forgetting: by our clock, or by a browser's that is ahead of it."""
    told = [each for each in clocks if each is not None and each <= now + MAX_AHEAD]
    # Events at this very millisecond are forgotten too.
    return _whole_ms(max([now, *told])) + _TICK


def of_last(span: timedelta, now: datetime, end: datetime) -> What:
    return What(_whole_ms(now - span), end)


def of_day(day: date, zone: tzinfo, end: datetime) -> What:
    """A day from midnight to midnight where the person lives, as far as it is over."""
    try:
        first = datetime.combine(day, time(), zone).astimezone(UTC)
        last = datetime.combine(day + timedelta(days=1), time(), zone).astimezone(UTC)
    except OverflowError:
        raise BadForgetting("There was no such day.") from None
    return of_stretch(first, last, end)


def of_stretch(from_at: datetime, to_at: datetime, end: datetime) -> What:
    from_at, to_at = _whole_ms(from_at), min(_whole_ms(to_at), end)
    if from_at >= to_at:
        raise BadForgetting("A period must begin in the past and end after it begins.")
    return What(max(from_at, _EARLIEST), max(to_at, _EARLIEST + _TICK))


def of_site(text: str, end: datetime) -> What:
    try:
        return What(None, end, domain=urls.clean_domain(text))
    except NotAPage:
        raise BadForgetting("This is not a domain.") from None


def of_page(text: str, end: datetime) -> What:
    try:
        return of_url(urls.normalise(text).id, end)
    except NotAPage:
        raise BadForgetting("This is not the address of a page.") from None


def of_url(url_id: UUID, end: datetime) -> What:
    return What(None, end, url_id=url_id)


# A range from the beginning of time is one of a site or a page.
_EARLIEST: Final = datetime(1970, 1, 2, tzinfo=UTC)


def _whole_ms(at: datetime) -> datetime:
    return at.replace(microsecond=at.microsecond // 1000 * 1000)
