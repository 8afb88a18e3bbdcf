"""Which documents may answer, and in which order they are looked at.

Words that few documents have are also found by their beginnings, and those that hardly any has with a
wrong letter. Documents with all words in their titles come first, then those that say them outside of
recorded texts, then the rest, each the newest first; of what more documents have than `MOST`, the newest
count. Where hardly anything has all words, what has some of them follows, the rarest first.

The index can't order by time, but it can intersect a word with months and years. So every condition is
asked for the newest months first (`windows`), and the server goes on only where those are not enough.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import lru_cache
from typing import Final, NamedTuple
from uuid import UUID

from mindhit.db import ReadTx
from mindhit.library import store
from mindhit.library.search import matching, parsing
from mindhit.library.search import words as rules
from mindhit.library.search.lexemes import (
    ANYWHERE,
    HOST,
    KIND,
    LAST_MONTH,
    MONTH,
    SAID,
    TITLE,
    periods,
    reader,
)
from mindhit.library.search.matching import MOST_MISSPELLED, Word, condition, exact, excluded
from mindhit.library.search.parsing import Parsed
from mindhit.library.search.ranking import Question
from mindhit.library.store.candidates import (
    WINDOWS,
    Choice,
    Condition,
    Found,
    Tiers,
    WordCount,
    Words,
)

MOST: Final = 2_000  # of a condition
OF_TIER: Final = 100
# Handed over: what an answer may look at, and a block more. Of the rest only facets are known.
LISTED: Final = 250
IN_ORDER: Final = 50  # so many are ranked at once, and need no tiers
# A word that so many documents have as it is written is not looked for by its beginning: the index would
# have to collect every document of every such word first, 10 ms for one that is everywhere.
COMMON: Final = 500
# Where a word has fewer documents, all are asked for at once, whatever their months.
SMALL: Final = 100
FEW: Final = 10  # found as written: then a letter may be wrong
TOO_FEW: Final = 3  # have all words: then some of them do
LEAST_SHARE: Final = 0.25  # of the words' weight
MOST_LACKING: Final = 6  # words of which one may be missing
# Windows of so many months; then of calendar years, with at least so many. Of a word in two
# fifths of 60,000 documents a year took 10 ms, five months 4, and two years 20.
_MONTHS: Final = (2, 3, 4, 6, 8)
_YEARS: Final = (9, 21, 33, 45)
# People read more in some months than in others: a window should have so many times what is needed.
_SPARE: Final = 1.25
_LONG: Final = 2_000  # characters of a condition
_NEVER: Final = "'-'"  # no entry is without a reader


@dataclass(frozen=True, slots=True)
class Asked:
    typed: str
    kinds: tuple[str, ...] = ()
    domain: str | None = None
    from_at: datetime | None = None
    to_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Search:
    """One search: who asks, what, and under which conditions whatever the words are."""

    tx: ReadTx
    user_id: UUID
    parsed: Parsed
    words: tuple[Word, ...]
    filters: tuple[str, ...]
    excluded: tuple[str, ...]  # never asked for by themselves
    from_at: datetime | None
    to_at: datetime | None
    now: datetime

    @property
    def last(self) -> datetime:
        """In whose month the newest documents are."""
        return self.to_at or self.now

    @property
    def mark(self) -> str:
        return reader(self.user_id)

    @property
    def asks_something(self) -> bool:
        """What must not be there is no question: the index would answer it with everybody's documents."""
        return bool(self.words or self.filters)


class Candidate(NamedTuple):
    """A document; `key` says what it is of. `others` are of the same page: other texts, other times."""

    id: UUID
    key: UUID
    domain: str | None
    others: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True)
class Candidates:
    """`found` has their number and facets. `is_counted`: they are all that there are."""

    question: Question
    order: list[Candidate]
    found: Found
    is_counted: bool
    is_loose: bool = False


def prepare(tx: ReadTx, user_id: UUID, asked: Asked, now: datetime, zone: tzinfo) -> Search:
    parsed = parsing.parse(asked.typed, zone)
    mark, filters = reader(user_id), list[str]()
    if asked.kinds:
        filters.append(exact(mark, KIND, asked.kinds))
    if asked.domain:
        filters.append(exact(mark, HOST, [rules.site(asked.domain)]))
    if parsed.sites:
        filters.append(exact(mark, HOST, parsed.sites))
    unwanted = [each for phrase in parsed.excluded if (each := excluded(mark, phrase))]
    unwanted += [f"!{exact(mark, HOST, [site])}" for site in parsed.other_sites]
    # The index knows months of UTC.
    after, before = (asked.from_at, parsed.after), (asked.to_at, parsed.before)
    from_at = max((parsing.in_utc(at) for at in after if at), default=None)
    to_at = min((parsing.in_utc(at) for at in before if at), default=None)
    if from_at or to_at:
        filters.append(exact(mark, MONTH, _periods(from_at, to_at)))
    words = _words(parsed)
    return Search(tx, user_id, parsed, words, tuple(filters), tuple(unwanted), from_at, to_at, now)


def _words(parsed: Parsed) -> tuple[Word, ...]:
    """What is looked up. Texts are not indexed by the words that all of them have: those of a phrase are
    only looked for in the text itself."""
    of_phrases = [typed for phrase in parsed.phrases for typed in phrase]
    telling = [typed for typed in of_phrases if typed not in rules.STOP_WORDS]
    if not telling and not parsed.words:
        telling = of_phrases
    words = {typed: matching.whole(typed) for typed in telling}
    words |= {typed: matching.word(typed) for typed in parsed.words}
    return tuple(words.values())[: parsing.MOST_WORDS]


def _periods(from_at: datetime | None, to_at: datetime | None) -> list[str]:
    """All that are between, as the index has them."""
    first = 0 if from_at is None else _number(from_at)
    return periods(first, LAST_MONTH if to_at is None else _number(to_at)) or ["-"]


def _number(at: datetime) -> int:
    return at.year * 12 + at.month - 1


def _month(number: int) -> str:
    return f"{number // 12:04}{number % 12 + 1:02}"


async def find(one: Search, listed: int) -> Candidates:
    """`listed`: how many are to be handed over at least."""
    await one.tx.one(store.candidates.BY_INDEX)
    how = _How(one)
    # As written. What so many documents have, all of whose words are common, is not asked for otherwise.
    found = await _strict(how, listed)
    if found.rows < COMMON:
        how = await _otherwise(one, found.rows)
        found = await _strict(how, listed) if how.widens else found
    rare = how.rare
    if found.count < FEW and any(w.may_begin and w.typed not in rare for w in one.words):
        how = replace(how, rare=frozenset(word.typed for word in one.words))
        found = await _strict(how, listed)
    order = _listed(found)
    if found.count < TOO_FEW and len(one.words) > 1 and not one.parsed.phrases:
        return await _loose(how, order, listed)
    if found.count > IN_ORDER and one.words:
        order = _distinct([*await _tiers(how), *order])
    question = Question(one.parsed, one.words, {}, how.misspelled)
    return Candidates(question, order, found, found.rows <= MOST)


async def _otherwise(one: Search, written: int) -> _How:
    """How words are looked for that few documents have as they are written."""
    if len(one.words) == 1 and not one.filters and not one.excluded and written >= SMALL:
        return _How(one, frozenset([one.words[0].typed]))  # it is counted already
    counts = list(zip(one.words, await _counts(one), strict=True))
    rare = {word.typed for word, count in counts if count.written < COMMON}
    near = [word.typed for word, count in counts if count.begun < FEW and word.may_be_misspelled]
    is_small = any(count.begun < SMALL for _, count in counts)
    return _How(one, frozenset(rare), frozenset(near[:MOST_MISSPELLED]), is_small)


async def _counts(one: Search) -> list[WordCount]:
    if not any(word.may_begin or word.may_be_misspelled for word in one.words):
        return [WordCount(COMMON, COMMON)] * len(
            one.words
        )  # whatever they are, nothing follows from it
    written = [condition(one.mark, word, beginnings=False) for word in one.words]
    recent = exact(one.mark, MONTH, _newest(_number(one.now), _MONTHS[0]))
    asked = Words(
        user_id=one.user_id,
        recent=[f"{query} & {recent}" for query in written],
        every=written,
        begun=[condition(one.mark, word) for word in one.words],
        common=COMMON,
        small=SMALL,
    )
    return await one.tx.all(store.candidates.COUNTS, asked)


@dataclass(frozen=True, slots=True)
class _How:
    """How words are looked for: `rare` ones by their beginnings too, `misspelled` ones with a wrong letter."""

    one: Search
    rare: frozenset[str] = frozenset()
    misspelled: frozenset[str] = frozenset()
    is_small: bool = False

    @property
    def widens(self) -> bool:
        """Is more asked for than words as they are written?"""
        begun = any(word.may_begin and word.typed in self.rare for word in self.one.words)
        return begun or bool(self.misspelled)

    def conditions(self, place: str = ANYWHERE, *, misspelled: bool = True) -> list[str]:
        return [
            condition(
                self.one.mark,
                word,
                place,
                beginnings=word.typed in self.rare,
                misspelled=misspelled and word.typed in self.misspelled,
            )
            for word in self.one.words
        ]

    def query(self, conditions: Iterable[str]) -> str:
        return " & ".join([*conditions, *self.one.filters, *self.one.excluded])

    def windows(self, query: str, *, is_small: bool = False) -> list[str]:
        """It in the newest months, in a year, in some years, and in all. A misspelled word is hundreds, to be
        looked up each time: it is not asked for twice."""
        if is_small or len(query) > _LONG:
            return [*[_NEVER] * (WINDOWS - 1), query]
        times = _times(self.one.mark, _number(self.one.last))
        return [*(f"{query} & {each}" for each in times), query]


@lru_cache(maxsize=500)
def _times(mark: str, last: int) -> tuple[str, ...]:
    """Windows that end with this month."""
    months = [_newest(last, count) for count in _MONTHS]
    years = [_years(last - count, last) for count in _YEARS]
    return tuple(exact(mark, MONTH, each) for each in (*months, *years))


def _least(last: datetime, wanted: int) -> list[int]:
    """How many documents the newest two months have to have, so that each window has as many as wanted. Those two
    may be a month and a day, and a year may have just begun: what counts is how long they are."""
    month, part = _number(last), last.day / 31
    months = [count - 1 + part for count in _MONTHS]
    years = [month - (month - count) // 12 * 12 + part for count in _YEARS]
    longer = [max(int(wanted * _SPARE * months[0] / each), 1) for each in (*months[1:], *years)]
    return [wanted, *longer]


def _newest(last: int, months: int) -> list[str]:
    """With the month after: a browser's clock may be ahead."""
    return [_month(last + 1 - i) for i in range(months + 1)]


def _years(first: int, last: int) -> list[str]:
    """Those that these months are in, as the index has them: a dozen months would take ten times as long."""
    return [f"{year:04}" for year in range(first // 12, (last + 1) // 12 + 1)]


async def _strict(how: _How, listed: int) -> Found:
    """Documents that have all words."""
    query = how.query(how.conditions())
    asked = Condition(
        user_id=how.one.user_id,
        windows=how.windows(query, is_small=how.is_small),
        least=_least(how.one.last, MOST + 1),
        from_at=how.one.from_at,
        to_at=how.one.to_at,
        row_limit=MOST + 1,
        listed=listed,
    )
    return await how.one.tx.one(store.candidates.FOUND, asked)


async def _tiers(how: _How) -> list[Candidate]:
    titles, saids = (how.query(how.conditions(place)) for place in (TITLE, SAID))
    asked = Tiers(
        user_id=how.one.user_id,
        titles=how.windows(titles, is_small=how.is_small),
        saids=how.windows(saids, is_small=how.is_small),
        least=_least(how.one.last, OF_TIER),
        from_at=how.one.from_at,
        to_at=how.one.to_at,
        row_limit=OF_TIER,
    )
    found = await how.one.tx.all(store.candidates.TIERS, asked)
    return [Candidate(each.id, each.key, each.domain) for each in found]


async def _loose(how: _How, first: Sequence[Candidate], listed: int) -> Candidates:
    """Those with all words, `first`; then those that have some of them, with the rarest before others."""
    one, words = how.one, how.conditions()
    asked = [[each] for each in words]
    if 2 < len(words) <= MOST_LACKING:
        plain = how.conditions(misspelled=False)
        asked += [[*plain[:i], *plain[i + 1 :]] for i in range(len(plain))]
    found = await one.tx.one(
        store.candidates.LOOSE,
        Choice(
            user_id=one.user_id,
            windows=[window for each in asked for window in how.windows(how.query(each))],
            least=_least(one.last, MOST),
            conditions=len(asked),
            words=len(words),
            least_share=LEAST_SHARE,
            from_at=one.from_at,
            to_at=one.to_at,
            row_limit=MOST,
            listed=listed,
        ),
    )
    rarity = {word.typed: rare for word, rare in zip(one.words, found.rarity, strict=True) if rare}
    question = Question(one.parsed, one.words, rarity, how.misspelled, must=False)
    order = _distinct([*first, *_listed(found)])
    return Candidates(question, order, found, found.count < MOST, is_loose=True)


def _listed(found: Found) -> list[Candidate]:
    others = defaultdict[int, list[UUID]](list)
    for id_, number in zip(found.other_ids, found.other_numbers, strict=True):
        others[number].append(id_)
    listed = zip(found.ids, found.keys, found.domains, strict=True)
    return [
        Candidate(id_, key, domain or None, tuple(dict.fromkeys(others.get(number, ()))))
        for number, (id_, key, domain) in enumerate(listed, 1)
    ]


def _distinct(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Each page once, where it comes first, with all that is of it."""
    first, others = dict[UUID, Candidate](), defaultdict[UUID, list[UUID]](list)
    for each in candidates:
        known = first.setdefault(each.key, each)
        if known.id != each.id or (known is not each and each.others):
            others[each.key] += (each.id, *each.others)
    return [_with(each, others[key]) if key in others else each for key, each in first.items()]


def _with(one: Candidate, more: Iterable[UUID]) -> Candidate:
    others = dict.fromkeys((*one.others, *more))
    others.pop(one.id, None)
    return Candidate(one.id, one.key, one.domain, tuple(others))
