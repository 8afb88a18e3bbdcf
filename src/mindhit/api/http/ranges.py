"""Which bytes of a file a request wants (RFC 9110, section 14). Pure."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_ONE_RANGE: Final = re.compile(r"bytes=[ \t]*(\d{0,18})-(\d{0,18})[ \t]*", re.ASCII)


class Span(NamedTuple):
    """From `start` up to, not including, `end`."""

    start: int
    end: int


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
