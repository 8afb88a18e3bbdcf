"""The part of a text that is shown with a hit: plain text in pieces, each found or not. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Final

LONGEST: Final = 220  # characters
_BEFORE: Final = 60
_MOST_PLACES: Final = 20  # of each word
_MOST_TRIED: Final = 2_000  # places with its letters, also inside of other words
_SPACE: Final = re.compile(r"\s+")
_REST_OF_WORD: Final = re.compile(r"[^\W_가-힣]*")
BEGINNING: Final = (
    "beginning"  # the group of a pattern behind which the rest of a word belongs to it
)

Snippet = list[tuple[str, bool]]


@dataclass(frozen=True, slots=True)
class Shown:
    """What was asked for: by its letters, to find the part of a text; by a pattern, to mark it there.
    The rest of a word is not in the pattern: to compile a class of all syllables takes 2 ms."""

    words: tuple[str, ...]
    pattern: re.Pattern[str]

    def spans(self, text: str) -> Iterator[tuple[int, int]]:
        at = 0
        while found := self.pattern.search(text, at):
            at = found.end()
            if found.lastgroup == BEGINNING:
                at = _REST_OF_WORD.match(text, at).end()  # type: ignore[union-attr]
            if at > found.start():
                yield found.start(), at
            else:
                at += 1


def places(text: str, word: str, most: int) -> Iterator[int]:
    at = text.find(word)
    while at >= 0 and most > 0:
        yield at
        at, most = text.find(word, at + 1), most - 1


def snippet(text: str, shown: Shown | None) -> Snippet:
    """Around the place with the most of what was found; the beginning where nothing was."""
    start, end = _window(text, shown)
    part = _SPACE.sub(" ", text[start:end]).strip()
    if start > 0:
        part = f"… {part}"
    if end < len(text):
        part = f"{part} …"
    return _pieces(part, shown)


def marked(text: str, shown: Shown | None) -> Snippet:
    """A short text, whole."""
    return _pieces(_SPACE.sub(" ", text).strip(), shown)


def _window(text: str, shown: Shown | None) -> tuple[int, int]:
    lower = text.lower()
    words = shown.words if shown is not None and len(lower) == len(text) else ()
    found = sorted(at for word in words for at in _marked_places(text, lower, word, shown))
    if not found:
        return 0, min(LONGEST, len(text))
    best = _densest(found, LONGEST - _BEFORE)
    start = 0 if best <= _BEFORE else _after_space(text, best - _BEFORE, best)
    end = min(start + LONGEST, len(text))
    return start, end if end == len(text) else _before_space(text, end, best)


def _densest(places: list[int], reach: int) -> int:
    """The first of those behind which most of the others are near. They are in order."""
    return max(places, key=lambda at: bisect_left(places, at + reach) - bisect_left(places, at))


def _marked_places(text: str, lower: str, word: str, shown: Shown | None) -> Iterator[int]:
    """Where it stands as what is marked: a ring is no part of a string."""
    tried = places(lower, word, _MOST_TRIED)
    return islice(
        (at for at in tried if shown is not None and shown.pattern.match(text, at)), _MOST_PLACES
    )


def _after_space(text: str, at: int, last: int) -> int:
    space = text.find(" ", at, last)
    return at if space < 0 else space + 1


def _before_space(text: str, at: int, first: int) -> int:
    space = text.rfind(" ", first, at)
    return at if space <= first else space


def _pieces(text: str, shown: Shown | None) -> Snippet:
    pieces: Snippet = []
    at = 0
    for start, end in shown.spans(text) if shown is not None else ():
        if start > at:
            pieces.append((text[at:start], False))
        pieces.append((text[start:end], True))
        at = end
    if at < len(text):
        pieces.append((text[at:], False))
    return pieces
