"""The map of any session: one root, a tree, honest numbers, and the same each time."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import structs

from mindhit.insight.mindmap import labels
from mindhit.insight.mindmap.branches import MOST_NODES, shared_keywords
from mindhit.insight.mindmap.building import build
from mindhit.insight.mindmap.thumbnail import thumbnail
from mindhit.insight.mindmap.weighing import importance
from mindhit.insight.model import ROOT, EdgeType, Graph, NodeMetadata, NodeType, PageRead
from mindhit.language import Topic
from tests.insight.random_sessions import pages, topics

A_SESSION = pages().flatmap(lambda found: st.tuples(st.just(found), topics(len(found))))


def check(graph: Graph, read: Sequence[PageRead]) -> None:
    """Everything that holds for every map."""
    ids = [node.id for node in graph.nodes]
    assert len(set(ids)) == len(ids)
    assert [node.id for node in graph.nodes if node.type == NodeType.ROOT] == [ROOT]
    parents = graph.parents
    assert set(parents) == set(ids) - {ROOT}
    assert len([e for e in graph.edges if e.type == EdgeType.PARENT]) == len(ids) - 1
    for number, id_ in enumerate(ids[1:], 1):  # parents come first: no circle, all reach the root
        assert parents[id_] in ids[:number]
    known = {visit for page in read for visit in page.visit_ids}
    for node in graph.nodes:
        assert 0 <= node.importance <= 1
        assert set(node.related_page_visit_ids) <= known
        assert len(set(node.related_page_visit_ids)) == len(node.related_page_visit_ids)
    for edge in graph.edges:
        assert {edge.source, edge.target} <= set(ids)


@settings(max_examples=50)
@given(A_SESSION)
def test_every_session_has_a_proper_map(session: tuple[list[PageRead], list[Topic]]) -> None:
    read, found = session
    graph = build("A title", read, found)
    check(graph, read)
    topic_visits = {
        visit
        for node in graph.nodes
        if graph.parents.get(node.id) == ROOT
        for visit in node.related_page_visit_ids
    }
    assert topic_visits == {visit for page in read for visit in page.visit_ids}
    assert graph == build("A title", read, found)
    assert len(graph.nodes) <= max(MOST_NODES, 1)
    for node in graph.nodes[1:]:
        assert node.label == labels.clean(node.label)
        assert len(node.label) <= labels.LONGEST
    siblings: dict[str, list[str]] = {}
    for node in graph.nodes[1:]:
        siblings.setdefault(graph.parents[node.id], []).append(labels.normalised(node.label))
    assert all(len(set(found)) == len(found) for found in siblings.values())


@settings(max_examples=20)
@given(A_SESSION, st.data())
def test_more_time_on_a_page_never_makes_its_nodes_less_important(
    session: tuple[list[PageRead], list[Topic]], data: st.DataObject
) -> None:
    read, found = session
    if not read:
        return
    place = data.draw(st.integers(0, len(read) - 1))
    longer = [*read]
    longer[place] = replace(read[place], duration_ms=read[place].duration_ms + 60_000)
    before = {node.id: node for node in build("A title", read, found).nodes}
    for node in build("A title", longer, found).nodes:
        if read[place].visit_ids[0] in node.related_page_visit_ids and node.id in before:
            known = before[node.id]
            if set(known.related_page_visit_ids) == set(node.related_page_visit_ids):
                assert node.importance >= known.importance


def test_importance_is_of_time_highlights_and_pages() -> None:
    """Of two topics that are alike in everything else, the one that has more of it."""
    whole = NodeMetadata(10_000, 4, 4)
    half = NodeMetadata(5_000, 2, 2)
    for more in ({"total_duration_ms": 6_000}, {"highlight_count": 3}, {"page_count": 3}):
        assert importance(structs.replace(half, **more), whole) > importance(half, whole)
    assert importance(whole, whole) == 1.0


def a_page(number: int, **more: object) -> PageRead:
    page = PageRead(
        uuid.uuid5(uuid.NAMESPACE_URL, str(number)),
        f"Page {number}",
        "example.org",
        (f"s:{number}",),
        1_000 * (number % 7),
    )
    return replace(page, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("count", [0, 1, 3_000])
def test_a_map_of_any_size(count: int) -> None:
    read = [a_page(number, keywords=("honey", "bees")) for number in range(count)]
    graph = build("Title", read, [Topic("bees", tuple(range(count)), ())] if count else [])
    check(graph, read)
    assert len(graph.nodes[0].related_page_visit_ids) == count


def test_all_the_same_page_is_one_topic() -> None:
    read = [a_page(1, visit_ids=tuple(f"s:{each}" for each in range(300)), duration_ms=60_000)]
    graph = build("Title", read, [])
    assert [node.label for node in graph.nodes] == ["Title", "Page 1"]
    assert graph.nodes[1].metadata.page_count == 1
    assert graph.nodes[1].importance == 1.0


def test_nothing_in_focus_is_a_root_alone() -> None:
    [root] = build("Title", [], []).nodes
    assert (root.label, root.importance, root.related_page_visit_ids) == ("Title", 0.0, [])


def test_mixed_languages_and_pages_without_text_are_all_there() -> None:
    titles = ["Sourdough - Wikipedia", "오름 - 위키백과", "제주의 봄", "Rust book", "doi.org"] * 3
    read = [a_page(number, title=title) for number, title in enumerate(titles)]
    graph = build("여행", read, [Topic("제주", (1, 2, 6, 7), ()), Topic("bread", (0, 5), ())], "ko")
    check(graph, read)
    topics_shown = [n.label for n in graph.nodes if graph.parents.get(n.id) == ROOT]
    assert topics_shown[-1] == "기타 페이지"
    assert {"제주", "bread"} <= set(topics_shown)


def test_ids_depend_on_parent_and_label_alone() -> None:
    read = [a_page(number) for number in range(12)]
    one = build("Title", read, [Topic("Oil Prices", (0, 1, 2), ()), Topic("bees", (3, 4), ())])
    other = build("Other", read[:5], [Topic("oil prices.", (0, 1, 2), ())])
    assert one.nodes[1].type == NodeType.TOPIC
    assert {n.id for n in one.nodes if n.label == "Page 1"} <= {n.id for n in one.nodes}
    few = build("Other", read, [Topic("oil prices.", (0, 1, 5), ()), Topic("x", (7, 8), ())])
    named = {labels.normalised(n.label): n.id for n in few.nodes}
    assert (
        named["oil prices"] == {labels.normalised(n.label): n.id for n in one.nodes}["oil prices"]
    )
    assert other.nodes[0].id == ROOT


@pytest.mark.parametrize(
    "label",
    [
        "Home",
        "the",
        "12.5",
        "2024",
        "1st",
        "90s",
        "Log in",
        "검색",
        "본문 바로가기",
        "https://a.example/b",
        "of the",
        "x",
        "",
    ],
)
def test_nobody_wants_these_as_labels(label: str) -> None:
    assert not labels.is_fit(label)


@pytest.mark.parametrize(
    "label", ["K2-18 b", "K2-18b", "VO2", "oil prices", "전세 계약", "Rust", "5G 요금제", "오름"]
)
def test_these_are_labels(label: str) -> None:
    assert labels.is_fit(label)


@pytest.mark.parametrize(
    ("plural", "one"),
    [
        *(("indexes", "index"), ("branches", "branch"), ("searches", "search")),
        *(("patches", "patch"), ("brushes", "brush"), ("caches", "cache")),
        *(("sizes", "size"), ("processes", "process"), ("cookies", "cookie"), ("flies", "fly")),
    ],
)
def test_a_keyword_says_nothing_new_as_a_plural(plural: str, one: str) -> None:
    assert labels.overlap(f"concatenated {one}", f"Concatenated {plural}: what comes first")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("Patient", "Patienten", True),
        ("Russia", "Russian", True),
        ("전지", "태양전지", True),
        ("sport", "Cars and transport", False),
        ("Carol", "Carolina", False),
        ("oil prices", "gas prices", False),
    ],
)
def test_siblings_say_different_things(one: str, other: str, is_same: bool) -> None:
    assert labels.overlap(one, other) == labels.overlap(other, one) == is_same


def test_a_small_word_alone_tells_little_in_any_alphabet() -> None:
    words = (
        "honey",
        "каждый",
        "öffentlich",
        "Tour",
        "Москва",
        "전세",
        "漢字",
        "K2-18b",
        "rye bread",
    )
    telling = [each for each in words if labels.is_telling(each)]
    assert telling == ["Tour", "Москва", "전세", "漢字", "K2-18b", "rye bread"]


def test_what_is_true_of_any_page_names_none_in_the_plural_either() -> None:
    assert [each for each in ("plan", "plans", "Markets", "Windows") if labels.is_fit(each)] == [
        "Windows"
    ]


@pytest.mark.parametrize(
    ("title", "domain", "label"),
    [
        ("Sourdough - Wikipedia", "en.wikipedia.org", "Sourdough"),
        ("오름 - 위키백과, 우리 모두의 백과사전", "ko.wikipedia.org", "오름"),
        ("Dense first loaf, what went wrong? : r/Sourdough", "reddit.com", "Dense first loaf, what went wrong?"),
        ("[1706.03762] Attention Is All You Need", "arxiv.org", "Attention Is All You Need"),
        ("doi.org", "doi.org", "doi.org"),
        ("monstera yellow leaves - Google Search", "google.com", "monstera yellow leaves"),
        ("도심의 나무는 몇 도를 낮추나 : 한겨레", "hani.co.kr", "도심의 나무는 몇 도를 낮추나"),
        ("", "www.example.org", "example.org"),
    ],
)  # fmt: skip
def test_a_page_is_called_what_people_call_it(title: str, domain: str, label: str) -> None:
    assert labels.page_label(title, domain) == label


def test_keywords_of_a_session_say_different_things() -> None:
    read = [
        a_page(1, keywords=("sourdough starter", "starter", "rye flour"), duration_ms=9_000),
        a_page(2, keywords=("Home", "sourdough starters", "crumb"), duration_ms=1_000),
    ]
    assert shared_keywords(read) == ["sourdough starter", "rye flour"]


@given(A_SESSION)
@settings(max_examples=20)
def test_a_thumbnail_is_small_and_inside_its_square(
    session: tuple[list[PageRead], list[Topic]],
) -> None:
    lines = thumbnail(build("Title", *session))
    assert len(lines) <= 40
    assert len(json.dumps(lines, separators=(",", ":"))) <= 800
    for depth, *ends in lines:
        assert depth >= 1
        assert all(0 <= end <= 100 for end in ends)


def test_a_label_keeps_joined_letters_and_nothing_that_reverses_text() -> None:
    family, word = "👩\u200d👩\u200d👧", "می\u200cخواهم"
    assert labels.clean(f"{family}\n{word} \u202eder") == f"{family} {word} der"
