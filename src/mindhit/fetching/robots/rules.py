"""The rules of a robots.txt: which group is ours, which rule decides. Pure.

RFC 9309: groups that name us count, all of them together; where there is none, those for `*`. Of
the rules that match a path, the longest decides, and of two as long the one that allows. `*` stands for
any characters, `$` at the end for the end. What can't be read is skipped.

Our own and not a library's: a site writes these patterns, and this matches in the time that the lengths
of pattern and path allow. The usual libraries translate patterns into regular expressions, where a
line of stars holds the event loop for minutes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Final

NAME: Final = "mindhit"  # what robots.txt may call us
MOST_BYTES: Final = 500 * 1024  # the least that RFC 9309 lets a crawler read
_LONGEST_PATTERN = 2048
_AGENT = re.compile(r"[a-z_-]+|\*")
_ESCAPE = re.compile(r"%([0-9a-fA-F]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


@dataclass(frozen=True, slots=True)
class Rule:
    """`pattern` has no star twice in a row, and no `$`. Split when it is needed: a site may write 30,000
    stars, and their pieces would take a hundred times its room."""

    is_allowed: bool
    length: int
    pattern: str
    is_anchored: bool

    def matches(self, path: str) -> bool:
        first, *others = self.pattern.split("*")
        if not path.startswith(first):
            return False
        at = len(first)
        if not others:
            return not self.is_anchored or at == len(path)
        *middle, last = others
        for piece in middle:
            found = path.find(piece, at)
            if found < 0:
                return False
            at = found + len(piece)
        if self.is_anchored:
            return path.endswith(last) and len(path) - len(last) >= at
        return path.find(last, at) >= 0


@dataclass(frozen=True, slots=True)
class Rules:
    """Longest first; of two as long, the one that allows."""

    rules: tuple[Rule, ...] = ()

    def allow(self, path: str) -> bool:
        """`path` begins with a slash and has its query, as in the request."""
        wanted = _normal(path)
        if wanted == "/robots.txt":
            return True
        return next((rule.is_allowed for rule in self.rules if rule.matches(wanted)), True)


EVERYTHING: Final = Rules()
# Those of large sites have some hundred; 40,000 in one file took 250 ms to read and 20 ms a page.
MOST_RULES: Final = 2_000
MOST_CHARACTERS: Final = 64 * 1024  # of the rules that are kept
MOST_STARS: Final = 16  # of one rule
MOST_LINES: Final = 10_000
_LINE_END: Final = re.compile(r"\r\n|\r|\n")


def parse(text: str, name: str = NAME) -> Rules:
    """The rules for us in the text of a robots.txt."""
    ours, general = _Kept(), _Kept()
    agents: set[str] = set()
    is_named = is_in_rules = False
    for name_of, value in _lines(text[:MOST_BYTES]):
        if name_of == "user-agent":
            if is_in_rules:
                agents, is_in_rules = set(), False
            if found := _AGENT.match(value.lower()):
                agents.add(found[0])
            is_named = is_named or name in agents
        elif name_of in {"allow", "disallow"}:
            is_in_rules = True
            if name in agents:
                ours.add(value, is_allowed=name_of == "allow")
            if "*" in agents:
                general.add(value, is_allowed=name_of == "allow")
    kept = (ours if is_named else general).rules
    return Rules(tuple(sorted(kept, key=lambda rule: (-rule.length, not rule.is_allowed))))


@dataclass(slots=True)
class _Kept:
    """The rules of one kind of groups, as many as there is room for."""

    rules: list[Rule] = field(default_factory=list)
    room: int = MOST_CHARACTERS

    def add(self, value: str, *, is_allowed: bool) -> None:
        if len(self.rules) < MOST_RULES and len(value) <= min(self.room, _LONGEST_PATTERN):
            self.room -= len(value)
            if rule := _rule(value, is_allowed=is_allowed):
                self.rules.append(rule)


def _lines(text: str) -> list[tuple[str, str]]:
    lines = []
    for line in _LINE_END.split(text.removeprefix("\ufeff"), MOST_LINES)[:MOST_LINES]:
        name, colon, value = line.partition("#")[0].partition(":")
        if colon:
            lines.append((name.strip().lower(), value.strip()))
    return lines


def _rule(value: str, *, is_allowed: bool) -> Rule | None:
    """An empty pattern says nothing, and neither does one that no path can begin with. Of one with too
    many stars, what is forbidden begins where they are too many."""
    if not value.startswith(("/", "*")):
        return None
    whole = _normal(value)
    pattern, is_anchored = re.sub(r"\*+", "*", whole.removesuffix("$")), whole.endswith("$")
    if pattern.count("*") > MOST_STARS:
        if is_allowed:
            return None
        pattern, is_anchored = "*".join(pattern.split("*", MOST_STARS)[:-1]), False
    return Rule(is_allowed, len(whole), pattern, is_anchored)


def _normal(path: str) -> str:
    """One spelling for every character, so that a pattern and a path can be compared."""
    return _ESCAPE.sub(_respelt, "".join(map(_escaped, path)) if not path.isascii() else path)


def _respelt(found: re.Match[str]) -> str:
    character = chr(int(found[1], 16))
    return character if character in _UNRESERVED else found[0].upper()


def _escaped(character: str) -> str:
    if character.isascii():
        return character
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "replace"))
