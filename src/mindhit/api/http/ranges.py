"""Which bytes of a file a request wants, and the status and headers that say so (RFC 9110, section 14). Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

_ONE_RANGE: Final = re.compile(r"bytes=[ \t]*(\d{0,18})-(\d{0,18})[ \t]*", re.ASCII)


class Span(NamedTuple):
    """From `start` up to, not including, `end`."""

    start: int
    end: int


NOTHING: Final = Span(0, 0)


class NoSuchRange(Exception):
    """The file ends before the range begins."""


def wanted(
    size: int, etag: str, *, range_: str | None = None, if_range: str | None = None
) -> Span | None:
    """None is the whole file: no range, one that is not understood, several, or one of another version
    (`If-Range`). Raises `NoSuchRange`."""
    found = _ONE_RANGE.fullmatch(range_ or "")
    if found is None or if_range not in {None, etag}:
        return None
    first, last = found[1], found[2]
    if not first and not last:
        return None
    if not first:
        start, end = max(size - int(last), 0), size
    else:
        start, end = int(first), min(int(last) + 1, size) if last else size
        if last and int(last) < int(first):
            return None
    if start >= size:
        raise NoSuchRange
    return Span(start, end)


@dataclass(frozen=True, slots=True)
class Plan:
    """How a request for a file is answered: 200, 206, 304 or 416."""

    status: int
    headers: dict[str, str]
    span: Span = NOTHING
    is_continued: bool = False  # its beginning was downloaded before


def plan(asked: Mapping[str, str], size: int, etag: str) -> Plan:
    """`asked` are the request's headers, by names in lower case."""
    headers = {"Accept-Ranges": "bytes", "ETag": etag}
    if asked.get("if-none-match") == etag:
        return Plan(304, headers)
    if_range = asked.get("if-range")
    try:
        span = wanted(size, etag, range_=asked.get("range"), if_range=if_range)
    except NoSuchRange:
        return Plan(416, {**headers, "Content-Range": f"bytes */{size}"})
    if span is None:
        return Plan(200, {**headers, "Content-Length": str(size)}, Span(0, size))
    headers["Content-Range"] = f"bytes {span.start}-{span.end - 1}/{size}"
    headers["Content-Length"] = str(span.end - span.start)
    return Plan(206, headers, span, is_continued=span.start > 0 and if_range == etag)
