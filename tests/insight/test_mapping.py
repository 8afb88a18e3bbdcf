"""What is asked about a session's pages, and what becomes of the pages that were not asked about."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from math import inf
from uuid import UUID, uuid4

import pytest

from mindhit.insight.mindmap.building import build
from mindhit.insight.model import EdgeType
from mindhit.insight.processing import mapping, summarising
from mindhit.insight.processing.summarising import sentences_for, summarise_all
from mindhit.language import Reader, Topic
from tests.insight.test_map import a_page

MORE = mapping.MOST_PAGES + 2


def test_the_pages_with_the_most_time_are_asked_about_and_others_follow_their_site() -> None:
    read = [a_page(n, duration_ms=9_000, domain="bees.example") for n in range(MORE)]
    read[3] = replace(read[3], duration_ms=1)
    read[7] = replace(read[7], duration_ms=1, domain="nobody.example")
    chosen = mapping._longest(read)
    assert set(range(MORE)) - set(chosen) == {3, 7}
    bees = Topic("bees", tuple(range(len(chosen))), ())
    [topic] = mapping._whole([bees], chosen, read)
    assert set(topic.members) == set(range(MORE)) - {7}


@pytest.mark.parametrize(
    "changed",
    [
        {"url_id": UUID(int=9)},
        {"title": "Another"},
        {"visit_ids": ("s:1", "s:2")},
        {"duration_ms": 5},
        {"highlight_count": 1},
        {"summary": "Another."},
        {"keywords": ("other",)},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_a_map_is_of_what_it_shows(changed: dict[str, object]) -> None:
    page = a_page(1)
    assert mapping.made_of([page], None) == mapping.made_of([replace(page)], None)
    other = replace(page, **changed)  # type: ignore[arg-type]
    assert mapping.made_of([page], None) != mapping.made_of([other], None)
    assert mapping.made_of([page], None) != mapping.made_of([page], "Mine")


def test_topics_that_share_two_keywords_are_related_and_others_are_not() -> None:
    said = [("honey", "bees", "wax"), ("honey", "bees"), ("honey", "oil")]
    read = [a_page(n, keywords=said[n // 4]) for n in range(12)]
    labels = ("Hives", "Meadows", "Refineries")
    topics = [Topic(label, tuple(range(4 * n, 4 * n + 4)), ()) for n, label in enumerate(labels)]
    graph = build("Title", read, topics)
    name = {node.id: node.label for node in graph.nodes}
    pairs = [{name[e.source], name[e.target]} for e in graph.edges if e.type == EdgeType.RELATED]
    assert pairs == [{"Hives", "Meadows"}]


def test_a_longer_text_has_a_longer_summary() -> None:
    assert [sentences_for("x" * length) for length in (10, 1_501, 5_001)] == [3, 4, 5]


async def test_a_run_whose_time_is_over_leaves_the_rest_for_the_next() -> None:
    async def noted(_done: int, _total: int) -> None: ...

    nobody = None  # neither the database nor a language engine is asked for anything
    for ids in ([], [uuid4()]):
        is_all = await summarise_all(nobody, nobody, Reader(), ids, noted, until=0)  # type: ignore[arg-type]
        assert is_all == (not ids)


async def test_five_texts_are_summarised_at_once_and_no_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    running = most = 0

    async def slow(*_: object, **__: object) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        for _turn in range(20):  # the others begin meanwhile
            await asyncio.sleep(0)
        running -= 1

    async def noted(_done: int, _total: int) -> None: ...

    monkeypatch.setattr(summarising, "summarise", slow)
    ids = [uuid4() for _ in range(12)]
    nobody = None
    assert await summarise_all(nobody, nobody, Reader(), ids, noted, until=inf)  # type: ignore[arg-type]
    assert most == 5
