"""Output of commands: tables for people, JSON for programs, errors with a hint.

Errors, titles and names may hold text that others wrote. Control characters in it, which could move
the cursor, set colours or change the direction of text, are shown as \\uXXXX.
"""

from __future__ import annotations

import dataclasses
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
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
_WIDTH = None if sys.stdout.isatty() else 160
console = Terminal(width=_WIDTH, emoji=False)
errors = Terminal(stderr=True, emoji=False)


def complain(message: str, way_out: str | None = None) -> None:
    errors.print(f"[bold red]✗[/] {_plain(message)}", highlight=False, soft_wrap=True)
    if way_out:
        errors.print(f"  [yellow]→[/] {_plain(way_out)}", highlight=False, soft_wrap=True)


def as_json(value: object) -> None:
    """One JSON document on stdout, times and ids as strings."""
    document = msgspec.json.format(msgspec.json.encode(_simple(value))).decode()
    sys.stdout.write(_CONTROL.sub(_number_of, document) + "\n")


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Ids are never cut, however narrow the terminal: they are there to be copied."""
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    drawn = Table(box=None, header_style="bold", pad_edge=False)
    for number, name in enumerate(columns):
        longest = max((len(row[number]) for row in cells), default=0) if name == "id" else None
        drawn.add_column(name, no_wrap=name == "id", min_width=longest)
    for row in cells:
        drawn.add_row(*map(_plain, row))
    console.print(drawn)


def facts(pairs: Mapping[str, object]) -> None:
    table(("", ""), [(name, value) for name, value in pairs.items()])


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
