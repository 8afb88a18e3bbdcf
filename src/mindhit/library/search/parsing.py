"""What somebody typed: words, "phrases", -not, site:, -site:, before:, after:. Pure; anything can be typed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, tzinfo
from typing import Final

from mindhit.library.search import words as rules

# Of what is typed. A longer question is cut: nobody means its end, and every word costs a lookup.
LONGEST_QUERY: Final = 500
MOST_WORDS: Final = 12
MOST_OPERATORS: Final = 6  # of each kind

_TOKEN: Final = re.compile(
    r"""(?P<no>-)?(?:"(?P<phrase>[^"]*)(?:"|$)|(?P<operator>site|before|after):(?P<value>"[^"]*"?|\S*)|(?P<word>[^\s"]+))""",
    re.IGNORECASE,
)
_DATE: Final = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")


@dataclass(frozen=True, slots=True)
class Parsed:
    """`words` and those of `phrases` are folded, plurals as they were typed. A phrase may be one word: it
    stands there as it was typed."""

    words: tuple[str, ...] = ()
    phrases: tuple[tuple[str, ...], ...] = ()
    excluded: tuple[tuple[str, ...], ...] = ()
    sites: tuple[str, ...] = ()
    other_sites: tuple[str, ...] = ()  # those that it must not be of
    before: datetime | None = None
    after: datetime | None = None

    @property
    def wanted(self) -> tuple[str, ...]:
        """All words that a document should have, each once."""
        return tuple(dict.fromkeys([*self.words, *(w for each in self.phrases for w in each)]))


@dataclass(slots=True)
class _Draft:
    zone: tzinfo
    words: list[str] = field(default_factory=list)
    phrases: list[tuple[str, ...]] = field(default_factory=list)
    excluded: list[tuple[str, ...]] = field(default_factory=list)
    sites: list[str] = field(default_factory=list)
    other_sites: list[str] = field(default_factory=list)
    before: datetime | None = None
    after: datetime | None = None


def parse(typed: str, zone: tzinfo = UTC) -> Parsed:
    """`zone`: the person's, in which their days begin."""
    draft = _Draft(zone)
    for token in _TOKEN.finditer(rules.without_jamo(typed[:LONGEST_QUERY])):
        _take(draft, token)
    return Parsed(
        tuple(_meaning(list(dict.fromkeys(draft.words)))[:MOST_WORDS]),
        tuple(draft.phrases[:MOST_OPERATORS]),
        tuple(draft.excluded[:MOST_OPERATORS]),
        tuple(dict.fromkeys(draft.sites[:MOST_OPERATORS])),
        tuple(dict.fromkeys(draft.other_sites[:MOST_OPERATORS])),
        draft.before,
        draft.after,
    )


def _take(draft: _Draft, token: re.Match[str]) -> None:
    if token["operator"] is not None and _operator(draft, token):
        return
    found = tuple(_cut(token["phrase"] or token["word"] or token[0].lstrip("-")))
    if not found:
        return
    if token["no"]:
        draft.excluded.append(found)
    elif token["phrase"] is not None:
        draft.phrases.append(found)
    else:
        draft.words += found


def _operator(draft: _Draft, token: re.Match[str]) -> bool:
    """Whether it is one: `before:lunch` is two words, and `-before:2026` means nothing."""
    value = token["value"].strip('"')
    if token["operator"].lower() == "site":
        sites = draft.other_sites if token["no"] else draft.sites
        sites += [site] if (site := rules.site(value)) else []
        return True
    if token["no"]:
        return False
    at = _moment(value, draft.zone)
    if at is None:
        return False
    if token["operator"].lower() == "before":
        draft.before = at
    else:
        draft.after = at
    return True


def _moment(value: str, zone: tzinfo) -> datetime | None:
    """The beginning of a year, a month or a day, in UTC."""
    found = _DATE.fullmatch(value)
    if found is None:
        return None
    try:
        at = datetime(int(found[1]), int(found[2] or 1), int(found[3] or 1), tzinfo=zone)
    except ValueError:
        return None
    return in_utc(at)


def in_utc(at: datetime) -> datetime:
    """The first and the last moments there are have no other zone."""
    try:
        return at.astimezone(UTC)
    except OverflowError:
        return at.replace(tzinfo=UTC)


def _cut(text: str) -> Iterator[str]:
    return (word[: rules.LONGEST_WORD] for word in rules.words(text))


def _meaning(words: list[str]) -> list[str]:
    """Without what every text has; unless there is nothing else."""
    return [word for word in words if word not in rules.STOP_WORDS] or words
