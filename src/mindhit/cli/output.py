"""Output of commands: tables for people, JSON for programs, errors with a hint.

Errors, titles and names may hold text that others wrote. Control characters in it, which could move
the cursor, set colours or change the direction of text, are shown as \\uXXXX.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

import msgspec
from rich.console import Console
from rich.markup import escape
from rich.table import Table
from rich.text import Text

# Control characters except tab and line feed, and those that change the direction of text.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


class Terminal(Console):
    """A console that escapes control characters in every string it prints."""

    def render_str(self, text: str, **how: Any) -> Text:
        return super().render_str(_CONTROL.sub(_number_of, text), **how)


# A pipe has no width; text cut to the default of 80 would be lost.
_NO_TERMINAL_WIDTH = 160
console = Terminal(width=None if sys.stdout.isatty() else _NO_TERMINAL_WIDTH, emoji=False)
errors = Terminal(
    stderr=True, width=None if sys.stderr.isatty() else _NO_TERMINAL_WIDTH, emoji=False
)


def complain(message: str, way_out: str | None = None) -> None:
    errors.print(f"[bold red]✗[/] {_plain(message)}", highlight=False, soft_wrap=True)
    if way_out:
        errors.print(f"  [yellow]→[/] {_plain(way_out)}", highlight=False, soft_wrap=True)


def as_json(value: object) -> None:
    """One JSON document on stdout, times and ids as strings."""
    document = msgspec.json.format(msgspec.json.encode(_simple(value))).decode()
    sys.stdout.write(_CONTROL.sub(_number_of, document) + "\n")


def table(
    columns: Sequence[str], rows: Iterable[Sequence[object]], *, empty: str | None = None
) -> None:
    """Ids are never cut, however narrow the terminal: they are there to be copied. `empty` is what to
    say instead of a table without rows."""
    cells = [[in_words(cell) for cell in row] for row in rows]
    if not cells and empty is not None:
        console.print(empty, highlight=False)
        return
    drawn = Table(box=None, header_style="bold", pad_edge=False, show_header=any(columns))
    for number, name in enumerate(columns):
        longest = max((len(row[number]) for row in cells), default=0) if name == "id" else None
        drawn.add_column(name, no_wrap=name == "id", min_width=longest)
    for row in cells:
        drawn.add_row(*map(_plain, row))
    console.print(drawn)


def facts(pairs: Mapping[str, object]) -> None:
    table(("", ""), [(name, value) for name, value in pairs.items()])


def in_words(value: object) -> str:
    """A value as people write it: times are local and say so."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case datetime():
            return moment(value)
        case list() | tuple():
            return ", ".join(map(in_words, value)) or "none"
        case dict():
            return msgspec.json.encode(_simple(value)).decode()
    return str(value)


def moment(at: datetime, zone: tzinfo | None = None) -> str:
    """In `zone`, or in this machine's time zone, with its name: 2026-11-17 09:12:44 KST"""
    return f"{at.astimezone(zone):%Y-%m-%d %H:%M:%S %Z}"


def duration(seconds: float | None) -> str:
    if seconds is None:
        return ""
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.1f} s"


def _simple(value: Any) -> Any:
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {
            field.name: _simple(getattr(value, field.name)) for field in dataclasses.fields(value)
        }
    if isinstance(value, list | tuple):
        return [_simple(each) for each in value]
    if isinstance(value, dict):
        return {str(key): _simple(each) for key, each in value.items()}
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _plain(text: str) -> str:
    """Data is never markup."""
    return escape(text)


def _number_of(character: re.Match[str]) -> str:
    return f"\\u{ord(character[0]):04x}"
