"""A word as a condition on the index: its other forms, words that begin with it, one wrong letter.

Conditions are tsqueries in writing. Their entries are letters, digits, dots and a middle dot, in quotes:
nothing that was typed is read as an operator.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from string import ascii_lowercase
from typing import Final

from mindhit.library.search import words as rules
from mindhit.library.search.lexemes import ANYWHERE, SAID

# Letters of a word that others are looked for which begin with it. In recorded texts only of longer ones:
# the index reads every entry that begins so, and "con" is in each text five times.
SHORTEST_BEGINNING: Final = 2
SHORTEST_BEGINNING_IN_TEXTS: Final = 5
# Letters, and syllables, of a word that may be written with a wrong one.
SHORTEST_MISSPELLED: Final = 5
SHORTEST_MISSPELLED_RUN: Final = 4
MOST_MISSPELLED: Final = 3  # words of a query
_SHORTEST_STEM: Final = 3
# What is attached to Korean nouns, the longest first.
_ATTACHED: Final = """은 는 이 가 을 를 의 에 에서 에게 께 께서 와 과 랑 이랑 도 만 로 으로 까지 부터 마다 보다 처럼
        만큼 이나 나 라도 이라도 밖에 조차 마저 하고 에는 에도 에서는 에서도 로는 으로는 으로도 이란 란
        이라는 라는 들 들은 들이 들을 들의 인가 인가요 인지 이야 야"""
_PARTICLES: Final = tuple(sorted(_ATTACHED.split(), key=lambda each: (-len(each), each)))
_ONE_SYLLABLE: Final = tuple(each for each in _PARTICLES if len(each) == 1)


@dataclass(frozen=True, slots=True)
class Word:
    """`base` is what is looked for: without a plural's s, without a particle. `forms` mean the same."""

    typed: str
    base: str
    forms: tuple[str, ...]
    is_paired: bool
    is_whole: bool = False  # of a phrase: it stands there as it was typed

    @property
    def may_begin(self) -> bool:
        """Are words looked for that begin with it? Of pairs all are found that have it in them."""
        return not (self.is_whole or self.is_paired) and len(self.base) >= SHORTEST_BEGINNING

    @property
    def may_be_misspelled(self) -> bool:
        if self.is_whole:
            return False
        if self.is_paired:
            return bool(self.runs)
        # A word of five letters may lack one of them.
        return len(self.base) >= SHORTEST_MISSPELLED - 1 and self.base.isalpha()

    @property
    def runs(self) -> list[str]:
        """What may have a wrong syllable: 고양이나 without its particle, and as it is, for it may be none."""
        return [
            run
            for run in dict.fromkeys((self.base, self.typed))
            if len(run) >= SHORTEST_MISSPELLED_RUN
        ]


@lru_cache(maxsize=2_000)
def word(typed: str) -> Word:
    if rules.is_paired(typed):
        return Word(typed, without_particle(typed), _noun_of(typed), True)
    base = rules.singular(typed)
    return Word(typed, base, tuple(sorted(_forms(base) - {base})), False)


@lru_cache(maxsize=2_000)
def whole(typed: str) -> Word:
    """A word of a phrase."""
    is_paired = rules.is_paired(typed)
    return Word(typed, typed if is_paired else rules.singular(typed), (), is_paired, True)


def _noun_of(run: str) -> tuple[str, ...]:
    """봄에 may be 봄, and may be a word of its own."""
    return (run[0],) if len(run) == 2 and run[1] in _ONE_SYLLABLE else ()


def without_particle(run: str) -> str:
    for particle in _PARTICLES:
        if run.endswith(particle) and len(run) - len(particle) >= 2:
            return run[: -len(particle)]
    return run


def _forms(base: str) -> set[str]:
    """Read, reads, reading; stop, stopped, stopping; bake, baked, baking. Wrong ones harm nobody: they
    are not in the index."""
    stems = {base}
    for ending in ("ing", "ed"):
        stem = base.removesuffix(ending)
        if stem != base and len(stem) >= _SHORTEST_STEM:
            stems |= {stem, f"{stem}e"}
            if stem[-1] == stem[-2]:
                stems.add(stem[:-1])
    found = set(stems)
    if base.endswith("y"):
        found.add(f"{base[:-1]}ies")
    if base.endswith(("ch", "x")):  # churches is church, but caches is cache
        found.add(f"{base}e")
    if base.endswith(("che", "xe")):
        found.add(base[:-1])
    for stem in stems:
        if stem.isalpha() and len(stem) >= _SHORTEST_STEM and not stem.endswith(("ing", "ed")):
            short = stem[:-1] if stem[-1] == "e" else stem
            found |= {f"{short}ing", f"{short}ed", f"{stem}{stem[-1]}ed", f"{stem}{stem[-1]}ing"}
    return found


def condition(
    mark: str,
    one: Word,
    place: str = ANYWHERE,
    *,
    beginnings: bool = True,
    misspelled: bool = False,
) -> str:
    """What a document has to have in its index for this word. `mark`: the reader's."""
    if not one.is_paired and one.base in rules.STOP_WORDS and place == ANYWHERE:
        place = SAID
    if one.is_paired:
        found = [each for run in (one.base, *one.forms) for each in _paired(mark, run, place)]
    else:
        found = _spelled(mark, one, place)
        if beginnings and one.may_begin:
            if len(one.base) < SHORTEST_BEGINNING_IN_TEXTS and place == ANYWHERE:
                found.append(_beginning(mark, SAID, one.base))
            else:  # forms that begin with it are among them
                found = [each for each in found if not each.startswith(f"'{mark}{place}{one.base}")]
                found.append(_beginning(mark, place, one.base))
    if misspelled and one.may_be_misspelled:
        found += _misspelled(mark, one)
    return _any(found)


def _spelled(mark: str, one: Word, place: str) -> list[str]:
    found = [_quoted(mark, place, each) for each in (one.base, *one.forms)]
    if one.typed != one.base and len(one.typed) < _SHORTEST_STEM:
        found.append(_quoted(mark, place, one.typed))
    return found


def _paired(mark: str, run: str, place: str) -> list[str]:
    if len(run) == 1:
        return [_quoted(mark, place, f"{run}{each}") for each in ("", *_ONE_SYLLABLE)]
    return [_all(_quoted(mark, place, pair) for pair in rules.pairs(run))]


def _misspelled(mark: str, one: Word) -> list[str]:
    if not one.is_paired:
        return [_quoted(mark, SAID, each) for each in sorted(near(one))]
    return [
        _all(_quoted(mark, SAID, pair) for pair in pattern)
        for run in one.runs
        for pattern in gapped(run)
    ]


@lru_cache(maxsize=500)
def near(one: Word) -> frozenset[str]:
    """Words with one other letter. Trees with a wrong one may be treas, of which trea is no word of five."""
    found = neighbours(one.base)
    if len(one.typed) >= SHORTEST_MISSPELLED > len(one.base):
        found |= neighbours(one.typed)
    return frozenset(found - {one.base})


def neighbours(base: str) -> set[str]:
    """Every word that is one letter away: another one, one more, one less, or two swapped. Of a short one
    only those with one more: they have five."""
    halves = [(base[:i], base[i:]) for i in range(len(base) + 1)]
    found = {f"{a}{letter}{b}" for a, b in halves for letter in ascii_lowercase}
    if len(base) >= SHORTEST_MISSPELLED:
        found |= {f"{a}{letter}{b[1:]}" for a, b in halves if b for letter in ascii_lowercase}
        found |= {f"{a}{b[1:]}" for a, b in halves if b}
        found |= {f"{a}{b[1]}{b[0]}{b[2:]}" for a, b in halves if len(b) > 1}
    return {rules.singular(each) for each in found} - {base}


def gapped(run: str) -> Iterator[list[str]]:
    """The pairs that words have in common with this one which differ from it in one syllable."""
    for i in range(len(run)):
        before, after = run[:i], run[i + 1 :]
        over = [f"{before[-1]}·{after[0]}"] if before and after else []
        yield [*_inner(before), *over, *_inner(after)]  # another one
    for i in range(1, len(run)):
        before, after = run[:i], run[i:]
        yield [*_inner(before), f"{before[-1]}·{after[0]}", *_inner(after)]  # one is missing here
        yield rules.pairs(f"{before[:-1]}{after}")  # one too many here
    yield rules.pairs(run[:-1])


def _inner(part: str) -> list[str]:
    return [f"{a}{b}" for a, b in pairwise(part)]


def _quoted(mark: str, place: str, entry: str) -> str:
    return f"'{mark}{place}{entry}'"


def _beginning(mark: str, place: str, entry: str) -> str:
    return f"'{mark}{place}{entry}':*"


def _all(conditions: Iterable[str]) -> str:
    return " & ".join(dict.fromkeys(conditions))


def _any(conditions: Sequence[str]) -> str:
    return f"({' | '.join(dict.fromkeys(f'({each})' for each in conditions))})"


def exact(mark: str, place: str, entries: Iterable[str]) -> str:
    """Any of these entries as they stand: kinds, months, sites."""
    return _any([_quoted(mark, place, entry) for entry in entries])


def excluded(mark: str, phrase: Sequence[str]) -> str:
    """A single word that a document must not have. The index can't tell phrases, nor longer runs: it knows
    that 고양 and 양이 are there, and not that they are one word."""
    if len(phrase) != 1:
        return ""
    base = rules.singular(phrase[0])
    entries = rules.pairs(base) if rules.is_paired(base) else [base]
    return f"!{_quoted(mark, ANYWHERE, entries[0])}" if len(entries) == 1 else ""
