"""Where nodes stand: nothing overlaps, the same each time, and one more node moves few others."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindhit.insight.mindmap import layout
from mindhit.insight.mindmap.label_sizes import STYLES, measure, text_width
from mindhit.insight.mindmap.layout import Box, Point
from mindhit.insight.model import NodeType

LABELS = (
    "oil",
    "K2-18 b",
    "A half marathon in twelve weeks, and then another one",
    "전세 계약 전에 확인할 것",
)
TYPES = (NodeType.ROOT, NodeType.TOPIC, NodeType.SUBTOPIC, NodeType.KEYWORD)


def tree(count: int, seed: int, widest: int = 8) -> list[Box]:
    chance = Random(seed)
    depths = {"0": 0}
    children = {"0": 0}
    boxes = [_box("0", None, chance, 0)]
    for number in range(1, count):
        parent = chance.choice([id_ for id_ in depths if children[id_] < widest])
        depths[str(number)] = depths[parent] + 1
        children[parent] += 1
        children[str(number)] = 0
        boxes.append(_box(str(number), parent, chance, depths[str(number)]))
    return boxes


def _box(id_: str, parent: str | None, chance: Random, depth: int) -> Box:
    found = measure(chance.choice(LABELS), TYPES[min(depth, 3)])
    return Box(id_, parent, found.width, found.height)


def overlaps(boxes: list[Box], points: dict[str, Point]) -> list[tuple[str, str]]:
    """Every pair whose boxes share more than an edge."""
    found = []
    in_order = sorted(boxes, key=lambda b: points[b.id].x - b.width / 2)
    for number, one in enumerate(in_order):
        right = points[one.id].x + one.width / 2
        for other in in_order[number + 1 :]:
            if points[other.id].x - other.width / 2 >= right - 0.2:
                break
            apart = abs(points[one.id].y - points[other.id].y)
            if apart < (one.height + other.height) / 2 - 0.2:
                found.append((one.id, other.id))
    return found


@settings(max_examples=25)
@given(st.integers(1, 150), st.integers(0, 10_000), st.integers(1, 30))
def test_nothing_overlaps(count: int, seed: int, widest: int) -> None:
    boxes = tree(count, seed, widest)
    points = layout.arrange(boxes)
    assert set(points) == {box.id for box in boxes}
    assert overlaps(boxes, points) == []
    assert points == layout.arrange(boxes)


def test_one_more_node_moves_few() -> None:
    boxes = tree(500, 7)
    before = layout.arrange(boxes)
    parents = {box.id: box.parent for box in boxes if box.parent}
    sides = layout.sides_of(
        before, {child: "root" if p == "0" else p for child, p in parents.items()}
    )
    known = [box._replace(side=sides.get(box.id, 0)) for box in boxes]
    after = layout.arrange([*known, Box("new", "250", 90, 24)])
    kept = [
        child
        for child, parent in parents.items()
        if abs(before[child].x - before[parent].x - after[child].x + after[parent].x) < 0.2
        and abs(before[child].y - before[parent].y - after[child].y + after[parent].y) < 0.2
    ]
    assert len(kept) / len(parents) >= 0.9


def test_a_chain_of_a_thousand_is_no_recursion() -> None:
    boxes = [Box(str(n), str(n - 1) if n else None, 50, 20) for n in range(1_000)]
    points = layout.arrange(boxes)
    assert overlaps(boxes, points) == []


def test_both_sides_are_used() -> None:
    boxes = [Box("root", None, 100, 40), *(Box(str(n), "root", 80, 30) for n in range(6))]
    points = layout.arrange(boxes)
    assert sum(point.x > 0 for point in points.values()) == 3


@pytest.mark.parametrize("type_", TYPES)
def test_a_label_fits_into_its_box(type_: NodeType) -> None:
    style = STYLES[type_]
    for label in (*LABELS, "x" * 400, "https://example.org/" + "a" * 200, "한글" * 60, ""):
        box = measure(label, type_)
        assert len(box.lines) <= style.lines
        assert all(text_width(line, style.font) <= style.widest for line in box.lines)
        assert box.width <= style.widest + 2 * style.pad_x + 0.1


def test_a_cut_label_says_so() -> None:
    assert measure("word " * 100, NodeType.TOPIC).lines[-1].endswith("…")
