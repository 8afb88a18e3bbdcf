"""Pages stand together where they have a name or a subject in common, and nowhere else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from mindhit.insight.mindmap import subjects
from mindhit.insight.mindmap.building import build
from mindhit.insight.mindmap.grouping import MOST_READ
from mindhit.insight.model import READ_CHARACTERS, ROOT, Graph, MindmapNode, NodeType, PageRead
from mindhit.language import Topic
from tests.insight.test_map import a_page, check

BREAD = "The dough is mixed from flour and water. A sourdough starter raises the loaf in the oven."
BANKS = (
    "The bank's profits rose. Investors expect inflation to fall, and shares gained after the bid."
)
TENNIS = "She won the tournament. The referee gave a penalty, and the striker scored a goal in the league."
TALK = "They met, they spoke, and they went away again without having agreed on much."


def pages(*texts: str) -> list[PageRead]:
    return [a_page(n, text=text, duration_ms=60_000 - n) for n, text in enumerate(texts)]


def shown(read: Sequence[PageRead], *topics: Topic, language: str = "en") -> dict[str, list[int]]:
    graph = build("Title", read, topics, language, trusts_labels=False)
    check(graph, read)
    return {
        node.label: [read_of(visit) for visit in node.related_page_visit_ids]
        for node in of_root(graph)
    }


def of_root(graph: Graph) -> list[MindmapNode]:
    return [node for node in graph.nodes if graph.parents.get(node.id) == ROOT]


def read_of(visit: str) -> int:
    return int(visit.partition(":")[2])


@pytest.mark.parametrize(
    ("title", "text", "name"),
    [
        ("A guide to flour", BREAD, "Food and cooking"),
        ("What the markets did", BANKS, "Business"),
        ("Sunday's match", TENNIS, "Sports"),
        (
            "전세 계약",
            "집주인에게 보증금을 맡기기 전에 등기부등본을 보고 확정일자를 받으세요.",
            "집·생활",
        ),
        ("A meeting", TALK, None),
        ("", "", None),
        ("Bread and banks", f"{BREAD} {BANKS}", None),
    ],
)
def test_a_page_has_the_subject_it_plainly_has(title: str, text: str, name: str | None) -> None:
    language = "ko" if title == "전세 계약" else "en"
    found = subjects.subject_of(a_page(1, title=title, text=text))
    assert (None if found is None else subjects.name_of(found, language)) == name


def test_a_group_without_a_shared_name_is_called_by_its_subject() -> None:
    read = pages(*[BANKS] * 6, *[TALK] * 6)
    found = shown(read, Topic("according", (0, 1, 2, 3, 4, 5), ()), Topic("week", (6, 7, 8), ()))
    assert found == {"Business": [0, 1, 2, 3, 4, 5], "Other pages": [6, 7, 8, 9, 10, 11]}


def test_pages_about_something_else_leave_a_group_for_their_own_subject() -> None:
    read = pages(*[BANKS] * 4, BREAD, BREAD, *[TENNIS] * 6)
    mixed = Topic("plan", (0, 1, 2, 3, 4), ())
    found = shown(read, mixed, Topic("match", (5, 6, 7, 8, 9, 10, 11), ()))
    assert found == {
        "Business": [0, 1, 2, 3],
        "Food and cooking": [4, 5],
        "Sports": [6, 7, 8, 9, 10, 11],
    }


def test_a_name_that_most_pages_share_comes_before_their_subject() -> None:
    said = {"keywords": ("Doobie Brothers",), "title": "Doobie Brothers on tour"}
    read = [a_page(n, text=BANKS, **said) for n in range(5)] + pages(*[TALK] * 12)[5:]
    assert "Doobie Brothers" in shown(read, Topic("tour", (0, 1, 2, 3, 4), ()))


def test_a_common_noun_names_a_group_only_where_titles_have_it() -> None:
    told = [a_page(n, text=TALK, keywords=("honeycombs",)) for n in range(12)]
    assert "Honeycombs" not in shown(told, Topic("honeycombs", tuple(range(6)), ()))
    titled = [a_page(n, title=f"Honeycombs {n}", keywords=("honeycombs",)) for n in range(6)]
    assert "Honeycombs" in shown([*titled, *told[6:]], Topic("honeycombs", tuple(range(6)), ()))


def test_what_a_page_says_once_in_passing_is_no_keyword() -> None:
    words = ("rye loaves", "old ovens")
    text = "Rye loaves keep. Rye loaves are dark. They come from old ovens."
    assert keywords([a_page(1, title="On baking", text=text, keywords=words)]) == ["rye loaves"]


def test_no_leaf_repeats_what_the_whole_session_is_called() -> None:
    said = "Kubernetes operators watch. Kubernetes operators act."
    read = [a_page(n, text=said, keywords=("Kubernetes operators",)) for n in range(3)]
    graph = build("", read, [], trusts_labels=False)
    assert graph.nodes[0].label == "Kubernetes operators"
    assert [node.label for node in graph.nodes].count("Kubernetes operators") == 1


def test_pages_that_were_not_read_follow_their_group() -> None:
    read = pages(*[BANKS] * (MOST_READ + 200))
    found = shown(read, Topic("according", tuple(range(MOST_READ - 50, MOST_READ + 200)), ()))
    assert len(found["Business"]) >= 250


def test_under_a_name_stand_pages_that_say_it_and_those_that_are_like_them() -> None:
    said = ("Doobie Brothers", "reunion tour", "amphitheatres")
    told = [a_page(n, title="Doobie Brothers", text=TALK, keywords=said) for n in range(4)]
    like = a_page(4, text=TALK, keywords=("reunion tours", "tickets"))
    other = a_page(5, text=TALK, keywords=("tickets", "trains"))
    read = [*told, like, other, *pages(*[TALK] * 12)[6:]]
    group = Topic("tour", (0, 1, 2, 3, 4, 5), ("Doobie Brothers",))
    assert shown(read, group)["Doobie Brothers"] == [0, 1, 2, 3, 4]


def test_a_name_is_said_by_its_words_side_by_side() -> None:
    apart = "The column is what you sorted by. A sorted list has one column."
    read = [a_page(n, text=apart, summary=apart) for n in range(4)]
    read[0] = a_page(0, text="A sorted column is quick.", keywords=("sorted column",))
    found = shown([*read, *pages(*[TALK] * 12)[4:]], Topic("sorted column", (0, 1, 2, 3), ()))
    assert list(found) == ["Other pages"]


def test_pages_in_a_language_nobody_here_reads_join_no_subject_by_chance() -> None:
    german = (
        "Die Patienten und die Ärzte haben sich in der Klinik noch nicht an die Akte gewöhnt. " * 3
    )
    read = [
        *pages(*[BANKS] * 6),
        a_page(6, title="Die Akte", text=german),
        *pages(*[TALK] * 12)[7:],
    ]
    assert shown(read, Topic("according", tuple(range(7)), ()))["Business"] == [0, 1, 2, 3, 4, 5]


def test_of_a_text_that_was_cut_the_summary_says_what_it_is_about() -> None:
    text = f"Old ovens. {'Bread rises. ' * 400}"[:READ_CHARACTERS]
    page = a_page(1, title="On baking", text=text, keywords=("old ovens",))
    assert keywords([page]) == []
    assert keywords([replace(page, summary="It is about old ovens.")]) == ["old ovens"]


def keywords(read: Sequence[PageRead]) -> list[str]:
    graph = build("Title", read, [])
    return [node.label for node in graph.nodes if node.type == NodeType.KEYWORD]


def test_a_models_topics_keep_its_labels() -> None:
    read = pages(*[BANKS] * 12)
    graph = build("Title", read, [Topic("Reading list", tuple(range(12)), ())])
    assert [node.label for node in of_root(graph)] == ["Reading list"]
