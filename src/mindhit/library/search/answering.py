"""The search: candidates, what they are like now, hits.

    typed ─parse─▶ words ─condition─▶ candidates in order ─▶ blocks of 50 ─read what is there now─▶ rank ─▶ hits

candidates.py says which documents are looked at, and in which order; inside a block the rank decides.
Everything is bounded: the words of a query, the candidates of each, the texts that are read.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from itertools import islice, zip_longest
from typing import Final, NamedTuple, TypeVar
from uuid import UUID

from mindhit import tracking
from mindhit.db import ReadTx
from mindhit.library import store
from mindhit.library.search import candidates, live
from mindhit.library.search.candidates import Asked, Candidate, Candidates, Search
from mindhit.library.search.ranking import Question
from mindhit.library.shapes import Facet, Facets, Hit
from mindhit.library.store.candidates import OF_SITE
from mindhit.library.store.candidates import Found as Counted
from mindhit.library.store.search import Alive, Suggested

BLOCK: Final = candidates.IN_ORDER
MOST_BLOCKS: Final = 4  # read for one answer
FAR: Final = BLOCK // 2  # so many others rarely come or go between two pages of an answer
# Candidates that are all checked before anything is counted. 2,000 checks would take 10 to 15 ms; of more,
# sites are shown that have something left among their newest candidates, wherever those stand in the order.
MOST_CHECKED: Final = BLOCK * MOST_BLOCKS
MOST_DOMAINS: Final = 20  # facets
MOST_OTHERS: Final = 200  # older documents of the pages of a block that are looked at
_HAS_DAYS: Final = re.compile("before:|after:", re.IGNORECASE)


Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class There:
    """What is there of a candidate, and other documents of the same page."""

    alive: Alive
    others: tuple[UUID, ...] = ()

    @property
    def key(self) -> UUID:
        return self.alive.key


class Place(NamedTuple):
    """Where an answer goes on: in the block behind the candidate `after`, behind the hit `hit` of that
    block, which ends with the candidate `until`. All are keys, so it is the same place when others come or
    go; where one of them has gone itself, or was moved far away, the number beside it counts."""

    start: int = 0
    after: UUID | None = None
    skipped: int = 0
    hit: UUID | None = None
    end: int = 0
    until: UUID | None = None


START: Final = Place()


@dataclass(frozen=True, slots=True)
class Found:
    """`count` is of what is there now, up to `MOST_CHECKED`; of more, it is what the index has.
    `is_counted`: not only the newest."""

    hits: list[Hit]
    facets: Facets
    count: int
    is_counted: bool
    is_loose: bool
    next: Place | None


NOTHING: Final = Found([], Facets([], []), 0, True, False, None)


async def search(
    tx: ReadTx, user_id: UUID, asked: Asked, now: datetime, *, limit: int, place: Place = START
) -> Found:
    one = candidates.prepare(tx, user_id, asked, now, await _zone(tx, user_id, asked))
    if not one.asks_something:
        return NOTHING
    found = await candidates.find(one, place.start + candidates.LISTED)
    if len(found.order) > MOST_CHECKED:
        return await _many(one, found, limit, place)
    there = await _there(one, found.order)
    kinds = Counter(each.alive.kind for each in there)
    domains = Counter(each.alive.domain for each in there if each.alive.domain)
    facets = _facets(kinds.most_common(), domains.most_common(MOST_DOMAINS))
    hits, following = await _hits(one, found.question, there, limit, place)
    return Found(hits, facets, len(there), found.is_counted, found.is_loose, following)


async def _zone(tx: ReadTx, user_id: UUID, asked: Asked) -> tzinfo:
    """In which days begin."""
    return await tracking.zone_of(tx, user_id) if _HAS_DAYS.search(asked.typed) else UTC


async def _many(one: Search, found: Candidates, limit: int, place: Place) -> Found:
    """Not all of them are checked. A site that was forgotten is not named, whatever the index still has
    of it. The first block is checked along with the sites: one question less for the server."""
    counted, order = found.found, found.order
    block = order[_block(order, place)]
    of_sites = _of_sites(counted)
    checked = await _alive(one, [*(each.id for each in block), *(ids[0] for ids in of_sites)])
    left = {each.number - len(block) - 1 for each in checked if each.number > len(block)}
    left |= await _left(one, {n: ids[1:] for n, ids in enumerate(of_sites) if n not in left})
    domains = zip(counted.facet_domains, counted.facet_domain_counts, strict=True)
    facets = _facets(
        zip(counted.facet_kinds, counted.facet_kind_counts, strict=True),
        [each for number, each in enumerate(domains) if number in left],
    )
    there = await _there(one, block, [each for each in checked if each.number <= len(block)])
    hits, following = await _hits(one, found.question, order, limit, place, there)
    count = min(counted.count, candidates.MOST)
    return Found(hits, facets, count, found.is_counted, found.is_loose, following)


def _of_sites(counted: Counted) -> list[list[UUID]]:
    """The newest candidates of each site that is named."""
    ids = iter(counted.facet_domain_ids)
    return [list(islice(ids, min(count, OF_SITE))) for count in counted.facet_domain_counts]


async def _left(one: Search, of_sites: Mapping[int, Sequence[UUID]]) -> set[int]:
    """Sites whose newest candidate is gone, but not the next ones."""
    asked = [(number, id_) for number, ids in of_sites.items() for id_ in ids]
    return {asked[each.number - 1][0] for each in await _alive(one, [id_ for _, id_ in asked])}


def _facets(kinds: Iterable[tuple[str, int]], domains: Iterable[tuple[str, int]]) -> Facets:
    return Facets(
        [Facet(kind, count) for kind, count in kinds],
        [Facet(domain, count) for domain, count in domains],
    )


async def _alive(one: Search, ids: list[UUID]) -> list[Alive]:
    """Those that are still there, in their order, with where they are."""
    asked = Suggested(user_id=one.user_id, ids=ids, from_at=one.from_at, to_at=one.to_at)
    return await one.tx.all(store.search.ALIVE, asked) if ids else []


def _block(order: Sequence[Candidate | There], place: Place) -> slice:
    """Longer or shorter than others, where something came or went in it."""
    numbers = {each.key: number for number, each in enumerate(order, 1)}
    start = _behind(numbers, place.after, place.start)
    if place.until is None:
        return slice(start, start + BLOCK)
    expected = start + min(max(place.end - place.start, 1), 2 * BLOCK)
    end = _behind(numbers, place.until, expected)
    return slice(start, end if start < end <= start + 2 * BLOCK else expected)


def _behind(numbers: Mapping[UUID, int], key: UUID | None, expected: int) -> int:
    """The number of the candidate with this key. One that was read again is the newest now, far from where
    it was; of one that is gone, what was behind it is one further in front."""
    if key is None:
        return expected
    if key not in numbers:
        return max(expected - 1, 0)
    return numbers[key] if abs(numbers[key] - expected) <= FAR else expected


async def _there(
    one: Search, block: Sequence[Candidate], alive: list[Alive] | None = None
) -> list[There]:
    """What is there of these candidates. Of a page whose newest document is not, an older one may be."""
    if alive is None:
        alive = await _alive(one, [each.id for each in block])
    known = {each.number - 1: each for each in alive}
    missing = [number for number in range(len(block)) if number not in known]
    others = _in_turns([[(number, id_) for id_ in block[number].others] for number in missing])
    for each in await _alive(one, [id_ for _, id_ in others]):
        known.setdefault(others[each.number - 1][0], each)
    return [There(known[number], block[number].others) for number in sorted(known)]


async def _hits(
    one: Search,
    question: Question,
    order: Sequence[Candidate | There],
    limit: int,
    place: Place,
    there: list[There] | None = None,
) -> tuple[list[Hit], Place | None]:
    """`there`: what is there of the first block, where it is known; `order` may be known to be there."""
    hits = list[Hit]()
    at, behind = _block(order, place), live.Behind(place.skipped, place.hit)
    for _ in range(MOST_BLOCKS):
        if not (block := order[at]):
            return hits, None
        known = there if there is not None else await _known(one, block)
        answers = await _answers(one, question, known)
        found = await asyncio.to_thread(live.hits, question, answers, behind, limit - len(hits))
        hits += found.hits
        if found.last is not None:
            after = order[at.start - 1].key if at.start else None
            end = at.start + len(block)
            return hits, Place(at.start, after, found.shown, found.last, end, block[-1].key)
        at, behind, there = slice(at.stop, at.stop + BLOCK), live.Behind(), None
        if len(hits) == limit:
            break
    is_over = at.start >= len(order)
    return hits, None if is_over else Place(at.start, order[at.start - 1].key)


async def _known(one: Search, block: Sequence[Candidate | There]) -> list[There]:
    known = [each for each in block if isinstance(each, There)]
    return known or await _there(one, [each for each in block if isinstance(each, Candidate)])


async def _answers(one: Search, question: Question, known: list[There]) -> live.Ranked:
    """Where what a page said last is no answer, what it said before may be one."""
    answers = await _ranked(one, question, [each.alive for each in known])
    answering = {loaded.candidate.key for loaded, _ in answers}
    others = _in_turns([each.others for each in known if each.alive.key not in answering])
    read = {(each.alive.session_id, each.alive.content_id, each.key) for each in known}
    further = list[Alive]()
    for each in await _alive(one, others):
        what = (each.session_id, each.content_id, each.key)
        if what not in read and each.key not in answering:
            read.add(what)
            further.append(each)
    return [*answers, *await _ranked(one, question, further)]


async def _ranked(one: Search, question: Question, some: list[Alive]) -> live.Ranked:
    loaded = await live.load(one.tx, one.user_id, some)
    return await asyncio.to_thread(live.ranked, question, loaded)


def _in_turns(lists: Iterable[Sequence[Item]]) -> list[Item]:
    """The first of each, then the second of each; not too many."""
    turns = (each for turn in zip_longest(*lists) for each in turn if each is not None)
    return list(islice(turns, MOST_OTHERS))
