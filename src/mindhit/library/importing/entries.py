"""What a file is read into: folders and entries in their order, whatever wrote it. Pure.

A folder has a number, in the order of the file; 0 is where the file is imported to. An entry counts as an
item, a folder does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from math import isfinite
from typing import Any, Final, TypeAlias
from uuid import UUID

from mindhit.library.addresses import read_address
from mindhit.library.model import (
    LONGEST_NAME,
    LONGEST_NOTE,
    LONGEST_TAG,
    LONGEST_TITLE,
    MOST_TAGS,
    BadSavedPage,
    PageKind,
)
from mindhit.urls import Url

TOP: Final = 0
UNNAMED: Final = "Unnamed"
LONGEST_EXCERPT: Final = 200
_BAD: Final = str.maketrans({"\0": "", **{chr(each): "\ufffd" for each in range(0xD800, 0xE000)}})
_LAST_YEAR: Final = 9999


@dataclass(frozen=True, slots=True)
class FolderEntry:
    number: int
    parent: int
    name: str
    created_at: datetime | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PageEntry:
    folder: int
    kind: PageKind
    address: str = ""
    url: Url | None = None
    seen: str | None = None
    title: str | None = None
    note: str | None = None
    tags: tuple[str, ...] = ()
    created_at: datetime | None = None
    archived_at: datetime | None = None
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def url_id(self) -> UUID | None:
        return None if self.url is None else self.url.id


@dataclass(frozen=True, slots=True)
class BadEntry:
    """An entry that can't be imported. `line` is where it stands, or its number in a JSON file."""

    line: int
    reason: str
    excerpt: str


Entry: TypeAlias = FolderEntry | PageEntry | BadEntry


def folder_entry(
    number: int,
    parent: int,
    name: str,
    created_at: datetime | None = None,
    extra: dict[str, Any] | None = None,
) -> FolderEntry:
    name = " ".join(clean(name).split())[:LONGEST_NAME].rstrip()
    return FolderEntry(number, parent, name or UNNAMED, created_at, extra or {})


def page_entry(
    line: int,
    folder: int,
    address: str,
    *,
    title: str | None = None,
    note: str | None = None,
    tags: Iterable[str] = (),
    created_at: datetime | None = None,
    archived_at: datetime | None = None,
    extra: dict[str, Any] | None = None,
) -> PageEntry | BadEntry:
    """With texts that can be stored; too long ones are cut."""
    address = clean(address)
    try:
        read = read_address(address)
    except BadSavedPage as bad:
        said = " ".join(f"{address} {title or ''}".split())
        return BadEntry(line, bad.message, clean(said)[:LONGEST_EXCERPT])
    return PageEntry(
        folder,
        read.kind,
        read.text,
        read.url,
        read.seen,
        " ".join(clean(title or "").split())[:LONGEST_TITLE].rstrip() or None,
        tidy_note(note),
        tidy_tags(tags),
        created_at,
        archived_at,
        extra or {},
    )


def tidy_note(note: str | None) -> str | None:
    return "\n".join(clean(note or "").strip()[:LONGEST_NOTE].splitlines()).strip() or None


def tidy_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Without commas, which separate them in files of browsers."""
    tidied = (" ".join(clean(tag).replace(",", " ").split())[:LONGEST_TAG].strip() for tag in tags)
    return tuple(dict.fromkeys(tag for tag in tidied if tag))[:MOST_TAGS]


def clean(text: str) -> str:
    """What PostgreSQL can store: no NUL, no unpaired surrogate."""
    return text if text.isprintable() else text.translate(_BAD)


def moment(number: str | float | None) -> datetime | None:
    """A time in s, ms or µs since 1970; None for anything else."""
    try:
        value = float(number or 0)
    except (TypeError, ValueError):
        return None
    if not isfinite(value):
        return None
    while value > 1e11:  # the year 5138, in seconds
        value /= 1000
    try:
        at = datetime.fromtimestamp(value, UTC)
    except (OverflowError, OSError, ValueError):
        return None
    return at if value > 0 and at.year <= _LAST_YEAR else None


def iso_moment(text: object) -> datetime | None:
    """A time as in JSON files; None for anything else."""
    if not isinstance(text, str):
        return None
    try:
        at = datetime.fromisoformat(text)
    except ValueError:
        return None
    return at.replace(tzinfo=at.tzinfo or UTC).astimezone(UTC) if at.year > 1 else None
