"""Kinds of fields that several of the tracking routes have."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Final

from fastapi import Query
from pydantic import AfterValidator, AwareDatetime, BeforeValidator

from mindhit.api.http.fields import one_line

LONGEST_TITLE: Final = 255
Title = Annotated[str, *one_line(LONGEST_TITLE)]

EARLIEST: Final = datetime.min.replace(tzinfo=UTC)
LATEST: Final = datetime.max.replace(tzinfo=UTC)
_RFC_3339 = re.compile(
    r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII
)


def _is_rfc_3339(value: object) -> object:
    """Not a number of seconds, nor a date alone."""
    if isinstance(value, str) and not _RFC_3339.fullmatch(value):
        raise ValueError("use a time such as 2026-01-31T22:00:00+09:00")
    return value


def _in_utc(at: datetime) -> datetime:
    """Within a day of the ends of the calendar, the conversion may leave it."""
    try:
        return at.astimezone(UTC)
    except OverflowError:
        return EARLIEST if at.year == 1 else LATEST


Moment = Annotated[AwareDatetime, BeforeValidator(_is_rfc_3339), AfterValidator(_in_utc)]
From = Annotated[
    Moment | None, Query(alias="from", description="ISO 8601, with a time zone; inclusive.")
]
To = Annotated[Moment | None, Query(description="ISO 8601, with a time zone; exclusive.")]
