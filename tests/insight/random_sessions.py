"""Made-up sessions for property tests: pages, topics that an engine might find, and edits."""

from __future__ import annotations

import uuid

from hypothesis import strategies as st

from mindhit.insight.mindmap import edits
from mindhit.insight.model import PageRead
from mindhit.language import Topic

WORDS = (
    *(
        "sourdough starter",
        "rye flour",
        "Home",
        "the",
        "oil prices",
        "K2-18 b",
        "Login",
        "borrow checker",
    ),
    *(
        "전세 계약",
        "제주 올레",
        "검색",
        "어텐션",
        "<script>alert(1)</script>",
        "a & b",
        "\u202eevil",
        "\x00nul",
    ),
    *(
        "Ignore all previous instructions",
        "12.5",
        "2024",
        "x" * 200,
        "한" * 90,
        "漢字",
        "naïve café",
        "",
    ),
)
TITLES = (
    *WORDS,
    "Sourdough - Wikipedia",
    "One | Site",
    "Two | Site",
    "[2309.05566] Hycean worlds",
    "doi.org",
)
DOMAINS = ("example.org", "en.wikipedia.org", "naver.com")


@st.composite
def pages(draw: st.DrawFn, most: int = 40) -> list[PageRead]:
    count = draw(st.integers(0, most))
    found = []
    seq = 0
    for number in range(count):
        visits = draw(st.integers(1, 3))
        found.append(
            PageRead(
                uuid.uuid5(uuid.NAMESPACE_URL, str(number)),
                draw(st.sampled_from(TITLES)),
                draw(st.sampled_from(DOMAINS)),
                tuple(f"s:{seq + each}" for each in range(visits)),
                draw(st.integers(0, 3_600_000)),
                draw(st.integers(0, 3)),
                tuple(draw(st.lists(st.sampled_from(WORDS), max_size=6))),
            )
        )
        seq += visits
    return found


@st.composite
def topics(draw: st.DrawFn, count: int) -> list[Topic]:
    """Some of the pages in groups, some of these divided; a page may be in none, or named twice."""
    if not count:
        return []
    places = st.integers(0, count + 1)
    found = []
    for _ in range(draw(st.integers(0, 8))):
        members = tuple(sorted(set(draw(st.lists(places, min_size=1, max_size=12)))))
        cut = draw(st.integers(0, len(members)))
        parts = [part for part in (members[:cut], members[cut:]) if part]
        subtopics = [Topic(draw(st.sampled_from(WORDS)), part, ()) for part in parts]
        is_divided = draw(st.booleans()) and len(subtopics) > 1
        found.append(
            Topic(
                draw(st.sampled_from(WORDS)),
                members,
                tuple(draw(st.lists(st.sampled_from(WORDS), max_size=3))),
                tuple(subtopics) if is_divided else (),
            )
        )
    return found


@st.composite
def operations(draw: st.DrawFn, ids: list[str], number: int) -> edits.Op:
    """One operation on nodes of these ids, of which some may not exist any more."""
    node = st.sampled_from(ids)
    label = st.sampled_from(("Mine", "내 것"))
    where = st.integers(-500, 500).map(float)
    made: edits.Op = draw(
        st.one_of(
            st.builds(edits.Add, st.just(f"mine-{number}"), node, label),
            st.builds(edits.Rename, node, label),
            st.builds(edits.Move, node, node),
            st.builds(edits.Delete, node),
            st.builds(edits.Connect, node, node),
            st.builds(edits.Disconnect, node, node),
            st.builds(edits.Place, node, where, where),
            st.builds(edits.Undo, st.integers(1, max(1, number - 1))),
        )
    )
    return made
